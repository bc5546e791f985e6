//! Integrals over the fluid that tell how a flow decays.

use rayon::prelude::*;
use serde::Serialize;

use super::neighbours::Neighbours;
use crate::case::Case;
use crate::extent::Extent;
use crate::field::Field;
use crate::fill_rows::worth_sharing;
use crate::window::Window;

/// Cells whose energies are known before they are added up.
const BATCH: usize = 1 << 20;

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
        let mut sum = EnergySum::default();
        sum.add(case, &Extent::whole(case.grid.cells()), &Window::whole(velocity));
        sum.mean()
    }
}

/// Energies of the cells of some extents, added up one by one: the sums are those of any number of threads, and
/// of any slabs that follow each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnergySum {
    sums: Energy,
    cells: f64,
}

impl EnergySum {
    /// Adds the cells of an extent, from a window of the velocity in m/s for derivatives.
    pub fn add(&mut self, case: &Case, extent: &Extent, velocity: &Window<'_>) {
        let around = Neighbours::new(case, extent, velocity);
        let [n, ny, nz] = extent.n();
        let of_row = |number: usize| {
            let row = around.row(number);
            let gradients = around.gradients(&row);
            let cells = (0..n).filter(|&i| !around.surfaces.is_solid(row.cell(i)));
            let energies = cells.map(|i| {
                let velocity = around.velocity(row.cell(i));
                let u = case.grid.directions().map(|c| velocity[c]);
                let gradient = gradients.at(i);
                Energy {
                    kinetic_energy: 0.5 * u.map(|u| u * u).sum::<f64>(),
                    // The square of the vorticity is twice that of the rotation.
                    enstrophy: gradient.rotation(),
                    dissipation: 2.0 * case.viscosity * gradient.strain(),
                }
            });
            energies.collect::<Vec<Energy>>()
        };
        let Self { sums, cells } = self;
        let mut add = |energies: Vec<Energy>| {
            *cells += energies.len() as f64;
            for one in energies {
                sums.kinetic_energy += one.kinetic_energy;
                sums.enstrophy += one.enstrophy;
                sums.dissipation += one.dissipation;
            }
        };
        if worth_sharing(n * ny * nz) {
            let together = (BATCH / n).max(1);
            for first in (0..ny * nz).step_by(together) {
                let rows = first..(ny * nz).min(first + together);
                let energies: Vec<_> = rows.into_par_iter().map(of_row).collect();
                energies.into_iter().for_each(&mut add);
            }
        } else {
            (0..ny * nz).for_each(|row| add(of_row(row)));
        }
    }

    /// The means over all cells that were added.
    pub fn mean(&self) -> Energy {
        let mean = |sum: f64| sum / self.cells.max(1.0);
        Energy {
            kinetic_energy: mean(self.sums.kinetic_energy),
            enstrophy: mean(self.sums.enstrophy),
            dissipation: mean(self.sums.dissipation),
        }
    }
}
