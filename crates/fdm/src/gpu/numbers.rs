//! Numbers that kernels are given; twins of structures in `kernels/fdm/*.cuh`.

use vortice_core::{Real, Shape};
use vortice_gpu::Launch;

use crate::colours::Colours;
use crate::scalar::half_lift;
use crate::stencil::Conduction;

vortice_gpu::mirrored! {
    /// Sizes of a subdomain, in `layout.cuh`.
    pub(crate) struct Layout {
        /// Own cells in x, y and z.
        cells: [i32; 3],
        /// Values of a padded row.
        row: i32,
        /// Values of one colour in a padded row.
        half_row: i32,
        /// Padded rows of a plane.
        rows: i32,
        /// Halo planes on each side in z.
        halo: i32,
        /// Parity of the global indices of cell (0, 0, 0).
        origin: i32,
    }
}

vortice_gpu::mirrored! {
    /// What a fluid does, in `predict.cuh`.
    pub(crate) struct Fluid<T> {
        /// nu / h2 in 1/s.
        diffusion: [T; 3],
        /// 1 / h in 1/m.
        inverse_h: [T; 3],
    }
}

vortice_gpu::mirrored! {
    /// Numbers of a time step, in `interval.cuh`.
    pub(crate) struct Interval<T> {
        /// In s.
        dt: T,
        /// Share of the donor cell.
        gamma: T,
        /// Of the rates of change now and before.
        weights: [T; 2],
        /// 1 / (h dt) in 1/(m s).
        inverse: [T; 3],
        /// dt / h in s/m.
        dt_h: [T; 3],
        /// At its beginning in m/s2.
        force: [T; 3],
        /// Half of what buoyancy adds to a velocity by each kelvin, in m/(s K).
        lift: [T; 3],
    }
}

vortice_gpu::mirrored! {
    /// What conducts heat, in `temperature.cuh`.
    pub(crate) struct Conductor<T> {
        /// alpha / h in m/s.
        diffusion: [T; 3],
        /// 1 / h in 1/m.
        inverse_h: [T; 3],
    }
}

vortice_gpu::mirrored! {
    /// Rows that a launch does, in y and z, in `layout.cuh`.
    pub(crate) struct Rows {
        /// The first.
        first: [i32; 2],
        /// From one to the next.
        step: [i32; 2],
        /// How many.
        count: [i32; 2],
    }
}

vortice_gpu::mirrored! {
    /// Numbers of a pressure sweep, in `sweep.cuh`.
    pub(crate) struct Sweep<T> {
        /// 1 / h2 in 1/m2.
        weights: [T; 3],
        /// Over-relaxation.
        omega: T,
        /// 1 - over-relaxation.
        keep: T,
    }
}

/// Inverse diagonals in shared memory, in `relax_tile.cu`.
pub(crate) const TABLE: usize = 64;

/// Bytes of a field that one thread of a sweep does, in `sweep.cuh`.
const FEW_BYTES: usize = 16;

/// Cells in the last direction that one thread predicts in the plane and in space, in `predict.cuh`.
const PREDICTED: [usize; 2] = [4, 2];

/// Cells in the last direction that one thread projects, in `project.cu`.
const PROJECTED: usize = 4;

/// Slots of what launches find, in `reductions.cuh`.
pub(crate) const SPEED: usize = 0;
pub(crate) const CHANGE: usize = 3;
pub(crate) const RESIDUAL: usize = 4;
pub(crate) const RIGHT_HAND_SIDE: usize = 5;
pub(crate) const PRESSURE_CHANGE: usize = 6;
pub(crate) const SLOTS: usize = 7;

/// Bytes in which a block notes what it finds, in `reductions.cuh`.
pub(super) const NOTES: u32 = (SLOTS * size_of::<u64>()) as u32;

/// Sums of squares, in `squares.cu`: low and high 32 bits of two.
pub(crate) const SUMS: usize = 4;

impl Rows {
    /// The twin of some rows.
    pub(crate) fn new(of: &vortice_core::Rows) -> Self {
        let vortice_core::Rows { first, step, count } = *of;
        let numbers = |of: [usize; 2]| of.map(|n| n as i32);
        Self { first: numbers(first), step: numbers(step), count: numbers(count) }
    }
}

impl Layout {
    /// The sizes of a subdomain.
    pub(crate) fn new(shape: &Shape, colours: &Colours) -> Self {
        let [row, rows, _] = shape.padded().map(|n| n as i32);
        Self {
            cells: shape.cells.map(|n| n as i32),
            row,
            half_row: colours.row_length() as i32,
            rows,
            halo: shape.halo[2] as i32,
            origin: colours.origin() as i32,
        }
    }

