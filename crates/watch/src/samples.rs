//! The velocity in a layer of cells at few places, for streamlines that a page draws through them.

use vortice_core::Grid;

use crate::image::Pixels;
use crate::view::View;

/// Places to the right and up at most.
const MOST: usize = 64;

/// Velocities in m/s to the right, then those up, right fastest, from the lower left corner; not numbers in solids.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) size: [usize; 2],
    numbers: Vec<f32>,
}

impl Samples {
    /// Of the components of a velocity.
    pub(crate) fn new(
        grid: &Grid,
        view: View,
        velocity: impl Fn([isize; 3], usize) -> f64,
        is_solid: impl Fn([isize; 3]) -> bool,
    ) -> Self {
        let places = Pixels::of(grid, view, MOST);
        let mut numbers = Vec::new();
        for direction in view.directions() {
            places.each(|cell| {
                let here = velocity(cell, direction) as f32;
                numbers.push(if is_solid(cell) { f32::NAN } else { here });
            });
        }
        Self { size: places.size(), numbers }
    }

    /// Four bytes for each number.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Shown;
    use vortice_core::CutPlane;

    #[test]
    fn few_places_have_both_components_in_the_plane() {
        let grid = Grid::uniform([130, 4, 3], [1.0; 3], [0.0; 3]);
        let view = View::at(&grid, Shown::Speed, CutPlane { normal: 1, position: 0.6 });
        let number =
            |[i, j, k]: [isize; 3], c: usize| (100 * i + 10 * j + k) as f64 + c as f64 / 4.0;
        let samples = Samples::new(&grid, view, number, |[i, ..]| i == 4);
        assert_eq!(samples.size, [43, 3]);
        assert_eq!(samples.numbers[0], 120.0);
        assert!(samples.numbers[1].is_nan());
        assert_eq!(samples.numbers[43 * 3], 120.5);
        assert_eq!(samples.bytes().len(), 4 * 2 * 43 * 3);
    }
}
