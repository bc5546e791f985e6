//! Where half-way bounce-back puts the flow beside a wall; eqs. (L13a), (L13c) and (L13d).

use vortice_core::WallSlope;

use crate::collide::Collision;
use crate::settings::Settings;

impl Settings {
    /// The slope of the velocity at walls, from the case's own cells, which are means over their parts.
    pub(crate) fn wall_slope(&self) -> WallSlope {
        let of_lattice = (16.0 * self.lambda_at_walls() - 3.0) / 24.0;
        WallSlope::of(self.refinement.map(|parts| {
            let square = (parts * parts) as f64;
            of_lattice / square - (1.0 - 1.0 / square) / 24.0
        }))
    }

    /// `Lambda` of the odd moment that carries the friction to a wall.
    fn lambda_at_walls(&self) -> f64 {
        let slowness = |rate: f64| 1.0 / rate - 0.5;
        let rates = &self.rates;
        let odd = match (self.collision, self.velocities) {
            (Collision::Srt | Collision::Trt, _) => slowness(rates.omega_minus),
            (Collision::Mrt, velocities) => {
                // The share of c_x c_y^2 that belongs to the flux of energy.
                let share = match velocities {
                    9 | 15 => 1.0,
                    19 => 0.25,
                    _ => 0.5,
                };
                share * slowness(rates.flux) + (1.0 - share) * slowness(rates.odd)
            }
            (Collision::Regularised, _) => slowness(1.0),
        };
        (self.tau - 0.5) * odd
    }
}
