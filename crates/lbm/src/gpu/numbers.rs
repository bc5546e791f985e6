//! Numbers that kernels are given; twins of structures in `kernels/lbm/`.

use vortice_core::{Error, Real, Result, Shape};
use vortice_gpu::Launch;

use crate::collide;
use crate::heat;
use crate::layout;
use crate::options::THREADS;
use crate::watch::Watched;

vortice_gpu::mirrored! {
    /// Places of the populations of a subdomain, in `layout.cuh`.
    pub(crate) struct Layout {
        /// From one slot to the next.
        slot: i64,
        /// Own cell (0, 0, 0) within a slot.
        first: i64,
        /// From one cell to the next in x, y and z.
        stride: [i64; 3],
        /// Own cell (0, 0) within the columns of a slot.
        columns: [i64; 2],
        /// From one plane to the next in a column; 0 if there are none.
        column_stride: i64,
        /// Own cells in x, y and z.
        cells: [i32; 3],
        /// Whether there are halo cells in rows, planes and layers.
        halo: [i32; 3],
        /// Whether the box ends here: bit 0 on the low side, bit 1 on the high side.
        ends: [i32; 3],
        /// 2^32 less one over the places of a row, rounded down.
        per_row: u32,
    }
}

vortice_gpu::mirrored! {
    /// The numbers of a collision, in `collide.cuh`; see [`collide::Rates`].
    pub(crate) struct Rates<T> {
        /// Of even populations.
        omega_plus: T,
        /// Of odd populations.
        omega_minus: T,
        /// Of the energy.
        energy: T,
        /// Of its square.
        energy_square: T,
        /// Of other even moments.
        even: T,
        /// Of the energy flux.
        flux: T,
        /// Of other odd moments.
        odd: T,
        /// On a cell.
        force: [T; 3],
        /// Whether there is one.
        is_forced: u32,
        /// Nothing.
        unused: u32,
    }
}

vortice_gpu::mirrored! {
    /// The numbers of heat, in `heat.cuh`; see [`heat::HeatRates`].
    pub(crate) struct HeatRates<T> {
        /// Of even populations.
        omega_plus: T,
        /// Of odd populations.
        omega_minus: T,
        /// Force on a cell by a temperature of one.
        lift: [T; 3],
        /// What comes into a cell in a step, where it is the same in all.
        source: T,
        /// Whether the flow has heat.
        is_there: u32,
        /// Whether there is a lift.
        is_buoyant: u32,
        /// Whether what comes in is told by place.
        has_sources: u32,
        /// Nothing.
        unused: u32,
    }
}

vortice_gpu::mirrored! {
    /// Which cells are watched, in `mass_and_change.cu`; see [`Watched`].
    pub(crate) struct Watch {
        /// First own cell watched in x, y and z.
        first: [i32; 3],
        /// Distance to the next.
        stride: i32,
        /// How many there are.
        count: [i32; 3],
        /// Whether there are solid cells.
        solids: i32,
    }
}

vortice_gpu::mirrored! {
    /// Some rows of own cells, in `flow_of_cells.cu`.
    pub(crate) struct Slab {
        /// Number of the first of the case's rows.
        first: i64,
        /// How many of the lattice.
        rows: i32,
        /// Cells of the lattice in one of the case's, in y and z.
        cuts: [i32; 2],
        /// Rows of the case that follow each other in each of its layers.
        per_layer: i32,
    }
}

vortice_gpu::mirrored! {
    /// Own cells with one more on each side, in `coarser.cuh`.
    pub(crate) struct PaddedCells {
        /// From one cell to the next in x, y and z.
        stride: [i64; 3],
        /// Own cell (0, 0, 0).
        first: i64,
        /// How many there are.
        cells: i64,
    }
}

/// Threads of a block that adds up what it finds, a power of two.
const THREADS_OF_LOOK: u32 = 256;
/// Blocks, or little more, if threads go on to further cells.
const MOST_BLOCKS: usize = 4096;
/// Places that a warp reads together begin at multiples of this; in `layout.cuh`.
const ALIGNMENT: usize = 32;

impl Layout {
    /// The twin of a layout.
    ///
    /// # Errors
    /// If the numbers of a plane's places have more than 32 bits.
    pub(crate) fn new(of: &layout::Layout) -> Result<Self> {
        let stride = of.strides();
        let columns = [0, 1].map(|number| of.column(number).unwrap_or_default());
        if stride[2] > u32::MAX as usize - ALIGNMENT {
            return Err(Error::Device {
                problem: format!("a plane of a rank has {} cells with its halo", stride[2]),
                remedy: "use more ranks".into(),
            });
        }
        Ok(Self {
            slot: of.slot as i64,
            first: of.cell([0; 3]) as i64,
            stride: stride.map(|n| n as i64),
            cells: of.shape.cells.map(|n| n as i32),
            columns: columns.map(|[at, _]| at as i64),
            column_stride: columns[0][1] as i64,
            halo: of.before().map(|n| n as i32),
            ends: of.ends.map(|[low, high]| i32::from(low) + 2 * i32::from(high)),
            per_row: u32::MAX / stride[1] as u32,
        })
    }

