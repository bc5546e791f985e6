//! Making the runs of a study, or taking them over from an earlier time.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use vortice_core::{Case, Context, Error, Every, Finite, Outcome, Result, Simulation, Step};
use vortice_output::{Checkpoint, History, Recorder, Stored, read_checkpoint, read_fields};

use super::findings::Findings;
use super::machine::{Machine, Place};
use super::plan::{Planned, Study};
use super::record::Record;
use super::row::{Ended, Expense, Row};
use super::trace::Trace;
use super::values::values;
use crate::references::Reference;
use crate::{Flow, Interrupt, Progress};

/// The folder of the runs, in that of the study.
pub(super) const RUNS: &str = "runs";

impl Study {
    /// Makes all runs in a folder. A run that fails is a row with its reason; runs that an earlier
    /// study left in this folder and that would be the same are not made again.
    ///
    /// # Errors
    /// If the folder cannot be made, a reference cannot be read, or no device is there.
    pub fn run(&self, folder: impl AsRef<Path>) -> Result<Findings> {
        self.run_telling(folder, &mut |_| {})
    }

    /// The same; what is given hears of each row as soon as it is known.
    ///
    /// # Errors
    /// As [`Study::run`].
    pub fn run_telling(
        &self,
        folder: impl AsRef<Path>,
        tell: &mut dyn FnMut(&Row),
    ) -> Result<Findings> {
        let folder = folder.as_ref();
        let references = Reference::of(&self.case)?;
        let mut rows = Vec::new();
        for (n, planned) in self.runs().enumerate() {
            if self.is_interrupted() {
                break;
            }
            let title =
                format!("[{}/{}] {} {}", n + 1, self.n_runs(), planned.variant.name, planned.grid);
            let row = self.row(&planned, &references, folder, &title)?;
            tell(&row);
            rows.push(row);
        }
        Ok(Findings::of(self.clone(), references, Machine::here(), rows, folder))
    }

