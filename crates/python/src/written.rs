//! A run of Python that leaves files: those of the program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vortice_core::{Case, Error, Method, Outcome, Report, Result, Simulation};
use vortice_output::Amount;
use vortice_post::references::{Reference, plane};
use vortice_post::sight;
use vortice_study::results::{Clock, Ended, Files, RankLocations, Restart, Results, Summary};
use vortice_study::{Change, DevicePlacement, KeepSeen};

/// The folder that a run is to write into.
#[derive(Clone)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// Whether the files of another run may be taken away.
    pub(crate) replace: bool,
    /// The checkpoint that the run goes on from.
    pub(crate) restart: Option<PathBuf>,
    /// What the case is called.
    pub(crate) name: String,
}

/// A run with its folder, which is locked as long as this lives.
pub(crate) struct Written {
    pub(crate) results: Arc<Results>,
    pub(crate) keep: KeepSeen,
    restart: Option<PathBuf>,
    summary: Summary,
    references: Vec<Reference>,
    clock: Clock,
}

impl Written {
    /// Takes the folder of a case whose place is settled. It must not hold the files of another run unless they may be
    /// replaced, or the run goes on from its checkpoint.
    pub(crate) fn new(
        folder: Folder,
        mut case: Case,
        method: &Method,
        report: &Report,
        place: &DevicePlacement,
        ranks: usize,
        threads: Option<usize>,
    ) -> Result<Self> {
        let Folder { path, replace, restart, name } = folder;
        let mut clock = Clock::start();
        let references = Reference::of(&case)?;
        let begun = restart.as_deref().map(|path| Restart::read(path, &case, false)).transpose()?;
        case.output.plane = case.output.plane.or_else(|| plane(&case, &references));
        Amount::of(&case, report).check_room(&case, &path)?;
        let files = Arc::new(Files::new(&path)?);
        let goes_on = restart.as_deref().is_some_and(|path| files.are_of(path));
        refuse_another(&path, &files, replace || goes_on)?;
        let (words, device) = (place.words(threads), place.device().to_string());
        let locations = RankLocations { words, device, gpus: place.gpus() };
        let cut = case.decomposition(None, ranks)?;
        let summary = Summary::new(&name, &case, method, &report.scheme, &cut, locations);
        let (sight, iterations) = (sight(&case, &references), begun.map_or(0, |at| at.iterations));
        clock.ranks_begin();
        let keep = KeepSeen::new(sight.clone());
        let results = Arc::new(Results { case, files, goes_on, iterations, sight });
        Ok(Self { results, keep, restart, summary, references, clock })
    }

    /// The monitors that write, with others between the first of them and the rest.
    pub(crate) fn watch<'m>(
        results: &Results,
        keep: &KeepSeen,
        restart: Option<PathBuf>,
        simulation: Simulation<'m>,
        others: impl FnOnce(Simulation<'m>) -> Simulation<'m>,
    ) -> Result<Simulation<'m>> {
        let simulation = others(results.replacing(simulation, restart, |_| ()));
        results.recording(simulation, keep)
    }

    pub(crate) fn restart(&self) -> Option<PathBuf> {
        self.restart.clone()
    }

    /// Writes what is written once, at the end.
    pub(crate) fn finish(self, outcome: Outcome, changes: Vec<Change>, case: Case) -> Result<()> {
        let Self { results, keep, summary, references, clock, .. } = self;
        let Some(seen) = keep.take() else { return Ok(()) };
        let ended = Ended { outcome, seen, changes, case };
        results.end(summary, &clock, &references, ended, |_| ()).map(|_| ())
    }

    /// Writes how the run failed, if it diverged.
    pub(crate) fn fail(self, error: &Error) -> Result<()> {
        self.results.failed(self.summary, &self.clock, error)
    }
}

fn refuse_another(folder: &Path, files: &Files, may_replace: bool) -> Result<()> {
    if may_replace || files.existing().is_empty() {
        return Ok(());
    }
    let remedy = "give another folder, or `replace=True`";
    Err(Error::file(folder, "holds the files of another run", remedy))
}