    /// How many own cells there are.
    pub(crate) fn n_cells(&self) -> usize {
        self.cells.iter().map(|&n| n as usize).product()
    }

    /// One thread for each place of so many rows in each of so many planes, in a block row for each plane.
    pub(crate) fn each_cell(&self, [rows, planes]: [usize; 2], threads: u32) -> Launch {
        // Rows begin anywhere; threads where a warp likes to read.
        let places = rows * self.stride[1] as usize + ALIGNMENT - 1;
        Launch::over([places, planes, 1], [threads, 1, 1])
    }

    /// Whether two cells beside each other, the first in an even place of its row, lie in even places, and do not both begin
    /// and end a row with columns.
    pub(crate) fn is_for_two(&self) -> bool {
        let places = [self.slot, self.first, self.stride[1], self.stride[2]];
        let is_even = places.iter().all(|places| places % 2 == 0) && self.cells[0] % 2 == 0;
        is_even && (self.cells[0] > 2 || !self.has_columns())
    }

    /// Whether slots have columns.
    pub(crate) fn has_columns(&self) -> bool {
        self.column_stride != 0
    }

    /// The same for two cells each.
    pub(crate) fn two_cells_each(&self, [rows, planes]: [usize; 2]) -> Launch {
        Launch::over([rows * self.cells[0] as usize / 2, planes, 1], [THREADS / 2, 1, 1])
    }

    /// Threads that do cells of one plane after the other, with shared memory for two sums.
    pub(crate) fn planes_in_turn(&self) -> Launch {
        let Launch { blocks: [x, y, _], .. } = self.planes(THREADS_OF_LOOK);
        let planes = y.min(MOST_BLOCKS.div_ceil(x as usize) as u32);
        let shared = THREADS_OF_LOOK * 2 * size_of::<u64>() as u32;
        Launch { blocks: [x, planes, 1], shared, ..self.planes(THREADS_OF_LOOK) }
    }

    /// Threads that do one row of own cells after the other.
    pub(crate) fn rows_in_turn(&self, rows: usize) -> Launch {
        let cells = self.cells[0] as usize;
        let width = cells.next_multiple_of(32).next_power_of_two().min(THREADS as usize) as u32;
        Launch::over([cells, rows.min(MOST_BLOCKS), 1], [width, THREADS / width, 1])
    }

    /// Threads that do all own cells, one row after the other.
    pub(crate) fn cells_in_turn(&self) -> Launch {
        self.rows_in_turn(self.cells[1] as usize * self.cells[2] as usize)
    }

    /// One thread for several places of a slot, in a block row for each of `slots`.
    pub(crate) fn each_slot(&self, slots: usize) -> Launch {
        let launch = Launch::over([self.slot as usize, 1, 1], [THREADS, 1, 1]);
        let blocks = launch.blocks[0].min(MOST_BLOCKS as u32);
        Launch { blocks: [blocks, slots as u32, 1], ..launch }
    }

    fn planes(&self, of_block: u32) -> Launch {
        // Planes begin anywhere; threads where a warp likes to read.
        let places = self.stride[2] as usize + ALIGNMENT - 1;
        Launch::over([places, self.cells[2] as usize, 1], [of_block, 1, 1])
    }
}

/// Threads that do one of so many places after the other.
pub(crate) fn places_in_turn(places: usize) -> Launch {
    Launch::over([places.min(MOST_BLOCKS * THREADS as usize), 1, 1], [THREADS, 1, 1])
}

/// One thread for each entry of a list.
pub(crate) fn each_entry(entries: usize) -> Launch {
    Launch::over([entries, 1, 1], [THREADS, 1, 1])
}

impl PaddedCells {
    /// The twin of a shape.
    pub(crate) fn new(shape: &Shape) -> Self {
        let (stride, first) = (shape.strides().map(|n| n as i64), shape.index([0; 3]) as i64);
        Self { stride, first, cells: shape.len() as i64 }
    }
}

impl<T: Real> Rates<T> {
    /// The twin of a collision's numbers.
    pub(crate) fn new(of: &collide::Rates<T>) -> Self {
        Self {
            omega_plus: of.omega_plus,
            omega_minus: of.omega_minus,
            energy: of.energy,
            energy_square: of.energy_square,
            even: of.even,
            flux: of.flux,
            odd: of.odd,
            force: of.force,
            is_forced: of.is_forced,
            unused: 0,
        }
    }
}

impl<T: Real> HeatRates<T> {
    /// The twin of the numbers of heat, if there is any; `has_sources` says whether what comes in is told by place.
    pub(crate) fn new(of: Option<heat::HeatRates<T>>, has_sources: bool) -> Self {
        let none = T::default();
        let (omega_plus, omega_minus, lift) =
            of.map_or((none, none, [none; 3]), |of| (of.omega_plus, of.omega_minus, of.lift));
        Self {
            omega_plus,
            omega_minus,
            lift,
            source: of.map_or(none, |of| of.source),
            is_there: u32::from(of.is_some()),
            is_buoyant: u32::from(of.is_some_and(|of| of.is_buoyant)),
            has_sources: u32::from(has_sources),
            unused: 0,
        }
    }
}