    /// Whether somebody asked to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Ordering::SeqCst) != 0)
    }

    /// One run, made or taken over, in numbers.
    fn row(
        &self,
        planned: &Planned<'_>,
        references: &[Reference],
        folder: &Path,
        title: &str,
    ) -> Result<Row> {
        let files = Files::in_folder(&folder.join(RUNS).join(&planned.folder))?;
        let mut row = Row {
            case: self.name.clone(),
            variant: planned.variant.name.clone(),
            method: planned.variant.method.name,
            grid: planned.grid,
            cells: [0; 3],
            ended: Ended::Done,
            reused: false,
            expense: Expense::default(),
            deviations: Vec::new(),
            values: Vec::new(),
            looks: Vec::new(),
            folder: format!("{RUNS}/{}", planned.folder),
        };
        let filled = planned.case.clone().and_then(|case| {
            let place = Place::of(&case)?;
            let case = place.settle(case);
            self.fill(&mut row, &case, planned, &place, references, &files, title)
        });
        if let Err(error) = filled {
            row.ended = Ended::Failed(with_remedy(&error));
        }
        Ok(row)
    }

    /// Makes or finds the run and fills its row.
    fn fill(
        &self,
        row: &mut Row,
        case: &Case,
        planned: &Planned<'_>,
        place: &Place,
        references: &[Reference],
        files: &Files,
        title: &str,
    ) -> Result<()> {
        row.cells = case.grid.cells();
        let report = (planned.variant.method.check)(case)?;
        let key = key(case, &place.words());
        let known = Record::read(&files.record).filter(|record| record.key == key && !self.afresh);
        row.reused = known.as_ref().is_some_and(|record| record.ended.is_final());
        let record = match known {
            Some(record) if row.reused => record,
            known => self.make(case, planned, files, &key, known, title)?,
        };
        row.expense = Expense {
            steps: record.steps,
            iterations: record.iterations,
            cell_updates: record.steps as f64 * case.grid.n_cells() as f64,
            wall_seconds: record.wall_seconds,
            memory: if place.is_gpu() { report.device_memory } else { report.memory },
            device: place.words(),
        };
        row.ended = record.ended.clone();
        if row.has_flow() {
            let fields = read_fields(&files.fields, case)?;
            let time = record.last().time_reached();
            let flow = Flow::new(case, &fields.velocity, &fields.pressure, time);
            (row.deviations, row.values) = values(&flow, references);
        }
        row.looks = record.looks;
        Ok(())
    }

    /// Runs, from the beginning or from the checkpoint of an earlier part, and records how it ended.
    fn make(
        &self,
        case: &Case,
        planned: &Planned<'_>,
        files: &Files,
        key: &str,
        earlier: Option<Record>,
        title: &str,
    ) -> Result<Record> {
        let (method, context) = (planned.variant.method, Context::alone());
        let mut simulation = Simulation::with_method(method, case, &context)?;
        let earlier =
            self.resumed(case, files, &context, &mut simulation)?.then_some(earlier).flatten();
        let (before, looks) = earlier
            .as_ref()
            .map_or((0.0, Vec::new()), |record| (record.wall_seconds, record.looks.clone()));
        let trace = Trace::after(looks, before);
        let remedy = format!("set {}", method.when_it_diverges);
        simulation = simulation
            .watch(Every::Steps(1), Finite::new(remedy))
            .watch(Every::Steps(1), trace.clone());
        if let Some(flag) = self.interrupt {
            simulation = simulation.watch(Every::Steps(1), Interrupt::by(flag));
        }
        if self.progress {
            simulation = simulation.watch(Every::Steps(1), Progress::new().titled(title));
        }
        let outcome = simulation
            .watch(Every::Steps(1), History::create(&files.history)?)
            .watch(Every::Ends, Recorder::create(&files.fields, case)?)
            .watch(Every::Steps(1), Checkpoint::new(&files.checkpoint, case)?)
            .run();
        let mut record = self.recorded(key, outcome)?;
        record.looks = trace.looks();
        if let Some(earlier) = earlier {
            record.iterations += earlier.iterations;
            record.wall_seconds += earlier.wall_seconds;
        }
        record.write(&files.record)?;
        if record.ended.is_final() {
            // What it was for is done; that it cannot be removed harms nobody.
            let _ = std::fs::remove_file(&files.checkpoint);
        }
        Ok(record)
    }

    /// Goes on from a checkpoint of the same case, if there is one and the user wants it.
    fn resumed(
        &self,
        case: &Case,
        files: &Files,
        context: &Context,
        simulation: &mut Simulation<'_>,
    ) -> Result<bool> {
        if !self.resume || !files.checkpoint.is_file() {
            return Ok(false);
        }
        let is_same =
            Stored::read(&files.checkpoint).is_ok_and(|stored| stored.source == case.source);
        if is_same {
            simulation.restore(&read_checkpoint(&files.checkpoint, case, context)?)?;
        }
        Ok(is_same)
    }

    /// What is kept of a run; a run that diverged is kept too.
    fn recorded(&self, key: &str, outcome: Result<Outcome>) -> Result<Record> {
        match outcome {
            Ok(outcome) => {
                let ended = match outcome.converged {
                    true => Ended::Done,
                    false if self.is_interrupted() => Ended::Interrupted,
                    false => Ended::Stopped(outcome.reason),
                };
                let mut record = Record::new(key, ended, outcome.step);
                record.iterations = outcome.iterations;
                record.wall_seconds = outcome.wall_seconds;
                Ok(record)
            }
            Err(error @ Error::Diverged { step, time, .. }) => {
                let ended = Ended::Diverged(with_remedy(&error));
                Ok(Record::new(key, ended, Step { number: step, time, ..Step::default() }))
            }
            Err(error) => Err(error),
        }
    }
}

/// What makes a run the same run: the program, where it is computed, and the text of the case.
fn key(case: &Case, device: &str) -> String {
    format!("vortice {} on {device}\n{}", crate::VERSION, case.source)
}

fn with_remedy(error: &Error) -> String {
    match error.remedy() {
        "" => error.to_string(),
        remedy => format!("{error}; {remedy}"),
    }
}

/// The files of one run.
pub(super) struct Files {
    record: PathBuf,
    pub(super) fields: PathBuf,
    history: PathBuf,
    checkpoint: PathBuf,
}

impl Files {
    /// In a folder, which is made if need be.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn in_folder(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| {
            let problem = format!("the runs cannot be kept here: {error}");
            Error::file(folder, problem, "give another folder with `--out`")
        })?;
        Ok(Self {
            record: folder.join("run.json"),
            fields: folder.join("fields.vtkhdf"),
            history: folder.join("history.csv"),
            checkpoint: folder.join("checkpoint.h5"),
        })
    }
}
