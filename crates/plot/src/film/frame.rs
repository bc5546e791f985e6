//! One frame: the plane in colours with axes, a colour bar and its time.

use std::collections::HashMap;

use png::Compression;
use vortice_core::{Case, Cells, FilmOptions, Shown, Step, Until, Window};

use crate::drawing::Pixels;
use crate::map::{Paint, Panel};
use crate::pixels::png;
use crate::plane::Plane;
use crate::raster::raster;

/// Pixels of a frame per unit of the drawing.
const SCALE: f32 = 1.5;

/// Shades of the flow in a frame; the rest of the 256 are for words and lines.
const SHADES: usize = 200;

/// Digits of the time at the end of the run.
const DIGITS: f64 = 5.0;

/// The file of a frame.
///
/// # Errors
/// If the drawing is too large for memory.
pub(super) fn draw(
    case: &Case,
    options: &FilmOptions,
    windows: &[Window<'_>],
    step: &Step,
) -> Result<Vec<u8>, String> {
    let cells = Cells::Parts(windows);
    let plane = match options.shows {
        // One number counts as all three entries of a vector.
        Shown::Pressure => Plane::cut(case, options.plane, |_, cell| cells.at(0, cell)),
        _ => Plane::cut(case, options.plane, |c, cell| cells.at(c, cell)),
    };
    let number = |point| match options.shows {
        Shown::Speed => plane.speed(point),
        Shown::Vorticity => plane.beside_solids(point).map(|omega| plane.turn(omega)),
        Shown::Pressure => plane.beside_solids(point).map(|p| p[2]),
    };
    let paint = Paint::film(options.shows, options.range);
    let title = title(case, options, &plane, step);
    let drawing = Panel::new(&title, &plane, &paint).draw(&number, false);
    let (width, colours) = raster(&drawing, SCALE)?;
    let palette = palette(&paint.palette);
    let shades = shades(&colours, &palette);
    // The film compresses it again.
    Ok(png(&Pixels { width, palette, shades }, Compression::Balanced))
}

/// What is shown, where and when, with as many digits at all times.
fn title(case: &Case, options: &FilmOptions, plane: &Plane, step: &Step) -> String {
    let what = match options.shows {
        Shown::Speed => "Speed",
        Shown::Vorticity => "Vorticity",
        Shown::Pressure => "Pressure",
    };
    let place = plane.place.map_or(String::new(), |place| format!(" in the plane {place}"));
    match case.run.until {
        Until::Time(end) => {
            let decimals = (DIGITS - 1.0 - end.log10().floor()).clamp(0.0, 12.0) as usize;
            format!("{what}{place} at t = {:.decimals$} s", step.time)
        }
        Until::Steady(_) => format!("{what}{place} after {} steps", step.number),
    }
}

/// Some of the shades of a paint, its two special colours, and what words on white are drawn in.
fn palette(paint: &[[u8; 3]]) -> Vec<[u8; 3]> {
    let (shades, special) = paint.split_at(paint.len() - 2);
    let some = (0..SHADES).map(|n| shades[n * (shades.len() - 1) / (SHADES - 1)]);
    let greys = 256 - SHADES - special.len();
    // From the ink to white, as the edges of letters are.
    let grey = |n: usize| {
        let share = n as f64 / (greys - 1) as f64;
        [0x1f, 0x29, 0x33]
            .map(|ink: u8| (f64::from(ink) + share * (255.0 - f64::from(ink))).round() as u8)
    };
    some.chain(special.iter().copied()).chain((0..greys).map(grey)).collect()
}

/// The nearest of the palette for each colour.
fn shades(colours: &[[u8; 3]], palette: &[[u8; 3]]) -> Vec<u8> {
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let nearest = |colour: [u8; 3]| {
        let apart = |other: &[u8; 3]| -> i32 {
            (0..3).map(|c| (i32::from(colour[c]) - i32::from(other[c])).pow(2)).sum()
        };
        (0..palette.len()).min_by_key(|&n| apart(&palette[n])).unwrap_or(0) as u8
    };
    // Most colours are those of the pixel before.
    let mut last = ([0; 3], nearest([0; 3]));
    let shade = |&one: &[u8; 3]| {
        if last.0 != one {
            last = (one, *known.entry(one).or_insert_with(|| nearest(one)));
        }
        last.1
    };
    colours.iter().map(shade).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_keeps_shades_and_letters() {
        let paint = Paint::film(Shown::Speed, [0.0, 1.0]);
        let palette = palette(&paint.palette);
        assert_eq!(palette.len(), 256);
        let of = |colour| palette[usize::from(shades(&[colour], &palette)[0])];
        for exact in [paint.palette[0], paint.palette[253], paint.palette[254], [255; 3]] {
            assert_eq!(of(exact), exact);
        }
        for shade in &paint.palette {
            let near = of(*shade);
            assert!((0..3).all(|c| shade[c].abs_diff(near[c]) < 6), "{shade:?} {near:?}");
        }
    }
}
