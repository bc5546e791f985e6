//! Integrals over the fluid that tell how a flow decays.

use serde::Serialize;

use super::neighbours::Neighbours;
use crate::case::Case;
use crate::field::Field;

/// Energy, enstrophy and dissipation: means over the fluid, eq. (P10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// Kinetic energy per mass in m2/s2: half the mean square of the velocity.
    pub kinetic_energy: f64,
    /// Half the mean square of the vorticity in 1/s2.
    pub enstrophy: f64,
    /// Energy per mass that friction turns into heat, in m2/s3.
    pub dissipation: f64,
}

impl Energy {
    /// Of a velocity in m/s on the whole grid without halo: sums over the cells, second order.
    pub fn of(case: &Case, velocity: &Field) -> Self {
        let around = Neighbours::new(case, velocity);
        let mut sums = Self::default();
        let mut cells = 0.0_f64;
        for row in around.rows() {
            let gradients = around.gradients(&row);
            for i in
                (0..velocity.shape.cells[0]).filter(|&i| !around.surfaces.is_solid(row.cell(i)))
            {
                let u = case.grid.directions().map(|c| velocity.at(c, row.cell(i)));
                sums.kinetic_energy += 0.5 * u.map(|u| u * u).sum::<f64>();
                let gradient = gradients.at(i);
                // The square of the vorticity is twice that of the rotation.
                sums.enstrophy += gradient.rotation();
                sums.dissipation += 2.0 * case.viscosity * gradient.strain();
                cells += 1.0;
            }
        }
        let mean = |sum: f64| sum / cells.max(1.0);
        Self {
            kinetic_energy: mean(sums.kinetic_energy),
            enstrophy: mean(sums.enstrophy),
            dissipation: mean(sums.dissipation),
        }
    }
}
