//! Where the flow ends: what every face of every cell is, from the boundaries of the box and its solids.
//! Methods, derived fields and balances ask here, and only make numbers of the answer.

use std::ops::Range;

use crate::body::{Body, Walls};
use crate::boundary::{Condition, Side};
use crate::case::Case;
use crate::decomposition::Subdomain;
use crate::solid::Solids;
use crate::wetted::Surface;

/// What the face of a cell is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaceKind {
    /// Between two cells of the flow, at a periodic end too.
    Open,
    /// Of a solid cell: nothing moves there.
    Solid,
    /// At this end of the box, of a cell of the flow; and what holds there.
    End(Side, Condition),
    /// Of cells beyond the box only.
    Beyond,
}

/// Where a line from the centre of a cell of the flow first meets a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyWall {
    /// The number of the body.
    pub body: usize,
    /// Distance from the cell's centre as a share of the line, above 0 and at most 1; half of the line to a
    /// body with stairs.
    pub share: f64,
    /// Velocity in m/s of the body there.
    pub velocity: [f64; 3],
}

/// Least share of a line that a wall is away: a centre on the surface counts as solid.
const LEAST_SHARE: f64 = 1e-6;

/// Cosine of the angle between the normals of two walls above which they are those of one smooth surface.
const SMOOTH: f64 = 0.5;

/// The cells and faces of a case, by the indices of the whole grid or of a part of it.
pub struct Surfaces<'a> {
    case: &'a Case,
    solids: Solids,
    /// The grid's index of the cell (0, 0, 0).
    offset: [isize; 3],
    cells: [isize; 3],
    endless: [bool; 3],
}

impl<'a> Surfaces<'a> {
    /// Of the whole grid.
    pub fn new(case: &'a Case) -> Self {
        let mut endless = case.boundaries.periodic();
        endless[2] |= case.grid.is_plane();
        let cells = case.grid.cells().map(|n| n as isize);
        Self { case, solids: case.solids(), offset: [0; 3], cells, endless }
    }

    /// Of a part of the grid: cells are given by its own indices.
    pub fn of_part(case: &'a Case, part: &Subdomain) -> Self {
        Self { offset: part.offset().map(|i| i as isize), ..Self::new(case) }
    }

    /// A cell as one of the whole grid, which may lie beyond its ends.
    #[inline]
    pub fn global(&self, cell: [isize; 3]) -> [isize; 3] {
        std::array::from_fn(|d| cell[d] + self.offset[d])
    }

    /// The cell of the whole grid that a cell is, directions without ends wrapped.
    #[inline]
    pub fn wrapped(&self, cell: [isize; 3]) -> [isize; 3] {
        let mut cell = self.global(cell);
        for d in 0..3 {
            // Most cells need no division.
            if self.endless[d] && !(0..self.cells[d]).contains(&cell[d]) {
                cell[d] = cell[d].rem_euclid(self.cells[d]);
            }
        }
        cell
    }

    /// Whether a direction has no ends: it is periodic, or the third one of a plane flow.
    pub fn is_endless(&self, direction: usize) -> bool {
        self.endless[direction]
    }

    /// Whether a cell is beyond an end of the box in a direction.
    #[inline]
    pub fn is_beyond(&self, cell: [isize; 3], direction: usize) -> bool {
        let there = cell[direction] + self.offset[direction];
        !self.endless[direction] && !(0..self.cells[direction]).contains(&there)
    }

    /// Whether a cell lies in the box, which goes on for ever in directions without ends.
    #[inline]
    pub fn is_inside(&self, cell: [isize; 3]) -> bool {
        !(0..3).any(|d| self.is_beyond(cell, d))
    }

    /// Whether a cell is solid. Beyond the box its outermost cells go on.
    #[inline]
    pub fn is_solid(&self, cell: [isize; 3]) -> bool {
        !self.solids.is_empty() && self.solids.contains(self.global(cell))
    }

    /// Whether a cell lies in the box and in the flow.
    pub fn flows(&self, cell: [isize; 3]) -> bool {
        self.is_inside(cell) && !self.is_solid(cell)
    }

