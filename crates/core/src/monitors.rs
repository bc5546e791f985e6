//! The monitors that need no file.

use crate::error::{Error, Result};
use crate::monitor::{Monitor, Snapshot, Verdict};
use crate::solver::Quantity;

/// Stops a run when the flow has become steady. The case's own `run.steady` then has no say.
#[derive(Clone, Copy, Debug)]
pub struct SteadyState {
    tolerance: f64,
}

impl SteadyState {
    /// Steady when [`crate::Step::iteration_error`] is below `tolerance`, a share of the velocity scale.
    pub fn below(tolerance: f64) -> Self {
        Self { tolerance }
    }
}

impl Monitor for SteadyState {
    fn after_step(&mut self, now: &Snapshot<'_>) -> Result<Verdict> {
        Ok(now.step.steady(self.tolerance).map_or(Verdict::Continue, Verdict::Converged))
    }

    fn decides_steady(&self) -> bool {
        true
    }
}

/// Stops a run at the first value that is not finite, and names it.
#[derive(Clone, Debug)]
pub struct Finite {
    remedy: String,
}

impl Finite {
    /// With the sentence that says which key to change.
    pub fn new(remedy: impl Into<String>) -> Self {
        Self { remedy: remedy.into() }
    }

    /// The first value on this rank that is not finite.
    fn offence(now: &Snapshot<'_>) -> Result<Option<Offence>> {
        let offset = now.cut.subdomain(now.ranks.rank()).offset();
        for (number, quantity) in SEEN.into_iter().enumerate() {
            let field = now.field(quantity)?;
            for cell in field.own_cells() {
                for c in 0..field.components {
                    let value = field.at(c, cell);
                    if !value.is_finite() {
                        let cell = std::array::from_fn(|d| cell[d] as u64 + offset[d] as u64);
                        return Ok(Some(Offence { quantity: number as u64, cell, value }));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// The fields that are looked at.
const SEEN: [Quantity; 2] = [Quantity::Velocity, Quantity::Pressure];

/// A value that is not finite: which of the fields, its global cell, and the value.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Offence {
    quantity: u64,
    cell: [u64; 3],
    value: f64,
}

impl Monitor for Finite {
    fn after_step(&mut self, now: &Snapshot<'_>) -> Result<Verdict> {
        if now.step.residual.is_finite() {
            return Ok(Verdict::Continue);
        }
        let mine = now.ranks.agree(Self::offence(now))?;
        let all = now.ranks.all_gather(mine.as_ref().map_or(&[], bytemuck::bytes_of))?;
        // All ranks stop with the same error, so that the one which writes files knows it.
        if let Some(bytes) = all.iter().find(|bytes| !bytes.is_empty()) {
            let Offence { quantity, cell, value } = bytemuck::pod_read_unaligned(bytes);
            return Err(Error::Diverged {
                step: now.step.number,
                time: now.step.time,
                field: SEEN[quantity as usize % SEEN.len()].name(),
                cell: cell.map(|index| index as usize),
                value,
                remedy: self.remedy.clone(),
            });
        }
        Ok(Verdict::Stop(format!("the residual is {}", now.step.residual)))
    }
}
