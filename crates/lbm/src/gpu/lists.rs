//! The lists of links as kernels read them.

use vortice_core::{Case, Error, Real, Result};
use vortice_gpu::{Buffer, Gpu, value};

use super::numbers::each_entry;
use super::program::Kernels;
use crate::leak::Leak;
use crate::links::{BodyLink, Links, Outlet};

/// Cells before outlets: `outlet.cu`, `carry_outlet.cu`.
pub(crate) struct OutletList<T> {
    /// Own cells, in the order of the arrays.
    pub(crate) own: Vec<[isize; 3]>,
    /// Their indices in x, then in y, then in z.
    pub(crate) cells: Buffer<i32>,
    /// Bit q: the population along q meets the outlet.
    pub(crate) links: Buffer<u32>,
    /// Most answers of a cell.
    pub(crate) most: i32,
    /// Of each answer that of what leaves straight; first answers of all cells first.
    pub(crate) straight: Buffer<u8>,
    /// The places of what leaves alike, in steps of parity 0 and then 1.
    pub(crate) like: Buffer<i64>,
    /// The direction across, plus 3 on the high side.
    pub(crate) sides: Buffer<u8>,
    /// As in [`crate::initial::memory`].
    pub(crate) memory: Buffer<T>,
}

/// Links at solid boxes and mirrors: `swap_links.cu`.
pub(crate) struct SwapList {
    pub(crate) ones: Buffer<i64>,
    pub(crate) others: Buffer<i64>,
}

/// Links that bodies meet at places of their own: `interpolate_links.cu`.
pub(crate) struct BodyList<T> {
    /// Places as in [`BodyLink::places`].
    pub(crate) places: [Buffer<i64>; 4],
    /// Weights as in [`Weights::of`](crate::links::Weights::of).
    pub(crate) of: [Buffer<T>; 3],
    pub(crate) terms: Buffer<T>,
    /// If what they leak is given back, how.
    pub(crate) leak: Option<Leak>,
    /// What they leak in a step, in units of a leak.
    pub(crate) leaked: Buffer<u64>,
    /// Places and numbers of links as in [`Links::beside_bodies`].
    pub(crate) rests: Buffer<i64>,
    pub(crate) links: Buffer<u32>,
}

/// Links at moving walls and inflows, and heat that given fluxes bring: `add_to_links.cu`.
pub(crate) struct AdditionList<T> {
    pub(crate) places: Buffer<i64>,
    pub(crate) terms: Buffer<T>,
}

impl<T: Real> OutletList<T> {
    /// The outlets of a subdomain, and what they remember.
    pub(crate) fn new(gpu: &Gpu, outlets: &[Outlet], memory: &[T]) -> Result<Self> {
        let own: Vec<[isize; 3]> = outlets.iter().map(|outlet| outlet.cell).collect();
        let cells: Vec<i32> =
            (0..3).flat_map(|d| own.iter().map(move |cell| cell[d] as i32)).collect();
        let links = |outlet: &Outlet| outlet.answers.iter().fold(0, |bits, a| bits | 1_u32 << a.q);
        let links: Vec<u32> = outlets.iter().map(links).collect();
        let most = outlets.iter().map(|outlet| outlet.answers.len()).max().unwrap_or(0);
        let of_each = |number: usize| {
            outlets
                .iter()
                .map(move |outlet| outlet.answers.get(number).copied().unwrap_or_default())
        };
        let straight: Vec<u8> =
            (0..most).flat_map(|n| of_each(n).map(|answer| answer.straight as u8)).collect();
        let like: Vec<i64> = [0, 1]
            .into_iter()
            .flat_map(|parity| (0..most).map(move |n| (parity, n)))
            .flat_map(|(parity, n)| of_each(n).map(move |answer| answer.like[parity] as i64))
            .collect();
        let side = |outlet: &Outlet| outlet.direction as u8 + 3 * u8::from(outlet.outward > 0);
        let sides: Vec<u8> = outlets.iter().map(side).collect();
        Ok(Self {
            own,
            cells: gpu.upload(&cells)?,
            links: gpu.upload(&links)?,
            most: most as i32,
            straight: gpu.upload(&straight)?,
            like: gpu.upload(&like)?,
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

impl<T: Real> BodyList<T> {
    /// The links of a subdomain, so that places follow each other.
    ///
    /// # Errors
    /// If a place that is written comes twice, or the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, case: &Case, links: &Links) -> Result<Self> {
        let Links { bodies, beside_bodies, .. } = links;
        expect_distinct(bodies.iter().flat_map(|link| link.places[..2].to_vec()).collect())?;
        let mut sorted = bodies.clone();
        sorted.sort_unstable_by_key(|link| link.places);
        let places = |number: usize| {
            let all: Vec<i64> = sorted.iter().map(|link| link.places[number] as i64).collect();
            gpu.upload(&all)
        };
        let numbers = |number: &dyn Fn(&BodyLink) -> f64| {
            let all: Vec<T> = sorted.iter().map(|link| T::from_f64(number(link))).collect();
            gpu.upload(&all)
        };
        let of = |number: usize| numbers(&|link| link.weights.of[number]);
        let (rests, counts): (Vec<i64>, Vec<u32>) =
            beside_bodies.iter().map(|&(place, count)| (place as i64, count)).unzip();
        Ok(Self {
            places: [places(0)?, places(1)?, places(2)?, places(3)?],
            of: [of(0)?, of(1)?, of(2)?],
            terms: numbers(&|link| link.weights.add)?,
            leak: Leak::new(case, bodies.len()),
            leaked: gpu.zeros(1)?,
            rests: gpu.upload(&rests)?,
            links: gpu.upload(&counts)?,
        })
    }
}

impl<T: Real> AdditionList<T> {
    /// The additions of a subdomain, so that places follow each other.
    ///
    /// # Errors
    /// If a place comes twice, or the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, additions: &[(usize, f64)]) -> Result<Self> {
        let (places, terms) = sorted(additions);
        expect_distinct(places.iter().map(|&place| place as usize).collect())?;
        Ok(Self { places: gpu.upload(&places)?, terms: gpu.upload(&terms)? })
    }

    /// Adds the terms at their places of `f`.
    pub(crate) fn add<P: bytemuck::Pod>(&self, kernels: &Kernels, f: &mut Buffer<P>) -> Result<()> {
        let Self { places, terms } = self;
        if places.is_empty() {
            return Ok(());
        }
        let count = places.len() as i32;
        kernels.add_to_links.launch(
            each_entry(places.len()),
            &[value("count", &count), places.input("places"), terms.input("terms"), f.output("f")],
        )
    }

    /// Other terms at the same places.
    pub(crate) fn write(&mut self, additions: &[(usize, f64)]) -> Result<()> {
        self.terms.write(&sorted(additions).1)
    }
}

/// The places of additions in their order, and what is added there.
fn sorted<T: Real>(additions: &[(usize, f64)]) -> (Vec<i64>, Vec<T>) {
    let mut sorted = additions.to_vec();
    sorted.sort_unstable_by_key(|&(place, _)| place);
    sorted.iter().map(|&(place, term)| (place as i64, T::from_f64(term))).unzip()
}

/// Refuses a list in which a place comes twice: its threads would meet there, and who comes last would
/// be left to chance.
pub(super) fn expect_distinct(mut places: Vec<usize>) -> Result<()> {
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
