//! What every rank does in a run: the same monitors in the same order.

use crate::{Interrupt, KeepSeen, Progress, Seen};
use vortice_core::{
    Case, Context, Every, Finite, Method, Monitor, Outcome, Result, Sight, Simulation, Snapshot,
    Verdict,
};
use vortice_output::{Checkpoint, Energies, History, Recorder, open_checkpoint};

use super::files::Files;
use crate::arguments::Run;
use crate::commands::signals;
use crate::say;

/// What to run, and where the results go.
pub(super) struct Plan<'a> {
    pub(super) case: &'a Case,
    pub(super) method: &'static Method,
    pub(super) options: &'a Run,
    pub(super) files: &'a Files,
    /// What is looked at of the last flow.
    pub(super) sight: &'a Sight,
}

/// Takes away the files of an earlier run once nothing but the disk can hinder this one.
struct Replace<'a> {
    files: &'a Files,
    options: &'a Run,
}

impl Monitor for Replace<'_> {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.files.clear(self.options.restart.as_deref()),
            _ => Ok(None),
        };
        if let Some(words) = now.ranks.agree(mine)?.filter(|_| !self.options.quiet) {
            say::remark(&words);
        }
        Ok(())
    }

    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }
}

/// How it ended, with what is looked at of the last flow on rank 0.
pub(super) type Ended = (Outcome, Option<Seen>);

/// One rank, whatever the others are.
pub(super) fn on_rank(plan: &Plan<'_>, context: &Context) -> Result<Ended> {
    let Plan { case, method, options, files, sight } = plan;
    let mut simulation = Simulation::with_method(method, case, context)?;
    if let Some(path) = &options.restart {
        let state = open_checkpoint(path, case, context, options.restart_changed);
        simulation.restore(&context.ranks.agree(state)?)?;
    }
    let keep = KeepSeen::new((*sight).clone());
    let mut simulation = simulation
        .watch(Every::Ends, Replace { files, options })
        .watch(Every::Steps(1), Finite::new(divergence_remedy(method, case)))
        .watch(Every::Steps(1), Interrupt::by(signals::flag()));
    if !options.quiet && context.ranks.rank() == 0 {
        simulation = simulation.watch(Every::Steps(1), Progress::new());
    }
    for part in case.recorded() {
        let recorder = Recorder::of_part(files.part(&part.name), case, &part)?;
        let by = format!("vortice {}", crate::VERSION);
        simulation = simulation.watch(part.times.into(), recorder.by_program(&by));
    }
    simulation = simulation
        .watch(Every::Steps(1), History::create(&files.history)?)
        .watch(case.output.fields.into(), Energies::create(&files.energy)?);
    if case.output.has_checkpoints() {
        simulation = simulation.watch(
            Every::Steps(1),
            Checkpoint::new(&files.checkpoint, case)?.keeping(&files.older),
        );
    }
    let outcome = simulation.watch(Every::Ends, keep.clone()).run()?;
    Ok((outcome, keep.take()))
}

/// What methods have in common when they diverge.
fn divergence_remedy(method: &Method, case: &Case) -> String {
    format!(
        "set {}, or take more cells (`grid.cells`); the last good checkpoint was kept",
        (method.when_it_diverges)(case)
    )
}