    /// What a cell that the flow does not reach belongs to: a solid one to the body or the box that covers it, one beyond
    /// the box to the face of the first direction in which it is.
    pub fn surface_at(&self, cell: [isize; 3]) -> Option<Surface> {
        if let Some(d) = (0..3).find(|&d| self.is_beyond(cell, d)) {
            let side = if self.global(cell)[d] < 0 { Side::Low } else { Side::High };
            return Some(Surface::Face(d, side));
        }
        if self.is_solid(cell) { self.solids.surface_at(self.global(cell)) } else { None }
    }

    /// Whether a cell belongs to a box of whole cells, and not to a body alone.
    pub fn is_in_box(&self, cell: [isize; 3]) -> bool {
        self.is_solid(cell) && self.solids.body_at(self.global(cell)).is_none()
    }

    /// Where the line from the centre of a cell of the flow to that of another near it first meets a body, if it does
    /// on its way to a body's cell, or between two walls that face away from each other: a plate or a sharp edge. What
    /// it cuts off of a smooth body is left to the flow.
    pub fn body_wall(&self, cell: [isize; 3], to: [isize; 3]) -> Option<BodyWall> {
        if self.case.bodies.is_empty() {
            return None;
        }
        let axes = &self.case.grid.axes;
        let wrapped = self.wrapped(to);
        // From where it ends, so that it is the same line for a body beyond a periodic end.
        let end: [f64; 3] = std::array::from_fn(|d| axes[d].centre(wrapped[d]));
        let start = std::array::from_fn(|d| end[d] - (to[d] - cell[d]) as f64 * axes[d].spacing());
        let at = |share: f64| std::array::from_fn(|d| start[d] + share * (end[d] - start[d]));
        let covering = self.solids.body_at(wrapped);
        if covering.is_none() && self.solids.contains(wrapped) {
            return None;
        }
        let share_to = |number: usize, body: &Body| match (covering, body.walls) {
            (Some(covering), Walls::Stairs) => (covering == number).then_some(0.5),
            (None, Walls::Stairs) => None,
            (Some(covering), Walls::Exact) if covering == number => {
                Some(body.wall_distance(start, end, LEAST_SHARE))
            }
            (_, Walls::Exact) => {
                let [first, last] = [body.crossing(start, end)?, 1.0 - body.crossing(end, start)?];
                let least = axes.iter().map(|axis| axis.spacing()).fold(f64::INFINITY, f64::min);
                let [one, other] = [first, last].map(|share| body.normal(at(share), least));
                let cosine: f64 = (0..3).map(|d| one[d] * other[d]).sum();
                (cosine < SMOOTH).then_some(first.max(LEAST_SHARE))
            }
        };
        let near = self.solids.bodies_near(wrapped);
        let walls = near.filter_map(|(number, body)| Some((share_to(number, body)?, number)));
        let (share, body) = walls.min_by(|one, other| one.0.total_cmp(&other.0))?;
        Some(BodyWall { body, share, velocity: self.case.bodies[body].velocity(at(share)) })
    }

    /// Whether no cell is solid.
    pub fn has_no_solids(&self) -> bool {
        self.solids.is_empty()
    }

    /// Cells of a row beside which, along each direction of the grid, are cells of the flow alone: all their faces are
    /// [`FaceKind::Open`]. As ranges along x in their order, within `cells`, which begin at 0 or later.
    pub fn inner_cells(&self, [j, k]: [isize; 2], cells: Range<isize>) -> Vec<Range<usize>> {
        let [x, j, k] = self.global([0, j, k]);
        let inner = match [j, k].map(usize::try_from) {
            [Ok(j), Ok(k)] => self.inner_of_whole(j, k),
            _ => Vec::new(),
        };
        let here = inner.into_iter().map(|range| {
            let [start, end] = [range.start, range.end].map(|i| i as isize - x);
            start.max(cells.start)..end.min(cells.end)
        });
        let here = here.filter(|range| !range.is_empty());
        here.map(|range| range.start as usize..range.end as usize).collect()
    }

    /// The same of a row of the whole grid.
    fn inner_of_whole(&self, j: usize, k: usize) -> Vec<Range<usize>> {
        let [nx, ny, nz] = self.cells.map(|n| n as usize);
        let is_inner = |d: usize, i: usize, n: usize| {
            !self.case.grid.directions().contains(&d) || (i > 0 && i + 1 < n)
        };
        if !is_inner(1, j, ny) || !is_inner(2, k, nz) || nx < 3 {
            return Vec::new();
        }
        let mut solid: Vec<Range<usize>> = self.solids.beside_row(j, k).collect();
        solid.sort_by_key(|range| range.start);
        let (mut inner, mut from) = (Vec::new(), 1);
        for range in solid.into_iter().chain(std::iter::once(nx - 1..nx)) {
            if from < range.start {
                inner.push(from..range.start);
            }
            from = from.max(range.end);
        }
        inner
    }

