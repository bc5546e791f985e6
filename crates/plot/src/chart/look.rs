//! Colours, markers and dashes.

use super::Ink;
use crate::drawing::{INK, Mark};

/// Six of the eight colours of Okabe and Ito (2008), which can be told apart by nearly everyone;
/// their yellow is too light for lines.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];

/// How a series is drawn.
pub(crate) struct Style {
    pub(crate) colour: &'static str,
    pub(crate) dashes: &'static str,
    marker: usize,
    filled: bool,
}

impl Style {
    pub(crate) fn new(ink: Ink) -> Self {
        match ink {
            Ink::Colour(n) => Self::of(n, n / COLOURS.len()),
            Ink::Variant(n, variant) => Self::of(n, variant),
            Ink::Reference(n) => {
                let dashes = DASHES[(n + 1) % DASHES.len()];
                Self { colour: INK, dashes, marker: n, filled: false }
            }
        }
    }

    /// Variants have other dashes, and every second of them open markers.
    fn of(n: usize, variant: usize) -> Self {
        let (colour, dashes) = (COLOURS[n % COLOURS.len()], DASHES[variant % DASHES.len()]);
        Self { colour, dashes, marker: n, filled: variant.is_multiple_of(2) }
    }

    /// The marker at a place.
    pub(crate) fn marker(&self, (x, y): (f64, f64)) -> Mark {
        let (colour, filled) = (self.colour, self.filled);
        let around = |corners: &[(f64, f64)]| -> Vec<_> {
            corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
        };
        let corners = match self.marker % 5 {
            0 => return Mark::Spot { centre: (x, y), radius: 3.6, colour, filled },
            1 => around(&[(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)]),
            2 => around(&[(0.0, -4.6), (4.2, 3.0), (-4.2, 3.0)]),
            3 => around(&[(0.0, -4.8), (4.8, 0.0), (0.0, 4.8), (-4.8, 0.0)]),
            _ => around(&[(0.0, 4.6), (4.2, -3.0), (-4.2, -3.0)]),
        };
        Mark::Shape { corners, colour, filled }
    }
}
