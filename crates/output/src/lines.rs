//! Tables that grow with a run, a line at a time, each of which begins with the number of a step.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use vortice_core::{Result, beside, cannot_write, check_place, create_beside};

/// What brings all lines of a table to the disk.
pub(crate) type ToDisk = Box<dyn Fn() -> Result<()> + Send + Sync>;

/// Longest time that a line waits in memory.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

type Shared = Arc<Mutex<Option<BufWriter<File>>>>;

/// A table as CSV, made when the run begins.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    /// On the first rank.
    file: Shared,
    /// Whether an earlier part of the run has left lines.
    goes_on: bool,
    flushed: Instant,
}

impl Lines {
    /// A table in a file, not made yet.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub(crate) fn new(path: &Path) -> Result<Self> {
        check_place(path)?;
        let (path, file) = (path.to_owned(), Shared::default());
        Ok(Self { path, file, goes_on: false, flushed: Instant::now() })
    }

    /// Goes on with the lines that are there.
    pub(crate) fn going_on(self) -> Self {
        Self { goes_on: true, ..self }
    }

    /// Makes the file beside its place, with its columns and the lines up to a step that an earlier part of the run has
    /// left, and renames it. Tells the last step that has a line.
    ///
    /// # Errors
    /// If the folder or disk refuses.
    pub(crate) fn begin(&mut self, columns: &str, step: u64) -> Result<Option<u64>> {
        let kept = if self.goes_on { kept(&self.path, columns, step) } else { String::new() };
        let begun = create_beside(&self.path).and_then(|file| {
            let mut file = BufWriter::new(file);
            write!(file, "{columns}\n{kept}")?;
            file.flush()?;
            file.get_ref().sync_data()?;
            std::fs::rename(beside(&self.path), &self.path)?;
            Ok(file)
        });
        *self.file() = Some(begun.map_err(|error| self.refused(&error))?);
        Ok(kept.lines().last().and_then(number))
    }

    /// Adds what `write` writes, if the table is begun on this rank; it goes out of memory at once with `flush`, else within
    /// a second or with the line after that.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(crate) fn add(
        &mut self,
        flush: bool,
        write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<()> {
        let flush = flush || self.flushed.elapsed() >= FLUSH_EVERY;
        let written = self.file().as_mut().map_or(Ok(()), |file| {
            write(file)?;
            if flush { file.flush() } else { Ok(()) }
        });
        if flush {
            self.flushed = Instant::now();
        }
        written.map_err(|error| self.refused(&error))
    }

    /// The file, if the table is begun on this rank.
    pub(crate) fn file(&self) -> MutexGuard<'_, Option<BufWriter<File>>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What brings all lines to the disk, also those that are written later.
    pub(crate) fn sync(&self) -> ToDisk {
        let (path, file) = (self.path.clone(), self.file.clone());
        let lines = Self { path, file, goes_on: false, flushed: self.flushed };
        Box::new(move || {
            // Lines may be written while the disk takes these.
            let flushed = lines.file().as_mut().map(|file| {
                file.flush()?;
                file.get_ref().try_clone()
            });
            let synced = flushed.map_or(Ok(()), |file| file?.sync_data());
            synced.map_err(|error| lines.refused(&error))
        })
    }

    /// That a line could not be written.
    pub(crate) fn refused(&self, error: &std::io::Error) -> vortice_core::Error {
        cannot_write(&self.path, error)
    }
}

/// The number that a line begins with.
fn number(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

/// Whole lines of a table up to a step; none if it has other columns or cannot be read.
fn kept(path: &Path, columns: &str, step: u64) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.split_inclusive('\n').take_while(|line| line.ends_with('\n'));
    if lines.next().map(str::trim_end) != Some(columns) {
        return String::new();
    }
    lines.take_while(|line| number(line).is_some_and(|number| number <= step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_the_step_and_half_lines_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.csv");
        let begin = |text: &str, step| {
            std::fs::write(&path, text).expect("a file");
            let mut lines = Lines::new(&path).expect("a place").going_on();
            let last = lines.begin("step,x", step).expect("written");
            (last, std::fs::read_to_string(&path).expect("it is there"))
        };
        let all = "step,x\n0,1\n2,1.5\n4,2";
        assert_eq!(begin(all, 3), (Some(2), "step,x\n0,1\n2,1.5\n".into()));
        assert_eq!(begin(all, 9), (Some(2), "step,x\n0,1\n2,1.5\n".into()));
        assert_eq!(begin(all, 0), (Some(0), "step,x\n0,1\n".into()));
        for text in ["step,y\n0,1\n", "", "\u{0}\n0,1\n"] {
            assert_eq!(begin(text, 9), (None, "step,x\n".into()), "{text}");
        }
    }
}
