//! Integrals over the fluid that tell how a flow decays.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use serde::Serialize;

use super::neighbours::Neighbours;
use crate::case::Case;
use crate::extent::Extent;
use crate::field::Field;
use crate::fill_rows::worth_sharing;
use crate::window::Window;

/// Energy, enstrophy and dissipation: means over the fluid, eq. (P10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Pod, Zeroable)]
#[repr(C)]
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
        let velocity = Window::whole(velocity);
        let slabs = Extent::whole(case.grid.cells()).slabs(1);
        slabs.map(|slab| EnergySum::of(case, &slab, &velocity)).sum::<EnergySum>().mean()
    }
}

/// Sums over the cells of the flow in some extent. Those of rows are added in the order of rows, and those of slabs in
/// the order of slabs: all is the same on any number of threads and ranks.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct EnergySum {
    sums: Energy,
    cells: f64,
}

impl EnergySum {
    /// Of an extent, from a window of the velocity in m/s for derivatives.
    pub(crate) fn of(case: &Case, extent: &Extent, velocity: &Window<'_>) -> Self {
        let around = Neighbours::new(case, extent, velocity);
        let [_, ny, nz] = extent.n();
        let of_row = |number| Self::of_row(case, &around, number);
        if worth_sharing(extent.n_cells()) {
            let rows: Vec<Self> = (0..ny * nz).into_par_iter().map(of_row).collect();
            rows.into_iter().sum()
        } else {
            (0..ny * nz).map(of_row).sum()
        }
    }

    fn of_row(case: &Case, around: &Neighbours<'_>, number: usize) -> Self {
        let row = around.row(number);
        let (gradients, velocity) = (around.gradients(&row), around.velocities(&row));
        let mut sum = Self::default();
        for i in (0..around.n()[0]).filter(|&i| !around.surfaces.is_solid(row.cell(i))) {
            let (u, gradient) = (velocity.map(|u| u[i]), gradients.at(i));
            let square = case.grid.directions().map(|c| u[c] * u[c]).sum::<f64>();
            sum.sums.kinetic_energy += 0.5 * square;
            // The square of the vorticity is twice that of the rotation.
            sum.sums.enstrophy += gradient.rotation();
            sum.sums.dissipation += 2.0 * case.viscosity * gradient.strain();
            sum.cells += 1.0;
        }
        sum
    }

    /// The means over all cells that were added.
    pub(crate) fn mean(&self) -> Energy {
        let mean = |sum: f64| sum / self.cells.max(1.0);
        Energy {
            kinetic_energy: mean(self.sums.kinetic_energy),
            enstrophy: mean(self.sums.enstrophy),
            dissipation: mean(self.sums.dissipation),
        }
    }
}

impl std::iter::Sum for EnergySum {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |all, Self { sums, cells }| Self {
            sums: Energy {
                kinetic_energy: all.sums.kinetic_energy + sums.kinetic_energy,
                enstrophy: all.sums.enstrophy + sums.enstrophy,
                dissipation: all.sums.dissipation + sums.dissipation,
            },
            cells: all.cells + cells,
        })
    }
}
