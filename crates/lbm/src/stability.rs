//! Which collision stands which lattice; docs/src/theory/lbm.md has the measurements.

use vortice_core::Case;

use crate::collide::Collision;
use crate::foresee::free_fall;
use crate::options::CollisionName;

/// The collision that stands the coarsest lattice.
pub(crate) const COARSEST: Collision = Collision::Mrt;

/// What decides, beside the collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    /// Reynolds number of a cell.
    pub(crate) cell_reynolds: f64,
    /// Whether fluid flows in or out: the lattice is less patient with that than with walls.
    pub(crate) is_open: bool,
    /// Whether nothing but heat moves the fluid: the velocities are then about a quarter of that of free fall.
    pub(crate) is_free: bool,
    /// Whether the flow is plane.
    pub(crate) is_plane: bool,
    /// Velocities of a cell's populations.
    pub(crate) velocities: usize,
}

impl Lattice {
    /// Of a case on the lattice's own grid, whose cells have this width in m.
    pub(crate) fn new(case: &Case, spacing: f64, velocities: usize) -> Self {
        Self {
            cell_reynolds: case.scale.velocity.max(free_fall(case)) * spacing / case.viscosity,
            is_open: case.boundaries.iter().any(|(.., face)| face.is_open()),
            is_free: free_fall(case) > 0.0 && case.prescribed_speed() == 0.0,
            is_plane: case.grid.is_plane(),
            velocities,
        }
    }

    /// The cell Reynolds number up to which a collision was seen to be stable.
    pub(crate) fn limit(self, collision: Collision) -> f64 {
        match (collision, self.is_open, self.is_plane) {
            (Collision::Srt, ..) => 12.0,
            (Collision::Trt, false, true) if self.is_free => 40.0,
            (Collision::Trt, false, true) => 25.0,
            (Collision::Trt, false, false) => 16.0,
            (Collision::Trt, true, _) => 5.0,
            (Collision::Mrt, _, true) => 62.5,
            (Collision::Mrt, _, false) => 32.0,
            (Collision::Regularised, false, _) => 12.0,
            (Collision::Regularised, true, _) => 50.0,
        }
    }

    /// What `"auto"` means here: TRT, whose walls are exact, where it is stable, else what stands more.
    /// The case decides, not ranks or devices.
    pub(crate) fn choose(self, name: CollisionName) -> Collision {
        match name {
            CollisionName::Auto if self.stands(Collision::Trt) => Collision::Trt,
            CollisionName::Auto => COARSEST,
            CollisionName::Srt => Collision::Srt,
            CollisionName::Trt => Collision::Trt,
            CollisionName::Mrt => Collision::Mrt,
            CollisionName::Regularised => Collision::Regularised,
        }
    }

    /// Whether an outlet may let shear pass, eq. (L15a): where the collision does not damp what it hands
    /// back, that grows.
    pub(crate) fn lets_shear_out(self, collision: Collision) -> bool {
        let limit = match collision {
            Collision::Srt | Collision::Regularised => 2.0,
            Collision::Mrt if self.velocities == 19 => 25.0,
            Collision::Trt | Collision::Mrt => 5.0,
        };
        is_up_to(self.cell_reynolds, limit)
    }

    /// Whether a collision is stable.
    pub(crate) fn stands(self, collision: Collision) -> bool {
        is_up_to(self.cell_reynolds, self.limit(collision))
    }
}

/// What divides evenly must not fail by a rounding.
fn is_up_to(number: f64, limit: f64) -> bool {
    number <= limit * (1.0 + 1e-9)
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
            let lattice =
                Lattice { cell_reynolds, is_open, is_free: false, is_plane, velocities: 19 };
            lattice.choose(CollisionName::Auto)
        };
        assert_eq!(chosen(25.0, false, true), Collision::Trt);
        assert_eq!(chosen(25.1, false, true), Collision::Mrt);
        assert_eq!(chosen(1000.0 / 64.0, false, false), Collision::Trt);
        assert_eq!(chosen(1000.0 / 48.0, false, false), Collision::Mrt);
        assert_eq!(chosen(4.7, true, true), Collision::Trt);
        assert_eq!(chosen(6.25, true, true), Collision::Mrt);
    }

    #[test]
    fn shear_leaves_where_the_collision_damps_what_comes_back() {
        let lets = |cell_reynolds, velocities, collision| {
            let lattice = Lattice {
                cell_reynolds,
                is_open: true,
                is_free: false,
                is_plane: true,
                velocities,
            };
            lattice.lets_shear_out(collision)
        };
        assert!(lets(25.0, 19, Collision::Mrt) && !lets(25.1, 19, Collision::Mrt));
        assert!(lets(5.0, 9, Collision::Mrt) && !lets(5.1, 9, Collision::Mrt));
        assert!(lets(5.0, 19, Collision::Trt) && !lets(5.1, 19, Collision::Trt));
        assert!(lets(2.0, 9, Collision::Regularised) && !lets(2.1, 9, Collision::Regularised));
    }

    #[test]
    fn what_is_named_is_taken() {
        let lattice = Lattice {
            cell_reynolds: 1e3,
            is_open: false,
            is_free: false,
            is_plane: true,
            velocities: 9,
        };
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
