//! What bodies between the centres of cells take from a closed box or give to it, and how the flow gets it back;
//! eq. (L14c). Twin of kernels/lbm/interpolated.cuh.

use vortice_core::{Case, Communicator, Result};

use crate::number::Packed;

/// Units in which a leak is counted, in one of density: so few that a whole box cannot overflow them.
pub(crate) const LEAK_UNITS: f64 = (1_u64 << 46) as f64;

/// What comes back to a cell more than has left it, in whole units.
#[inline(always)]
pub(crate) fn leak_in_units<T: Packed>(back: T, left: T) -> i64 {
    let units = (back.to_f64() - left.to_f64()) * LEAK_UNITS + 0.5;
    if units.abs() < 4e18 { units.floor() as i64 } else { 0 }
}

/// The population at rest of a cell less the leak of so many links, each unit of the leak of the box being a share of
/// one link.
#[inline(always)]
pub(crate) fn without_leak<T: Packed>(at_rest: T, leak: i64, share: f64, links: u32) -> T {
    at_rest - T::from_f64(leak as f64 * share * f64::from(links))
}

/// The leak of a closed box with bodies, which all ranks share.
#[derive(Debug)]
pub(crate) struct Leak {
    /// Links of this rank that may leak.
    links: usize,
    /// Part of a density that one unit is for each link of all ranks, once they have been asked.
    share: Option<f64>,
}

impl Leak {
    /// Of a box that nothing leaves, with bodies in it; the other flows have none to be closed.
    pub(crate) fn new(case: &Case, links: usize) -> Option<Self> {
        let is_closed = !case.boundaries.iter().any(|(.., face)| face.is_outflow());
        (is_closed && !case.bodies.is_empty()).then_some(Self { links, share: None })
    }

    /// Of one unit, the share of each link.
    ///
    /// # Errors
    /// If ranks cannot be reached.
    pub(crate) fn share(&mut self, ranks: &dyn Communicator) -> Result<f64> {
        if let Some(share) = self.share {
            return Ok(share);
        }
        let links = ranks.sum_exact(self.links as i128)?;
        let share = 1.0 / (links.max(1) as f64 * LEAK_UNITS);
        self.share = Some(share);
        Ok(share)
    }
}
