//! Sums over all ranks of what each has found on its device.

use std::rc::Rc;

use vortice_core::{Communicator, Result};
use vortice_gpu::{Buffer, Gpu};
use vortice_linear::sums::{MOST_PAIRS, Sum};

use crate::ranks::add_up;

/// Sums of digits that a pair has, as `BINS` in `sums.cuh`.
pub(crate) const BINS: usize = 71;

/// Digits of a sum below which there are none: the first bin of a window is that of its last digit.
const DIGITS: usize = 3;

/// Inner products as launches find them, in `inner_products.cu`.
pub(crate) struct Found {
    /// The highest window of each pair's products: of all ranks, the highest.
    pub(crate) windows: Buffer<i64>,
    /// Sums of digits for each window, one pair after the other: of all ranks, the sums.
    pub(crate) bins: Buffer<i64>,
}

/// The way of inner products over all ranks.
pub(crate) struct Reduction {
    ranks: Rc<dyn Communicator>,
}

impl Found {
    /// Nothing.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn new(gpu: &Gpu) -> Result<Self> {
        let mut found =
            Self { windows: gpu.zeros(MOST_PAIRS)?, bins: gpu.zeros(MOST_PAIRS * BINS)? };
        found.windows.clear()?;
        found.bins.clear()?;
        Ok(found)
    }

    fn read(&self) -> Result<[Sum; MOST_PAIRS]> {
        let (mut windows, mut bins) = ([0; MOST_PAIRS], [0; MOST_PAIRS * BINS]);
        self.windows.read(&mut windows)?;
        self.bins.read(&mut bins)?;
        Ok(std::array::from_fn(|pair| {
            let window = windows[pair];
            let bins = &bins[pair * BINS..][..BINS];
            let digit = |n: usize| bins.get(window as usize + DIGITS - 1 - n).copied();
            Sum { window, digits: std::array::from_fn(|n| digit(n).unwrap_or(0)) }
        }))
    }

    fn write(&mut self, sums: &[Sum]) -> Result<()> {
        let mut windows = [0; MOST_PAIRS];
        let mut bins = [0; MOST_PAIRS * BINS];
        for (pair, sum) in sums.iter().enumerate() {
            windows[pair] = sum.window;
            let bins = &mut bins[pair * BINS..][..BINS];
            for (n, digit) in sum.digits.iter().enumerate() {
                if let Some(bin) = bins.get_mut(sum.window as usize + DIGITS - 1 - n) {
                    *bin = *digit;
                }
            }
        }
        self.windows.write(&windows)?;
        self.bins.write(&bins)
    }
}

impl Reduction {
    /// Among these ranks.
    pub(crate) fn new(ranks: Rc<dyn Communicator>) -> Self {
        Self { ranks }
    }

    /// Whether nothing leaves the device, so that the reduction can be captured.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.ranks.size() == 1
    }

    /// Makes of the first `count` sums of this rank those of all ranks, in one message like that of
    /// ranks on processors.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn add_up(&self, found: &mut Found, count: usize) -> Result<()> {
        if self.stays_on_device() {
            return Ok(());
        }
        let mut sums = found.read()?;
        add_up(&*self.ranks, &mut sums[..count])?;
        found.write(&sums[..count])
    }
}