    /// What the face of a cell on this side is.
    #[inline]
    pub fn face(&self, cell: [isize; 3], direction: usize, side: Side) -> FaceKind {
        let next = side.next(cell, direction);
        match [self.is_inside(cell), !self.is_beyond(next, direction)] {
            [true, true] if self.is_solid(cell) || self.is_solid(next) => FaceKind::Solid,
            [true, true] => FaceKind::Open,
            [true, false] => self.end(cell, direction, side),
            _ if self.is_inside(next) => self.end(next, direction, side.opposite()),
            _ => FaceKind::Beyond,
        }
    }

    /// What the face of a cell at the end of the box is.
    fn end(&self, cell: [isize; 3], direction: usize, side: Side) -> FaceKind {
        match self.case.boundaries.at(direction, side).condition() {
            Some(condition) if !self.is_solid(cell) => FaceKind::End(side, condition),
            _ => FaceKind::Solid,
        }
    }

    /// Velocity in m/s that an end of the box prescribes on the face of the cell before it, averaged
    /// over the face; zero if it prescribes none.
    pub fn velocity(&self, cell: [isize; 3], direction: usize, side: Side) -> [f64; 3] {
        let [low, high] = self.corners(cell);
        self.case.boundaries.at(direction, side).velocity(low, high).unwrap_or([0.0; 3])
    }

