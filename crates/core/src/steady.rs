//! What brings a flow that shall become steady to its end sooner: coarser grids first, and Anderson's acceleration.

mod accelerated;
mod anderson;
mod rounds_here;
mod sequence;

use crate::case::{Case, Until};
use crate::context::Context;
use crate::error::Result;
use crate::quantity::Quantity;
use crate::solver::Solver;
use crate::steady::accelerated::Accelerated;
use crate::steady::sequence::{Sequence, coarser_grids};

/// Builds the solver of one rank.
type Build = fn(&Case, &Context) -> Result<Box<dyn Solver>>;

/// What a method does to come to a steady flow sooner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shortcuts {
    /// Steps on a coarser grid, at most; zero if none comes first.
    pub coarser: u64,
    /// Earlier rounds that Anderson's acceleration mixes, at most; zero without it.
    pub mixed: usize,
    /// Steps of such a round, of a method whose steps have no length; else a round is an interval of
    /// [`crate::Settling`].
    pub round: u64,
    /// A round that changes more, as a share of the scales, is not mixed, if anything is said; all before it are forgotten.
    pub mixed_below: Option<f64>,
}

impl Shortcuts {
    /// Rounds that Anderson's acceleration keeps at most, with the last one and what the next begins with.
    pub fn rounds(&self, case: &Case) -> usize {
        let is_steady = matches!(case.run.until, Until::Steady(_));
        if is_steady && self.mixed > 0 { self.mixed + 2 } else { 0 }
    }

    /// Bytes that all ranks together need for them, of which the complete state is so large.
    pub fn bytes(&self, case: &Case, saved: f64) -> f64 {
        let components = case.computed().map(Quantity::components).sum::<usize>() as f64;
        let changes = 8.0 * components * case.grid.n_cells() as f64;
        self.rounds(case) as f64 * (saved + changes)
    }

    /// The solver of one rank that takes these, if the flow shall become steady; `build` makes one that takes none.
    ///
    /// # Errors
    /// As `build`.
    pub fn build(self, build: Build, case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
        let Until::Steady(tolerance) = case.run.until else { return build(case, context) };
        let grids = if self.coarser > 0 { coarser_grids(case) } else { Vec::new() };
        if grids.is_empty() {
            return self.build_one(build, case, context);
        }
        let build = move |case: &Case, context: &Context| self.build_one(build, case, context);
        let (build, most) = (Box::new(build), self.coarser);
        Ok(Box::new(Sequence::new(build, (case, context), grids, (tolerance, most))?))
    }

    /// The solver of one grid.
    fn build_one(self, build: Build, case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
        let solver = build(case, context)?;
        match self.mixed {
            0 => Ok(solver),
            most => {
                let rounds = (most, self.mixed_below, self.round.max(1));
                Ok(Box::new(Accelerated::new(solver, rounds, case, context)?))
            }
        }
    }
}
