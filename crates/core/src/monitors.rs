//! The monitors that need no file.

use crate::error::{Error, Result};
use crate::monitor::{Monitor, Snapshot, Verdict};
use crate::solver::Quantity;

/// Stops a run when the flow has become steady.
#[derive(Clone, Copy, Debug)]
pub struct SteadyState {
    tolerance: f64,
}

impl SteadyState {
    /// Steady when [`crate::Step::residual`] is below `tolerance`, in 1/s.
    pub fn below(tolerance: f64) -> Self {
        Self { tolerance }
    }
}

impl Monitor for SteadyState {
    fn after_step(&mut self, now: &Snapshot<'_>) -> Result<Verdict> {
        let residual = now.step.residual;
        Ok(if residual < self.tolerance {
            Verdict::Converged(format!("steady: residual {residual:.2e} < {:.0e}", self.tolerance))
        } else {
            Verdict::Continue
        })
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

    /// The first value on this rank that is not finite: field, global cell, value.
    fn offence(now: &Snapshot<'_>) -> Result<Option<(&'static str, [usize; 3], f64)>> {
        let offset = now.cut.subdomain(now.ranks.rank()).offset();
        for quantity in [Quantity::Velocity, Quantity::Pressure] {
            let field = now.field(quantity)?;
            for cell in field.own_cells() {
                for c in 0..field.components {
                    let value = field.at(c, cell);
                    if !value.is_finite() {
                        let cell = std::array::from_fn(|d| cell[d] as usize + offset[d]);
                        return Ok(Some((quantity.name(), cell, value)));
                    }
                }
            }
        }
        Ok(None)
    }
}

impl Monitor for Finite {
    fn after_step(&mut self, now: &Snapshot<'_>) -> Result<Verdict> {
        if now.step.residual.is_finite() {
            return Ok(Verdict::Continue);
        }
        let found = match Self::offence(now)? {
            Some((field, cell, value)) => Err(Error::Diverged {
                step: now.step.number,
                time: now.step.time,
                field,
                cell,
                value,
                remedy: self.remedy.clone(),
            }),
            None => Ok(()),
        };
        now.ranks.agree(found)?;
        Ok(Verdict::Stop(format!("the residual is {}", now.step.residual)))
    }
}
