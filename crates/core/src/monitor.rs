//! What watches a run: progress, probes, recorders, checkpoints, and what stops it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::case::Case;
use crate::communicator::Communicator;
use crate::decomposition::Decomposition;
use crate::derived;
use crate::error::Result;
use crate::field::Field;
use crate::gather::gather;
use crate::quantity::Quantity;
use crate::solver::Solver;
use crate::state::State;
use crate::step::Step;

/// When a monitor looks. Every monitor also sees the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Every {
    /// Each so many steps, counted from step 0.
    Steps(u64),
    /// Each so many seconds of flow time; steps end exactly there.
    Seconds(f64),
    /// At the start and the end only.
    Ends,
}

/// What a monitor thinks of going on.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Go on.
    Continue,
    /// The goal is reached; stop, with the reason.
    Converged(String),
    /// Stop before the goal is reached, with the reason.
    Stop(String),
}

/// Watches a run. On several ranks every rank has its own copy and all of them are asked at the
/// same steps, so a monitor may call the collective verbs of its snapshot.
pub trait Monitor: Send {
    /// Called before the first step with the initial (or restored) state.
    ///
    /// # Errors
    /// If something cannot be written.
    fn begin(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        Ok(())
    }

    /// Called after a step for which the monitor was registered.
    ///
    /// # Errors
    /// If something cannot be written, or the run must not go on.
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict>;

    /// Whether this monitor, in place of the case's `run.steady`, says when the flow is steady.
    fn decides_steady(&self) -> bool {
        false
    }

    /// Called once with the last state, also when the run was stopped early. When the run fails
    /// it is not called.
    ///
    /// # Errors
    /// If something cannot be written.
    fn finish(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        Ok(())
    }
}

/// The state after a step. Fields are fetched when first asked for and kept for the other monitors
/// of the same step.
pub struct Snapshot<'a> {
    /// The step just done.
    pub step: Step,
    /// The case.
    pub case: &'a Case,
    /// This rank and the others.
    pub ranks: &'a dyn Communicator,
    /// How the grid is cut.
    pub cut: &'a Decomposition,
    solver: &'a mut dyn Solver,
    whole: HashMap<Quantity, Option<Arc<Field>>>,
}

impl<'a> Snapshot<'a> {
    /// A look at a solver.
    pub fn new(
        step: Step,
        case: &'a Case,
        ranks: &'a dyn Communicator,
        cut: &'a Decomposition,
        solver: &'a mut dyn Solver,
    ) -> Self {
        Self { step, case, ranks, cut, solver, whole: HashMap::new() }
    }

    /// Velocity or pressure on this rank's own cells, without halo.
    ///
    /// # Errors
    /// If a device fails.
    pub fn field(&mut self, quantity: Quantity) -> Result<Field> {
        self.solver.field(quantity)
    }

    /// A quantity on the whole grid: on rank 0, nothing on the others. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn whole(&mut self, quantity: Quantity) -> Result<Option<Arc<Field>>> {
        if let Some(known) = self.whole.get(&quantity) {
            return Ok(known.clone());
        }
        let field = match quantity {
            Quantity::Velocity | Quantity::Pressure => {
                let mine = self.ranks.agree(self.solver.field(quantity))?;
                gather(self.ranks, self.cut, mine)?
            }
            Quantity::Vorticity | Quantity::StreamFunction => {
                let velocity = self.whole(Quantity::Velocity)?;
                velocity.map(|velocity| match quantity {
                    Quantity::Vorticity => derived::vorticity(self.case, &velocity),
                    _ => derived::stream_function(self.case, &velocity),
                })
            }
        };
        let field = field.map(Arc::new);
        self.whole.insert(quantity, field.clone());
        Ok(field)
    }

    /// The complete state of this rank.
    ///
    /// # Errors
    /// If a device fails.
    pub fn state(&mut self) -> Result<State> {
        self.solver.save()
    }
}
