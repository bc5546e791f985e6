//! The folder of a run and the files in it.

use std::path::{Path, PathBuf};

use vortice_core::{Error, Result};
use vortice_output::Stored;

/// Where the results go.
pub(super) struct Files {
    pub(super) fields: PathBuf,
    pub(super) profiles: PathBuf,
    pub(super) history: PathBuf,
    pub(super) energy: PathBuf,
    pub(super) picture: PathBuf,
    pub(super) summary: PathBuf,
    pub(super) checkpoint: PathBuf,
}

impl Files {
    /// The files of a folder, which is made if need be and tried.
    ///
    /// # Errors
    /// If the folder is a file, cannot be made or cannot be written to.
    pub(super) fn new(folder: &Path) -> Result<Self> {
        let remedy = "give another folder with `--out`";
        if folder.exists() && !folder.is_dir() {
            return Err(Error::file(folder, "is a file, not a folder for results", remedy));
        }
        let cannot = |error: std::io::Error| {
            Error::file(folder, format!("results cannot be written here: {error}"), remedy)
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let trial = folder.join(format!(".vortice-trial-{}", std::process::id()));
        std::fs::write(&trial, "").and_then(|()| std::fs::remove_file(&trial)).map_err(cannot)?;
        Ok(Self::named(folder))
    }

    /// Files that another process writes: on this machine there need be no such folder.
    pub(super) fn of_another() -> Self {
        Self::named(Path::new(""))
    }

    fn named(folder: &Path) -> Self {
        Self {
            fields: folder.join("fields.vtkhdf"),
            profiles: folder.join("profiles.csv"),
            history: folder.join("history.csv"),
            energy: folder.join("energy.csv"),
            picture: folder.join("picture.png"),
            summary: folder.join("summary.json"),
            checkpoint: folder.join("checkpoint.h5"),
        }
    }

    /// Those that are there, the companion of the fields among them.
    pub(super) fn existing(&self) -> Vec<PathBuf> {
        let companion = self.fields.with_extension("xmf");
        let all = [
            &self.fields,
            &companion,
            &self.profiles,
            &self.history,
            &self.energy,
            &self.picture,
            &self.summary,
            &self.checkpoint,
        ];
        all.into_iter().filter(|path| path.is_file()).cloned().collect()
    }
}

/// The folder of a run unless the user gives one: `out/CASE`, or, when it goes on from a checkpoint,
/// `out/CASE-from-STEP`, so that what the earlier run left is not replaced.
pub(super) fn default_folder(case: &str, restart: Option<u64>) -> PathBuf {
    let name = restart.map_or(case.to_string(), |step| format!("{case}-from-{step}"));
    ["out", &name].iter().collect()
}

/// The step that a checkpoint holds.
///
/// # Errors
/// If it is not there or damaged.
pub(super) fn restart_step(path: &Path) -> Result<u64> {
    std::fs::File::open(path).map_err(|error| {
        Error::file(
            path,
            format!("the checkpoint cannot be read: {error}"),
            "give the `checkpoint.h5` of an earlier run with `--restart`",
        )
    })?;
    Ok(Stored::read(path)?.step.number)
}