    fn cells(&self) -> [usize; 3] {
        self.cells.map(|n| n as usize)
    }

    /// One thread for each own cell.
    pub(crate) fn each_cell(&self) -> Launch {
        self.each_cells(1)
    }

    /// One thread for each two own cells that follow each other in the last direction.
    pub(crate) fn each_two_cells(&self) -> Launch {
        self.each_cells(2)
    }

    /// One thread for the cells that one thread predicts.
    pub(crate) fn each_prediction(&self) -> Launch {
        self.each_cells(PREDICTED[usize::from(!self.is_plane())])
    }

    /// One thread for the cells that one thread projects, and notes of what it finds.
    pub(crate) fn each_projection(&self) -> Launch {
        Launch { shared: NOTES, ..self.columns(PROJECTED, 128) }
    }

    /// One thread for each `length` own cells that follow each other in the last direction.
    fn each_cells(&self, length: usize) -> Launch {
        self.columns(length, if self.is_plane() { 128 } else { 256 })
    }

    /// The same with so many threads in a block.
    fn columns(&self, length: usize, of_block: u32) -> Launch {
        let [n_i, n_j, n_k] = self.cells();
        let columns = if self.is_plane() {
            [n_i, n_j.div_ceil(length), 1]
        } else {
            [n_i, n_j, n_k.div_ceil(length)]
        };
        Launch::rows(columns, of_block)
    }

    /// One thread for each own cell, and notes of what it finds.
    pub(crate) fn each_cell_noted(&self) -> Launch {
        Launch { shared: NOTES, ..self.each_cell() }
    }

    /// One thread for each few cells of a colour that lie beside each other in some rows.
    pub(crate) fn few_of_rows<T>(&self, rows: &Rows) -> Launch {
        let [n_j, n_k] = rows.count.map(|n| n as usize);
        let Launch { blocks: [blocks, ..], threads, .. } = self.each_few::<T>();
        let [wide, high, deep] = threads;
        // Few rows need no high blocks.
        let threads = [wide, high.min(rows.count[0] as u32), deep.min(rows.count[1] as u32)];
        Launch::over([blocks as usize * wide as usize, n_j, n_k], threads)
    }

    /// One thread for each few cells of a colour that lie beside each other.
    pub(crate) fn each_few<T>(&self) -> Launch {
        let [_, n_j, n_k] = self.cells();
        let threads = self.pairs().div_ceil(FEW_BYTES / size_of::<T>());
        // As few threads without cells as can be, and wide rather than narrow.
        let width = [64, 56, 48, 40, 32, 24, 16, 8]
            .into_iter()
            .min_by_key(|width| threads.next_multiple_of(*width))
            .unwrap_or(32) as u32;
        let shape = if self.is_plane() {
            [width, 4 * 128_u32.div_ceil(4 * width), 1]
        } else {
            [width, 2, 4]
        };
        Launch::over([threads, n_j, n_k], shape)
    }

    /// Threads that do a few cells after the other, and note what they find.
    pub(crate) fn few_in_turn<T>(&self) -> Launch {
        const MOST_BLOCKS: u32 = 2048;
        let Launch { mut blocks, threads, .. } = self.each_few::<T>();
        let last = if self.is_plane() { 1 } else { 2 };
        let layer = blocks.iter().product::<u32>() / blocks[last];
        blocks[last] = blocks[last].min(MOST_BLOCKS.div_ceil(layer));
        Launch { blocks, threads, shared: NOTES, cooperative: false }
    }

    fn is_plane(&self) -> bool {
        self.halo == 0
    }

    /// Pairs of cells in a padded row.
    fn pairs(&self) -> usize {
        (self.row as usize).div_ceil(2)
    }

    /// Threads that stride over rows, with shared memory for their sums.
    pub(crate) fn rows_in_turn(&self) -> Launch {
        const THREADS: u32 = 128;
        const MOST_BLOCKS: usize = 1024;
        let [n_i, n_j, n_k] = self.cells();
        let lines = (n_j * n_k).min(MOST_BLOCKS);
        let launch = Launch::over([n_i, lines, 1], [THREADS, 1, 1]);
        Launch { shared: THREADS * (SUMS * size_of::<u64>()) as u32, ..launch }
    }
}

