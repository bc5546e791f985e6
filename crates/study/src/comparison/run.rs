//! Making the runs of a study, or taking them over from an earlier time.

use std::path::Path;
use std::sync::atomic::Ordering;

use vortice_core::{
    Case, Context, Error, Every, Finite, Method, Outcome, Result, Simulation, Step, flow_keys,
};
use vortice_output::{
    Checkpoint, FolderLock, ForceHistory, History, Recorded, Recorder, Stored, open_checkpoint,
    read_fields,
};

use super::files::{Files, RUNS, identity, make_folder};
use super::findings::Findings;
use super::forces::RunForces;
use super::machine::Machine;
use super::plan::{Planned, Study};
use super::record::Record;
use super::row::{Ended, Expense, Row};
use super::trace::{Spent, Trace};
use super::values::values;
use crate::device_placement::DevicePlacement;
use crate::forces::seconds_between_forces;
use crate::{Interrupt, Progress};
use vortice_post::references::Reference;
use vortice_post::{Flow, HeatBalance, MassBalance};

/// What a run has left of its flow.
struct Left {
    fields: Recorded,
    forces: RunForces,
}

impl Left {
    fn read(case: &Case, method: &Method, files: &Files) -> Result<Self> {
        let forces = RunForces::read(case, method, &files.forces)?;
        Ok(Self { fields: read_fields(&files.fields, case)?, forces })
    }
}

impl Study {
    /// Makes all runs in a folder. A run that fails is a row with its reason; runs that an earlier
    /// study left in this folder and that would be the same are not made again.
    ///
    /// # Errors
    /// If the folder cannot be made or another process writes there, a reference cannot be read, or no device is there.
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
        let runs = folder.join(RUNS);
        make_folder(&runs)?;
        let _lock = FolderLock::take(&runs)?;
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

