//! What every rank does in a run: the same monitors in the same order.

use std::rc::Rc;

use vortice::{Fields, Interrupt, Keep, Progress};
use vortice_core::{Case, Context, Every, Finite, Method, Outcome, Result, Simulation, Threads};
use vortice_output::{Checkpoint, History, Recorder, read_checkpoint};

use super::files::Files;
use super::{divergence_remedy, signals};
use crate::arguments::Run;

/// What to run, and where the results go.
pub(super) struct Plan<'a> {
    pub(super) case: &'a Case,
    pub(super) method: &'static Method,
    pub(super) options: &'a Run,
    pub(super) files: &'a Files,
}

/// How it ended, with the last fields on rank 0.
type Ended = (Outcome, Option<Fields>);

/// One rank, in this thread.
pub(super) fn alone(plan: &Plan<'_>) -> Result<Ended> {
    on_rank(plan, Context::alone())
}

/// One of several ranks, each in its thread.
pub(super) fn one_of_many(plan: &Plan<'_>, ranks: Threads) -> Result<Ended> {
    on_rank(plan, Context::new(Rc::new(ranks)).sharing(&plan.case.run.device))
}

fn on_rank(plan: &Plan<'_>, mut context: Context) -> Result<Ended> {
    let Plan { case, method, options, files } = plan;
    context.layout = options.ranks.layout;
    context.threads = options.threads.map_or(context.threads, usize::from);

    let mut simulation = Simulation::with_method(method, case, &context)?;
    if let Some(path) = &options.restart {
        let state = context.ranks.agree(read_checkpoint(path, case, &context))?;
        simulation.restore(&state)?;
    }
    let fields = case.output.fields.map_or(Every::Ends, Every::Seconds);
    let keep = Keep::new();
    let mut simulation = simulation
        .watch(Every::Steps(1), Finite::new(divergence_remedy(method)))
        .watch(Every::Steps(1), Interrupt::by(signals::flag()));
    if !options.quiet {
        simulation = simulation.watch(Every::Steps(1), Progress::new());
    }
    let outcome = simulation
        .watch(Every::Steps(1), History::create(&files.history)?)
        .watch(fields, Recorder::create(&files.fields, case)?)
        .watch(Every::Steps(1), Checkpoint::new(&files.checkpoint, case)?)
        .watch(Every::Ends, keep.clone())
        .run()?;
    Ok((outcome, keep.take()))
}
