//! Fields for ParaView: one VTKHDF file with all steps, and its XDMF companion.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vortice_core::{
    Case, Error, Field, Monitor, OutputTimes, Precision, Quantity, Result, Snapshot, Verdict,
};

use crate::container;
use crate::vtkhdf::VtkHdf;
use crate::xdmf::Xdmf;
use vortice_core::{beside, cannot_write, check_place, write_beside};

/// Writes velocity, pressure, vorticity and, in plane flows, the stream function, or what
/// `output.quantities` names of them, with the mask of solid cells if there are any, in the precision of
/// `output.precision` or of the run; if `output.fields` is `"last"`, the last state alone.
///
/// The file is made beside its place and renamed when it holds the first step, so that an older
/// result stays until then. From then on it is readable after every step, also while the run goes
/// on and if it is killed. A text file of the same stem ending in `.xmf` names the same fields for
/// programs that do not know temporal VTKHDF, such as ParaView 5.11.
pub struct Recorder {
    path: PathBuf,
    quantities: Vec<Quantity>,
    precision: Precision,
    /// Whether the last state alone is written.
    last_alone: bool,
    run: String,
    /// On rank 0, once the run has begun.
    file: Option<VtkHdf>,
    times: Vec<f64>,
    last: Option<u64>,
}

impl Recorder {
    /// A recorder whose file is made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>, case: &Case) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        check_place(&path)?;
        if path.extension().is_some_and(|end| end == "xmf") {
            let problem = "`.xmf` is the name of the text file beside the fields";
            return Err(Error::file(path, problem, "let the file's name end in .vtkhdf"));
        }
        check_place(&path.with_extension("xmf"))?;
        let mut quantities: Vec<Quantity> = Quantity::of(&case.grid).collect();
        if let Some(wanted) = &case.output.quantities {
            quantities.retain(|quantity| wanted.contains(quantity));
        }
        Ok(Self {
            path,
            quantities,
            precision: case.output.precision.unwrap_or(case.run.precision),
            last_alone: case.output.fields == OutputTimes::Last,
            run: String::new(),
            file: None,
            times: Vec::new(),
            last: None,
        })
    }

    /// Writes the first and the last state of all quantities in the run's precision, whatever the case says.
    #[must_use]
    pub fn complete(self, case: &Case) -> Self {
        let quantities = Quantity::of(&case.grid).collect();
        Self { quantities, precision: case.run.precision, last_alone: false, ..self }
    }

    /// Writes into the file which run it is of: [`crate::Recorded::run`].
    #[must_use]
    pub fn identified(self, run: &str) -> Self {
        Self { run: run.to_owned(), ..self }
    }

    /// Appends the present step on rank 0; the first makes the file.
    fn record(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let fetched: Result<Vec<_>> = self.quantities.iter().map(|&q| now.whole(q)).collect();
        let fields: Option<Vec<Arc<Field>>> = fetched?.into_iter().collect();
        let mine = fields.map_or(Ok(()), |fields| self.write(now, &fields));
        self.last = Some(now.step.number);
        now.ranks.agree(mine)
    }

    fn write(&mut self, now: &mut Snapshot<'_>, fields: &[Arc<Field>]) -> Result<()> {
        let fields: Vec<&Field> = fields.iter().map(|field| &**field).collect();
        let path = &self.path;
        let refuse = |error: hdf5::Error| cannot_write(path, &error);
        match &mut self.file {
            Some(file) => file.append(now.step.time, &fields).map_err(refuse)?,
            None => {
                let new = beside(path);
                let made = self.make(now.case, &new, now.step.time, &fields).map_err(refuse);
                let renamed = made.and_then(|file| {
                    std::fs::rename(&new, path).map_err(|error| cannot_write(path, &error))?;
                    Ok(file)
                });
                if renamed.is_err() {
                    // The error says what failed; that the rest cannot be removed adds nothing.
                    let _ = std::fs::remove_file(&new);
                }
                self.file = Some(renamed?);
            }
        }
        self.times.push(now.step.time);
        self.write_companion(now.case)
    }

    fn make(&self, case: &Case, new: &Path, time: f64, first: &[&Field]) -> hdf5::Result<VtkHdf> {
        let (solids, compression) = (case.solids(), case.output.compression);
        let (quantities, precision) = (&self.quantities, self.precision);
        let mut file =
            VtkHdf::create(new, &case.grid, quantities, &solids, precision, compression)?;
        if !self.run.is_empty() {
            file.identify(&self.run)?;
        }
        file.append(time, first)?;
        Ok(file)
    }

    /// Closes the file and makes sure that it is on the disk.
    fn close(&mut self) -> Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let path = &self.path;
        file.close().map_err(|error| cannot_write(path, &error))?;
        container::sync(path).map_err(|error| cannot_write(path, &error))
    }

    fn write_companion(&self, case: &Case) -> Result<()> {
        let heavy = self.path.file_name().unwrap_or_default().to_string_lossy();
        let text = Xdmf {
            heavy: &heavy,
            grid: &case.grid,
            quantities: &self.quantities,
            precision: self.precision,
            solid: !case.solids().is_empty(),
            times: &self.times,
        }
        .text();
        write_beside(&self.path.with_extension("xmf"), |file| file.write_all(text.as_bytes()))
    }
}

impl Monitor for Recorder {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last_alone { Ok(()) } else { self.record(now) }
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.record(now)?;
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last != Some(now.step.number) {
            self.record(now)?;
        }
        now.ranks.agree(self.close())
    }
}
