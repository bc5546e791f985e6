//! What holds for scalars at solid boxes and bodies, cell by cell: the same for all methods of differences and volumes.
//! Equations: docs/src/theory/heat.md.

use rayon::prelude::*;

use crate::boundary::Side;
use crate::case::Case;
use crate::decomposition::Subdomain;
use crate::each_cell::each_cell;
use crate::field::Shape;
use crate::near_surfaces::cells_near_surfaces;
use crate::real::Real;
use crate::scalar::{Scalar, ScalarBoundary};
use crate::surface::Surfaces;
use crate::wetted::Surface;

/// The own cells of a subdomain whose fluxes a solid box or a body changes; eq. (H23).
#[derive(Clone, Debug, Default)]
pub struct ThermalWalls<T> {
    /// In the order of all cells.
    pub cells: Vec<WalledCell<T>>,
    /// Whether there are solid cells at all.
    has_solids: bool,
}

/// A cell of the flow with a wall beside it or beside its neighbour.
#[derive(Clone, Copy, Debug)]
pub struct WalledCell<T> {
    /// Own cell.
    pub cell: [isize; 3],
    /// What is beside it: low and high side of each direction.
    pub sides: [WalledSide<T>; 6],
}

/// What is beside a cell on one side, and the values beyond the wall there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalledSide<T> {
    /// Where the wall is.
    pub place: WallPlace,
    /// The difference from the cell before the wall to the value beyond: this number,
    pub constant: T,
    /// this share of the cell's value,
    pub of_here: T,
    /// and this one of the value of the cell behind it.
    pub of_behind: T,
    /// How often that difference comes once more in the second layer beyond.
    pub again: T,
}

/// Where a wall is, as seen from a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WallPlace {
    /// Farther than two cells, on this side.
    #[default]
    Nowhere = 0,
    /// Before the next cell.
    Here = 1,
    /// Between the next cell and the one after it.
    Beyond = 2,
}

/// Solid cells and cells beside walls, in the padded places of an array; see [`ThermalWalls::marks`].
pub const SOLID_CELL: u8 = 2;
/// The latter.
pub const WALLED_CELL: u8 = 1;

/// A wall before a cell of the flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScalarWall {
    /// Nothing if it is that of a pocket.
    pub(crate) surface: Option<Surface>,
    /// Distance from the centre of the cell in spacings, 1/2 but for walls that are exact.
    pub(crate) share: f64,
}

/// The wall that a cell of the flow has on a side, if it is one of a solid box or of a body.
pub(crate) fn wall_beside(
    surfaces: &Surfaces<'_>,
    cell: [isize; 3],
    d: usize,
    side: Side,
) -> Option<ScalarWall> {
    let next = side.next(cell, d);
    if surfaces.is_beyond(next, d) {
        return None;
    }
    if let Some(wall) = surfaces.body_wall(cell, next) {
        return Some(ScalarWall { surface: Some(Surface::Body(wall.body)), share: wall.share });
    }
    let is_solid = surfaces.is_solid(next);
    is_solid.then(|| ScalarWall { surface: surfaces.surface_at(next), share: 0.5 })
}

impl<T: Real> WalledSide<T> {
    /// Beyond a wall on this side of a cell of the flow; eq. (H23).
    fn beyond_wall(
        (case, scalar): (&Case, &Scalar),
        surfaces: &Surfaces<'_>,
        (cell, d, side): ([isize; 3], usize, Side),
    ) -> Option<Self> {
        let ScalarWall { surface, share } = wall_beside(surfaces, cell, d, side)?;
        let at = (surfaces.wrapped(cell), d, side);
        let [constant, of_here, of_behind, again] = match scalar.at_wall(case, surface, at, share) {
            ScalarBoundary::Value(value) => {
                let behind = side.opposite().next(cell, d);
                let has_behind = surfaces.flows(behind)
                    && wall_beside(surfaces, cell, d, side.opposite()).is_none();
                let value = value - scalar.reference;
                match has_behind {
                    _ if share >= 0.5 => [value / share, -1.0 / share, 0.0, 1.0],
                    true => [value / (1.0 + share), 0.0, -1.0 / (1.0 + share), 1.0],
                    false => [2.0 * value, -2.0, 0.0, 1.0],
                }
            }
            at => [at.flux() * case.grid.spacing()[d] / scalar.diffusivity, 0.0, 0.0, 0.0],
        };
        let [constant, of_here, of_behind, again] =
            [constant, of_here, of_behind, again].map(T::from_f64);
        Some(Self { place: WallPlace::Here, constant, of_here, of_behind, again })
    }

    /// The difference from a cell to the value beyond the wall before it.
    #[inline]
    pub fn difference(&self, here: T, behind: T) -> T {
        self.constant + (self.of_here * here + self.of_behind * behind)
    }

    /// The two values on this side of a cell, of its own, the two there in the field, and the next on the other side; twin
    /// of `beside` in `kernels/thermal_walls.cuh`.
    #[inline]
    pub fn beside(&self, here: T, [next, second]: [T; 2], opposite: T) -> [T; 2] {
        match self.place {
            WallPlace::Nowhere => [next, second],
            WallPlace::Here => {
                let difference = self.difference(here, opposite);
                let beyond = here + difference;
                [beyond, beyond + self.again * difference]
            }
            WallPlace::Beyond => [next, next + self.difference(next, here)],
        }
    }
}

impl<T: Real> ThermalWalls<T> {
    /// Those of a subdomain.
    pub fn new((case, scalar): (&Case, &Scalar), part: &Subdomain) -> Self {
        let surfaces = Surfaces::of_part(case, part);
        if surfaces.has_no_solids() {
            return Self { cells: Vec::new(), has_solids: false };
        }
        let of_cell = |cell: [isize; 3]| -> Option<WalledCell<T>> {
            if !surfaces.flows(cell) {
                return None;
            }
            let mut sides = [WalledSide::default(); 6];
            for d in case.grid.directions() {
                for side in Side::BOTH {
                    let at = (cell, d, side);
                    let here = WalledSide::beyond_wall((case, scalar), &surfaces, at);
                    let next = side.next(cell, d);
                    let beyond = || {
                        let inside = surfaces.flows(next);
                        let at = (next, d, side);
                        let wall =
                            inside.then(|| WalledSide::beyond_wall((case, scalar), &surfaces, at));
                        Some(WalledSide { place: WallPlace::Beyond, ..wall.flatten()? })
                    };
                    sides[2 * d + side as usize] = here.or_else(beyond).unwrap_or_default();
                }
            }
            let is_walled = sides.iter().any(|side| side.place != WallPlace::Nowhere);
            is_walled.then_some(WalledCell { cell, sides })
        };
        let near: Vec<_> = cells_near_surfaces(case, part, [0; 3], 2).collect();
        Self { cells: near.into_par_iter().filter_map(of_cell).collect(), has_solids: true }
    }

    /// [`SOLID_CELL`] and [`WALLED_CELL`] in an array of this shape, zero elsewhere; empty where no cell is solid.
    pub fn marks(&self, case: &Case, part: &Subdomain, shape: &Shape) -> Vec<u8> {
        if !self.has_solids {
            return Vec::new();
        }
        let surfaces = Surfaces::of_part(case, part);
        let mut marks = vec![0; shape.len()];
        let own = each_cell([shape.own(0), shape.own(1), shape.own(2)]);
        for cell in own.filter(|&cell| surfaces.is_solid(cell)) {
            marks[shape.index(cell)] = SOLID_CELL;
        }
        for walled in &self.cells {
            marks[shape.index(walled.cell)] = WALLED_CELL;
        }
        marks
    }
}
