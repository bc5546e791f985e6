//! Which collision stands which lattice; docs/src/theory/lbm.md has the measurements.

use vortice_core::{Boundary, Case};

use crate::collide::Collision;
use crate::options::CollisionName;

/// What decides, beside the collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    /// Reynolds number of a cell.
    pub(crate) cell_reynolds: f64,
    /// Whether fluid flows in or out: the lattice is less patient with that than with walls.
    pub(crate) is_open: bool,
    /// Whether the flow is plane.
    pub(crate) is_plane: bool,
}

/// The cell Reynolds number up to which (L15a) is used: at 12.5 it upsets the step of Gartling.
const SHEAR_OUT: f64 = 2.0;

impl Lattice {
    /// Of a case on the lattice's own grid, whose cells have this width in m.
    pub(crate) fn new(case: &Case, spacing: f64) -> Self {
        let open =
            |face: &Boundary| matches!(face, Boundary::Inflow { .. } | Boundary::Outflow { .. });
        Self {
            cell_reynolds: case.scale.velocity * spacing / case.viscosity,
            is_open: case.boundaries.iter().any(|(_, _, face)| open(face)),
            is_plane: case.grid.is_plane(),
        }
    }

    /// The cell Reynolds number up to which a collision was seen to be stable.
    pub(crate) fn limit(self, collision: Collision) -> f64 {
        match (collision, self.is_open, self.is_plane) {
            (Collision::Srt, ..) => 12.0,
            (Collision::Trt, false, true) => 25.0,
            (Collision::Trt, false, false) => 16.0,
            (Collision::Trt, true, _) => 5.0,
            (Collision::Mrt, _, true) => 62.5,
            (Collision::Mrt, _, false) => 40.0,
            (Collision::Regularised, false, _) => 12.0,
            (Collision::Regularised, true, _) => 50.0,
        }
    }

    /// What `"auto"` means here: TRT, whose walls are exact, where it is stable, else what stands more.
    /// The case decides, not ranks or devices.
    pub(crate) fn choose(self, name: CollisionName) -> Collision {
        match name {
            CollisionName::Auto if self.stands(Collision::Trt) => Collision::Trt,
            CollisionName::Auto => self.coarsest(),
            CollisionName::Srt => Collision::Srt,
            CollisionName::Trt => Collision::Trt,
            CollisionName::Mrt => Collision::Mrt,
            CollisionName::Regularised => Collision::Regularised,
        }
    }

    /// The collision that stands the coarsest lattice.
    pub(crate) fn coarsest(self) -> Collision {
        if self.is_open { Collision::Regularised } else { Collision::Mrt }
    }

    /// Whether an outlet may let shear pass, eq. (L15a). Where viscosity hardly damps what it hands back,
    /// that grows; and the stress that (L15) presses to zero instead is small there.
    pub(crate) fn lets_shear_out(self) -> bool {
        self.cell_reynolds <= SHEAR_OUT * (1.0 + 1e-9)
    }

    /// Whether a collision is stable.
    pub(crate) fn stands(self, collision: Collision) -> bool {
        // What divides evenly must not fail by a rounding.
        self.cell_reynolds <= self.limit(collision) * (1.0 + 1e-9)
    }
}

/// Name for people.
pub(crate) fn words(collision: Collision) -> &'static str {
    match collision {
        Collision::Srt => "SRT",
        Collision::Trt => "TRT",
        Collision::Regularised => "the regularised collision",
        Collision::Mrt => "MRT",
    }
}

/// Name in case files.
pub(crate) fn key(collision: Collision) -> &'static str {
    match collision {
        Collision::Srt => CollisionName::Srt,
        Collision::Trt => CollisionName::Trt,
        Collision::Mrt => CollisionName::Mrt,
        Collision::Regularised => CollisionName::Regularised,
    }
    .name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_trt_as_long_as_it_is_stable() {
        let chosen = |cell_reynolds, is_open, is_plane| {
            Lattice { cell_reynolds, is_open, is_plane }.choose(CollisionName::Auto)
        };
        assert_eq!(chosen(25.0, false, true), Collision::Trt);
        assert_eq!(chosen(25.1, false, true), Collision::Mrt);
        assert_eq!(chosen(1000.0 / 64.0, false, false), Collision::Trt);
        assert_eq!(chosen(1000.0 / 48.0, false, false), Collision::Mrt);
        assert_eq!(chosen(4.7, true, true), Collision::Trt);
        assert_eq!(chosen(6.25, true, true), Collision::Regularised);
    }

    #[test]
    fn what_is_named_is_taken() {
        let lattice = Lattice { cell_reynolds: 1e3, is_open: false, is_plane: true };
        for (name, collision) in [
            (CollisionName::Srt, Collision::Srt),
            (CollisionName::Trt, Collision::Trt),
            (CollisionName::Mrt, Collision::Mrt),
            (CollisionName::Regularised, Collision::Regularised),
        ] {
            assert_eq!((lattice.choose(name), key(collision)), (collision, name.name()));
        }
    }
}
