//! How many threads do the cells of a level.

use vortice_gpu::Launch;

use super::mirrors::Layout;
use crate::levels::Level as Cells;

/// Bytes in which a block keeps three reductions of its own.
const NOTES: u32 = 3 * size_of::<u64>() as u32;

/// Bytes in which a block notes windows and digits of inner products, in `inner_products.cu`.
const PRODUCT_NOTES: u32 = 12 * size_of::<u64>() as u32;

/// Cells along x and y of what a block sweeps over by itself, in `region.cuh`.
pub(super) const REGION: usize = 32;
/// Numbers for each cell of a region that a block has shared memory for.
const MOST_ARRAYS: usize = 2;
/// Half-sweeps that leave at least half of a region's cells along x and y to be written, and one cell for residuals.
pub(crate) const MOST_HALF_SWEEPS: usize = REGION / 4 - 1;

/// Threads of the block that does the smallest levels of a plane: one for each two cells.
pub(crate) const OF_SMALL_PLANE: [u32; 3] = [16, 32, 1];

/// Threads of a block of most kernels.
const THREADS: u32 = 128;
/// Blocks, or little more, if threads go on to further cells.
const MOST_BLOCKS: u32 = 2048;

impl Layout {
    fn cells(&self) -> [usize; 3] {
        self.cells.map(|n| n as usize)
    }

    /// How many own cells there are.
    pub fn own_cells(&self) -> usize {
        self.cells().into_iter().product()
    }

    fn is_plane(&self) -> bool {
        self.halo[2] == 0
    }

    /// One thread for each own cell.
    pub fn each_cell(&self) -> Launch {
        Launch::rows(self.cells(), THREADS)
    }

    /// One thread for each own cell of a colour.
    pub fn each_of_colour(&self) -> Launch {
        let [x, y, z] = self.cells();
        Launch::rows([x.div_ceil(2), y, z], THREADS)
    }

    /// Threads that do one own cell after the other in the last direction, and note what they find.
    pub fn cells_in_turn(&self) -> Launch {
        let mut launch = self.each_cell();
        let last = if self.is_plane() { 1 } else { 2 };
        let layer = launch.blocks.iter().product::<u32>() / launch.blocks[last];
        launch.blocks[last] = launch.blocks[last].min(MOST_BLOCKS.div_ceil(layer));
        Launch { shared: NOTES, ..launch }
    }

    /// The same for inner products.
    pub(crate) fn products_in_turn(&self) -> Launch {
        Launch { shared: PRODUCT_NOTES, ..self.cells_in_turn() }
    }

    /// A block for each region, which reads `halo` more cells on each side than it writes: those of a level that is `factor` times
    /// as fine along x and y. Shared memory: `arrays` numbers for each cell.
    pub fn regions(&self, halo: usize, factor: [usize; 2], arrays: usize) -> Launch {
        let [x, y, _] = self.cells();
        let blocks =
            |cells: usize, factor: usize| cells.div_ceil((REGION - 2 * halo) / factor) as u32;
        Launch {
            blocks: [blocks(x, factor[0]), blocks(y, factor[1]), 1],
            threads: [REGION as u32 / 2, REGION as u32, 1],
            shared: region_bytes(arrays) as u32,
            cooperative: false,
        }
    }

    /// One block whose threads do all cells of small levels, with so many bytes of shared memory.
    pub(crate) fn one_block(&self, bytes: usize) -> Launch {
        let threads = if self.is_plane() { OF_SMALL_PLANE } else { [8, 8, 8] };
        Launch { blocks: [1; 3], threads, shared: bytes as u32, cooperative: false }
    }
}

/// Shared memory for so many numbers at each of so many places of small levels.
pub(crate) fn small_bytes(numbers: usize, values: usize) -> usize {
    numbers * values * size_of::<f64>()
}

/// Shared memory of a block that sweeps over a region.
fn region_bytes(arrays: usize) -> usize {
    arrays * REGION * REGION * size_of::<f64>()
}

/// Whether blocks with so much shared memory sweep over regions of a level without waiting for each other.
pub fn is_swept_by_regions(level: &Cells, shared_memory: usize) -> bool {
    level.directions == 2 && level.is_alone() && region_bytes(MOST_ARRAYS) <= shared_memory
}

/// One thread.
pub(crate) fn one_thread() -> Launch {
    Launch { blocks: [1; 3], threads: [1; 3], shared: 0, cooperative: false }
}

/// One block.
pub(crate) fn one_block() -> Launch {
    Launch { threads: [THREADS, 1, 1], ..one_thread() }
}

/// One thread for each entry of a list.
pub fn each_entry(entries: usize) -> Launch {
    Launch::over([entries, 1, 1], [THREADS, 1, 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_box_can_be_launched() {
        let cells =
            [[1, 1, 1], [19, 13, 1], [33, 5, 7], [512, 512, 512], [3, 500_000, 1], [2, 2, 300_000]];
        for cells in cells {
            let halo = if cells[2] == 1 { [2, 2, 0] } else { [2; 3] };
            let [row, rows] = [cells[0] + 4, cells[1] + 4];
            let layout = Layout { first: 0, cells, halo, row, rows, origin: 0, wraps: 0 };
            let launches = [layout.each_cell(), layout.each_of_colour(), layout.cells_in_turn()];
            for launch in launches {
                let threads: u32 = launch.threads.iter().product();
                assert!(threads <= 1024 && threads.is_multiple_of(32), "{launch:?}");
                assert!(launch.threads[2] <= 64, "{launch:?}");
                assert!(launch.blocks[1..].iter().all(|&n| n <= 65535), "{launch:?}");
            }
            let Launch { blocks, threads, .. } = layout.each_cell();
            for d in 0..3 {
                assert!(i64::from(blocks[d] * threads[d]) >= i64::from(cells[d]), "{layout:?}");
            }
        }
    }
}
