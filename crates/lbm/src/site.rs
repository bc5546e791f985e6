//! What becomes of a population that leaves a cell: the geometry and the boundaries, link by link.

use vortice_core::{Boundary, Side, Solids};

use crate::settings::Settings;

/// Where a link ends, for the population that leaves a cell along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Link {
    /// In the next cell.
    Open,
    /// At a wall or inflow half a cell away: it comes back; eq. (L13). The velocity there is in
    /// cells per step.
    Wall([f64; 3]),
    /// At a mirror: it goes on in the cell `to` along `c`; eq. (L14).
    Mirror {
        /// Global cell.
        to: [isize; 3],
        /// Velocity.
        c: [i8; 3],
    },
    /// At an outlet across a direction: what comes back depends on the flow in the cell; eq. (L15).
    Outlet {
        /// The direction across the outlet.
        direction: usize,
        /// -1 or 1: outward.
        outward: i8,
    },
}

/// The whole lattice.
pub(crate) struct Site<'a> {
    settings: &'a Settings,
    solids: Solids,
    n: [isize; 3],
    periodic: [bool; 3],
}

/// A velocity with some components only.
fn part(c: [i8; 3], keep: impl Fn(usize) -> bool) -> [i8; 3] {
    std::array::from_fn(|d| if keep(d) { c[d] } else { 0 })
}

/// The cell that a population with velocity `c` comes to.
pub(crate) fn next(cell: [isize; 3], c: [i8; 3]) -> [isize; 3] {
    std::array::from_fn(|d| cell[d] + isize::from(c[d]))
}

impl<'a> Site<'a> {
    /// The site of a case on its lattice.
    pub(crate) fn new(settings: &'a Settings) -> Self {
        let case = &settings.case;
        let mut periodic = case.boundaries.periodic();
        periodic[2] |= case.grid.is_plane();
        let n = case.grid.cells().map(|n| n as isize);
        Self { settings, solids: case.solids(), n, periodic }
    }

    /// Whether a direction has no ends.
    pub(crate) fn is_periodic(&self, d: usize) -> bool {
        self.periodic[d]
    }

    /// Whether a global cell is solid.
    pub(crate) fn is_solid(&self, cell: [isize; 3]) -> bool {
        self.solids.contains(cell)
    }

    /// Whether no cell is solid.
    pub(crate) fn has_no_solids(&self) -> bool {
        self.solids.is_empty()
    }

    /// Whether a population that leaves a global cell along `c` leaves the box.
    pub(crate) fn leaves(&self, cell: [isize; 3], c: [i8; 3]) -> bool {
        (0..3).any(|d| self.crosses(cell, c, d))
    }

    fn crosses(&self, cell: [isize; 3], c: [i8; 3], d: usize) -> bool {
        !self.periodic[d] && !(0..self.n[d]).contains(&(cell[d] + isize::from(c[d])))
    }

    /// The cell of the box that a cell is, directions without ends wrapped.
    fn wrapped(&self, cell: [isize; 3]) -> [isize; 3] {
        std::array::from_fn(
            |d| {
                if self.periodic[d] { cell[d].rem_euclid(self.n[d]) } else { cell[d] }
            },
        )
    }

    /// What becomes of the population that leaves a global cell of the flow along `c`.
    ///
    /// Where several faces meet, walls win over inflows, these over outlets, and outlets over
    /// mirrors; of two walls the slower one.
    pub(crate) fn link(&self, cell: [isize; 3], c: [i8; 3]) -> Link {
        let crossed = |d: usize| self.crosses(cell, c, d);
        // Beside the face, if one is crossed; else the next cell.
        let beside = next(cell, part(c, |d| !crossed(d)));
        if self.is_solid(beside) {
            return Link::Wall([0.0; 3]);
        }
        let faces = (0..3).filter(|&d| crossed(d)).map(|d| {
            let side = if c[d] < 0 { Side::Low } else { Side::High };
            (d, self.settings.case.boundaries.at(d, side))
        });
        let rank = |boundary: &Boundary| match boundary {
            Boundary::Wall { .. } => 0,
            Boundary::Inflow { .. } => 1,
            Boundary::Outflow { .. } => 2,
            Boundary::Symmetry | Boundary::Periodic => 3,
        };
        let first = faces.min_by(|(_, one), (_, other)| {
            rank(one).cmp(&rank(other)).then(one.speed().total_cmp(&other.speed()))
        });
        match first {
            None if self.grazes(cell, c) => Link::Wall([0.0; 3]),
            None => Link::Open,
            Some((direction, Boundary::Outflow { .. })) => {
                Link::Outlet { direction, outward: c[direction] }
            }
            Some((_, Boundary::Symmetry | Boundary::Periodic)) if beside == cell => {
                Link::Wall([0.0; 3])
            }
            Some((_, Boundary::Symmetry | Boundary::Periodic)) => Link::Mirror {
                to: self.wrapped(beside),
                c: std::array::from_fn(|d| if crossed(d) { -c[d] } else { c[d] }),
            },
            Some((_, boundary)) => Link::Wall(self.velocity(boundary, cell, c)),
        }
    }

    /// Whether a link between two cells of the flow touches the edge of a solid box on its way: what
    /// slipped through there would round the edge off.
    fn grazes(&self, cell: [isize; 3], c: [i8; 3]) -> bool {
        let passed = |kept: u8| part(c, |d| kept >> d & 1 == 1);
        !self.solids.is_empty()
            && (1..7).map(passed).any(|by| by != c && self.is_solid(next(cell, by)))
    }

    /// Velocity that a boundary prescribes where a link crosses it, averaged over a cell's width,
    /// in cells per step.
    fn velocity(&self, boundary: &Boundary, cell: [isize; 3], c: [i8; 3]) -> [f64; 3] {
        let grid = &self.settings.case.grid;
        let edge = |d: usize, shift: f64| {
            let middle = grid.axes[d].centre(cell[d]) + 0.5 * f64::from(c[d]) * grid.spacing()[d];
            middle + shift * grid.spacing()[d]
        };
        let low = std::array::from_fn(|d| edge(d, -0.5));
        let high = std::array::from_fn(|d| edge(d, 0.5));
        let velocity = boundary.velocity(low, high).unwrap_or([0.0; 3]);
        velocity.map(|u| u / self.settings.velocity_unit())
    }
}
