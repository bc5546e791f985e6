//! Sums over all ranks of what each has found on its device.

use std::sync::Arc;

use vortice_core::{Communicator, Result};
use vortice_gpu::{Buffer, DeviceGather, Gpu, value};

use super::launches::each_entry;
use super::program::Kernels;
use crate::sums::{MOST_PAIRS, Sum};

/// Sums of digits that a pair has, as `BINS` in `sums.cuh`.
pub(crate) const BINS: usize = 71;

/// Digits of a sum below which there are none: the first bin of a window is that of its last digit.
const DIGITS: usize = 3;

/// Numbers that launches find of inner products.
const NUMBERS: usize = MOST_PAIRS * (1 + BINS);

/// Inner products as launches find them, in `inner_products.cu`: the highest window of each pair's
/// products; then the sums of digits for each window, one pair after the other. Of all ranks, the highest
/// windows and the sums of the sums.
pub(crate) struct PartialSums(pub(crate) Buffer<i64>);

/// The way of inner products over all ranks.
pub(crate) struct Reduction {
    ranks: Arc<dyn Communicator>,
    on_devices: Option<OnDevices>,
}

/// What devices need that reach each other.
struct OnDevices {
    gather: DeviceGather,
    /// What all ranks have found.
    all: Buffer<i64>,
    kernels: Arc<Kernels>,
}

impl PartialSums {
    /// Nothing.
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
    pub(crate) fn new(
        gpu: &Gpu,
        kernels: Arc<Kernels>,
        ranks: Arc<dyn Communicator>,
    ) -> Result<Self> {
        let on_devices = OnDevices::new(gpu, kernels, ranks.size())?;
        Ok(Self { ranks, on_devices })
    }

    /// Whether nothing leaves the devices, so that the reduction can be captured.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.ranks.size() == 1 || self.on_devices.is_some()
    }

    /// Makes of the first `count` sums of this rank those of all ranks, in one message like that of
    /// ranks on processors.
    pub(crate) fn add_up(&mut self, partial_sums: &mut PartialSums, count: usize) -> Result<()> {
        if self.ranks.size() == 1 {
            return Ok(());
        }
        if let Some(devices) = &mut self.on_devices {
            return devices.add_up(partial_sums, self.ranks.size());
        }
        let mut sums = partial_sums.read()?;
        Sum::over_ranks(&*self.ranks, &mut sums[..count])?;
        partial_sums.write(&sums[..count])
    }
}

impl OnDevices {
    fn new(gpu: &Gpu, kernels: Arc<Kernels>, size: usize) -> Result<Option<Self>> {
        let mine: Vec<usize> = (0..NUMBERS).collect();
        let of_rank = |rank: usize| (rank * NUMBERS..(rank + 1) * NUMBERS).collect();
        let theirs: Vec<Vec<usize>> = (0..size).map(of_rank).collect();
        let gather = DeviceGather::new(gpu, &mine, &theirs, size_of::<i64>())?;
        let Some(gather) = gather else { return Ok(None) };
        Ok(Some(Self { gather, all: gpu.zeros(size * NUMBERS)?, kernels }))
    }

    fn add_up(&mut self, partial_sums: &mut PartialSums, size: usize) -> Result<()> {
        self.gather.gather(&mut partial_sums.0, &mut self.all)?;
        let (ranks, numbers) = (size as i32, NUMBERS as i32);
        self.kernels.add_up_ranks.launch(
            each_entry(NUMBERS),
            &[
                value("ranks", &ranks),
                value("numbers", &numbers),
                self.all.input("all"),
                partial_sums.0.output("partial_sums"),
            ],
        )
    }
}