/// One thread for each entry of a list.
pub(crate) fn each_entry(entries: usize) -> Launch {
    Launch::over([entries, 1, 1], [128, 1, 1])
}

impl<T: Real> Fluid<T> {
    /// Kinematic viscosity in m2/s.
    pub(crate) fn new(spacing: [f64; 3], viscosity: f64) -> Self {
        Self {
            diffusion: spacing.map(|h| T::from_f64(viscosity / (h * h))),
            inverse_h: spacing.map(|h| T::from_f64(1.0 / h)),
        }
    }
}

impl<T: Real> Interval<T> {
    /// A step of `dt` (s) with this body force in m/s2 and acceleration in m/s2 by each kelvin, share of the donor cell,
    /// and weights of rates that are kept.
    pub(crate) fn new(
        spacing: [f64; 3],
        dt: f64,
        [force, buoyancy]: [[f64; 3]; 2],
        (gamma, weights): (f64, Option<[f64; 2]>),
    ) -> Self {
        Self {
            dt: T::from_f64(dt),
            gamma: T::from_f64(gamma),
            weights: weights.unwrap_or([1.0, 0.0]).map(T::from_f64),
            inverse: spacing.map(|h| T::from_f64(1.0 / (h * dt))),
            dt_h: spacing.map(|h| T::from_f64(dt / h)),
            force: force.map(T::from_f64),
            lift: buoyancy.map(|buoyancy| half_lift(buoyancy, dt)),
        }
    }
}

impl<T: Real> Conductor<T> {
    /// The twin of what conducts in each direction.
    pub(crate) fn new(of: &[Conduction<T>; 3]) -> Self {
        Self { diffusion: of.map(|k| k.diffusion), inverse_h: of.map(|k| k.inverse_h) }
    }
}

impl<T: Real> Sweep<T> {
    /// A sweep with this over-relaxation.
    pub(crate) fn new(spacing: [f64; 3], omega: f64) -> Self {
        Self {
            weights: spacing.map(|h| T::from_f64(1.0 / (h * h))),
            omega: T::from_f64(omega),
            keep: T::from_f64(1.0 - omega),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::{ForceScales, ForceSide};
    use crate::scalar::LAYERS;
    use vortice_gpu::differences;

    fn header(name: &str) -> &'static str {
        let program = &super::super::program::PROGRAM;
        let texts = program.headers.iter().chain(program.kernels);
        texts.clone().find(|(file, _)| *file == name).expect("a source").1
    }

    #[test]
    fn structures_and_constants_equal_their_twins() {
        let structures = [
            ("fdm/layout.cuh", "Layout", Layout::FIELDS),
            ("fdm/predict.cuh", "Fluid", Fluid::<f32>::FIELDS),
            ("fdm/interval.cuh", "Interval", Interval::<f32>::FIELDS),
            ("fdm/layout.cuh", "Rows", Rows::FIELDS),
            ("fdm/temperature.cuh", "Conductor", Conductor::<f32>::FIELDS),
            ("fdm/sweep.cuh", "Sweep", Sweep::<f32>::FIELDS),
            ("fdm/force_on_sides.cu", "ForceSide", ForceSide::FIELDS),
            ("fdm/force_on_sides.cu", "ForceScales", ForceScales::FIELDS),
        ];
        for (file, name, fields) in structures {
            assert_eq!(differences(header(file), name, fields), [""; 0], "{file}");
        }
        let [in_plane, in_space] = PREDICTED;
        for (file, constant) in [
            ("fdm/sweep.cuh", format!("FEW_BYTES = {FEW_BYTES};")),
            ("fdm/predict.cuh", format!("PREDICTED = DIRECTIONS == 2 ? {in_plane} : {in_space};")),
            ("fdm/project.cu", format!("PROJECTED = {PROJECTED};")),
            ("fdm/squares.cu", format!("SUMS = {SUMS};")),
            ("fdm/temperature.cuh", format!("LAYERS = {LAYERS};")),
        ] {
            let line = format!("constexpr int {constant}");
            assert!(header(file).contains(&line), "{file}: {line}");
        }
        let slots = format!(
            "enum Slot {{ SPEED = {SPEED}, CHANGE = {CHANGE}, RESIDUAL = {RESIDUAL}, \
             RIGHT_HAND_SIDE = {RIGHT_HAND_SIDE}, PRESSURE_CHANGE = {PRESSURE_CHANGE}, \
             SLOTS = {SLOTS} }};"
        );
        assert!(header("fdm/reductions.cuh").contains(&slots), "{slots}");
    }
}
