//! Integrals over the fluid that tell how a flow decays.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use serde::Serialize;

use super::neighbours::{Gradients, Neighbours, Row};
use crate::case::Case;
use crate::exact_sum::ExactSum;
use crate::extent::Extent;
use crate::field::Field;
use crate::fill_rows::worth_sharing;
use crate::vectorised::vectorised;
use crate::window::Window;

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

/// Rows beside each other of which all layers are added by one thread: what lies beside them is still at hand.
const ROWS: usize = 8;

impl Energy {
    /// Of a velocity in m/s on the whole grid without halo: sums over the cells, second order.
    pub fn of(case: &Case, velocity: &Field) -> Self {
        let all = Extent::whole(case.grid.cells());
        EnergySum::of(case, &all, vec![&Window::whole(velocity)]).mean(case)
    }
}

/// Sums over the cells of the flow in some extent, exact: all is the same on any number of threads and ranks, and
/// whatever parts the flow is looked at in.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct EnergySum {
    /// Of the squares of the velocity.
    square: ExactSum,
    /// Of half the squares of the vorticity.
    rotation: ExactSum,
    /// Of the squares of the strain rates.
    strain: ExactSum,
    cells: u128,
}

/// What a thread makes of each row.
#[derive(Default)]
struct OfRow {
    gradients: Gradients,
    /// The three numbers in each cell.
    numbers: [Vec<f64>; 3],
}

impl EnergySum {
    /// Of an extent, from windows of the velocity in m/s for derivatives.
    pub(crate) fn of(case: &Case, extent: &Extent, velocity: Vec<&Window<'_>>) -> Self {
        let around = Neighbours::among(case, extent, velocity);
        let [_, ny, nz] = extent.n();
        let add = |(mut sum, mut room): (Box<Self>, OfRow), block: usize| {
            let rows = ROWS * block..ny.min(ROWS * (block + 1));
            for number in (0..nz).flat_map(|k| rows.clone().map(move |j| j + ny * k)) {
                sum.add_row(&around, &around.row(number), &mut room);
            }
            (sum, room)
        };
        let blocks = ny.div_ceil(ROWS);
        if !worth_sharing(extent.n_cells()) {
            return *(0..blocks).fold(Default::default(), add).0;
        }
        let sums = (0..blocks).into_par_iter().fold(Default::default, add).map(|(sum, _)| sum);
        *sums.reduce(Default::default, |mut one, other| {
            one.join(&other);
            one
        })
    }

    fn add_row(&mut self, around: &Neighbours<'_>, row: &Row, room: &mut OfRow) {
        vectorised(
            #[inline(always)]
            || self.add(around, row, room),
        );
    }

    #[inline(always)]
    fn add(&mut self, around: &Neighbours<'_>, row: &Row, room: &mut OfRow) {
        let OfRow { gradients, numbers } = room;
        around.gradients_into(row, gradients);
        let [square, rotation, strain] = numbers.each_mut().map(|numbers| {
            numbers.resize(around.n()[0], 0.0);
            &mut numbers[..]
        });
        square.fill(0.0);
        for u in &around.velocities(row)[around.directions()] {
            square.iter_mut().zip(*u).for_each(|(to, u)| *to += u * u);
        }
        gradients.squares(rotation, strain);
        for range in around.flows(row) {
            self.cells += range.len() as u128;
            self.square.add_all(&square[range.clone()]);
            self.rotation.add_all(&rotation[range.clone()]);
            self.strain.add_all(&strain[range]);
        }
    }

    /// Adds what was found in other cells.
    pub(crate) fn join(&mut self, other: &Self) {
        self.square.join(&other.square);
        self.rotation.join(&other.rotation);
        self.strain.join(&other.strain);
        self.cells += other.cells;
    }

    /// The means over all cells that were added.
    pub(crate) fn mean(&self, case: &Case) -> Energy {
        let cells = self.cells.max(1) as f64;
        let mean = |sum: &ExactSum| sum.value() / cells;
        Energy {
            kinetic_energy: 0.5 * mean(&self.square),
            enstrophy: mean(&self.rotation),
            dissipation: 2.0 * case.viscosity * mean(&self.strain),
        }
    }
}