impl Watch {
    /// The twin of what is watched.
    pub(crate) fn new(of: &Watched, has_solids: bool) -> Self {
        Self {
            first: of.first.map(|n| n as i32),
            stride: of.stride as i32,
            count: of.count.map(|n| n as i32),
            solids: i32::from(has_solids),
        }
    }
}

#[cfg(test)]
impl Layout {
    /// Of so many own cells without a halo, in a box that ends so.
    pub(crate) fn of_cells(cells: [i32; 3], ends: [i32; 3]) -> Self {
        let [x, y, z] = cells.map(i64::from);
        let (stride, halo, per_row) = ([1, x, x * y], [0; 3], u32::MAX / x as u32);
        let (columns, column_stride) = ([0; 2], 0);
        Self {
            slot: x * y * z,
            first: 0,
            stride,
            columns,
            column_stride,
            cells,
            halo,
            ends,
            per_row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::ForceLink;
    use vortice_gpu::differences;

    fn source(name: &str) -> &'static str {
        let program = &super::super::program::PROGRAM;
        let texts = program.headers.iter().chain(program.kernels);
        texts.clone().find(|(file, _)| *file == name).expect("a source").1
    }

    #[test]
    fn structures_and_constants_equal_their_twins() {
        let structures = [
            ("lbm/layout.cuh", "Layout", Layout::FIELDS),
            ("lbm/layout.cuh", "Reach", super::super::reach::Reach::FIELDS),
            ("lbm/layout.cuh", "Region", super::super::region::Region::FIELDS),
            ("lbm/collide.cuh", "Rates", Rates::<f32>::FIELDS),
            ("lbm/heat.cuh", "HeatRates", HeatRates::<f32>::FIELDS),
            ("lbm/mass_and_change.cu", "Watch", Watch::FIELDS),
            ("lbm/flow_of_cells.cu", "Slab", Slab::FIELDS),
            ("lbm/force_on_bodies.cu", "ForceLink", ForceLink::FIELDS),
            ("lbm/coarser.cuh", "PaddedCells", PaddedCells::FIELDS),
            ("lbm/tile_of_moments.cuh", "March", super::super::march::March::FIELDS),
        ];
        for (file, name, fields) in structures {
            assert_eq!(differences(source(file), name, fields), [""; 0], "{file}");
        }
        let [single, double] =
            [super::super::march::tile::<f32>(), super::super::march::tile::<f64>()];
        let rows = format!("TILE_Y = sizeof(Real) == 4 ? {} : {};", single[0], double[0]);
        for (file, line) in [
            ("lbm/layout.cuh", format!("ALIGNMENT = {ALIGNMENT};")),
            ("lbm/moments.cuh", format!("LANES = {};", crate::moments::places::LANES)),
            ("lbm/coarser.cuh", format!("FLOW = {};", crate::coarser::FLOW)),
            ("lbm/moments.cuh", format!("NUMBERS = {};", crate::moments::NUMBERS)),
            ("lbm/tile_of_moments.cuh", rows),
        ] {
            let line = format!("constexpr int {line}");
            assert!(source(file).contains(&line), "{line}");
        }
    }

    #[test]
    fn two_cells_do_not_both_begin_and_end_a_row_with_columns() {
        for (n, column_stride, are_done) in
            [(2, 0, true), (2, 7, false), (4, 7, true), (5, 0, false)]
        {
            let layout = Layout { column_stride, ..Layout::of_cells([n, 4, 4], [0; 3]) };
            assert_eq!(layout.is_for_two(), are_done, "{n} cells, {column_stride}");
        }
    }

    #[test]
    fn every_shape_of_box_can_be_launched() {
        let cells = [[1, 1, 1], [19, 13, 1], [33, 5, 7], [512, 512, 512], [20, 500_000, 1]];
        for layout in cells.map(|cells| Layout::of_cells(cells, [0; 3])) {
            let [_, y, z] = layout.cells;
            let all = [y as usize, z as usize];
            let launches =
                [layout.each_cell(all, THREADS), layout.planes_in_turn(), layout.rows_in_turn(9)];
            for launch in launches.into_iter().chain([layout.each_slot(19)]) {
                let threads: u32 = launch.threads.iter().product();
                assert!(threads <= 1024 && threads.is_multiple_of(32), "{launch:?}");
                assert!(launch.blocks[1..].iter().all(|&n| n <= 65535), "{launch:?}");
            }
            let Launch { blocks, threads, .. } = layout.each_cell(all, THREADS);
            let rows = layout.stride[1] * i64::from(layout.cells[1]);
            assert!(i64::from(blocks[0] * threads[0]) >= rows + 31, "{layout:?}");
            assert_eq!(blocks[1], layout.cells[2] as u32, "{layout:?}");
        }
        assert!(THREADS_OF_LOOK.is_power_of_two());
    }
}
