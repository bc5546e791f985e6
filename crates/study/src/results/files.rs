//! The folder of a run and the files in it.

use std::path::{Path, PathBuf};

use vortice_core::{Case, Error, Result, StatisticsOptions, check_place, check_regular, clear};
use vortice_output::{Difference, FolderLock, Stored};
use vortice_plot::Film;

/// Where the results of a run go.
pub struct Files {
    pub(super) fields: PathBuf,
    pub(super) statistics: PathBuf,
    pub(super) profiles: PathBuf,
    pub(super) history: PathBuf,
    pub(super) energy: PathBuf,
    pub(super) forces: PathBuf,
    pub(super) probes: PathBuf,
    /// What was changed on the way, if anything.
    pub changes: PathBuf,
    pub(super) picture: PathBuf,
    pub(super) film: PathBuf,
    /// The same as MP4.
    pub(super) mp4: PathBuf,
    /// The last frame of the film.
    pub(super) poster: PathBuf,
    /// The folder of its frames.
    pub(super) frames: PathBuf,
    pub(super) summary: PathBuf,
    /// The complete state, to go on from.
    pub checkpoint: PathBuf,
    /// The checkpoint before the last.
    pub(super) older: PathBuf,
    /// No other process writes into the folder at the same time.
    _lock: Option<FolderLock>,
}

impl Files {
    /// The files of a folder, which is made if need be and taken for this process.
    ///
    /// # Errors
    /// If the folder is a file, cannot be made or cannot be written to, another process writes there, or a folder has the
    /// name of one of the files.
    pub fn new(folder: &Path) -> Result<Self> {
        let remedy = "give another folder with `--out`";
        if folder.exists() && !folder.is_dir() {
            return Err(Error::file(folder, "is a file, not a folder for results", remedy));
        }
        if folder.to_str().is_none() {
            return Err(Error::file(folder, "is a name that HDF5 cannot write: not UTF-8", remedy));
        }
        let cannot = |error: std::io::Error| {
            Error::file(folder, format!("results cannot be written here: {error}"), remedy)
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let lock = FolderLock::take(folder)?;
        let files = Self { _lock: Some(lock), ..Self::named(folder) };
        files.all().iter().try_for_each(|path| check_place(path))?;
        Ok(files)
    }

    /// Files that another process writes: on this machine there need be no such folder.
    pub fn of_another() -> Self {
        Self::named(Path::new(""))
    }

    fn named(folder: &Path) -> Self {
        Self {
            fields: folder.join("fields.vtkhdf"),
            statistics: folder.join("statistics.vtkhdf"),
            profiles: folder.join("profiles.csv"),
            history: folder.join("history.csv"),
            energy: folder.join("energy.csv"),
            forces: folder.join("forces.csv"),
            probes: folder.join("probes.csv"),
            changes: folder.join("changes.csv"),
            picture: folder.join("picture.png"),
            film: folder.join("film.png"),
            mp4: folder.join("film.mp4"),
            poster: folder.join("film-poster.png"),
            frames: folder.join("film"),
            summary: folder.join("summary.json"),
            checkpoint: folder.join("checkpoint.h5"),
            older: folder.join(OLDER),
            _lock: None,
        }
    }

    /// Where a part of the grid is recorded; the whole of it has no name.
    pub(super) fn part(&self, name: &str) -> PathBuf {
        match name {
            "" => self.fields.clone(),
            StatisticsOptions::NAME => self.statistics.clone(),
            name => self.fields.with_file_name(format!("{PART}{name}.vtkhdf")),
        }
    }

    /// Those that are there, parts and companions of fields among them, but no frames.
    pub fn existing(&self) -> Vec<PathBuf> {
        let folder = self.fields.parent().and_then(|folder| std::fs::read_dir(folder).ok());
        let parts = folder.into_iter().flatten().flatten().map(|entry| entry.path());
        let mut parts: Vec<_> = parts.filter(|path| is_part(path)).collect();
        parts.sort();
        self.all().into_iter().filter(|path| path.is_file()).chain(parts).collect()
    }

    fn all(&self) -> [PathBuf; 17] {
        [
            self.fields.clone(),
            self.fields.with_extension("xmf"),
            self.statistics.clone(),
            self.statistics.with_extension("xmf"),
            self.profiles.clone(),
            self.history.clone(),
            self.energy.clone(),
            self.forces.clone(),
            self.probes.clone(),
            self.changes.clone(),
            self.picture.clone(),
            self.film.clone(),
            self.mp4.clone(),
            self.poster.clone(),
            self.summary.clone(),
            self.checkpoint.clone(),
            self.older.clone(),
        ]
    }

    /// Whether a run from a checkpoint goes on with what an earlier part of it left here.
    pub fn are_of(&self, restart: &Path) -> bool {
        [&self.checkpoint, &self.older].iter().any(|path| is_same(restart, path))
    }

    /// Takes away what an earlier run left, so that results of two runs never lie side by side, and says
    /// so in a line. Its checkpoint is kept under another name, or stays where it is if this run goes on
    /// from it. Of a run that `goes_on` only what is made at its end is taken away.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub(super) fn clear(&self, restart: Option<&Path>, goes_on: bool) -> Result<Option<String>> {
        if self.existing().is_empty() {
            return Ok(None);
        }
        if goes_on {
            let Self { profiles, picture, film, mp4, poster, summary, .. } = self;
            for path in [profiles, picture, film, mp4, poster, summary] {
                clear(path).map_err(|error| cannot_replace(path, &error))?;
            }
            return Ok(Some("goes on with the files of the run that wrote the checkpoint".into()));
        }
        let folder = self.summary.parent().unwrap_or(Path::new("."));
        let mut words = format!("replaces in {} the files of {}", folder.display(), self.earlier());
        let is_needed = |path: &Path| restart.is_some_and(|restart| is_same(restart, path));
        let stays = |path: &Path| path == self.checkpoint || is_needed(path);
        let frames = Film::frames_in(&self.frames);
        for path in self.existing().iter().chain(&frames).filter(|path| !stays(path)) {
            std::fs::remove_file(path).map_err(|error| cannot_replace(path, &error))?;
        }
        if self.checkpoint.is_file() && !is_needed(&self.checkpoint) {
            let kept = self.checkpoint.with_file_name(EARLIER);
            std::fs::rename(&self.checkpoint, &kept)
                .map_err(|error| cannot_replace(&self.checkpoint, &error))?;
            words += &format!("; its checkpoint is kept as {EARLIER}");
        }
        Ok(Some(words))
    }

