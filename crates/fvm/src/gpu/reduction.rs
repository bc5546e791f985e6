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

/// Numbers that launches find of inner products.
const NUMBERS: usize = MOST_PAIRS * (1 + BINS);

/// Inner products as launches find them, in `inner_products.cu`: the highest window of each pair's
/// products; then the sums of digits for each window, one pair after the other. Of all ranks, the highest
/// windows and the sums of the sums.
pub(crate) struct Found(pub(crate) Buffer<i64>);

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
        Ok(Self(gpu.upload(&[0; NUMBERS])?))
    }

    fn read(&self) -> Result<[Sum; MOST_PAIRS]> {
        let mut numbers = [0; NUMBERS];
        self.0.read(&mut numbers)?;
        let (windows, bins) = numbers.split_at(MOST_PAIRS);
        Ok(std::array::from_fn(|pair| {
            let (window, bins) = (windows[pair], &bins[pair * BINS..][..BINS]);
            let digit = |n: usize| bins.get(place(window, n)).copied().unwrap_or(0);
            Sum { window, digits: std::array::from_fn(digit) }
        }))
    }

    fn write(&mut self, sums: &[Sum]) -> Result<()> {
        let mut numbers = [0; NUMBERS];
        let (windows, bins) = numbers.split_at_mut(MOST_PAIRS);
        for (pair, sum) in sums.iter().enumerate() {
            windows[pair] = sum.window;
            let bins = &mut bins[pair * BINS..][..BINS];
            for (n, digit) in sum.digits.into_iter().enumerate() {
                if let Some(bin) = bins.get_mut(place(sum.window, n)) {
                    *bin = digit;
                }
            }
        }
        self.0.write(&numbers)
    }
}

/// Place of a digit among the bins of its pair; beyond them if the window is not finite.
fn place(window: i64, digit: usize) -> usize {
    window as usize + DIGITS - 1 - digit
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
