//! Which coarser boxes of cells a box has, down to a single cell: pure arithmetic.

mod extent;

use vortice_core::Grid;

pub use extent::Extent;

/// Distance between the two fine centres at a face over that between the two coarse centres.
/// A coarse coefficient is this ratio times the sum of the fine ones on the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    /// At the low end of the box; in a periodic direction from the last to the first cell.
    pub first: f64,
    /// At the low face of the second coarse cell.
    pub second: f64,
    /// At faces between.
    pub inner: f64,
    /// At the low face of the last coarse cell, if that is not the second.
    pub last: f64,
    /// At the high end of the box; in a periodic direction as `first`.
    pub end: f64,
}

impl Ratios {
    fn new(fine: &Extent, coarse: &Extent, d: usize, by: &Coarsening, periodic: bool) -> Self {
        let n = coarse.cells[d];
        if periodic && n == 1 {
            // The cell would be its own neighbour.
            return Self::all(0.0);
        }
        if by.factor[d] == 1 {
            return Self::all(1.0);
        }
        let within = |i: usize| fine.distance(d, 2 * i - by.shift[d]) / coarse.distance(d, i);
        let inner = 0.5;
        let (second, last) = if n > 1 { (within(1), within(n - 1)) } else { (inner, inner) };
        let [first, end] = if periodic {
            [fine.distance_around(d) / coarse.distance_around(d); 2]
        } else {
            [fine.first[d] / coarse.first[d], fine.last[d] / coarse.last[d]]
        };
        Self { first, second, inner, last, end }
    }

    fn all(ratio: f64) -> Self {
        Self { first: ratio, second: ratio, inner: ratio, last: ratio, end: ratio }
    }

    /// The ratio at low face `i` of `n` coarse cells; `i = n` is the high end.
    pub fn at(&self, i: usize, n: usize) -> f64 {
        if i == 0 {
            self.first
        } else if i == n {
            self.end
        } else if i == 1 {
            self.second
        } else if i + 1 == n {
            self.last
        } else {
            self.inner
        }
    }
}

/// The step from one level to the next coarser one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coarsening {
    /// Fine cells along a coarse cell, 1 or 2 per direction.
    pub factor: [usize; 3],
    /// Fine cell `i` belongs to coarse cell `(i + shift) / factor`: with an odd number of fine cells
    /// the last is alone in its coarse cell, or with a shift of 1 the first.
    pub shift: [usize; 3],
    /// What coefficients are multiplied with, per direction.
    pub ratios: [Ratios; 3],
    /// Weight of the half-sweeps that join the coarse correction, see [`crate::Weight`].
    pub omega: f64,
}

/// All levels of a grid, the finest first, down to a single cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// 2 for a plane problem, which has one cell in z; else 3.
    pub directions: usize,
    /// The box on each level.
    pub extents: Vec<Extent>,
    /// From each level but the last to the next.
    pub coarsenings: Vec<Coarsening>,
}

impl Plan {
    /// The levels of a grid: narrow directions are coarsened first.
    pub fn new(grid: &Grid, periodic: [bool; 3]) -> Self {
        let (cells, widths, directions) = (grid.cells(), grid.spacing(), grid.directions().len());
        let mut fine = Extent { cells, widths, first: widths, last: widths };
        let mut plan = Self { directions, extents: vec![fine], coarsenings: Vec::new() };
        while fine.cells != [1; 3] {
            let factor = fine.factors(directions);
            let shift = fine.shifts(factor);
            let coarse = fine.coarser(factor, shift);
            let omega = fine.joining_weight(directions, factor);
            let mut step = Coarsening { factor, shift, ratios: [Ratios::all(1.0); 3], omega };
            step.ratios =
                std::array::from_fn(|d| Ratios::new(&fine, &coarse, d, &step, periodic[d]));
            plan.coarsenings.push(step);
            plan.extents.push(coarse);
            fine = coarse;
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(cells: [usize; 3], widths: [f64; 3], periodic: [bool; 3]) -> Plan {
        let size = std::array::from_fn(|d| cells[d] as f64 * widths[d]);
        Plan::new(&Grid::uniform(cells, size, [0.0; 3]), periodic)
    }

    #[test]
    fn boxes_cover_the_same_length_on_all_levels() {
        for cells in [[64, 64, 1], [100, 37, 1], [13, 7, 5], [1, 9, 1]] {
            let plan = plan(cells, [1.0, 1.2, 0.7], [false; 3]);
            for extent in &plan.extents {
                for d in 0..plan.directions {
                    let n = extent.cells[d];
                    let length: f64 = (0..n).map(|i| extent.width(d, i)).sum();
                    let whole = cells[d] as f64 * plan.extents[0].widths[d];
                    assert!((length - whole).abs() < 1e-12 * whole, "{extent:?}");
                }
            }
            assert_eq!(plan.extents.last().map(|extent| extent.cells), Some([1; 3]));
        }
    }

    #[test]
    fn narrow_directions_go_first() {
        let plan = plan([64, 64, 1], [1.0, 5.0, 1.0], [false; 3]);
        let factors: Vec<_> = plan.coarsenings.iter().map(|c| [c.factor[0], c.factor[1]]).collect();
        assert_eq!(factors[..4], [[2, 1], [2, 1], [2, 1], [1, 2]]);
    }

    #[test]
    fn no_cell_at_an_end_stays_narrow() {
        for n in 1..300 {
            let plan = plan([n, 1, 1], [1.0; 3], [false; 3]);
            for extent in &plan.extents {
                let least = extent.first[0].min(extent.last[0]);
                assert!(extent.cells[0] < 2 || least > 0.3 * extent.widths[0], "{extent:?}");
            }
        }
    }

    #[test]
    fn ratios_are_those_of_distances() {
        // Cells of 1, 1, 1, 1, 1 become 1, 2, 2: the first centres are 1 and 1.5 apart.
        let step = plan([5, 1, 1], [1.0; 3], [false; 3]).coarsenings[0];
        let (ratios, beside) = (step.ratios[0], 1.0 / 1.5);
        assert_eq!((step.factor, step.shift), ([2, 1, 1], [1, 0, 0]));
        let expected = Ratios { first: 1.0, second: beside, inner: 0.5, last: 0.5, end: 0.5 };
        assert_eq!(ratios, expected);
        // As a ring: the last and the first centre are 1 and 1.5 apart.
        let ratios = plan([5, 1, 1], [1.0; 3], [true; 3]).coarsenings[0].ratios[0];
        assert_eq!([ratios.first, ratios.end], [1.0 / 1.5; 2]);
        let coarsenings = plan([2, 4, 1], [1.0; 3], [true; 3]).coarsenings;
        assert_eq!(coarsenings[0].ratios[0].first, 0.0, "a cell is not its own neighbour");
        assert_eq!(coarsenings[0].ratios[1].first, 0.5);
    }
}
