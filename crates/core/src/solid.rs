//! Solid cells of the grid: boxes of whole cells, like the step, and those that bodies cover.

use std::ops::Range;
use std::sync::Arc;

use crate::body::Body;
use crate::body_cells::BodyCells;
use crate::each_cell::each_cell_of_grid;
use crate::grid::Grid;
use crate::pocket_cells::PocketCells;
use crate::wetted::Surface;

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
    bodies: Vec<BodyCells>,
    /// What they close in and is solid too.
    pockets: Option<Arc<PocketCells>>,
    cells: [usize; 3],
    periodic: [bool; 3],
}

impl Solids {
    /// The solid cells that boxes and bodies cover.
    pub fn new(boxes: &[SolidBox], bodies: &[Arc<Body>], grid: &Grid, periodic: [bool; 3]) -> Self {
        let boxes = boxes.iter().map(|solid| solid.cells(grid)).collect();
        let bodies = bodies.iter().map(|body| BodyCells::new(body, grid)).collect();
        Self { boxes, bodies, pockets: None, cells: grid.cells(), periodic }
    }

    /// The same with the pockets between them.
    pub(crate) fn with_pockets(self, pockets: Option<&Arc<PocketCells>>) -> Self {
        Self { pockets: pockets.cloned(), ..self }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty() && self.bodies.is_empty()
    }

    /// Whether a global cell is solid. Outside the grid periodic directions wrap around and
    /// others continue the outermost cell.
    pub fn contains(&self, cell: [isize; 3]) -> bool {
        let inside = self.inside(cell);
        self.covers(inside) || self.pockets.as_ref().is_some_and(|pockets| pockets.holds(inside))
    }

    /// The number of the first body that covers a global cell, if no box does.
    pub fn body_at(&self, cell: [isize; 3]) -> Option<usize> {
        let inside = self.inside(cell);
        let is_body = !self.bodies.is_empty() && !self.in_box(inside);
        self.bodies.iter().position(|body| is_body && body.contains(inside))
    }

    /// The body or the box that a solid cell belongs to: the first of those that cover it, boxes before bodies. None of a
    /// pocket.
    pub fn surface_at(&self, cell: [isize; 3]) -> Option<Surface> {
        let inside = self.inside(cell);
        let solid = self.boxes.iter().position(|solid| holds(solid, inside)).map(Surface::Solid);
        solid.or_else(|| self.body_at(cell).map(Surface::Body))
    }

    /// Blocks that hold all solid cells but for pockets: the boxes, then one for each body, which it may not fill.
    pub fn blocks(&self) -> impl Iterator<Item = &[Range<usize>; 3]> {
        self.boxes().chain(self.body_blocks())
    }

    /// The cells of the boxes.
    pub(crate) fn boxes(&self) -> impl Iterator<Item = &[Range<usize>; 3]> {
        self.boxes.iter()
    }

    /// A block around the cells of each body.
    pub fn body_blocks(&self) -> impl Iterator<Item = &[Range<usize>; 3]> {
        self.bodies.iter().map(|body| &body.within)
    }

    /// Whether a body turns.
    pub(crate) fn turns(&self, body: usize) -> bool {
        self.bodies[body].body.rotation != 0.0
    }

    /// The bodies that may cover a cell or one beside it.
    pub fn bodies_near(&self, cell: [isize; 3]) -> impl Iterator<Item = (usize, &Arc<Body>)> {
        let inside = self.inside(cell);
        let is_near = move |body: &BodyCells| (0..3).all(|d| reaches(&body.within[d], inside[d]));
        let near = self.bodies.iter().enumerate().filter(move |(_, body)| is_near(body));
        near.map(|(number, body)| (number, &body.body))
    }

    /// A cell of the grid in place of one outside.
    pub(crate) fn inside(&self, cell: [isize; 3]) -> [usize; 3] {
        std::array::from_fn(|d| {
            let n = self.cells[d] as isize;
            let i = if self.periodic[d] { cell[d].rem_euclid(n) } else { cell[d].clamp(0, n - 1) };
            i as usize
        })
    }

    /// Whether a box or a body covers a cell of the grid.
    pub(crate) fn covers(&self, cell: [usize; 3]) -> bool {
        self.in_box(cell) || self.bodies.iter().any(|body| body.contains(cell))
    }

    fn in_box(&self, cell: [usize; 3]) -> bool {
        self.boxes.iter().any(|solid| holds(solid, cell))
    }

