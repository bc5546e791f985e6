//! A finished drawing: a list of marks that becomes SVG or PNG.

use std::path::Path;

use vortice_core::{Error, Result};

use super::raster;
use super::svg;
use crate::beside::write_beside;

/// Anything drawn, in units of the drawing, the origin at the top left.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// A line through points.
    Line { points: Vec<(f64, f64)>, colour: &'static str, width: f64, dashes: &'static str },
    /// A closed shape with an outline; filled with white unless with its own colour.
    Shape { corners: Vec<(f64, f64)>, colour: &'static str, filled: bool },
    /// A round spot, likewise.
    Spot { centre: (f64, f64), radius: f64, colour: &'static str, filled: bool },
    /// A word, its base line at a point.
    Text { text: String, at: (f64, f64), size: f64, place: Place, colour: &'static str },
    /// Coloured pixels that fill a rectangle.
    Pixels { pixels: Pixels, at: (f64, f64), size: (f64, f64) },
}

/// Which point of a word lies at its place, and whether the word climbs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Start,
    Middle,
    End,
    /// In the middle, read from below.
    Climbing,
}

/// Shades of a palette by row, the highest row first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) palette: Vec<[u8; 3]>,
    pub(super) shades: Vec<u8>,
}

/// A chart or a map, ready to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    pub(super) title: String,
    pub(super) size: (f64, f64),
    pub(super) marks: Vec<Mark>,
    pub(super) stretch: Option<f64>,
}

impl Drawing {
    pub(super) fn new(title: &str, width: f64, height: f64) -> Self {
        Self { title: title.into(), size: (width, height), ..Self::default() }
    }

    /// How many times the vertical scale is larger than the horizontal one, where it is: long
    /// channels would otherwise be a stroke. A caption should say so.
    pub fn stretch(&self) -> Option<f64> {
        self.stretch
    }

    /// Width and height in units of the drawing, about a pixel of a screen each.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// The drawing as one `<svg>` element without identifiers, so that many can stand in one page.
    pub fn svg(&self) -> String {
        svg::svg(self)
    }

    /// Writes the drawing as an SVG file.
    ///
    /// # Errors
    /// If the file cannot be written; an older file of this name is then still there.
    pub fn write_svg(&self, path: impl AsRef<Path>) -> Result<()> {
        write_beside(path.as_ref(), |file| file.write_all(self.svg().as_bytes()))
    }

    /// Writes the drawing as a PNG file, two pixels per unit.
    ///
    /// # Errors
    /// If the drawing is too large for memory, or the file cannot be written; an older file of
    /// this name is then still there.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<()> {
        let bytes = raster::png(self).map_err(|error| {
            let remedy = "use the SVG file; it shows the same";
            Error::file(&path, format!("cannot be drawn: {error}"), remedy)
        })?;
        write_beside(path.as_ref(), |file| file.write_all(&bytes))
    }

    pub(super) fn add(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// A thin line without dashes.
    pub(super) fn line(&mut self, points: Vec<(f64, f64)>, colour: &'static str, width: f64) {
        self.add(Mark::Line { points, colour, width, dashes: "" });
    }

    /// A dark word.
    pub(super) fn text(&mut self, text: &str, at: (f64, f64), size: f64, place: Place) {
        self.add(Mark::Text { text: text.into(), at, size, place, colour: super::INK });
    }

    /// A title at the top left, in smaller letters if it is long.
    pub(super) fn heading(&mut self, left: f64) {
        let title = self.title.clone();
        let size = (16.0 * (self.size.0 - left) / width_of(&title, 16.0)).clamp(9.0, 16.0);
        self.text(&title, (left, 19.0), size, Place::Start);
    }
}

/// About the width of a word, whatever font the reader has.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    let letters = text.chars().map(|letter| match letter {
        'i' | 'j' | 'l' | 't' | 'f' | '.' | ',' | ' ' | '(' | ')' | '⁻' => 0.36,
        'm' | 'w' | 'M' | 'W' => 0.9,
        letter if letter.is_uppercase() => 0.68,
        letter if letter.is_ascii_digit() => 0.64,
        _ => 0.57,
    });
    size * letters.sum::<f64>().max(0.5)
}
