//! What every rank does in a run: the same monitors in the same order.

use vortice::{Fields, Interrupt, Keep, Progress};
use vortice_core::{Case, Context, Every, Finite, Method, Outcome, Result, Simulation};
use vortice_output::{Checkpoint, Energies, History, Recorder, read_checkpoint};

use super::divergence_remedy;
use super::files::Files;
use crate::arguments::Run;
use crate::commands::signals;

/// What to run, and where the results go.
pub(super) struct Plan<'a> {
    pub(super) case: &'a Case,
    pub(super) method: &'static Method,
    pub(super) options: &'a Run,
    pub(super) files: &'a Files,
}

/// How it ended, with the last fields on rank 0.
pub(super) type Ended = (Outcome, Option<Fields>);

/// One rank, whatever the others are.
pub(super) fn on_rank(plan: &Plan<'_>, context: &Context) -> Result<Ended> {
    let Plan { case, method, options, files } = plan;
    let mut simulation = Simulation::with_method(method, case, context)?;
    if let Some(path) = &options.restart {
        let state = context.ranks.agree(read_checkpoint(path, case, context))?;
        simulation.restore(&state)?;
    }
    let fields = case.output.fields.map_or(Every::Ends, Every::Seconds);
    let keep = Keep::new();
    let mut simulation = simulation
        .watch(Every::Steps(1), Finite::new(divergence_remedy(method)))
        .watch(Every::Steps(1), Interrupt::by(signals::flag()));
    if !options.quiet && context.ranks.rank() == 0 {
        simulation = simulation.watch(Every::Steps(1), Progress::new());
    }
    let outcome = simulation
        .watch(Every::Steps(1), History::create(&files.history)?)
        .watch(fields, Recorder::create(&files.fields, case)?)
        .watch(fields, Energies::create(&files.energy)?)
        .watch(Every::Steps(1), Checkpoint::new(&files.checkpoint, case)?)
        .watch(Every::Ends, keep.clone())
        .run()?;
    Ok((outcome, keep.take()))
}
