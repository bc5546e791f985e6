//! What the multigrid hierarchy has on a device: levels that have launches of their own, and the smallest,
//! which one block does together.

use std::sync::Arc;

use vortice_core::{Communicator, Halo, Result};
use vortice_gpu::{Buffer, DeviceHalo, Gpu};

use super::super::launches::{OF_SMALL_PLANE, is_swept_by_regions, small_bytes};
use super::super::mirrors::{Layout, Level, Transfer};
use super::super::program::Kernels;
use super::gather::Gathered;
use crate::cycle::Smoothing;
use crate::levels::{Level as Cells, Levels};

/// Levels in space of more cells take longer on one block than launches on all.
const SMALL: usize = 4096;
/// Each thread of the block has two cells of a level of a plane.
const SMALL_PAIRS: usize = (OF_SMALL_PLANE[0] * OF_SMALL_PLANE[1]) as usize;

/// A system of equations on all levels.
pub struct Multigrid {
    pub(super) kernels: Arc<Kernels>,
    pub(super) ranks: Arc<dyn Communicator>,
    /// The finest first; the last one may stand for all that are small.
    pub(super) grids: Vec<Grid>,
    pub(super) small: Option<Small>,
    pub(super) directions: usize,
    /// Place of the only cell of the coarsest level.
    only: usize,
    /// Of the cycle that is under way.
    pub(super) smoothing: Smoothing,
}

/// A level, or the first of the small ones, whose arrays then have room for all of them.
pub(super) struct Grid {
    pub(super) layout: Layout,
    pub(super) storage: Storage,
    /// Fills the halo of an array, unless that is written with the cells.
    pub(super) halo: Option<DeviceHalo>,
    /// The same for the coefficients, if the level is cut.
    pub(super) halo_of_coefficients: Option<DeviceHalo>,
    pub(super) next: Option<Next>,
    /// Whether the unknown is zero, whatever is in memory.
    pub(super) is_zero: bool,
    /// Whether the next coarser level's correction is still to be added.
    pub(super) lacks_correction: bool,
}

/// The arrays of a level.
pub struct Storage {
    /// Coefficients of low faces, one direction after the other.
    pub c: Buffer<f64>,
    /// One over their sums.
    pub inverse: Buffer<f64>,
    /// The unknown, zero beyond the ends of the box.
    pub x: Buffer<f64>,
    /// The right-hand side.
    pub b: Buffer<f64>,
    /// Residuals, and coefficients at the ends, if children of a coarse cell are on two ranks; the unknown before the coarse
    /// correction, if regions are swept.
    pub(crate) r: Buffer<f64>,
}

/// From a level to the next.
pub(super) struct Next {
    pub(super) transfer: Transfer<f64>,
    /// Whether children of a coarse cell are on two ranks.
    pub(super) is_ragged: bool,
    /// Whether the box ends with this rank's cells, by direction.
    pub(super) is_end: [bool; 3],
    /// If all ranks put the next level together.
    pub(super) gathered: Option<Gathered>,
    /// Whether the correction can be added while the level is relaxed.
    pub(super) joined: bool,
    /// Whether blocks sweep over regions of the level.
    pub(super) by_regions: bool,
}

/// The levels that one block does.
pub(super) struct Small {
    pub(super) count: i32,
    /// Places of all of them.
    pub(super) values: usize,
    /// Whether shared memory has room for their coefficients.
    pub(super) keeps_coefficients: bool,
    /// Whether cycles begin with working them out.
    pub(super) coarsens: bool,
    pub(super) levels: Buffer<Level<f64>>,
}

/// Bytes of `Kept` of `kernels/linear/kept_levels.cuh`.
const KEPT: usize = 64;

/// The number of the first small level, if there is one for so much shared memory.
fn first_small(levels: &[Cells], shared_memory: usize) -> Option<usize> {
    let fits = |number: &usize| {
        let values: usize = levels[*number..].iter().map(|level| level.shape.len()).sum();
        let cells: usize = levels[*number].cells.iter().product();
        let [nx, ny, _] = levels[*number].cells;
        let is_plane = levels[*number].directions == 2;
        let few = if is_plane { nx.div_ceil(2) * ny <= SMALL_PAIRS } else { cells <= SMALL };
        let bytes = Small::bytes_of(levels.len() - number, small_bytes(2, values));
        levels[*number].whole && few && bytes <= shared_memory
    };
    (0..levels.len()).find(fits)
}

