//! What every rank does in a run: the same monitors in the same order.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::{Change, EndInTime, Interrupt, KeepSeen, Progress, Seen};
use vortice_core::{
    Case, Context, Every, Finite, Method, Monitor, Outcome, Result, Sight, Simulation, Snapshot,
    Verdict,
};
use vortice_output::{
    Checkpoint, Energies, ForceHistory, History, ProbeHistory, Recorder, open_checkpoint,
};
use vortice_plot::Film;

use super::files::Files;
use crate::arguments::{Run, WatchedBy};
use crate::commands::signals;
use crate::say;

/// What to run, and where the results go.
pub(super) struct Plan {
    pub(super) case: Case,
    pub(super) method: &'static Method,
    pub(super) options: Run,
    pub(super) files: Arc<Files>,
    /// Whether the run goes on with the files of an earlier part of it.
    pub(super) goes_on: bool,
    /// Iterations since the last line of that part.
    pub(super) iterations: u64,
    /// When the program began.
    pub(super) begun: Instant,
    /// What is looked at of the last flow.
    pub(super) sight: Sight,
}

/// Takes away the files of an earlier run once nothing but the disk can hinder this one.
struct Replace {
    files: Arc<Files>,
    restart: Option<PathBuf>,
    quiet: bool,
    goes_on: bool,
}

impl Monitor for Replace {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.files.clear(self.restart.as_deref(), self.goes_on),
            _ => Ok(None),
        };
        if let Some(words) = now.ranks.agree(mine)?.filter(|_| !self.quiet) {
            say::remark(&words);
        }
        Ok(())
    }

    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }
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
    let Plan { case, method, options, .. } = plan;
    let mut simulation = Simulation::with_method(method, case, context)?;
    if let Some(path) = &options.restart {
        let state = open_checkpoint(path, case, context, options.restart_changed);
        simulation.restore(&context.ranks.agree(state)?)?;
    }
    let keep = KeepSeen::new(plan.sight.clone());
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
    let Plan { case, method, options, files, goes_on, .. } = plan;
    let (goes_on, quiet) = (*goes_on, options.quiet);
    let (files_replaced, restart) = (files.clone(), options.restart.clone());
    simulation = simulation
        .watch(Every::Ends, Replace { files: files_replaced, restart, quiet, goes_on })
        .watch(Every::Steps(1), Finite::new(divergence_remedy(method, case)))
        .watch(Every::Steps(1), Interrupt::by(signals::flag()));
    if case.run.wall_limit.is_some() {
        simulation = simulation.watch(Every::Steps(1), EndInTime::of(case, plan.begun));
    }
    let is_drawn = options.watch == Some(WatchedBy::Terminal);
    if !quiet && is_first && !is_drawn {
        simulation = simulation.watch(Every::Steps(1), Progress::new());
    }
    // A checkpoint is the last to reach the disk of what belongs to its step.
    let mut recorded = Vec::new();
    for part in case.recorded() {
        let recorder = Recorder::of_part(files.part(&part.name), case, &part)?;
        let by = format!("vortice {}", crate::VERSION);
        let recorder = if goes_on { recorder.going_on() } else { recorder };
        recorded.push(recorder.sync());
        simulation = simulation.watch(part.times.into(), recorder.by_program(&by));
    }
    let (mut history, mut energies) =
        (History::create(&files.history)?, Energies::create(&files.energy)?);
    if goes_on {
        (history, energies) = (history.going_on(plan.iterations), energies.going_on());
    }
    let mut force_lines = None;
    if let Some(seconds) = case.forces() {
        let forces = ForceHistory::create(&files.forces)?;
        let forces = if goes_on { forces.going_on() } else { forces };
        force_lines = Some(forces.sync());
        simulation = simulation.watch(Every::Seconds(seconds), forces);
    }
    let mut probe_lines = None;
    if let Some(options) = &case.output.probes {
        let probes = ProbeHistory::create(&files.probes, options)?;
        let probes = if goes_on { probes.going_on() } else { probes };
        probe_lines = Some(probes.sync());
        simulation = simulation.watch(options.times.into(), probes);
    }
    if let Some(options) = &case.output.film {
        // A frame is on the disk when the step's checkpoint is begun.
        let film = Film::new(options, &files.frames, &files.film, &files.poster);
        let film = if goes_on { film.going_on() } else { film };
        simulation = simulation.watch(options.times.into(), film);
    }
    let (lines, energy_lines) = (history.sync(), energies.sync());
    let (energies, waiting) = (energies.after(history.sync()), history.waiting());
    simulation =
        simulation.watch(Every::Steps(1), history).watch(case.output.fields.into(), energies);
    if case.output.has_checkpoints() {
        let checkpoint = Checkpoint::new(&files.checkpoint, case)?.keeping(&files.older);
        let checkpoint = checkpoint.after(lines).after(energy_lines);
        let checkpoint = checkpoint.noting(move || waiting().to_string());
        let checkpoint = force_lines.into_iter().fold(checkpoint, Checkpoint::after);
        let checkpoint = probe_lines.into_iter().fold(checkpoint, Checkpoint::after);
        let checkpoint = recorded.into_iter().fold(checkpoint, Checkpoint::after);
        simulation = simulation.watch(Every::Steps(1), checkpoint);
    }
    Ok(simulation.watch(Every::Ends, keep.clone()))
}

/// What methods have in common when they diverge.
fn divergence_remedy(method: &Method, case: &Case) -> String {
    let kept = match case.output.has_checkpoints() {
        true => "; a checkpoint that was written before was kept",
        false => "",
    };
    format!("set {}, or take more cells (`grid.cells`){kept}", (method.when_it_diverges)(case))
}
