//! What solves the momentum equations by BiCGSTAB.

use vortice_core::Result;
use vortice_linear::cpu::{Domain, General, Host};
use vortice_linear::{BiCgStab, Space};

/// BiCGSTAB for one component after the other, in terms of what is missing.
pub(super) struct Krylov {
    pub(super) space: Host<General>,
    pub(super) solver: BiCgStab<Vec<f64>>,
    pub(super) residual: Vec<f64>,
    pub(super) correction: Vec<f64>,
}

impl Krylov {
    pub(super) fn new(domain: Domain) -> Result<Self> {
        let operator = General::new(&domain);
        let mut space = Host::new(domain, operator);
        let solver = BiCgStab::new(&mut space)?;
        let (residual, correction) = (space.zeros()?, space.zeros()?);
        Ok(Self { space, solver, residual, correction })
    }
}
