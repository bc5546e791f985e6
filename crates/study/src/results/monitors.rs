//! What watches a run that leaves files: the same monitors in the same order on every rank.

use std::path::PathBuf;
use std::sync::Arc;

use vortice_core::{Every, Monitor, Result, Simulation, Snapshot, Verdict};
use vortice_output::{Checkpoint, Energies, ForceHistory, History, ProbeHistory, Recorder};
use vortice_plot::Film;

use super::Results;
use super::files::Files;
use crate::seen::KeepSeen;
use crate::session::cut_changes;

/// Takes away the files of an earlier run once nothing but the disk can hinder this one.
struct Replace<R> {
    files: Arc<Files>,
    restart: Option<PathBuf>,
    goes_on: bool,
    remark: R,
}

impl<R: Fn(&str)> Replace<R> {
    fn clear(&self, step: u64) -> Result<Option<String>> {
        if self.goes_on {
            cut_changes(&self.files.changes, step)?;
        }
        self.files.clear(self.restart.as_deref(), self.goes_on)
    }
}

impl<R: Fn(&str) + Send> Monitor for Replace<R> {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.clear(now.step.number),
            _ => Ok(None),
        };
        now.ranks.agree(mine)?.iter().for_each(|words| (self.remark)(words));
        Ok(())
    }

    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }
}

impl Results {
    /// The first monitor of a run: it takes away what an earlier run left in the folder, which `remark` hears of, unless this
    /// one goes on with it from its checkpoint `restart`.
    pub fn replacing<'m>(
        &self,
        simulation: Simulation<'m>,
        restart: Option<PathBuf>,
        remark: impl Fn(&str) + Send + 'm,
    ) -> Simulation<'m> {
        let (files, goes_on) = (self.files.clone(), self.goes_on);
        simulation.watch(Every::Ends, Replace { files, restart, goes_on, remark })
    }

    /// The last monitors of a run: they write what the case asks for while it goes on, and keep what is looked at of its last
    /// flow.
    ///
    /// # Errors
    /// If a file cannot be made.
    pub fn recording<'m>(
        &self,
        mut simulation: Simulation<'m>,
        keep: &KeepSeen,
    ) -> Result<Simulation<'m>> {
        let Self { case, files, goes_on, .. } = self;
        let goes_on = *goes_on;
        let (mut history, mut energies) =
            (History::create(&files.history)?, Energies::create(&files.energy)?);
        if goes_on {
            (history, energies) = (history.going_on(self.iterations), energies.going_on());
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
        // Behind the lines of the step, parts before the whole: the disk takes fields for longer, and nothing small waits for them.
        // A checkpoint is the last to reach the disk of what belongs to its step.
        let mut recorded = Vec::new();
        let parts: Vec<_> = case.recorded().collect();
        for part in parts.into_iter().rev() {
            let recorder = Recorder::of_part(files.part(&part.name), case, &part)?;
            let by = format!("vortice {}", crate::VERSION);
            let recorder = if goes_on { recorder.going_on() } else { recorder };
            recorded.push(recorder.sync());
            simulation = simulation.watch(part.times.into(), recorder.by_program(&by));
        }
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
}