/// Places of each level in arrays that hold all of them.
fn firsts(levels: &[Cells]) -> Vec<usize> {
    let lengths = levels.iter().map(|level| level.shape.len());
    lengths.scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect()
}

impl Multigrid {
    /// Levels full of zeros.
    pub(crate) fn new(
        gpu: &Gpu,
        kernels: Arc<Kernels>,
        ranks: Arc<dyn Communicator>,
        levels: &Levels,
    ) -> Result<Self> {
        let all = &levels.levels;
        let first = first_small(all, gpu.properties().shared_memory);
        let launched = first.unwrap_or(all.len());
        let mut grids = Vec::new();
        for number in 0..launched {
            let more = number + 1 < all.len();
            let next = more.then(|| Next::new(gpu, levels, number)).transpose()?;
            grids.push(Grid::new(gpu, levels, number..number + 1, next)?);
        }
        let small = match first {
            Some(first) => {
                grids.push(Grid::new(gpu, levels, first..all.len(), None)?);
                Some(Small::new(gpu, levels, first)?)
            }
            None => None,
        };
        let directions = levels.plan.directions;
        let smoothing = Smoothing { pre: 0, post: 0 };
        let last = all.len() - 1;
        let only = firsts(&all[first.unwrap_or(last)..]).last().copied().unwrap_or(0)
            + all[last].shape.index([0; 3]);
        Ok(Self { kernels, ranks, grids, small, directions, only, smoothing })
    }

    /// Bytes of all levels on a device with so much shared memory.
    pub fn bytes(levels: &Levels) -> usize {
        let directions = levels.plan.directions;
        let numbers = |level: &Cells| {
            let more = level.ragged || is_swept_by_regions(level, usize::MAX);
            level.shape.len() * (directions + 3 + usize::from(more))
        };
        levels.levels.iter().map(numbers).sum::<usize>() * size_of::<f64>()
    }

    /// The finest level's arrays.
    pub fn finest(&mut self) -> &mut Storage {
        &mut self.grids[0].storage
    }

    /// One over the sums of the finest level's coefficients.
    pub(crate) fn inverse(&self) -> &Buffer<f64> {
        &self.grids[0].storage.inverse
    }

    /// The array of inverse sums that holds the coarsest level's only cell, and its place there.
    pub(crate) fn coarsest(&self) -> (&Buffer<f64>, usize) {
        (&self.grids[self.grids.len() - 1].storage.inverse, self.only)
    }

    /// Whether nothing leaves the device, so that everything can be captured.
    pub fn stays_on_device(&self) -> bool {
        let stays =
            |halo: &Option<DeviceHalo>| halo.as_ref().is_none_or(DeviceHalo::stays_on_device);
        self.grids.iter().all(|grid| {
            let gathered = grid.next.as_ref().and_then(|next| next.gathered.as_ref());
            stays(&grid.halo)
                && stays(&grid.halo_of_coefficients)
                && gathered.is_none_or(Gathered::stays_on_device)
        })
    }
}

impl Grid {
    fn new(
        gpu: &Gpu,
        levels: &Levels,
        numbers: std::ops::Range<usize>,
        next: Option<Next>,
    ) -> Result<Self> {
        let part = levels.part(numbers.start);
        let levels = &levels.levels[numbers];
        let level = &levels[0];
        let directions = level.directions;
        let layout = Layout::new(level, 0);
        let whole = Halo::new(&level.shape, &part);
        let exchange = |components| {
            DeviceHalo::of_components::<f64>(gpu, &whole, [level.shape.len(), components])
        };
        let values = levels.iter().map(|level| level.shape.len()).sum();
        let more = next.as_ref().is_some_and(|next| next.is_ragged || next.by_regions);
        Ok(Self {
            storage: Storage::new(gpu, directions, values, layout.len(), more)?,
            halo: if layout.wraps == 0 { Some(exchange(1)?) } else { None },
            halo_of_coefficients: if level.whole { None } else { Some(exchange(directions)?) },
            layout,
            next,
            is_zero: false,
            lacks_correction: false,
        })
    }
}