    /// The earlier run, as far as its summary tells.
    fn earlier(&self) -> String {
        let text = std::fs::read(&self.summary).unwrap_or_default();
        let summary: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        match (summary["title"].as_str(), summary["method"].as_str(), summary["steps"].as_u64()) {
            (Some(title), Some(method), Some(steps)) => {
                format!("an earlier run ({title} by {method}, {steps} steps)")
            }
            _ => "an earlier run that did not come to its end".into(),
        }
    }
}

/// What the names of files begin with in which parts of the grid are recorded.
const PART: &str = "fields-";

fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_recorded = path.extension().is_some_and(|end| end == "vtkhdf" || end == "xmf");
    name.starts_with(PART) && is_recorded && path.is_file()
}

/// What the checkpoint of an earlier run in the same folder is called.
const EARLIER: &str = "checkpoint-earlier.h5";

/// What the checkpoint before the last is called.
const OLDER: &str = "checkpoint-older.h5";

fn cannot_replace(path: &Path, error: &std::io::Error) -> Error {
    let problem = format!("is of an earlier run and cannot be replaced: {error}");
    Error::file(path, problem, "remove it, or give another folder with `--out`")
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The folder of a run unless the user gives one: `out/CASE`, or, when it goes on from a checkpoint,
/// `out/CASE-from-STEP`, so that what the earlier run left is not replaced.
pub fn default_folder(case: &str, restart: Option<&Restart>) -> PathBuf {
    let name = restart.map_or(case.to_string(), |restart| format!("{case}-from-{}", restart.step));
    ["out", &name].iter().collect()
}

/// A checkpoint that a run goes on from.
pub struct Restart {
    /// The step that it holds.
    pub step: u64,
    /// What was changed in the case on purpose.
    pub changed: Vec<Difference>,
    /// Iterations that its history had no line for yet.
    pub iterations: u64,
}

impl Restart {
    /// Looks into a checkpoint before anything is made; `changed` allows another case.
    ///
    /// # Errors
    /// If it is not there or damaged, or of another case.
    pub fn read(path: &Path, case: &Case, changed: bool) -> Result<Self> {
        check_regular(path)?;
        std::fs::File::open(path).map_err(|error| {
            Error::file(
                path,
                format!("the checkpoint cannot be read: {error}"),
                "give the `checkpoint.h5` of an earlier run with `--restart`",
            )
        })?;
        let stored = Stored::read_outline(path).map_err(|error| with_older(error, path))?;
        let changed = stored.check_case(path, case, changed)?;
        // Older ones have no note.
        let iterations = stored.note.parse().unwrap_or(0);
        Ok(Self { step: stored.step.number, changed, iterations })
    }
}

/// An error of a checkpoint, with the one before it as the remedy if it is there.
fn with_older(error: Error, path: &Path) -> Error {
    let older = path.with_file_name(OLDER);
    match error {
        Error::File { path, problem, .. } if older.is_file() && older != path => {
            let remedy = format!("restart from the one before it, {}", older.display());
            Error::file(path, problem, &remedy)
        }
        other => other,
    }
}
