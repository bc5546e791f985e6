//! Values at points over time, as CSV.

mod reader;

use std::io::Write;
use std::path::Path;

use vortice_core::{Case, Monitor, ProbeOptions, Result, Snapshot, Verdict};

use crate::lines::Lines;
use reader::Reader;

/// Writes `step,time` and for each point, as `NAME.u` and so on, its velocity in m/s and its pressure in Pa, by
/// eq. (P15): a line of the start and one whenever it looks.
#[derive(Debug)]
pub struct ProbeHistory {
    lines: Lines,
    options: ProbeOptions,
    reader: Option<Reader>,
}

impl ProbeHistory {
    /// Values in a file, made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>, options: &ProbeOptions) -> Result<Self> {
        let (lines, options) = (Lines::new(path.as_ref())?, options.clone());
        Ok(Self { lines, options, reader: None })
    }

    /// Goes on with the lines that an earlier part of the run has left, up to the step that it goes on from.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { lines: self.lines.going_on(), ..self }
    }

    /// What brings the lines of this moment to the disk when it is called: for [`crate::Checkpoint::after`].
    pub fn sync(&self) -> impl Fn() -> Result<()> + Send + Sync + use<> {
        self.lines.sync()
    }

    /// Adds a line, on the first rank. Collective.
    fn line(&mut self, now: &mut Snapshot<'_>, is_there: bool) -> Result<()> {
        let options = &self.options;
        let reader = self.reader.get_or_insert_with(|| Reader::new(now.case, options));
        let values = reader.values(now, options)?;
        let written = match is_there {
            true => Ok(()),
            false => self.lines.add(false, |file| write_line(file, now, &values)),
        };
        now.ranks.agree(written)
    }
}

fn write_line(file: &mut impl Write, now: &Snapshot<'_>, values: &[f64]) -> std::io::Result<()> {
    write!(file, "{},{}", now.step.number, now.step.time)?;
    values.iter().try_for_each(|value| write!(file, ",{value:e}"))?;
    writeln!(file)
}

/// The names of the columns.
fn columns(case: &Case, options: &ProbeOptions) -> String {
    let variables = options.variables(&case.grid);
    let of_point = |name: &String| -> Vec<String> {
        variables.iter().map(|(.., variable)| format!("{name}.{variable}")).collect()
    };
    let names = options.probes.iter().flat_map(|probe| of_point(&probe.name));
    ["step".into(), "time".into()].into_iter().chain(names).collect::<Vec<_>>().join(",")
}

impl Monitor for ProbeHistory {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let last = match now.ranks.rank() {
            0 => self.lines.begin(&columns(now.case, &self.options), now.step.number),
            _ => Ok(None),
        };
        let last = now.ranks.agree(last)?;
        // All ranks look, whether the first one has this line already or not.
        self.line(now, last.is_some())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.line(now, false)?;
        Ok(Verdict::Continue)
    }

    /// The end has no line of its own: a run that goes on from here would have one that no other has.
    fn wait(&mut self) -> Result<()> {
        self.lines.sync()()
    }
}
