//! The lists of links as kernels read them.

use vortice_core::{Error, Real, Result};
use vortice_gpu::{Buffer, Gpu};

use crate::links::Outlet;

/// Cells before outlets: `outlet.cu`.
pub(crate) struct OutletList<T> {
    /// Own cells, in the order of the arrays.
    pub(crate) own: Vec<[isize; 3]>,
    /// Their indices in x, then in y, then in z.
    pub(crate) cells: Buffer<i32>,
    /// Bit q: the population along q meets the outlet.
    pub(crate) links: Buffer<u32>,
    /// The direction across, plus 3 on the high side.
    pub(crate) sides: Buffer<u8>,
    /// In cells per step.
    pub(crate) memory: Buffer<T>,
}

/// Links at solid boxes and mirrors: `swap_links.cu`.
pub(crate) struct SwapList {
    pub(crate) ones: Buffer<i64>,
    pub(crate) others: Buffer<i64>,
}

/// Links at moving walls and inflows: `add_to_links.cu`.
pub(crate) struct AdditionList<T> {
    pub(crate) places: Buffer<i64>,
    pub(crate) terms: Buffer<T>,
}

impl<T: Real> OutletList<T> {
    /// The outlets of a subdomain, and the velocities that they are used to.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, outlets: &[Outlet], memory: &[T]) -> Result<Self> {
        let own: Vec<[isize; 3]> = outlets.iter().map(|outlet| outlet.cell).collect();
        let cells: Vec<i32> =
            (0..3).flat_map(|d| own.iter().map(move |cell| cell[d] as i32)).collect();
        let links: Vec<u32> = outlets.iter().map(|outlet| outlet.links).collect();
        let side = |outlet: &Outlet| outlet.direction as u8 + 3 * u8::from(outlet.outward > 0);
        let sides: Vec<u8> = outlets.iter().map(side).collect();
        Ok(Self {
            own,
            cells: gpu.upload(&cells)?,
            links: gpu.upload(&links)?,
            sides: gpu.upload(&sides)?,
            memory: gpu.upload(memory)?,
        })
    }
}

impl SwapList {
    /// The swaps of a subdomain, so that places follow each other.
    ///
    /// # Errors
    /// If a place comes twice, or the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, swaps: &[[usize; 2]]) -> Result<Self> {
        expect_distinct(swaps.concat())?;
        let mut sorted = swaps.to_vec();
        sorted.sort_unstable();
        let side =
            |side: usize| -> Vec<i64> { sorted.iter().map(|pair| pair[side] as i64).collect() };
        Ok(Self { ones: gpu.upload(&side(0))?, others: gpu.upload(&side(1))? })
    }
}

impl<T: Real> AdditionList<T> {
    /// The additions of a subdomain, so that places follow each other.
    ///
    /// # Errors
    /// If a place comes twice, or the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, additions: &[(usize, f64)]) -> Result<Self> {
        expect_distinct(additions.iter().map(|&(place, _)| place).collect())?;
        let mut sorted = additions.to_vec();
        sorted.sort_unstable_by_key(|&(place, _)| place);
        let places: Vec<i64> = sorted.iter().map(|&(place, _)| place as i64).collect();
        let terms: Vec<T> = sorted.iter().map(|&(_, term)| T::from_f64(term)).collect();
        Ok(Self { places: gpu.upload(&places)?, terms: gpu.upload(&terms)? })
    }
}

/// Refuses a list in which a place comes twice: its threads would meet there, and who comes last would
/// be left to chance.
fn expect_distinct(mut places: Vec<usize>) -> Result<()> {
    places.sort_unstable();
    match places.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(twice) => Err(Error::Device {
            problem: format!("two threads would change place {} of the populations", twice[0]),
            remedy: "this is a mistake in the program: use `--device cpu` and report it".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_comes_twice_is_refused() {
        assert!(expect_distinct(vec![3, 1, 2]).is_ok() && expect_distinct(vec![]).is_ok());
        let error = expect_distinct(vec![7, 1, 7]).expect_err("7 comes twice");
        assert!(error.to_string().contains("place 7"), "{error}");
    }
}
