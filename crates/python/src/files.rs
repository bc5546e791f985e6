//! The files that a run of Python leaves: those of the program but profiles, picture, film and summary.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vortice_core::{Case, Error, Every, Result, Simulation, StatisticsOptions};
use vortice_output::{
    Checkpoint, Energies, FolderLock, ForceHistory, History, ProbeHistory, Recorder,
};

/// A folder that is taken for one run.
#[derive(Clone)]
pub(crate) struct Files {
    folder: PathBuf,
    _lock: Arc<FolderLock>,
}

impl Files {
    /// Makes the folder, which must not hold the files of another run unless they may be replaced: those are removed, but
    /// for its checkpoint.
    pub(crate) fn new(folder: &Path, replace: bool) -> Result<Self> {
        let cannot = |error: std::io::Error| {
            Error::file(folder, format!("cannot be written to: {error}"), "give another folder")
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let lock = FolderLock::take(folder)?;
        let files = Self { folder: folder.to_path_buf(), _lock: Arc::new(lock) };
        let earlier: Vec<PathBuf> = files.written().filter(|path| path.is_file()).collect();
        if !replace && !earlier.is_empty() {
            let remedy = "give another folder, or `replace=True`";
            return Err(Error::file(folder, "holds the files of another run", remedy));
        }
        earlier.iter().try_for_each(std::fs::remove_file).map_err(cannot)?;
        Ok(files)
    }

    /// What a run leaves here, and what one of the program does.
    fn written(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let fields = ["fields", "statistics"].into_iter();
        let fields = fields.flat_map(|name| ["vtkhdf", "xmf"].map(|end| format!("{name}.{end}")));
        let tables = ["history", "energy", "forces", "probes", "profiles"];
        let tables = tables.into_iter().map(|name| format!("{name}.csv"));
        let others = ["picture.png", "film.png", "film.mp4", "film-poster.png", "summary.json"];
        let others = others.into_iter().map(String::from);
        fields.chain(tables).chain(others).map(|name| self.folder.join(name))
    }

    fn part(&self, name: &str) -> PathBuf {
        match name {
            "" => self.folder.join("fields.vtkhdf"),
            StatisticsOptions::NAME => self.folder.join("statistics.vtkhdf"),
            name => self.folder.join(format!("fields-{name}.vtkhdf")),
        }
    }

    /// The monitors that write what the case asks for, as the program has them.
    pub(crate) fn watch<'m>(
        &self,
        mut simulation: Simulation<'m>,
        case: &Case,
    ) -> Result<Simulation<'m>> {
        let file = |name: &str| self.folder.join(name);
        // A checkpoint is the last to reach the disk of what belongs to its step.
        let mut before = Checkpoint::new(file("checkpoint.h5"), case)?;
        for part in case.recorded() {
            let recorder = Recorder::of_part(self.part(&part.name), case, &part)?;
            before = before.after(recorder.sync());
            let by = format!("vortice {}", vortice_study::VERSION);
            simulation = simulation.watch(part.times.into(), recorder.by_program(&by));
        }
        if let Some(seconds) = case.forces() {
            let forces = ForceHistory::create(file("forces.csv"))?;
            before = before.after(forces.sync());
            simulation = simulation.watch(Every::Seconds(seconds), forces);
        }
        if let Some(options) = &case.output.probes {
            let probes = ProbeHistory::create(file("probes.csv"), options)?;
            before = before.after(probes.sync());
            simulation = simulation.watch(options.times.into(), probes);
        }
        let history = History::create(file("history.csv"))?;
        let energies = Energies::create(file("energy.csv"))?;
        before = before.after(history.sync()).after(energies.sync());
        let energies = energies.after(history.sync());
        simulation =
            simulation.watch(Every::Steps(1), history).watch(case.output.fields.into(), energies);
        if case.output.has_checkpoints() {
            simulation = simulation.watch(Every::Steps(1), before);
        }
        Ok(simulation)
    }
}
