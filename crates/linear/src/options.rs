//! Keys of a case file that methods have in common: how linear systems are solved, and until when.

use std::fmt;

use serde::Deserialize;
use vortice_core::{Result, at_least_one, within};

use crate::cycle::Smoothing;
use crate::space::{Preconditioner, Stop};

/// How a pressure equation is solved.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum PressureSolver {
    /// So many multigrid cycles.
    Cycles(u32),
    /// Conjugate gradients preconditioned by a multigrid cycle.
    MultigridCg(Criterion),
    /// Conjugate gradients with Jacobi's preconditioner.
    JacobiCg(Criterion),
    /// Conjugate gradients as they are.
    Cg(Criterion),
}

/// When an iteration stops: the residual's 2-norm is at most `retol` times the right-hand side's plus
/// `abstol`, or after `max` iterations.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Criterion {
    /// Share of the right-hand side's norm.
    pub retol: f64,
    /// In the units of the equation.
    pub abstol: f64,
    /// Most iterations.
    pub max: u32,
}

impl Default for Criterion {
    fn default() -> Self {
        Self { retol: 0.1, abstol: 0.0, max: 1000 }
    }
}

impl fmt::Display for PressureSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycles(1) => f.write_str("one multigrid V(2,2) cycle"),
            Self::Cycles(cycles) => write!(f, "{cycles} multigrid V(2,2) cycles"),
            Self::MultigridCg(stop) => write!(f, "CG with multigrid to {:e}", stop.retol),
            Self::JacobiCg(stop) => write!(f, "CG with Jacobi to {:e}, one reduction", stop.retol),
            Self::Cg(stop) => write!(f, "CG to {:e}, one reduction", stop.retol),
        }
    }
}

impl PressureSolver {
    /// What stands for the inverse of the matrix.
    pub fn preconditioner(self) -> Preconditioner {
        match self {
            Self::Cg(_) => Preconditioner::None,
            Self::JacobiCg(_) => Preconditioner::Jacobi,
            Self::MultigridCg(_) | Self::Cycles(_) => {
                Preconditioner::Multigrid(Smoothing::USUAL.pre)
            }
        }
    }

    /// Whether so many iterations are the most that are allowed: the residual is larger than wanted.
    pub fn ended_early(self, iterations: u64) -> bool {
        match self {
            Self::Cycles(_) => false,
            Self::MultigridCg(criterion) | Self::JacobiCg(criterion) | Self::Cg(criterion) => {
                iterations >= criterion.max.into()
            }
        }
    }

    /// Vectors that it works with besides the unknown and the right-hand side.
    pub fn vectors(self) -> usize {
        match self {
            Self::Cycles(_) => 0,
            Self::MultigridCg(_) => 7,
            Self::JacobiCg(_) | Self::Cg(_) => 8,
        }
    }

    /// Refuses numbers that cannot be; `key` is that of the case file.
    ///
    /// # Errors
    /// With the key, the value and the range.
    pub fn check(self, key: &str) -> Result<()> {
        match self {
            Self::Cycles(cycles) => at_least_one(&format!("{key}.cycles"), cycles.into()),
            Self::MultigridCg(stop) => stop.check(&format!("{key}.multigrid-cg")),
            Self::JacobiCg(stop) => stop.check(&format!("{key}.jacobi-cg")),
            Self::Cg(stop) => stop.check(&format!("{key}.cg")),
        }
    }
}

impl Criterion {
    /// Refuses numbers that cannot be; `key` is that of the case file.
    ///
    /// # Errors
    /// With the key, the value and the range.
    pub fn check(self, key: &str) -> Result<()> {
        within(&format!("{key}.retol"), self.retol, 0.0..=1.0, "0.1 is usual")?;
        within(&format!("{key}.abstol"), self.abstol, 0.0..=f64::MAX, "0 is usual")?;
        at_least_one(&format!("{key}.max"), self.max.into())
    }

    /// The same for an iteration that looks at its residual now and then.
    pub fn looked_at_every(self, look_every: usize) -> Stop {
        let Self { retol, abstol, max } = self;
        Stop { relative: retol, absolute: abstol, most: max as usize, look_every }
    }
}
