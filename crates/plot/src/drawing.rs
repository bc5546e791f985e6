//! A finished drawing: a list of marks that becomes SVG or PNG.

/// What words and references are drawn in.
pub(crate) const INK: &str = "#1f2933";

/// Anything drawn, in units of the drawing, the origin at the top left.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
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
pub(crate) enum Place {
    Start,
    Middle,
    End,
    /// In the middle, read from below.
    Climbing,
}

/// Shades of a palette by row, the highest row first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pixels {
    pub(crate) width: usize,
    pub(crate) palette: Vec<[u8; 3]>,
    pub(crate) shades: Vec<u8>,
}

/// A chart or a map, ready to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    pub(crate) title: String,
    pub(crate) size: (f64, f64),
    pub(crate) marks: Vec<Mark>,
    pub(crate) stretch: Option<f64>,
}

impl Drawing {
    pub(crate) fn new(title: &str, width: f64, height: f64) -> Self {
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

    pub(crate) fn add(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// A thin line without dashes.
    pub(crate) fn line(&mut self, points: Vec<(f64, f64)>, colour: &'static str, width: f64) {
        self.add(Mark::Line { points, colour, width, dashes: "" });
    }

    /// A dark word.
    pub(crate) fn text(&mut self, text: &str, at: (f64, f64), size: f64, place: Place) {
        self.add(Mark::Text { text: text.into(), at, size, place, colour: INK });
    }

    /// A title at the top left, in smaller letters if it is long.
    pub(crate) fn heading(&mut self, left: f64) {
        let title = self.title.clone();
        let size = (16.0 * (self.size.0 - left) / width_of(&title, 16.0)).clamp(9.0, 16.0);
        self.text(&title, (left, 19.0), size, Place::Start);
    }
}

/// About the width of a word, whatever font the reader has.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    let letters = text.chars().map(|letter| match letter {
        'i' | 'j' | 'l' | 't' | 'f' | '.' | ',' | ' ' | '(' | ')' | '⁻' => 0.36,
        'm' | 'w' | 'M' | 'W' => 0.9,
        letter if letter.is_uppercase() => 0.68,
        letter if letter.is_ascii_digit() => 0.64,
        _ => 0.57,
    });
    size * letters.sum::<f64>().max(0.5)
}
