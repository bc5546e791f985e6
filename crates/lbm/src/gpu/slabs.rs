//! Density and velocity of cells on their way to the processor, some rows at a time: what is shown is
//! more than a device should have to hold beside its populations.

use vortice_core::{Real, Result};
use vortice_gpu::{Buffer, Gpu, value};

use super::device::Device;
use super::numbers::Slab;

/// Cells that come together, if rows are not longer.
const CELLS: usize = 1 << 20;

/// Density less one, and three components of velocity.
const VALUES: usize = 4;

/// Room for the flow in some rows of cells.
pub(crate) struct Slabs<T> {
    /// Own cells of the lattice.
    cells: [usize; 3],
    /// Cells of the lattice in one of the case's, in y and z.
    cuts: [usize; 2],
    /// Rows of a slab.
    rows: usize,
    flow: Buffer<T>,
}

/// The flow in the slab that was fetched last.
pub(crate) struct Fetched<T> {
    slab: Slab,
    values: Vec<T>,
}

/// Rows of a slab: a whole number of the case's rows.
fn rows_of_slab([n_x, n_y, n_z]: [usize; 3], cuts: [usize; 2]) -> usize {
    let together = cuts[0] * cuts[1];
    ((CELLS / (n_x * together)).max(1) * together).min(n_y * n_z)
}

/// Bytes of room for the flow in a slab.
pub(crate) fn bytes<T>(cells: [usize; 3], refinement: [usize; 3]) -> usize {
    let [_, y, z] = refinement;
    VALUES * rows_of_slab(cells, [y, z]) * cells[0] * size_of::<T>()
}

impl<T: Real> Slabs<T> {
    /// For own cells that are so many times finer than those of the case.
    pub(crate) fn new(gpu: &Gpu, cells: [usize; 3], refinement: [usize; 3]) -> Result<Self> {
        let [_, y, z] = refinement;
        let rows = rows_of_slab(cells, [y, z]);
        Ok(Self { cells, cuts: [y, z], rows, flow: gpu.zeros(VALUES * rows * cells[0])? })
    }

    /// Nothing yet.
    pub(crate) fn nothing() -> Fetched<T> {
        let slab = Slab { first: 0, rows: 0, cuts: [1; 2], unused: 0 };
        Fetched { slab, values: Vec::new() }
    }

    /// Density less one and velocity of an own cell, in lattice units. Cells that lie in one row of
    /// the case's cells come together; it is quick if they are asked for row by row.
    pub(crate) fn flow<P: bytemuck::Pod>(
        &mut self,
        device: &Device<T, P>,
        fetched: &mut Fetched<T>,
        cell: [isize; 3],
    ) -> Result<(T, [T; 3])> {
        let row = self.row(cell);
        let holds =
            |slab: &Slab| (slab.first..slab.first + i64::from(slab.rows)).contains(&(row as i64));
        if !holds(&fetched.slab) {
            self.fetch(device, fetched, row / self.rows * self.rows)?;
        }
        let Fetched { slab, values } = fetched;
        let at = (row - slab.first as usize) * self.cells[0] + cell[0] as usize;
        let value = |n: usize| values[n * slab.rows as usize * self.cells[0] + at];
        Ok((value(0), [value(1), value(2), value(3)]))
    }

    /// Number of a cell's row, those together that lie in one row of the case's cells.
    fn row(&self, [_, j, k]: [isize; 3]) -> usize {
        let ([cuts_y, cuts_z], [j, k]) = (self.cuts, [j as usize, k as usize]);
        let coarse = j / cuts_y + self.cells[1] / cuts_y * (k / cuts_z);
        coarse * cuts_y * cuts_z + j % cuts_y + cuts_y * (k % cuts_z)
    }

    fn fetch<P: bytemuck::Pod>(
        &mut self,
        device: &Device<T, P>,
        fetched: &mut Fetched<T>,
        first: usize,
    ) -> Result<()> {
        let rows = self.rows.min(self.cells[1] * self.cells[2] - first);
        let cuts = self.cuts.map(|n| n as i32);
        let slab = Slab { first: first as i64, rows: rows as i32, cuts, unused: 0 };
        let parity = device.parity as i32;
        device.kernels.flow_of_cells.launch(
            device.layout.rows_in_turn(rows),
            &[
                value("layout", &device.layout),
                value("rates", &device.rates),
                value("slab", &slab),
                value("parity", &parity),
                device.f.input("f"),
                self.flow.output("flow"),
            ],
        )?;
        fetched.slab = slab;
        fetched.values.resize(VALUES * rows * self.cells[0], T::default());
        self.flow.read(&mut fetched.values)
    }
}
