//! How a case is laid out on a device, if it fits.

use vortice_core::{Case, Real};
use vortice_gpu::{Definition, Gpu, Launch};

use super::tiling::{self, Room, Tiling};
use crate::cpu::Cpu;
use crate::gpu::definitions;
use crate::options::{Count, Stop};
use crate::settings::Settings;

/// A tiling and how its blocks use their shared memory.
pub(super) struct Plan {
    pub(super) tiling: Tiling,
    /// Fields of a tile in shared memory.
    pub(super) held: usize,
    pub(super) shape: Launch,
    pub(super) definitions: Vec<Definition>,
}

/// Iterations without word from the neighbours, if there are so many.
const BATCH: usize = 5;

/// Threads of a block, if the device can have so many: each has many registers.
const THREADS: usize = 512;

/// Fields of a tile in shared memory, the fastest first: all; without places of their own for
/// velocities; without predictions, too.
const HELD: [usize; 3] = [6, 4, 2];

/// Shared memory of a block with so many cells: the board, a byte a cell, and the fields.
fn bytes<T>(cells: usize, held: usize) -> usize {
    let board = 5 * size_of::<f64>() + 84 * size_of::<T>() + 6 * size_of::<i32>();
    board + cells.next_multiple_of(8) + held * cells * size_of::<T>()
}

impl Plan {
    /// How a case is laid out on a device; nothing if the kernel cannot do it there.
    pub(super) fn new<T: Real>(gpu: &Gpu, case: &Case, settings: &Settings) -> Option<Self> {
        let cells = case.grid.cells();
        let periodic = (0..2).any(|d| case.boundaries.periodic()[d]);
        let narrow = cells[0].min(cells[1]) < 8;
        let sums = matches!(settings.stop, Stop::ResidualRms(_));
        let device = gpu.properties();
        if !case.grid.is_plane() || periodic || narrow || sums || !device.cooperative {
            return None;
        }
        let (blocks, shared) = (device.multiprocessors, device.shared_memory);
        let threads = THREADS.min(device.threads);
        let room = Room { blocks, shared, threads };
        HELD.into_iter().find_map(|held| {
            let cells = [cells[0], cells[1]];
            let tiling = tiling::choose(cells, batch(settings), room, |n| bytes::<T>(n, held))?;
            Some(Self::of::<T>(tiling, threads, held))
        })
    }

    fn of<T: Real>(tiling: Tiling, threads: usize, held: usize) -> Self {
        let shape = Launch {
            blocks: [tiling.count() as u32, 1, 1],
            threads: [threads as u32, 1, 1],
            shared: bytes::<T>(tiling.size(), held) as u32,
            cooperative: true,
        };
        let tile = [
            ("KEPT", tiling::rows(&tiling, threads).to_string()),
            ("ROW", tiling.extent[0].to_string()),
            ("HELD", held.to_string()),
        ];
        let definitions = definitions::<T>(2).into_iter().chain(tile).collect();
        Self { tiling, held, shape, definitions }
    }

    /// Predictions of all tiles that have no room in shared memory.
    pub(super) fn predictions(&self) -> usize {
        if self.held == 2 { 2 * self.tiling.count() * self.tiling.size() } else { 0 }
    }
}

/// Iterations of a batch: as even shares of a step's usual iterations as possible.
fn batch(settings: &Settings) -> usize {
    let usual = match &settings.stop {
        Stop::Iterations(Count::Always(n)) => *n,
        Stop::Iterations(Count::Phased(phases)) => phases.then,
        _ => settings.test_every,
    } as usize;
    usual.div_ceil(usual.div_ceil(BATCH)).max(1)
}

/// A byte for each cell of each tile, in split order: the number of its inverse diagonal, and
/// whether its low faces are open; and the table of inverse diagonals. Nothing if they are too many.
pub(super) fn kinds<T: Real>(host: &Cpu<T>, tiling: &Tiling) -> Option<(Vec<u8>, Vec<T>)> {
    let mut table: Vec<T> = Vec::new();
    let mut kinds = vec![0; tiling.count() * tiling.size()];
    for tile in 0..tiling.count() {
        for cell in tiling.cells_of(tile) {
            let [i, j] = cell.map(|i| i as isize);
            let inside = (0..2).all(|d| (0..tiling.cells[d]).contains(&cell[d]));
            let (Some(place), true) = (tiling.split(tile, cell), inside) else { continue };
            let inverse = host.inverse_diagonal([i, j, 0]);
            let number = table.iter().position(|known| *known == inverse).unwrap_or_else(|| {
                table.push(inverse);
                table.len() - 1
            });
            let open = |a: usize| u8::from(host.is_open(a, [i, j, 0]));
            kinds[tile * tiling.size() + place as usize] =
                u8::try_from(number).ok().filter(|n| *n < 64)? | open(0) << 6 | open(1) << 7;
        }
    }
    table.resize(64, T::default());
    Some((kinds, table))
}
