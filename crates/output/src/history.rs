//! The history of a run as CSV, a line every so many steps.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use vortice_core::{Monitor, Result, Snapshot, Step, Verdict};

use crate::lines::Lines;

/// Writes `step,time,dt,iterations,residual,iteration_error` every [`vortice_core::OutputOptions::history`] steps;
/// iterations are those since the last line. Watch every step with it: it counts the iterations of
/// the steps between its lines.
#[derive(Debug)]
pub struct History {
    lines: Lines,
    /// Since the last line.
    iterations: Arc<AtomicU64>,
    last: Option<u64>,
}

const COLUMNS: &str = "step,time,dt,iterations,residual,iteration_error";

impl History {
    /// A history in a file, made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let lines = Lines::new(path.as_ref())?;
        Ok(Self { lines, iterations: Arc::default(), last: None })
    }

    /// Goes on with the lines that an earlier part of the run has left, up to the step that it goes on from, and with the
    /// iterations that were done since the last of them: [`History::waiting`].
    #[must_use]
    pub fn going_on(self, iterations: u64) -> Self {
        self.iterations.store(iterations, Ordering::Relaxed);
        Self { lines: self.lines.going_on(), ..self }
    }

    /// Tells, whenever it is called, the iterations that wait for a line: for the note of a [`crate::Checkpoint`].
    pub fn waiting(&self) -> impl Fn() -> u64 + Send + 'static + use<> {
        let iterations = self.iterations.clone();
        move || iterations.load(Ordering::Relaxed)
    }

    /// What brings the lines of this moment to the disk when it is called: for [`crate::Checkpoint::after`] and
    /// [`crate::Energies::after`].
    pub fn sync(&self) -> impl Fn() -> Result<()> + Send + Sync + use<> {
        self.lines.sync()
    }

    fn begin_file(&mut self, first: &Step) -> Result<()> {
        if self.lines.begin(COLUMNS, first.number)?.is_some() {
            return Ok(());
        }
        self.lines.add(true, |file| write_line(file, first, 0))
    }

    fn line(&mut self, now: &mut Snapshot<'_>, flush: bool) -> Result<()> {
        let iterations = self.iterations.swap(0, Ordering::Relaxed);
        let mine = self.lines.add(flush, |file| write_line(file, &now.step, iterations));
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
        let mine = if now.ranks.rank() == 0 { self.begin_file(&now.step) } else { Ok(()) };
        now.ranks.agree(mine)?;
        self.last = Some(now.step.number);
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.iterations.fetch_add(now.step.iterations, Ordering::Relaxed);
        if now.step.number.is_multiple_of(now.case.output.history.max(1)) {
            self.line(now, false)?;
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last != Some(now.step.number) {
            self.line(now, true)?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<()> {
        self.lines.sync()()
    }
}