    /// The cells of a row that may be solid or have a solid cell beside them, as ranges along x, which may
    /// overlap. For rows that have others on all sides: nothing is wrapped.
    pub(crate) fn beside_row(&self, j: usize, k: usize) -> impl Iterator<Item = Range<usize>> {
        let near = self.blocks().filter(move |[_, y, z]| reaches(y, j) && reaches(z, k));
        let beside = near.map(|[x, ..]| x.start.saturating_sub(1)..x.end + 1);
        let closed = self.pockets.iter().flat_map(move |pockets| {
            pockets.rows.row(j, k).map(|number| pockets.rows.ranges[number].clone())
        });
        beside.chain(closed)
    }

    /// Number of solid cells.
    pub fn count(&self) -> usize {
        let blocks: Vec<_> = self.blocks().collect();
        let of_block = |(number, block): (usize, &&[Range<usize>; 3])| {
            // A cell of an earlier block is counted there.
            let is_new = |cell: &[isize; 3]| {
                let cell = cell.map(|i| i as usize);
                let holds = |block: &[Range<usize>; 3]| (0..3).all(|d| block[d].contains(&cell[d]));
                !blocks[..number].iter().any(|block| holds(block))
            };
            let cells = each_cell_of_grid(block).filter(is_new);
            cells.filter(|cell| self.covers(cell.map(|i| i as usize))).count()
        };
        let closed = self.pockets.as_ref().map_or(0, |pockets| pockets.cells);
        blocks.iter().enumerate().map(of_block).sum::<usize>() + closed
    }
}

/// Whether a cell is one of a block.
fn holds(block: &[Range<usize>; 3], cell: [usize; 3]) -> bool {
    (0..3).all(|d| block[d].contains(&cell[d]))
}

/// Whether a place lies in a range or beside it.
fn reaches(range: &Range<usize>, i: usize) -> bool {
    range.start <= i + 1 && i < range.end + 1
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
        let solids = Solids::new(&[solid], &[], &grid, [false; 3]);
        assert_eq!(solids.count(), 4);
        assert!(solids.contains([1, 1, 0]) && !solids.contains([2, 1, 0]));
        // Outside the box its outermost cells go on.
        assert!(solids.contains([-1, 0, 0]) && !solids.contains([-1, 3, 0]));
    }

    #[test]
    fn periodic_directions_wrap_around() {
        let grid = Grid::uniform([8, 4, 1], [8.0, 4.0, 1.0], [0.0; 3]);
        let solid = SolidBox { low: [6.0, 1.0, 0.0], high: [8.0, 3.0, 1.0] };
        let solids = Solids::new(&[solid], &[], &grid, [true, false, true]);
        assert!(solids.contains([-1, 1, 0]) && !solids.contains([8, 1, 0]));
    }

    #[test]
    fn bodies_cover_the_cells_whose_centres_they_hold() {
        use crate::body::{Geometry, Walls};

        let grid = Grid::uniform([16, 12, 1], [16.0, 12.0, 1.0], [0.0; 3]);
        let circle = |centre: [f64; 3], radius: f64, hollow| {
            let geometry = Geometry::Cylinder { along: 2, centre, radius };
            let name = String::new();
            Arc::new(Body { name, geometry, hollow, rotation: 0.0, walls: Walls::Exact, area: 1.0 })
        };
        let (small, round) =
            (circle([5.0, 5.0, 0.0], 1.5, false), circle([8.0, 6.0, 0.0], 5.0, true));
        let solids = Solids::new(&[], std::slice::from_ref(&small), &grid, [false, false, true]);
        // Twelve centres at distances of 0.7 and 1.58 of which the nearer four, and none on the diagonal of 1.58.
        assert_eq!(solids.count(), 4);
        assert_eq!(solids.body_at([4, 5, 0]), Some(0));
        assert!(!solids.contains([6, 4, 0]) && solids.body_at([6, 4, 0]).is_none());
        let both = [round, small];
        let solids = Solids::new(&[], &both, &grid, [false, false, true]);
        let direct = |i: usize, j: usize| {
            let [x, y] = [i as f64 + 0.5, j as f64 + 0.5];
            (x - 8.0).hypot(y - 6.0) > 5.0 || (x - 5.0).hypot(y - 5.0) < 1.5
        };
        let expected = (0..12).map(|j| (0..16).filter(|&i| direct(i, j)).count()).sum::<usize>();
        assert_eq!(solids.count(), expected);
        assert_eq!(solids.body_at([5, 5, 0]), Some(1));
        assert_eq!(
            solids.body_at([-3, 20, 0]),
            Some(0),
            "outside of the grid its last cell goes on"
        );
    }
}