    /// The lowest and the highest corner of a cell in m.
    pub fn corners(&self, cell: [isize; 3]) -> [[f64; 3]; 2] {
        let (axes, cell) = (&self.case.grid.axes, self.global(cell));
        [0, 1].map(|end| std::array::from_fn(|d| axes[d].face(cell[d] + end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;
    use Condition::{Mirror, Pressure, Velocity};

    /// A box of 4 x 3 cells of 1 m, with a solid in its lower corner at x-low.
    fn case(x: [&str; 2], y: [&str; 2]) -> Case {
        let text = format!(
            "title = 'box'\ngrid = {{ cells = [4, 3, 1], size = [4.0, 3.0, 1.0] }}\n\
             fluid = {{ viscosity = 0.01 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
             run = {{ until = 1.0 }}\nsolid = [{{ low = [0, 0, 0], high = [1, 1, 1] }}]\n[boundary]\n\
             x-low = {}\nx-high = {}\ny-low = {}\ny-high = {}\nz-low = 'symmetry'\n\
             z-high = 'symmetry'\n",
            x[0], x[1], y[0], y[1]
        );
        Case::parse(&text, "box").unwrap()
    }

    const INFLOW: &str = "{ inflow = { velocity = [2.0, 0.0, 0.0], \
                          profile = { uniform = { along = 'y', from = 1.0, to = 2.5 } } } }";

    #[test]
    fn every_face_of_a_box_with_a_solid_has_its_kind() {
        let case = case([INFLOW, "{ outflow = { pressure = 7.0 } }"], ["'wall'", "'symmetry'"]);
        let surfaces = Surfaces::new(&case);
        for (cell, direction, side, kind) in [
            ([1, 1, 0], 0, Side::Low, FaceKind::Open),
            ([1, 0, 0], 0, Side::Low, FaceKind::Solid),
            ([0, 1, 0], 1, Side::Low, FaceKind::Solid),
            // The solid's own face at the end of the box, from either side.
            ([0, 0, 0], 0, Side::Low, FaceKind::Solid),
            ([-1, 0, 0], 0, Side::High, FaceKind::Solid),
            ([0, 1, 0], 0, Side::Low, FaceKind::End(Side::Low, Velocity)),
            ([-1, 1, 0], 0, Side::High, FaceKind::End(Side::Low, Velocity)),
            ([3, 1, 0], 0, Side::High, FaceKind::End(Side::High, Pressure(7.0))),
            ([4, 1, 0], 0, Side::Low, FaceKind::End(Side::High, Pressure(7.0))),
            ([2, 0, 0], 1, Side::Low, FaceKind::End(Side::Low, Velocity)),
            ([2, 2, 0], 1, Side::High, FaceKind::End(Side::High, Mirror)),
            ([-1, 1, 0], 0, Side::Low, FaceKind::Beyond),
            ([1, -1, 0], 0, Side::Low, FaceKind::Beyond),
        ] {
            assert_eq!(surfaces.face(cell, direction, side), kind, "{cell:?} {direction} {side:?}");
        }
        assert!(!surfaces.is_inside([4, 0, 0]) && surfaces.is_inside([3, 2, 5]));
        let inflow = [0, 1, 2].map(|j| surfaces.velocity([0, j, 0], 0, Side::Low)[0]);
        assert_eq!(inflow, [0.0, 2.0, 1.0]);
    }

    #[test]
    fn parts_see_what_the_whole_box_has_and_periodic_ends_are_none() {
        let case = case(["'periodic'", "'periodic'"], ["'wall'", "'wall'"]);
        let whole = Surfaces::new(&case);
        let cut = Decomposition::new([4, 3, 1], [2, 1, 1], [true, false, true]).unwrap();
        let part = Surfaces::of_part(&case, &cut.subdomain(1));
        // Across the periodic end of x lies the solid in the first row, and the flow in the second.
        for (j, kind) in [(0, FaceKind::Solid), (1, FaceKind::Open)] {
            assert_eq!(whole.face([3, j, 0], 0, Side::High), kind);
            assert_eq!(part.face([1, j, 0], 0, Side::High), kind);
        }
        assert_eq!(part.wrapped([2, 1, 0]), [0, 1, 0]);
        assert!(
            part.is_solid([2, 0, 0]) && part.is_solid([-2, -1, 0]) && !part.is_solid([1, 0, 0])
        );
    }

    #[test]
    fn a_body_is_met_where_its_surface_is_and_in_stairs_halfway() {
        let body = "body = { ball = { circle = { centre = [2.5, 1.5], radius = 0.8 }, rotation = 3.0 } }\n";
        let text = case([INFLOW, "'outflow'"], ["'wall'", "'wall'"]).source;
        let text = text.replace("solid = [{ low = [0, 0, 0], high = [1, 1, 1] }]\n", "BODY");
        let of = |body: &str| Case::parse(&text.replace("BODY", body), "box").unwrap();

        let exact = of(body);
        let surfaces = Surfaces::new(&exact);
        let wall = surfaces.body_wall([1, 1, 0], [2, 1, 0]).expect("a wall");
        assert!((wall.share - 0.2).abs() < 1e-12 && wall.body == 0, "{wall:?}");
        assert!((wall.velocity[1] + 3.0 * 0.8).abs() < 1e-12, "{wall:?}");
        let wall = surfaces.body_wall([3, 2, 0], [2, 1, 0]).expect("a wall");
        assert!((wall.share - (1.0 - 0.8 / 2.0_f64.sqrt())).abs() < 1e-12, "{wall:?}");
        assert!(surfaces.body_wall([1, 0, 0], [1, 1, 0]).is_none());
        assert!(surfaces.is_solid([2, 1, 0]) && !surfaces.is_in_box([2, 1, 0]));

        let stairs = of(&body.replace("rotation", "walls = 'stairs', rotation"));
        let surfaces = Surfaces::new(&stairs);
        let wall = surfaces.body_wall([2, 0, 0], [2, 1, 0]).expect("a wall");
        assert_eq!((wall.share, wall.velocity), (0.5, [1.5, 0.0, 0.0]));

        // A plate on a foot: between two cells of the flow, from either side.
        let corners = "[[0.2, 0], [1.95, 0], [1.95, 3], [1.9, 3], [1.9, 0.9], [0.2, 0.9]]";
        let thin = of(&format!("body = {{ plate = {{ polygon = {{ corners = {corners} }} }} }}\n"));
        let surfaces = Surfaces::new(&thin);
        assert!(!surfaces.is_solid([1, 1, 0]) && !surfaces.is_solid([2, 1, 0]));
        let shares = [[1, 1, 0], [2, 1, 0]].map(|cell| {
            let to = [3 - cell[0], 1, 0];
            surfaces.body_wall(cell, to).expect("a plate").share
        });
        assert!((shares[0] - 0.4).abs() < 1e-12 && (shares[1] - 0.55).abs() < 1e-12, "{shares:?}");
    }
}
