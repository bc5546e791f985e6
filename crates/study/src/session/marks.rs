//! The table of what was changed while a run went on, beside its history: `change,step,time,setting`, a line for each setting.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vortice_core::{Error, Result, write_beside};

use super::changes::Change;

/// A line: changes are counted from 1, and the settings of one were made together.
#[derive(Serialize, Deserialize)]
struct Line {
    change: usize,
    step: u64,
    time: f64,
    setting: String,
}

/// The file that changes are written to.
pub(super) struct Marks {
    path: PathBuf,
    /// How many of this run's changes it has.
    written: usize,
}

impl Marks {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, written: 0 }
    }

    /// Those of a run's changes that are not written yet.
    pub(super) fn new_ones(&self, changes: &[Change]) -> Vec<Change> {
        changes.get(self.written..).unwrap_or_default().to_vec()
    }

    /// Writes them behind those that are there, of earlier parts of the run too.
    pub(super) fn add(&mut self, new: &[Change]) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let mut all = if self.path.is_file() { read_changes(&self.path)? } else { Vec::new() };
        all.extend_from_slice(new);
        write(&self.path, &all)?;
        self.written += new.len();
        Ok(())
    }
}

/// The changes of a run from the table that it left, `changes.csv`.
///
/// # Errors
/// If it cannot be read, or is no such table.
pub fn read_changes(path: &Path) -> Result<Vec<Change>> {
    let refused = |error: csv::Error| {
        let problem = format!("is no table of changes: {error}");
        Error::file(path, problem, "give the `changes.csv` of a run")
    };
    let mut table = csv::Reader::from_path(path).map_err(refused)?;
    let mut changes: Vec<(usize, Change)> = Vec::new();
    for line in table.deserialize() {
        let Line { change, step, time, setting } = line.map_err(refused)?;
        match changes.last_mut() {
            Some((number, last)) if *number == change => last.sets.push(setting),
            _ => changes.push((change, Change { step, time, sets: vec![setting] })),
        }
    }
    Ok(changes.into_iter().map(|(_, change)| change).collect())
}

/// Takes away the changes that were made after a step that a run goes on from.
///
/// # Errors
/// If the table cannot be read or written.
pub(crate) fn cut_changes(path: &Path, step: u64) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let mut changes = read_changes(path)?;
    let all = changes.len();
    // One that was made at this step is not in the checkpoint of it, which was written before.
    changes.retain(|change| change.step < step);
    if changes.len() == all { Ok(()) } else { write(path, &changes) }
}

fn write(path: &Path, changes: &[Change]) -> Result<()> {
    let cannot = |error: &dyn std::fmt::Display| {
        Error::file(path, error, "make room, or give another folder with `--out`")
    };
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let mut add = || -> csv::Result<()> {
        table.write_record(["change", "step", "time", "setting"])?;
        for (number, one) in changes.iter().enumerate() {
            for setting in &one.sets {
                let (change, setting) = (number + 1, setting.clone());
                table.serialize(Line { change, step: one.step, time: one.time, setting })?;
            }
        }
        Ok(())
    };
    add().map_err(|error| cannot(&error))?;
    let table = table.into_inner().map_err(|error| cannot(&error.error()))?;
    write_beside(path, |file| file.write_all(&table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_what_they_were_and_those_after_a_step_are_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("changes.csv");
        let change = |step, sets: &[&str]| Change {
            step,
            time: step as f64 / 3.0,
            sets: sets.iter().map(ToString::to_string).collect(),
        };
        let all = [
            change(4, &["fluid.viscosity=0.01", "boundary.y-high={wall={velocity=[1,0,0]}}"]),
            change(4, &["fluid.viscosity=0.02"]),
            change(9, &["title=\"a, b\""]),
        ];
        let mut marks = Marks::new(path.clone());
        for some in [&all[..1], &all, &all] {
            marks.add(&marks.new_ones(some)).expect("written");
        }
        assert_eq!(read_changes(&path).expect("read"), all);
        cut_changes(&path, 9).expect("cut");
        assert_eq!(read_changes(&path).expect("read"), all[..2]);
        // Another part of the run adds its own.
        Marks::new(path.clone()).add(&all[2..]).expect("written");
        assert_eq!(read_changes(&path).expect("read"), all);
        std::fs::write(&path, "a,b\n1,2\n").expect("a file");
        assert!(read_changes(&path).expect_err("no table").to_string().contains("changes"));
    }
}
