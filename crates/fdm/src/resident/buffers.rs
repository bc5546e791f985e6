//! What lies in the device's memory beside the flow: tables that never change, and what a launch
//! leaves.

use vortice_core::{Real, Result};
use vortice_gpu::{Argument, Buffer, Gpu};

use super::launches::MOST_STEPS;
use super::lists::{Lists, TileFixed, TileGhost, TileOutlet};

/// Tables of the grid and its boundaries, tile by tile.
pub(super) struct Tables<T> {
    kinds: Buffer<u8>,
    inverse_diagonals: Buffer<T>,
    starts: Buffer<i32>,
    fixed: Buffer<TileFixed<T>>,
    ghosts: Buffer<TileGhost<T>>,
    outlets: Buffer<TileOutlet<T>>,
}

impl<T: Real> Tables<T> {
    pub(super) fn new(
        gpu: &Gpu,
        kinds: &[u8],
        inverse_diagonals: &[T],
        lists: &Lists<T>,
    ) -> Result<Self> {
        Ok(Self {
            kinds: gpu.upload(kinds)?,
            inverse_diagonals: gpu.upload(inverse_diagonals)?,
            starts: gpu.upload(&lists.starts)?,
            fixed: gpu.upload(&lists.fixed)?,
            ghosts: gpu.upload(&lists.ghosts)?,
            outlets: gpu.upload(&lists.outlets)?,
        })
    }

    pub(super) fn arguments(&self) -> [Argument<'_>; 6] {
        [
            self.kinds.input("kinds"),
            self.inverse_diagonals.input("inverse_diagonals"),
            self.starts.input("starts"),
            self.fixed.input("fixed"),
            self.ghosts.input("ghosts"),
            self.outlets.input("outlets"),
        ]
    }
}

/// What blocks tell each other, and what they leave of each step.
pub(super) struct Records<T> {
    flags: Buffer<u32>,
    arrivals: Buffer<u32>,
    reductions: Buffer<T>,
    motion: Buffer<T>,
    instants: Buffer<f64>,
    iterations: Buffer<i32>,
    unmet: Buffer<f64>,
}

/// A step that was done.
pub(super) struct Record {
    /// Largest |u|, |v| and change in m/s.
    pub(super) motion: [f64; 3],
    /// Time at its end, and length, in s.
    pub(super) instants: [f64; 2],
    pub(super) iterations: u64,
    /// What the last test of the pressure found and the number that it is a share of, if the rule was
    /// not met; else zeros.
    pub(super) unmet: [f64; 2],
}

impl<T: Real> Records<T> {
    pub(super) fn new(gpu: &Gpu, blocks: usize) -> Result<Self> {
        Ok(Self {
            flags: gpu.zeros(blocks)?,
            arrivals: gpu.zeros(1)?,
            reductions: gpu.zeros(6)?,
            motion: gpu.zeros(3 * MOST_STEPS)?,
            instants: gpu.zeros(2 * MOST_STEPS)?,
            iterations: gpu.zeros(MOST_STEPS)?,
            unmet: gpu.zeros(2 * MOST_STEPS)?,
        })
    }

    pub(super) fn clear(&mut self) -> Result<()> {
        self.flags.clear()?;
        self.arrivals.clear()?;
        self.reductions.clear()?;
        self.motion.clear()?;
        self.iterations.clear()?;
        self.unmet.clear()
    }

    pub(super) fn arguments(&mut self) -> [Argument<'_>; 7] {
        [
            self.flags.output("flags"),
            self.arrivals.output("arrivals"),
            self.reductions.output("reductions"),
            self.motion.output("motion"),
            self.instants.output("instants"),
            self.iterations.output("iterations"),
            self.unmet.output("unmet"),
        ]
    }

    /// The steps that the last launch did, of at most so many.
    pub(super) fn read(&self, most: usize) -> Result<Vec<Record>> {
        let mut iterations = vec![0; most];
        let (mut motion, mut instants) = (vec![T::default(); 3 * most], vec![0.0; 2 * most]);
        let mut unmet = vec![0.0; 2 * most];
        self.iterations.read(&mut iterations)?;
        self.motion.read(&mut motion)?;
        self.instants.read(&mut instants)?;
        self.unmet.read(&mut unmet)?;
        let done = iterations.iter().take_while(|n| **n > 0).enumerate();
        let record = |(n, iterations): (usize, &i32)| Record {
            motion: [0, 1, 2].map(|c| motion[3 * n + c].to_f64()),
            instants: [instants[2 * n], instants[2 * n + 1]],
            iterations: *iterations as u64,
            unmet: [unmet[2 * n], unmet[2 * n + 1]],
        };
        Ok(done.map(record).collect())
    }
}
