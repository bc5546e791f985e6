//! Which colour a number gets.

use kuva::plot::ColorMap;
use vortice_core::Shown;

/// Colours of the palette that numbers get; two more are for solids and for what is no number.
const SHADES: usize = 254;
const SOLID: u8 = 254;
const BROKEN: u8 = 255;

/// Colours from one number to another.
pub(crate) struct Paint {
    /// What stands beside the bar.
    pub(crate) label: &'static str,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The smallest and the largest number that there is.
    pub(crate) range: [f64; 2],
    pub(crate) palette: Vec<[u8; 3]>,
    /// What streamlines are drawn in.
    pub(crate) lines: &'static str,
}

impl Paint {
    /// From blue through white to red; the darkest ends are left out, lines must be seen on them.
    pub(crate) fn vorticity(limit: f64, range: [f64; 2]) -> Self {
        let colour = |share: f64| ColorMap::RedBlue.map_rgb(0.9 - 0.8 * share);
        let palette = palette(colour);
        Self {
            label: "vorticity in 1/s",
            low: -limit,
            high: limit,
            range,
            palette,
            lines: "#3a4149",
        }
    }

    pub(crate) fn speed(limit: f64, range: [f64; 2]) -> Self {
        let palette = palette(|share| ColorMap::Viridis.map_rgb(share));
        Self { label: "speed in m/s", low: 0.0, high: limit, range, palette, lines: "#ffffff" }
    }

    /// From one number to another that a film has been given: it shows no others, or the bar would change.
    pub(crate) fn film(shows: Shown, [low, high]: [f64; 2]) -> Self {
        let range = [low, high];
        let like = match shows {
            Shown::Speed => Self::speed(high, range),
            Shown::Vorticity => Self::vorticity(high, range),
            Shown::Pressure => Self { label: "pressure in Pa", ..Self::vorticity(high, range) },
        };
        Self { low, high, ..like }
    }

    /// From nearly white to dark.
    pub(crate) fn difference(limit: f64, range: [f64; 2]) -> Self {
        let palette = palette(|share| ColorMap::YellowOrangeRed.map_rgb(share));
        Self { label: "difference in %", low: 0.0, high: limit, range, palette, lines: "#3a4149" }
    }

    /// The place in the palette of a number, none of it being in a solid.
    pub(crate) fn shade(&self, number: Option<f64>) -> u8 {
        match number {
            None => SOLID,
            Some(x) if x.is_nan() => BROKEN,
            Some(x) => {
                let share = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
                (share * (SHADES - 1) as f64).round() as u8
            }
        }
    }

    /// What lies above the last colour, and what below the first: the farthest such number.
    pub(crate) fn beyond(&self) -> [Option<f64>; 2] {
        let slack = 1e-9 * (self.high - self.low);
        let [least, most] = self.range;
        [
            Some(most).filter(|most| *most > self.high + slack),
            Some(least).filter(|least| *least < self.low - slack),
        ]
    }

    /// The palette from its last shade down, for a bar of one column.
    pub(crate) fn bar(&self) -> Vec<u8> {
        (0..SHADES as u8).rev().collect()
    }
}

fn palette(colour: impl Fn(f64) -> Option<(u8, u8, u8)>) -> Vec<[u8; 3]> {
    let shades = (0..SHADES).map(|n| colour(n as f64 / (SHADES - 1) as f64).unwrap_or_default());
    let special = [(0xb8, 0xb8, 0xb8), (0xff, 0x00, 0xff)];
    shades.chain(special).map(|(red, green, blue)| [red, green, blue]).collect()
}
