//! Density and velocity of cells on their way to the processor, some rows at a time: what is shown is
//! more than a device should have to hold beside its populations.

use vortice_core::{Real, Result, RowBlock, zeros};
use vortice_gpu::{Buffer, Gpu, Sender, Sent, value};

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

/// The velocity in a slab, on its way.
pub(crate) struct Coming<T> {
    geometry: Geometry,
    slab: Slab,
    /// Of the slab.
    cells: usize,
    sent: Sent<T>,
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
    pub(crate) fn pieces(&self, rows: &RowBlock) -> Vec<RowBlock> {
        let Geometry { cuts, .. } = self.geometry;
        rows.pieces(self.rows / (cuts[0] * cuts[1]))
    }

    /// Fetches the flow in some rows of the case's cells, with the scalar of a number; the velocity is that of the flow only
    /// with the first one.
    pub(crate) fn fetch<P: bytemuck::Pod>(
        &mut self,
        of: (&Device<T, P>, usize),
        rows: &RowBlock,
        fetched: &mut Fetched<T>,
    ) -> Result<()> {
        let slab = self.geometry.slab_of(rows);
        let count = self.flow_of(of, &slab)?;
        fetched.slab = slab;
        if fetched.values.len() < count {
            fetched.values = zeros(self.flow.len());
        }
        self.flow.read(&mut fetched.values[..count])
    }

    /// Has the velocity in some rows of the case's cells sent; nothing of a device that cannot.
    pub(crate) fn send<P: bytemuck::Pod>(
        &mut self,
        device: &Device<T, P>,
        rows: &RowBlock,
        sender: &Sender,
    ) -> Result<Option<Coming<T>>> {
        let slab = self.geometry.slab_of(rows);
        self.flow_of((device, 0), &slab)?;
        let cells = slab.rows as usize * self.geometry.cells[0];
        let sent = sender.send(&[(&self.flow, cells..VALUES * cells)])?;
        let geometry = self.geometry;
        Ok(sent.map(|sent| Coming { geometry, slab, cells, sent }))
    }

    /// Makes the flow of a slab on the device; how many numbers that is.
    fn flow_of<P: bytemuck::Pod>(
        &mut self,
        (device, scalar): (&Device<T, P>, usize),
        slab: &Slab,
    ) -> Result<usize> {
        let parity = device.parity as i32;
        let warm = device.scalars().nth(scalar).unwrap_or(&device.heat);
        let rows = slab.rows as usize;
        device.kernels.flow_of_cells.launch(
            device.layout.rows_in_turn(rows),
            &[
                value("layout", &device.layout_now()),
                value("rates", &device.rates),
                value("heat", &warm.rates),
                value("slab", slab),
                value("parity", &parity),
                device.f.input("f"),
                warm.h.input("warm"),
                self.flow.output("flow"),
            ],
        )?;
        Ok(self.values * rows * self.geometry.cells[0])
    }

    /// Room for what is fetched, that of before if it was given back.
    pub(crate) fn room(&mut self) -> Fetched<T> {
        let slab = self.geometry.slab(0, 0, 1);
        Fetched { geometry: self.geometry, slab, values: std::mem::take(&mut self.spare) }
    }

    /// Keeps the room for what is fetched next: a large flow comes in many pieces.
    pub(crate) fn give_back(&mut self, fetched: Fetched<T>) {
        self.spare = fetched.values;
    }
}

impl<T: Real> Coming<T> {
    /// Waits for it; its densities are nothing.
    pub(crate) fn receive(self) -> Result<Fetched<T>> {
        let mut values = vec![T::default(); self.cells];
        self.sent.receive()?.into_iter().for_each(|velocity| values.extend(velocity));
        Ok(Fetched { geometry: self.geometry, slab: self.slab, values })
    }
}

impl<T: Real> Fetched<T> {
    /// Density less one, and the components of the velocity one after the other, of all cells of the slab, row by row.
    pub(crate) fn flow(&self) -> [&[T]; 2] {
        let cells = self.geometry.cells[0] * self.slab.rows as usize;
        let (density_deviation, others) = self.values.split_at(cells);
        [density_deviation, &others[..(VALUES - 1) * cells]]
    }

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
        let values = n * self.slab.rows as usize;
        &self.values[number * values + self.place(row) * n..][..n]
    }

    /// Which of its rows a row of the lattice is.
    fn place(&self, [j, k]: [usize; 2]) -> usize {
        let Geometry { cuts: [cuts_y, cuts_z], .. } = self.geometry;
        let (of_layer, per_layer) = (self.geometry.rows_of_layer(), self.slab.per_layer as usize);
        let first = self.slab.first as usize;
        let nth = match per_layer == of_layer {
            true => j / cuts_y + of_layer * (k / cuts_z) - first,
            false => j / cuts_y - first % of_layer + per_layer * (k / cuts_z - first / of_layer),
        };
        nth * cuts_y * cuts_z + j % cuts_y + cuts_y * (k % cuts_z)
    }
}

impl Geometry {
    /// Rows of a layer of the case's cells.
    fn rows_of_layer(&self) -> usize {
        self.cells[1] / self.cuts[0]
    }

    fn slab_of(&self, rows: &RowBlock) -> Slab {
        let per_layer = match rows.in_one() {
            Some(_) => self.rows_of_layer(),
            None => rows.of_layer.len(),
        };
        self.slab(rows.of_layer.start, rows.count(), per_layer)
    }

    /// So many rows of the case from this one on, some in each layer.
    fn slab(&self, first: usize, rows: usize, per_layer: usize) -> Slab {
        let cuts = self.cuts.map(|n| n as i32);
        let rows = (rows * self.cuts[0] * self.cuts[1]) as i32;
        Slab { first: first as i64, rows, cuts, per_layer: per_layer as i32 }
    }
}
