//! The velocity in a layer of cells at few places, for streamlines that a page draws through them.

use vortice_core::Grid;

use crate::pixels::Pixels;
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
    /// The places in a view.
    pub(crate) fn places(grid: &Grid, view: View) -> Pixels {
        Pixels::of(grid, view, MOST)
    }

    /// Of the velocity to the right and up at each of the places.
    pub(crate) fn new(
        places: &Pixels,
        velocity: &[[f32; 2]],
        is_solid: impl Fn([isize; 3]) -> bool,
    ) -> Self {
        let solid = places.each(is_solid);
        let of = |d: usize| {
            let both = velocity.iter().zip(&solid);
            both.map(move |(here, &is_solid)| if is_solid { f32::NAN } else { here[d] })
        };
        Self { size: places.size(), numbers: of(0).chain(of(1)).collect() }
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
        let places = Samples::places(&grid, view);
        let number = |[i, j, k]: [isize; 3]| (100 * i + 10 * j + k) as f32;
        let velocity = places.each(|cell| [number(cell), number(cell) + 0.5]);
        let samples = Samples::new(&places, &velocity, |[i, ..]| i == 4);
        assert_eq!(samples.size, [43, 3]);
        assert_eq!(samples.numbers[0], 120.0);
        assert!(samples.numbers[1].is_nan());
        assert_eq!(samples.numbers[43 * 3], 120.5);
        assert_eq!(samples.bytes().len(), 4 * 2 * 43 * 3);
    }
}
