//! A panel with a computed profile over the points of a reference.

use std::sync::Arc;

use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, TextAnchor, render_multiple};

use vortice_core::format::significant;

use crate::canvas::Canvas;

/// One panel: a computed line over the points of a reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfilePlot {
    /// What is compared.
    pub title: String,
    /// Name and unit of the horizontal axis.
    pub x_label: String,
    /// Name and unit of the vertical axis.
    pub y_label: String,
    /// The computed line.
    pub computed: Vec<(f64, f64)>,
    /// The points of the reference.
    pub reference: Vec<(f64, f64)>,
    /// Short name of the reference, for the legend.
    pub reference_name: String,
}

const LINE: &str = "#3b528b";
const POINTS: &str = "#d1495b";

/// Height kept for title and legend.
const HEAD: f64 = 46.0;

/// About the space that the axis takes at the left.
const LEFT: f64 = 42.0;

/// Mean width of a letter of the legend.
const LETTER: f64 = 7.0;

/// Draws a profile into a panel of a size; numbers that are not finite are left out.
pub(crate) fn draw(profile: &ProfilePlot, width: f64, height: f64) -> Scene {
    let mut canvas = Canvas::new(width, height);
    let middle = 0.5 * (width + LEFT);
    let size = (width / (0.62 * profile.title.chars().count().max(1) as f64)).clamp(8.0, 14.0);
    canvas.text(&profile.title, (middle, 15.0), size as u32, TextAnchor::Middle);
    if !profile.reference.is_empty() {
        draw_legend(&mut canvas, &profile.reference_name, middle);
    }
    let plots = plots(profile);
    let layout = if plots.is_empty() {
        Layout::new((0.0, 1.0), (0.0, 1.0))
    } else {
        Layout::auto_from_plots(&plots)
    };
    let layout = layout
        .with_width(width)
        .with_height(height - HEAD)
        .with_x_label(profile.x_label.as_str())
        .with_y_label(profile.y_label.as_str())
        .with_tick_format(TickFormat::Custom(Arc::new(label)))
        .with_x_label_offset(0.0, -8.0);
    // Axes need something to go round.
    let nothing = LinePlot::new().with_data([(0.0, 0.0)]).with_color("none");
    let plots = if plots.is_empty() { vec![nothing.into()] } else { plots };
    canvas.place(render_multiple(plots, layout), 0.0, HEAD);
    canvas.scene
}

/// The words at a tick, without what rounding leaves of round steps: `-2.5e-6`, not `-2.4999999999999998e-6`.
fn label(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) {
        return significant(x);
    }
    let text = format!("{x:.3e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}

fn plots(profile: &ProfilePlot) -> Vec<Plot> {
    let finite = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect()
    };
    let (computed, reference) = (finite(&profile.computed), finite(&profile.reference));
    let mut plots: Vec<Plot> = Vec::new();
    if !computed.is_empty() {
        let line = LinePlot::new().with_data(computed);
        plots.push(line.with_color(LINE).with_stroke_width(2.0).into());
    }
    if !reference.is_empty() {
        let points = ScatterPlot::new().with_data(reference);
        plots.push(points.with_color(POINTS).with_size(4.0).into());
    }
    plots
}

/// `- computed  o reference`, below the title.
fn draw_legend(canvas: &mut Canvas, reference: &str, middle: f64) {
    let words = ["computed", reference];
    let lengths = words.map(|word| LETTER * word.chars().count() as f64);
    let (gap, mark, y) = (26.0, 26.0, 34.0);
    let mut x = middle - 0.5 * (lengths.iter().sum::<f64>() + 2.0 * mark + gap);
    canvas.line(vec![(x, y), (x + 18.0, y)], LINE, 2.0);
    canvas.text(words[0], (x + mark, y + 4.0), 12, TextAnchor::Start);
    x += mark + lengths[0] + gap;
    canvas.spot((x + 12.0, y), POINTS, 4.0);
    canvas.text(words[1], (x + mark, y + 4.0), 12, TextAnchor::Start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_ticks_are_short() {
        for (x, words) in [
            (-2.499_999_999_999_999_8e-6, "-2.5e-6"),
            (0.300_000_000_000_000_04, "0.3"),
            (0.0, "0"),
            (-0.25, "-0.25"),
            (35.0, "35"),
            (2e6, "2e6"),
        ] {
            assert_eq!(label(x), words);
        }
    }
}
