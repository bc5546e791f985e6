//! Density and velocity of cells on their way to the processor, some rows at a time: what is shown is
//! more than a device should have to hold beside its populations.

use std::ops::Range;

use vortice_core::{Real, Result, zeros};
use vortice_gpu::{Buffer, Gpu, value};

use super::device::Device;
use super::numbers::Slab;

/// Cells that come together, if rows are not longer.
const CELLS: usize = 1 << 20;

/// Density less one, and three components of velocity; with heat the temperature comes after them.
const VALUES: usize = 4;

/// Room for the flow in some rows of cells.
pub(crate) struct Slabs<T> {
    geometry: Geometry,
    /// Rows of a slab.
    rows: usize,
    /// Of a cell.
    values: usize,
    flow: Buffer<T>,
    /// On the processor, for what is fetched.
    spare: Vec<T>,
}

/// Where rows lie.
#[derive(Clone, Copy)]
struct Geometry {
    /// Own cells of the lattice.
    cells: [usize; 3],
    /// Cells of the lattice in one of the case's, in y and z.
    cuts: [usize; 2],
}

/// The flow in a slab.
pub(crate) struct Fetched<T> {
    geometry: Geometry,
    slab: Slab,
    values: Vec<T>,
}

/// Rows of a slab: a whole number of the case's rows.
fn rows_of_slab([n_x, n_y, n_z]: [usize; 3], cuts: [usize; 2]) -> usize {
    let together = cuts[0] * cuts[1];
    ((CELLS / (n_x * together)).max(1) * together).min(n_y * n_z)
}

/// Bytes of room for the flow in a slab.
pub(crate) fn bytes<T>(cells: [usize; 3], refinement: [usize; 3], has_heat: bool) -> usize {
    let [_, y, z] = refinement;
    (VALUES + usize::from(has_heat)) * rows_of_slab(cells, [y, z]) * cells[0] * size_of::<T>()
}

impl<T: Real> Slabs<T> {
    /// For own cells that are so many times finer than those of the case.
    pub(crate) fn new(
        gpu: &Gpu,
        cells: [usize; 3],
        refinement: [usize; 3],
        has_heat: bool,
    ) -> Result<Self> {
        let [_, y, z] = refinement;
        let geometry = Geometry { cells, cuts: [y, z] };
        let rows = rows_of_slab(cells, geometry.cuts);
        let values = VALUES + usize::from(has_heat);
        let flow = gpu.zeros(values * rows * cells[0])?;
        Ok(Self { geometry, rows, values, flow, spare: Vec::new() })
    }

    /// Rows of the case's cells, so many at a time as make a slab.
    pub(crate) fn pieces(
        &self,
        rows: &Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + use<T> {
        let Geometry { cuts, .. } = self.geometry;
        let (end, some) = (rows.end, self.rows / (cuts[0] * cuts[1]));
        rows.clone().step_by(some).map(move |first| first..end.min(first + some))
    }

    /// Fetches the flow in some rows of the case's cells, with the scalar of a number; the velocity is that of the flow only
    /// with the first one.
    pub(crate) fn fetch<P: bytemuck::Pod>(
        &mut self,
        (device, scalar): (&Device<T, P>, usize),
        rows: Range<usize>,
        fetched: &mut Fetched<T>,
    ) -> Result<()> {
        let geometry = self.geometry;
        let together = geometry.cuts[0] * geometry.cuts[1];
        let (first, rows) = (rows.start * together, rows.len() * together);
        let cuts = geometry.cuts.map(|n| n as i32);
        let slab = Slab { first: first as i64, rows: rows as i32, cuts, unused: 0 };
        let parity = device.parity as i32;
        let warm = device.scalars().nth(scalar).unwrap_or(&device.heat);
        device.kernels.flow_of_cells.launch(
            device.layout.rows_in_turn(rows),
            &[
                value("layout", &device.layout),
                value("rates", &device.rates),
                value("heat", &warm.rates),
                value("slab", &slab),
                value("parity", &parity),
                device.f.input("f"),
                warm.h.input("warm"),
                self.flow.output("flow"),
            ],
        )?;
        fetched.slab = slab;
        let count = self.values * rows * geometry.cells[0];
        if fetched.values.len() < count {
            fetched.values = zeros(self.flow.len());
        }
        self.flow.read(&mut fetched.values[..count])
    }

    /// Room for what is fetched, that of before if it was given back.
    pub(crate) fn room(&mut self) -> Fetched<T> {
        let slab = Slab { first: 0, rows: 0, cuts: [1; 2], unused: 0 };
        Fetched { geometry: self.geometry, slab, values: std::mem::take(&mut self.spare) }
    }

    /// Keeps the room for what is fetched next: a large flow comes in many pieces.
    pub(crate) fn give_back(&mut self, fetched: Fetched<T>) {
        self.spare = fetched.values;
    }
}

impl<T: Real> Fetched<T> {
    /// Density less one and velocity of the own cells in a row of the slab, in lattice units.
    pub(crate) fn row(&self, row: [usize; 2]) -> [&[T]; VALUES] {
        std::array::from_fn(|number| self.numbers(number, row))
    }

    /// Temperature of an own cell in a row of the slab, above the reference in units of the difference.
    pub(crate) fn temperature(&self, [i, j, k]: [isize; 3]) -> T {
        self.numbers(VALUES, [j as usize, k as usize])[i as usize]
    }

    fn numbers(&self, number: usize, row: [usize; 2]) -> &[T] {
        let n = self.geometry.cells[0];
        let (values, first) = (n * self.slab.rows as usize, self.slab.first as usize);
        let at = (self.geometry.number(row) - first) * n;
        &self.values[number * values + at..][..n]
    }
}

impl Geometry {
    /// Number of a row, those together that lie in one row of the case's cells.
    fn number(&self, [j, k]: [usize; 2]) -> usize {
        let [cuts_y, cuts_z] = self.cuts;
        let coarse = j / cuts_y + self.cells[1] / cuts_y * (k / cuts_z);
        coarse * cuts_y * cuts_z + j % cuts_y + cuts_y * (k % cuts_z)
    }
}
