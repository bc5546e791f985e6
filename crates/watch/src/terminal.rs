//! A flow drawn in a terminal: two pixels a letter, the upper and the lower half of a block.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use console::Term;
use vortice_core::{Error, Result};
use vortice_study::Session;

use crate::camera::Camera;
use crate::course::Course;
use crate::helm::{Helm, Watched};
use crate::image::Image;
use crate::view::{Shown, View};

/// Lines beside the picture.
const BESIDE: usize = 3;

/// Shades of a byte of [`Image::bytes`].
const SHADES: u8 = 253;

/// Some colours of viridis, and of a map that is white in the middle; between them all others lie.
const VIRIDIS: [[f64; 3]; 6] = [
    [68.0, 1.0, 84.0],
    [65.0, 68.0, 135.0],
    [42.0, 120.0, 142.0],
    [34.0, 168.0, 132.0],
    [122.0, 209.0, 81.0],
    [253.0, 231.0, 37.0],
];
const TWO_SIDED: [[f64; 3]; 3] = [[33.0, 102.0, 172.0], [247.0, 247.0, 247.0], [178.0, 24.0, 43.0]];

/// Refuses to draw where nothing can be drawn.
///
/// # Errors
/// If standard error is no terminal.
pub fn check_terminal() -> Result<()> {
    if std::io::stderr().is_terminal() {
        return Ok(());
    }
    Err(Error::Command {
        argument: "--watch=terminal".into(),
        problem: "standard error is no terminal to draw in".into(),
        remedy: "use `--watch` and open its page, or run it in a terminal".into(),
    })
}

/// Draws a session in the terminal of the program.
pub struct Terminal {
    session: Arc<Session>,
    helm: Helm,
    camera: Camera,
}

impl Terminal {
    /// For a session that has not begun to go.
    ///
    /// # Errors
    /// If the session is no longer there.
    pub fn new(session: Arc<Session>) -> Result<Self> {
        let case = session.case()?;
        let camera = Camera::new(session.clone(), case, Vec::new(), false, Course::default());
        Ok(Self { helm: Helm::new(session.clone(), false), camera, session })
    }

    /// Lets the run go to its end or until it is interrupted, and draws it meanwhile.
    ///
    /// # Errors
    /// As [`crate::Watch::drive`].
    pub fn drive(&self, is_interrupted: impl Fn() -> bool) -> Result<Watched> {
        let (stopped, drawn) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || self.draw(&drawn));
            let watched = self.helm.drive(is_interrupted, || None);
            drop(stopped);
            watched
        })
    }

    /// Draws until the run has ended.
    fn draw(&self, drawn: &std::sync::mpsc::Receiver<()>) {
        let mut lines = 0;
        let mut known = None;
        let is_over = |wait: Duration| {
            !matches!(drawn.recv_timeout(wait), Err(std::sync::mpsc::RecvTimeoutError::Timeout))
        };
        while !is_over(Duration::from_millis(50)) {
            let view = View::first(self.camera.case());
            let Ok(image) = self.camera.image(view, known, Duration::from_millis(200)) else {
                return;
            };
            let Some(image) = image else { continue };
            known = Some(image.step.number);
            let (rows, columns) = Term::stderr().size();
            let room = [usize::from(columns), usize::from(rows).saturating_sub(BESIDE)];
            let picture = self.picture(&image, room);
            let up = if lines > 0 { format!("\x1b[{lines}A") } else { String::new() };
            lines = picture.lines().count();
            // Standard error may be closed; a run does not depend on being watched.
            let _ = write!(std::io::stderr().lock(), "{up}{picture}");
        }
    }

    /// The image in so many columns and rows, and a line of words.
    fn picture(&self, image: &Image, room: [usize; 2]) -> String {
        let case = self.camera.case();
        let [right, up] = image.view.directions().map(|d| case.grid.axes[d].length());
        let mut text = blocks(image, [right, up], room);
        let residual = self.session.status().step.residual;
        let [low, high] = image.colours;
        let _ = writeln!(
            text,
            "\x1b[Kstep {}  t = {:.4} s  residual {residual:.2e}/s  {} {low:.3} to {high:.3} {}",
            image.step.number,
            image.step.time,
            image.view.shown.name(),
            image.view.shown.unit(),
        );
        text
    }
}

/// Two pixels a letter, no more letters than there is room for, in the proportions of the box.
fn blocks(image: &Image, [right, up]: [f64; 2], [columns, rows]: [usize; 2]) -> String {
    let (most, bytes) = ([columns.max(2), 2 * rows.max(1)], image.bytes(image.colours));
    let scale = (most[0] as f64 / right).min(most[1] as f64 / up);
    let width = ((right * scale) as usize).clamp(1, most[0]);
    let height = ((up * scale) as usize).clamp(2, most[1]) / 2 * 2;
    let at = |column: usize, row: usize| {
        let [i, j] = [column * image.size[0] / width, row * image.size[1] / height];
        colour(image.view.shown, bytes[i + j * image.size[0]])
    };
    let mut text = String::new();
    for row in (0..height).step_by(2) {
        for column in 0..width {
            let ([r, g, b], [x, y, z]) = (at(column, row), at(column, row + 1));
            let _ = write!(text, "\x1b[38;2;{r};{g};{b}m\x1b[48;2;{x};{y};{z}m▀");
        }
        text += "\x1b[0m\x1b[K\n";
    }
    text
}

/// The colour of a byte.
fn colour(shown: Shown, byte: u8) -> [u8; 3] {
    if byte > SHADES {
        return [120, 120, 120];
    }
    let knots: &[[f64; 3]] = if shown.is_two_sided() { &TWO_SIDED } else { &VIRIDIS };
    let place = f64::from(byte) / f64::from(SHADES) * (knots.len() - 1) as f64;
    let low = (place as usize).min(knots.len() - 2);
    let share = place - low as f64;
    std::array::from_fn(|c| (knots[low][c] + share * (knots[low + 1][c] - knots[low][c])) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_end_to_end() {
        assert_eq!(colour(Shown::Speed, 0), [68, 1, 84]);
        assert_eq!(colour(Shown::Speed, SHADES), [253, 231, 37]);
        assert!(colour(Shown::Vorticity, 127).iter().all(|&part| part > 240), "white");
        assert_eq!(colour(Shown::Speed, 255), [120; 3]);
    }
}
