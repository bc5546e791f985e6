//! A layer of cells as numbers for the pixels of a page.

use std::sync::Arc;

use vortice_core::Step;

use crate::pixels::Pixels;
use crate::view::{Shown, View};

/// Numbers that are compared together.
const LANES: usize = 16;

/// Numbers that the ends of the colours are found from at most.
const SAMPLES: usize = 4096;

/// Share of the numbers that get a colour of their own, where few would leave none for the rest.
const SHARE: f64 = 0.98;

/// Shades of a pixel; the last two numbers of a byte are for what is no number and for solids.
const SHADES: f64 = 253.0;
const BROKEN: u8 = 254;
const SOLID: u8 = 255;

/// A layer of cells as numbers, right fastest, from the lower left corner.
pub(crate) struct Image {
    pub(crate) view: View,
    pub(crate) step: Step,
    pub(crate) size: [usize; 2],
    /// Not a number in solids.
    numbers: Vec<f32>,
    solid: Arc<[bool]>,
    /// What the first and the last colour stand for.
    pub(crate) colours: [f64; 2],
    /// The smallest and the largest number.
    pub(crate) range: [f64; 2],
}

impl Image {
    /// The image of a number for each pixel; what lies in solids has none.
    pub(crate) fn new(
        pixels: &Pixels,
        step: Step,
        mut numbers: Vec<f32>,
        solid: Arc<[bool]>,
    ) -> Self {
        for (number, _) in numbers.iter_mut().zip(&*solid).filter(|(_, is_solid)| **is_solid) {
            *number = f32::NAN;
        }
        let (view, size, range) = (pixels.view, pixels.size(), ends(&numbers));
        let colours =
            colours(view.shown.is_two_sided(), view.shown == Shown::Speed, &numbers, range);
        Self { view, step, size, numbers, solid, colours, range }
    }

    /// The same with colours that are alike on both sides of zero.
    pub(crate) fn two_sided(mut self) -> Self {
        self.colours = colours(true, false, &self.numbers, self.range);
        self
    }

    /// The number of a pixel, if there is one.
    pub(crate) fn number(&self, [i, j]: [usize; 2]) -> Option<f32> {
        let is_inside = i < self.size[0] && j < self.size[1];
        is_inside.then(|| self.numbers[i + j * self.size[0]]).filter(|number| number.is_finite())
    }

    /// A byte for each pixel, from the top: how far its number lies from the first colour to the last.
    pub(crate) fn bytes(&self, [low, high]: [f64; 2]) -> Vec<u8> {
        let (low, per) = (low as f32, (SHADES / (high - low).max(f64::MIN_POSITIVE)) as f32);
        let shade = |(number, solid): (&f32, &bool)| match (solid, number.is_finite()) {
            (true, _) => SOLID,
            (false, false) => BROKEN,
            // A number below zero becomes zero.
            (false, true) => ((number - low) * per + 0.5).min(SHADES as f32) as u8,
        };
        let width = self.size[0].max(1);
        let mut bytes = Vec::with_capacity(self.numbers.len());
        for (numbers, solid) in self.numbers.chunks(width).zip(self.solid.chunks(width)).rev() {
            bytes.extend(numbers.iter().zip(solid).map(shade));
        }
        bytes
    }
}

/// The smallest and the largest of some numbers that are finite.
fn ends(numbers: &[f32]) -> [f64; 2] {
    // Several at a time, in registers.
    let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for some in numbers.chunks(LANES) {
        for (&x, (low, high)) in some.iter().zip(low.iter_mut().zip(&mut high)) {
            let is_finite = x.abs() < f32::INFINITY;
            *low = if is_finite && x < *low { x } else { *low };
            *high = if is_finite && x > *high { x } else { *high };
        }
    }
    let low = low.into_iter().fold(f32::INFINITY, f32::min);
    let high = high.into_iter().fold(f32::NEG_INFINITY, f32::max);
    if low > high { [0.0; 2] } else { [f64::from(low), f64::from(high)] }
}

/// What the first and the last colour stand for: apart, though all numbers be the same.
fn colours(is_two_sided: bool, is_from_zero: bool, numbers: &[f32], range: [f64; 2]) -> [f64; 2] {
    let [low, high] = match (is_two_sided, is_from_zero) {
        (true, _) => {
            let limit = usual(numbers).map_or(range[1].abs(), f64::from);
            [-limit, limit]
        }
        (false, true) => [0.0, range[1]],
        (false, false) => range,
    };
    if high > low { [low, high] } else { [low.min(0.0), low + 1.0] }
}

/// The magnitude that a large share of some of the numbers is below.
fn usual(numbers: &[f32]) -> Option<f32> {
    let stride = numbers.len().div_ceil(SAMPLES).max(1);
    let some = numbers.iter().step_by(stride).filter(|x| x.is_finite());
    let mut some: Vec<f32> = some.map(|x| x.abs()).collect();
    let at = (SHARE * some.len() as f64) as usize;
    (at < some.len()).then(|| *some.select_nth_unstable_by(at, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(numbers: &[f32], solid: &[bool], width: usize) -> Image {
        let view = View { shown: Shown::Speed, normal: 2, layer: 0 };
        let size = [width, numbers.len() / width];
        let range = ends(numbers);
        let colours = colours(false, true, numbers, range);
        let (numbers, solid) = (numbers.to_vec(), solid.into());
        Image { view, step: Step::default(), size, numbers, solid, colours, range }
    }

    #[test]
    fn bytes_go_from_the_top_and_tell_solids() {
        let one = image(&[0.0, 1.0, 2.0, f32::NAN], &[false, false, false, true], 2);
        assert_eq!((one.colours, one.range), ([0.0, 2.0], [0.0, 2.0]));
        assert_eq!(one.bytes(one.colours), [253, 255, 0, 127]);
        assert_eq!(one.bytes([1.0, 1.5]), [253, 255, 0, 0]);
        assert_eq!(
            (one.number([1, 0]), one.number([1, 1]), one.number([2, 0])),
            (Some(1.0), None, None)
        );
        let broken = image(&[f32::INFINITY], &[false], 1);
        assert_eq!(broken.bytes(broken.colours), [BROKEN]);
    }

    #[test]
    fn few_large_numbers_leave_colours_for_the_rest() {
        let mut numbers = vec![1.0_f32; 1000];
        numbers[7] = -1e6;
        assert_eq!(colours(true, false, &numbers, [-1e6, 1.0]), [-1.0, 1.0]);
        assert_eq!(colours(false, true, &[0.0; 4], [0.0; 2]), [0.0, 1.0]);
    }
}