impl Storage {
    /// Arrays for `values` places of one or more levels, the first of which has `first`.
    fn new(gpu: &Gpu, directions: usize, values: usize, first: usize, more: bool) -> Result<Self> {
        let zeros = |n: usize| {
            let mut buffer = gpu.zeros(n)?;
            buffer.clear()?;
            Ok(buffer)
        };
        Ok(Self {
            c: zeros(directions * values)?,
            inverse: zeros(values)?,
            x: zeros(first)?,
            b: zeros(first)?,
            r: zeros(if more { first } else { 0 })?,
        })
    }
}

impl Next {
    fn new(gpu: &Gpu, levels: &Levels, fine: usize) -> Result<Self> {
        let (level, coarse) = (&levels.levels[fine], &levels.levels[fine + 1]);
        let gathered = Gathered::new(gpu, levels, fine + 1)?;
        let start = gathered.as_ref().map_or(coarse.start, |gathered| gathered.pieces.start());
        Ok(Self {
            transfer: Transfer::new(levels, fine, start),
            is_ragged: level.ragged,
            is_end: std::array::from_fn(|d| {
                level.start[d] + level.shape.cells[d] == level.cells[d]
            }),
            gathered,
            joined: level.is_alone(),
            by_regions: is_swept_by_regions(level, gpu.properties().shared_memory),
        })
    }
}

impl Small {
    /// Shared memory for so many numbers at each place, and so many more that do not change in a cycle.
    pub(super) fn bytes(&self, numbers: usize, coefficients: usize) -> usize {
        let coefficients = if self.keeps_coefficients { coefficients } else { 0 };
        Self::bytes_of(self.count as usize, small_bytes(numbers + coefficients, self.values))
    }

    /// With what the block is told and finds out of so many levels.
    fn bytes_of(levels: usize, numbers: usize) -> usize {
        levels * (size_of::<Level<f64>>() + KEPT) + numbers
    }

    fn new(gpu: &Gpu, levels: &Levels, first: usize) -> Result<Self> {
        let all = &levels.levels[first..];
        let made = all.iter().zip(firsts(all)).map(|(level, place)| {
            let next = if level.number + 1 < levels.levels.len() {
                Transfer::new(levels, level.number, [0; 3])
            } else {
                Transfer::none()
            };
            let periodic = (0..level.directions).filter(|&d| level.periodic[d]);
            let periodic = periodic.map(|d| 1 << d).sum();
            Level { layout: Layout::new(level, place), next, periodic, unused: 0 }
        });
        let values = all.iter().map(|level| level.shape.len()).sum();
        let numbers = small_bytes(all[0].directions + 3, values);
        Ok(Self {
            count: all.len() as i32,
            values,
            keeps_coefficients: Self::bytes_of(all.len(), numbers)
                <= gpu.properties().shared_memory,
            coarsens: false,
            levels: gpu.upload(&made.collect::<Vec<_>>())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::{Decomposition, Grid};

    fn levels(cells: [usize; 3]) -> Levels {
        let grid = Grid::uniform(cells, cells.map(|n| n as f64), [0.0; 3]);
        let halo = if grid.is_plane() { [2, 2, 0] } else { [2; 3] };
        let cut = Decomposition::new(cells, [1; 3], [false; 3]).expect("one part");
        Levels::new(&grid, &cut, 0, halo).expect("levels")
    }

    #[test]
    fn one_block_does_levels_that_its_memory_holds() {
        let first = |cells, shared| first_small(&levels(cells).levels, shared);
        assert_eq!(first([128, 128, 1], 232_448), Some(2));
        assert_eq!(first([64, 64, 1], 232_448), Some(1));
        assert_eq!(first([512, 512, 1], 232_448), Some(4));
        assert_eq!(first([64, 64, 64], 232_448), Some(2));
        assert_eq!(first([128, 128, 1], 48 << 10), Some(2));
        assert_eq!(first([128, 128, 1], 16 << 10), Some(3));
        assert_eq!(first([128, 128, 1], 0), None);
    }

    #[test]
    fn levels_lie_one_after_the_other() {
        let levels = levels([5, 3, 1]);
        assert_eq!(firsts(&levels.levels), [0, 63, 63 + 20, 63 + 20 + 12]);
    }
}
