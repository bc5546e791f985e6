//! What every rank does in a run: the same monitors in the same order.

use std::time::Instant;

use crate::{Change, EndInTime, Interrupt, KeepSeen, Progress, Seen};
use vortice_core::{Case, Context, Every, Finite, Method, Outcome, Result, Simulation};
use vortice_output::open_checkpoint;
use vortice_study::results::Results;

use crate::arguments::{Run, WatchedBy};
use crate::commands::signals;
use crate::say;

/// What to run, and where the results go.
pub(super) struct Plan {
    pub(super) results: Results,
    pub(super) method: &'static Method,
    pub(super) options: Run,
    /// When the program began.
    pub(super) begun: Instant,
}

/// How it ended.
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    /// What is looked at of the last flow, on rank 0.
    pub(super) seen: Option<Seen>,
    /// What was changed while it went on, and the case as it was at last.
    pub(super) changes: Vec<Change>,
    pub(super) case: Case,
}

/// One rank, whatever the others are.
pub(super) fn on_rank(plan: &Plan, context: &Context) -> Result<Ended> {
    let Plan { results, method, options, .. } = plan;
    let case = &results.case;
    let mut simulation = Simulation::with_method(method, case, context)?;
    if let Some(path) = &options.restart {
        let state = open_checkpoint(path, case, context, options.restart_changed);
        simulation.restore(&context.ranks.agree(state)?)?;
    }
    let keep = KeepSeen::new(results.sight.clone());
    let is_first = context.ranks.rank() == 0;
    let outcome = watched(simulation, plan, is_first, &keep)?.run()?;
    Ok(Ended { outcome, seen: keep.take(), changes: Vec::new(), case: case.clone() })
}

/// The simulation with all that watches it, on the first rank or another one.
pub(super) fn watched<'m>(
    mut simulation: Simulation<'m>,
    plan: &Plan,
    is_first: bool,
    keep: &KeepSeen,
) -> Result<Simulation<'m>> {
    let Plan { results, method, options, .. } = plan;
    let (case, quiet) = (&results.case, options.quiet);
    let remark = move |words: &str| {
        if !quiet {
            say::remark(words);
        }
    };
    simulation = results
        .replacing(simulation, options.restart.clone(), remark)
        .watch(Every::Steps(1), Finite::new(divergence_remedy(method, case)))
        .watch(Every::Steps(1), Interrupt::by(signals::flag()));
    if case.run.wall_limit.is_some() {
        simulation = simulation.watch(Every::Steps(1), EndInTime::of(case, plan.begun));
    }
    let is_drawn = options.watch == Some(WatchedBy::Terminal);
    if !quiet && is_first && !is_drawn {
        simulation = simulation.watch(Every::Steps(1), Progress::new());
    }
    results.recording(simulation, keep)
}

/// What methods have in common when they diverge.
fn divergence_remedy(method: &Method, case: &Case) -> String {
    let kept = match case.output.has_checkpoints() {
        true => "; a checkpoint that was written before was kept",
        false => "",
    };
    format!("set {}, or take more cells (`grid.cells`){kept}", (method.when_it_diverges)(case))
}
