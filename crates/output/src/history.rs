//! The history of a run as CSV, a line every so many steps.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vortice_core::{Monitor, Result, Snapshot, Step, Verdict};

use vortice_core::{beside, cannot_write, check_place};

/// Longest time that a line waits in memory.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// Writes `step,time,dt,iterations,residual,iteration_error` every [`vortice_core::OutputOptions::history`] steps;
/// iterations are those since the last line. Watch every step with it: it counts the iterations of
/// the steps between its lines.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    flushed: Instant,
    iterations: u64,
    last: Option<u64>,
}

impl History {
    /// A history in a file, made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        check_place(&path)?;
        Ok(Self { path, file: None, flushed: Instant::now(), iterations: 0, last: None })
    }

    /// Makes the file beside its place, with its first line, and renames it.
    fn open(&self, first: &Step) -> std::io::Result<BufWriter<File>> {
        let new = beside(&self.path);
        let mut file = BufWriter::new(File::create(&new)?);
        writeln!(file, "step,time,dt,iterations,residual,iteration_error")?;
        write_line(&mut file, first, 0)?;
        file.flush()?;
        std::fs::rename(&new, &self.path)?;
        Ok(file)
    }

    fn append(&mut self, step: &Step, flush: bool) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        write_line(file, step, self.iterations)?;
        if flush || self.flushed.elapsed() >= FLUSH_EVERY {
            file.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    fn line(&mut self, now: &mut Snapshot<'_>, flush: bool) -> Result<()> {
        let mine = self.append(&now.step, flush).map_err(|error| cannot_write(&self.path, &error));
        self.iterations = 0;
        self.last = Some(now.step.number);
        now.ranks.agree(mine)
    }
}

fn write_line(file: &mut impl Write, step: &Step, iterations: u64) -> std::io::Result<()> {
    let Step { number, time, dt, residual, iteration_error, .. } = step;
    writeln!(file, "{number},{time},{dt},{iterations},{residual:e},{iteration_error:e}")
}

impl Monitor for History {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.open(&now.step).map(Some).map_err(|error| cannot_write(&self.path, &error)),
            _ => Ok(None),
        };
        self.file = now.ranks.agree(mine)?;
        self.last = Some(now.step.number);
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.iterations += now.step.iterations;
        if now.step.number.is_multiple_of(now.case.output.history.max(1)) {
            self.line(now, false)?;
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last != Some(now.step.number) {
            return self.line(now, true);
        }
        let flushed = self.file.as_mut().map_or(Ok(()), Write::flush);
        now.ranks.agree(flushed.map_err(|error| cannot_write(&self.path, &error)))
    }
}