    /// Whether a signal asked to stop.
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
            scheme: String::new(),
            grid: planned.grid,
            cells: [0; 3],
            ended: Ended::Done,
            iteration_error: None,
            reused: false,
            expense: Expense::default(),
            imbalance: None,
            heat_imbalance: None,
            warnings: Vec::new(),
            deviations: Vec::new(),
            values: Vec::new(),
            courses: Vec::new(),
            looks: Vec::new(),
            folder: format!("{RUNS}/{}", planned.folder),
        };
        let filled = planned.case.clone().and_then(|case| {
            let place = DevicePlacement::of(&case, 1)?;
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
        place: &DevicePlacement,
        references: &[Reference],
        files: &Files,
        title: &str,
    ) -> Result<()> {
        row.cells = case.grid.cells();
        let report = planned.variant.method.report(case)?;
        row.scheme.clone_from(&report.scheme);
        let key = key(case, &place.words(None));
        let known =
            if self.afresh { None } else { taken_over(&key, case, planned.variant.method, files) };
        row.reused = known.is_some();
        let (record, left) = match known {
            Some(known) => known,
            None => self.make(case, planned, files, &key, title)?,
        };
        row.expense = Expense {
            steps: record.steps,
            iterations: record.iterations,
            cell_updates: record.steps as f64 * case.grid.n_cells() as f64,
            wall_seconds: record.wall_seconds,
            memory: if place.is_on_processor() { report.memory } else { report.device_memory },
            device: place.words(None),
        };
        row.ended = record.ended.clone();
        row.iteration_error = record.iteration_error;
        if let Some(Left { fields, forces }) = left {
            let time = record.last().time_reached();
            let slope = (planned.variant.method.wall_slope)(case)?;
            row.courses = forces.courses(case);
            let flow = Flow::new(case, &fields.velocity, &fields.pressure, slope, time);
            let flow = flow.with_temperature(fields.temperature.as_ref().map(Into::into));
            let flow = flow
                .with_courses(row.courses.clone())
                .with_surface_fluxes(record.surface_fluxes.clone());
            (row.deviations, row.values) = values(&flow, references);
            let balance = MassBalance::of(&flow);
            row.imbalance = balance.share();
            let heat = HeatBalance::of(&flow);
            row.heat_imbalance = heat.as_ref().and_then(|heat| heat.imbalance);
            let unbalanced = heat.as_ref().and_then(HeatBalance::warning);
            let unbalanced = balance.warning().into_iter().chain(unbalanced);
            row.warnings = record.warnings.iter().cloned().chain(unbalanced).collect();
        }
        row.looks = record.looks;
        Ok(())
    }

    /// Runs, from the beginning or from the checkpoint of an earlier part, and records how it ended.
    /// While it runs there is no record: fields that are not those of a finished run have none.
    fn make(
        &self,
        case: &Case,
        planned: &Planned<'_>,
        files: &Files,
        key: &str,
        title: &str,
    ) -> Result<(Record, Option<Left>)> {
        Record::forget(&files.record)?;
        let (method, context, run) = (planned.variant.method, Context::alone(), identity(key));
        let mut simulation = Simulation::with_method(method, case, &context)?;
        let earlier = self.resumed(case, files, key, &context, &mut simulation)?;
        let goes_on = earlier.is_some();
        let trace = Trace::after(earlier.unwrap_or_else(|| Spent::nothing(key)));
        let remedy = format!("set {}", (method.when_it_diverges)(case));
        simulation = simulation
            .watch(Every::Steps(1), Finite::new(remedy))
            .watch(Every::Steps(1), trace.clone());
        if let Some(flag) = self.interrupt {
            simulation = simulation.watch(Every::Steps(1), Interrupt::by(flag));
        }
        if self.progress {
            simulation = simulation.watch(Every::Steps(1), Progress::new().titled(title));
        }
        let noted = trace.clone();
        let history = History::create(&files.history)?;
        let checkpoint = Checkpoint::new(&files.checkpoint, case)?.noting(move || noted.note());
        let mut checkpoint = checkpoint.after(history.sync());
        if let Some(seconds) = seconds_between_forces(case, method) {
            let forces = ForceHistory::create(&files.forces)?.only_due();
            let forces = if goes_on { forces.going_on() } else { forces };
            checkpoint = checkpoint.after(forces.sync());
            simulation = simulation.watch(Every::Seconds(seconds), forces);
        }
        let outcome = simulation
            .watch(Every::Steps(1), history)
            .watch(
                Every::Ends,
                Recorder::create(&files.fields, case)?.complete(case).identified(&run),
            )
            .watch(Every::Steps(1), checkpoint)
            .run();
        let mut record = self.recorded(case, &run, &trace, outcome)?;
        let left = record.ended.has_flow().then(|| Left::read(case, method, files)).transpose()?;
        record.forces = left.as_ref().map(|left| left.forces.checksum.clone()).unwrap_or_default();
        if record.ended.is_final() {
            record.write(&files.record)?;
            // What it was for is done; a file that cannot be removed does no harm.
            let _ = std::fs::remove_file(&files.checkpoint);
        }
        Ok((record, left))
    }

    /// Goes on from a checkpoint of the same run, if there is one and the user wants it; what the run has
    /// cost until then.
    fn resumed(
        &self,
        case: &Case,
        files: &Files,
        key: &str,
        context: &Context,
        simulation: &mut Simulation<'_>,
    ) -> Result<Option<Spent>> {
        if !self.resume || !files.checkpoint.is_file() {
            return Ok(None);
        }
        let note = Stored::read_outline(&files.checkpoint).ok().map(|stored| stored.note);
        let spent = note.and_then(|note| Spent::read(&note)).filter(|spent| spent.key == key);
        if spent.is_some() {
            simulation.restore(&open_checkpoint(&files.checkpoint, case, context, false)?)?;
        }
        Ok(spent)
    }

    /// What is kept of a run; a run that diverged is kept too.
    fn recorded(
        &self,
        case: &Case,
        run: &str,
        trace: &Trace,
        outcome: Result<Outcome>,
    ) -> Result<Record> {
        let mut spent = trace.spent();
        spent.looks = trace.looks();
        match outcome {
            Ok(outcome) => {
                let iteration_error = outcome.iteration_error(case);
                let ended = match outcome.converged {
                    true => Ended::Done,
                    false if self.is_interrupted() => Ended::Interrupted,
                    false => Ended::Stopped(outcome.reason),
                };
                let mut record = Record::new(run, spent, ended, outcome.step);
                record.warnings = outcome.warnings;
                record.surface_fluxes = outcome.surface_fluxes;
                record.iteration_error = iteration_error;
                Ok(record)
            }
            Err(error @ Error::Diverged { step, time, .. }) => {
                let ended = Ended::Diverged(with_remedy(&error));
                let step = Step { number: step, time, ..Step::default() };
                Ok(Record::new(run, spent, ended, step))
            }
            Err(error) => Err(error),
        }
    }
}

/// The record and the fields of a run that need not be made again: it ended, it is the same run, and the
/// fields and forces are its own.
fn taken_over(
    key: &str,
    case: &Case,
    method: &Method,
    files: &Files,
) -> Option<(Record, Option<Left>)> {
    let record = Record::read(&files.record)?;
    if record.key != key || !record.ended.is_final() {
        return None;
    }
    if !record.ended.has_flow() {
        return Some((record, None));
    }
    let left = Left::read(case, method, files).ok()?;
    let is_its_own = left.fields.run == record.run && left.forces.checksum == record.forces;
    is_its_own.then_some((record, Some(left)))
}

/// What makes a run the same run: the program, where it is computed, the text of the case, and what that says of files.
fn key(case: &Case, device: &str) -> String {
    let meaning: String =
        flow_keys(case).iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    format!("vortice {} on {device}\n{}\n{meaning}", crate::VERSION, case.source)
}

fn with_remedy(error: &Error) -> String {
    match error.remedy() {
        "" => error.to_string(),
        remedy => format!("{error}; {remedy}"),
    }
}
