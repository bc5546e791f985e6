//! How energy, enstrophy and dissipation change in time, as CSV.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use vortice_core::{Energy, Monitor, Result, Snapshot, Verdict};

use vortice_core::{beside, cannot_write, check_place};

/// Writes `step,time,kinetic_energy,enstrophy,dissipation` at the start, whenever it looks, and at the
/// end: [`Energy`], in s, m2/s2, 1/s2 and m2/s3.
#[derive(Debug)]
pub struct Energies {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    last: Option<u64>,
}

impl Energies {
    /// Energies in a file, made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        check_place(&path)?;
        Ok(Self { path, file: None, last: None })
    }

    /// Makes the file beside its place, with its columns, and renames it.
    fn open(&self) -> std::io::Result<BufWriter<File>> {
        let new = beside(&self.path);
        let mut file = BufWriter::new(File::create(&new)?);
        writeln!(file, "step,time,kinetic_energy,enstrophy,dissipation")?;
        file.flush()?;
        std::fs::rename(&new, &self.path)?;
        Ok(file)
    }

    /// Adds a line, on the first rank. Collective.
    fn line(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last.replace(now.step.number) == Some(now.step.number) {
            return Ok(());
        }
        let energy = now.energy()?;
        let written = match &mut self.file {
            Some(file) => write_line(file, now, &energy),
            None => Ok(()),
        };
        now.ranks.agree(written.map_err(|error| cannot_write(&self.path, &error)))
    }
}

fn write_line(
    file: &mut impl Write,
    now: &mut Snapshot<'_>,
    energy: &Energy,
) -> std::io::Result<()> {
    let (number, time) = (now.step.number, now.step.time);
    let Energy { kinetic_energy, enstrophy, dissipation } = energy;
    writeln!(file, "{number},{time},{kinetic_energy:e},{enstrophy:e},{dissipation:e}")?;
    file.flush()
}

impl Monitor for Energies {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.open().map(Some).map_err(|error| cannot_write(&self.path, &error)),
            _ => Ok(None),
        };
        self.file = now.ranks.agree(mine)?;
        self.line(now)
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.line(now)?;
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        self.line(now)
    }
}
