//! What a run leaves in its folder: fields, tables, checkpoint while it goes on, and profiles, picture and summary at its end.

mod files;
mod monitors;
mod profiles;
mod seconds;
mod summary;

use std::panic::resume_unwind;
use std::sync::Arc;

use vortice_core::{Case, Error, Outcome, Result, Sight};
use vortice_post::references::{Comparison, Reference};
use vortice_post::{Flow, ForceCourse, ForceSeries, ProbeMeans};

use crate::registry;
use crate::seen::Seen;
use crate::session::Change;
use profiles::Curve;

pub use files::{Files, Restart, default_folder};
pub use seconds::{Clock, Seconds};
pub use summary::{RankLocations, Summary};

/// A run and its folder.
pub struct Results {
    /// What is computed.
    pub case: Case,
    /// Where it is written.
    pub files: Arc<Files>,
    /// Whether the run goes on with the files of an earlier part of it.
    pub goes_on: bool,
    /// Iterations since the last line of that part.
    pub iterations: u64,
    /// What is looked at of the last flow.
    pub sight: Sight,
}

/// A run that has come to its end, on the rank that has its last flow.
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// What is looked at of the last flow.
    pub seen: Seen,
    /// What was changed while it went on.
    pub changes: Vec<Change>,
    /// The case as it was at last.
    pub case: Case,
}

impl Results {
    /// Writes what is written once, at the end: profiles, picture, film as MP4 and summary. `remark` hears of what is not
    /// worth an error.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn end(
        &self,
        summary: Summary,
        clock: &Clock,
        references: &[Reference],
        ended: Ended,
        remark: impl Fn(&str),
    ) -> Result<(Summary, Vec<Comparison>)> {
        let Ended { outcome, seen, changes, mut case } = ended;
        let (slope, time) = (registry::wall_slope(&case)?, outcome.step.time_reached());
        let flow = seen.flow(case.at(outcome.step.time), slope, time);
        let flow = flow.with_courses(self.courses());
        let flow = flow.with_surface_fluxes(outcome.surface_fluxes.clone());
        let (references, curves) = self.curves(references, &flow)?;
        // The picture and the numbers do not need each other, and one thread does most of either.
        let (drawn, (summary, comparisons)) = std::thread::scope(|scope| {
            let picture = scope.spawn(|| self.draw(&flow, &curves));
            let compare = |reference: &Reference| reference.compare(&flow);
            let comparisons: Vec<_> = references.iter().map(compare).collect();
            let summary = summary.changed(changes);
            let summary = summary.ended(&flow, seen.energy, &outcome, &comparisons);
            (picture.join().unwrap_or_else(|panic| resume_unwind(panic)), (summary, comparisons))
        });
        drawn?;
        self.write_mp4(remark);
        let summary = summary.with_probes(self.probes()).timed(clock, &outcome);
        summary.write(&self.files.summary)?;
        Ok((summary, comparisons))
    }

    /// Writes the summary of a run that diverged; of another error there is none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn failed(&self, summary: Summary, clock: &Clock, error: &Error) -> Result<()> {
        let Error::Diverged { step, time, .. } = *error else { return Ok(()) };
        summary.diverged(step, time, clock.elapsed(), error).write(&self.files.summary)
    }

    /// What the forces of the whole run did, of which earlier parts may have written some.
    fn courses(&self) -> Vec<ForceCourse> {
        let written =
            self.case.forces().and_then(|_| std::fs::read_to_string(&self.files.forces).ok());
        let series = written.map(|text| ForceSeries::all(&self.case, &text)).unwrap_or_default();
        ForceCourse::all(&self.case, &series)
    }

    /// What has been at points during the whole run.
    fn probes(&self) -> Vec<ProbeMeans> {
        let written = self.case.output.probes.as_ref();
        let written = written.map(|_| std::fs::read_to_string(&self.files.probes));
        written.and_then(|text| Some(ProbeMeans::all(&self.case, &text.ok()?))).unwrap_or_default()
    }

    /// The references that hold, and the profiles along their lines, which are written.
    fn curves(
        &self,
        references: &[Reference],
        flow: &Flow<'_>,
    ) -> Result<(Vec<Reference>, Vec<Curve>)> {
        // A flow that was changed on the way may no longer be that of a table.
        let holds = |one: &&Reference| one.objection(flow.case).is_none();
        let references: Vec<Reference> = references.iter().filter(holds).cloned().collect();
        let curves = profiles::curves(flow, &references);
        profiles::write(&self.files.profiles, flow, &curves)?;
        Ok((references, curves))
    }

    /// Draws the picture, if there is to be one.
    fn draw(&self, flow: &Flow<'_>, curves: &[Curve]) -> Result<()> {
        if !flow.case.output.picture {
            return Ok(());
        }
        let plots = profiles::plots(flow.case, curves);
        let (velocity, temperature) = (flow.velocity, flow.temperature);
        vortice_plot::draw(&self.files.picture, flow.case, velocity, temperature, &plots)
    }

    /// Writes the film that was asked for as MP4 too: where that cannot be the film is there all the same.
    fn write_mp4(&self, remark: impl Fn(&str)) {
        let Files { frames, mp4, .. } = &*self.files;
        let film = self.case.output.film.as_ref();
        if let Some(Err(error)) = film.map(|options| vortice_plot::write_mp4(frames, options, mp4))
        {
            remark(&format!("{error}; {}", error.remedy()));
        }
    }
}
