//! How energy, enstrophy and dissipation change in time, as CSV.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use vortice_core::{Energy, Monitor, Result, Snapshot, Verdict};

use crate::lines::{Lines, ToDisk};
use crate::underway::Underway;

/// Writes `step,time,kinetic_energy,enstrophy,dissipation` at the start, whenever it looks, and at the
/// end: [`Energy`], in s, m2/s2, 1/s2 and m2/s3. Each line is on the disk before the next one is written.
pub struct Energies {
    lines: Lines,
    last: Option<u64>,
    /// Brought to the disk with each line.
    tables: Vec<Arc<ToDisk>>,
    underway: Underway,
}

const COLUMNS: &str = "step,time,kinetic_energy,enstrophy,dissipation";

impl Energies {
    /// Energies in a file, made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let lines = Lines::new(path.as_ref())?;
        let underway = Underway::of(path.as_ref());
        Ok(Self { tables: vec![Arc::new(lines.sync())], lines, last: None, underway })
    }

    /// Brings another table to the disk with each line: [`crate::History::sync`].
    #[must_use]
    pub fn after(mut self, table: impl Fn() -> Result<()> + Send + Sync + 'static) -> Self {
        self.tables.push(Arc::new(Box::new(table)));
        self
    }

    /// What brings the lines of this moment to the disk when it is called: for [`crate::Checkpoint::after`].
    pub fn sync(&self) -> impl Fn() -> Result<()> + Send + Sync + use<> {
        self.lines.sync()
    }

    /// Goes on with the lines that an earlier part of the run has left, up to the step that it goes on from.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { lines: self.lines.going_on(), ..self }
    }

    /// Adds a line, on the first rank. Collective.
    fn line(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last.replace(now.step.number) == Some(now.step.number) {
            return Ok(());
        }
        let energy = now.energy()?;
        let written = self.underway.wait().and_then(|()| self.write(now, &energy));
        now.ranks.agree(written)
    }

    /// Writes a line, if the table is of this rank; the disk takes it while the run goes on.
    fn write(&self, now: &Snapshot<'_>, energy: &Energy) -> Result<()> {
        if let Some(file) = self.lines.file().as_mut() {
            write_line(file, now, energy).map_err(|error| self.lines.refused(&error))?;
            let tables = self.tables.clone();
            self.underway.begin(move || tables.iter().try_for_each(|to_disk| to_disk()))?;
        }
        Ok(())
    }
}

fn write_line(file: &mut impl Write, now: &Snapshot<'_>, energy: &Energy) -> std::io::Result<()> {
    let (number, time) = (now.step.number, now.step.time);
    let Energy { kinetic_energy, enstrophy, dissipation } = energy;
    writeln!(file, "{number},{time},{kinetic_energy:e},{enstrophy:e},{dissipation:e}")
}

impl Monitor for Energies {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.lines.begin(COLUMNS, now.step.number),
            _ => Ok(None),
        };
        let goes_on = now.ranks.agree(mine)?.is_some();
        if now.ranks.broadcast(vec![u8::from(goes_on)])? == [1] {
            // A run that did not stop has no line of its own here.
            self.last = Some(now.step.number);
        }
        self.line(now)
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.line(now)?;
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        self.line(now)
    }

    fn wait(&mut self) -> Result<()> {
        self.underway.wait()
    }
}
