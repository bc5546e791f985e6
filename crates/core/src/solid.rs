//! Solid boxes inside the grid: the step, an obstacle.

use std::ops::Range;

use crate::grid::Grid;

/// A solid box, its corners in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidBox {
    /// Low corner in m.
    pub low: [f64; 3],
    /// High corner in m.
    pub high: [f64; 3],
}

impl SolidBox {
    /// The cells that the box covers: its faces move to the nearest faces of the grid.
    pub fn cells(&self, grid: &Grid) -> [Range<usize>; 3] {
        std::array::from_fn(|d| {
            let axis = &grid.axes[d];
            let face = |x: f64| {
                let i = ((x - axis.low()) / axis.spacing()).round();
                i.clamp(0.0, axis.len() as f64) as usize
            };
            face(self.low[d])..face(self.high[d])
        })
    }

    /// The farthest, in cells, that a face of the box moved to meet the grid.
    pub fn misfit(&self, grid: &Grid) -> f64 {
        grid.directions()
            .flat_map(|d| {
                [self.low[d], self.high[d]]
                    .map(|x| (x - grid.axes[d].low()) / grid.axes[d].spacing())
            })
            .map(|i| (i - i.round()).abs())
            .fold(0.0, f64::max)
    }
}

/// The solid cells of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solids {
    boxes: Vec<[Range<usize>; 3]>,
    cells: [usize; 3],
    periodic: [bool; 3],
}

impl Solids {
    /// The solid cells that boxes cover.
    pub fn new(boxes: &[SolidBox], grid: &Grid, periodic: [bool; 3]) -> Self {
        let boxes = boxes.iter().map(|solid| solid.cells(grid)).collect();
        Self { boxes, cells: grid.cells(), periodic }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// Whether a global cell is solid. Outside the grid periodic directions wrap around and
    /// others continue the outermost cell.
    pub fn contains(&self, cell: [isize; 3]) -> bool {
        let inside: [usize; 3] = std::array::from_fn(|d| {
            let n = self.cells[d] as isize;
            let i = if self.periodic[d] { cell[d].rem_euclid(n) } else { cell[d].clamp(0, n - 1) };
            i as usize
        });
        self.boxes.iter().any(|solid| (0..3).all(|d| solid[d].contains(&inside[d])))
    }

    /// The cells of a row that are solid or have a solid cell beside them, as ranges along x, which may
    /// overlap. For rows that have others on all sides: nothing is wrapped.
    pub(crate) fn beside_row(&self, j: usize, k: usize) -> impl Iterator<Item = Range<usize>> {
        let reaches =
            move |range: &Range<usize>, i: usize| range.start <= i + 1 && i < range.end + 1;
        let near = self.boxes.iter().filter(move |[_, y, z]| reaches(y, j) && reaches(z, k));
        near.map(|[x, ..]| x.start.saturating_sub(1)..x.end + 1)
    }

    /// Number of solid cells.
    pub fn count(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        let n = self.cells.map(|n| n as isize);
        (0..n[2])
            .flat_map(|k| (0..n[1]).flat_map(move |j| (0..n[0]).map(move |i| [i, j, k])))
            .filter(|&cell| self.contains(cell))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_cover_the_cells_between_the_nearest_faces() {
        let grid = Grid::uniform([8, 4, 1], [8.0, 4.0, 1.0], [0.0; 3]);
        let solid = SolidBox { low: [0.0, 0.0, 0.0], high: [2.4, 2.0, 1.0] };
        assert_eq!(solid.cells(&grid), [0..2, 0..2, 0..1]);
        assert!((solid.misfit(&grid) - 0.4).abs() < 1e-12);
        let solids = Solids::new(&[solid], &grid, [false; 3]);
        assert_eq!(solids.count(), 4);
        assert!(solids.contains([1, 1, 0]) && !solids.contains([2, 1, 0]));
        // Outside the box its outermost cells go on.
        assert!(solids.contains([-1, 0, 0]) && !solids.contains([-1, 3, 0]));
    }

    #[test]
    fn periodic_directions_wrap_around() {
        let grid = Grid::uniform([8, 4, 1], [8.0, 4.0, 1.0], [0.0; 3]);
        let solid = SolidBox { low: [6.0, 1.0, 0.0], high: [8.0, 3.0, 1.0] };
        let solids = Solids::new(&[solid], &grid, [true, false, true]);
        assert!(solids.contains([-1, 1, 0]) && !solids.contains([8, 1, 0]));
    }
}
