//! A run on several ranks, which are threads of this process.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pyo3::prelude::*;
use vortice_core::{
    Context, Every, Field, Finite, Monitor, Outcome, Quantity, Result, Simulation, Snapshot, Step,
    Verdict, lock,
};
use vortice_output::{Checkpoint, open_checkpoint};
use vortice_study::{Interrupt, KeepRan, KeepSeen, on_ranks};

use crate::arrays::{Named, of_ended};
use crate::begun::{Begun, check_ranks};
use crate::case::Case;
use crate::compare::flag;
use crate::ending;
use crate::session::TELL;
use crate::told;
use crate::waiting::beside;
use crate::written::{Folder, Written};

/// Tells now and then where the run is, from rank 0.
struct Tell {
    tell: Arc<Py<PyAny>>,
    last: Instant,
}

impl Monitor for Tell {
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        if now.ranks.rank() == 0 && self.last.elapsed() >= TELL {
            self.last = Instant::now();
            let Step { number, time, dt, residual, iteration_error, .. } = now.step;
            // The run goes on whether or not it can be shown.
            let moment = (number, time, dt, residual, iteration_error, false);
            let _ = ending::call(|py| self.tell.call1(py, moment));
        }
        Ok(Verdict::Continue)
    }
}

/// Leaves a checkpoint of a run that is interrupted.
struct Leave {
    checkpoint: Checkpoint,
    stop: &'static AtomicUsize,
}

impl Monitor for Leave {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        // All ranks have agreed on it by then.
        if self.stop.load(Ordering::SeqCst) == 0 { Ok(()) } else { self.checkpoint.finish(now) }
    }
}

/// Scalars on the whole grid.
type Scalars = Vec<(Quantity, Arc<Field>)>;

/// Keeps scalars behind the first one of the last step.
#[derive(Clone, Default)]
struct KeepScalars {
    last: Arc<Mutex<Scalars>>,
}

impl Monitor for KeepScalars {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let others: Vec<_> = now.case.carried().skip(1).map(|scalar| scalar.quantity).collect();
        for quantity in others {
            let field = now.whole(quantity)?;
            lock(&self.last).extend(field.map(|field| (quantity, field)));
        }
        Ok(())
    }
}

/// How a run on ranks ended: velocity, pressure and what is carried by name, and the rest as JSON.
type Ended<'py> = (Vec<Named<'py>>, String);

/// Computes a case to its end on so many ranks; an interrupted run leaves its checkpoint at a path.
#[pyfunction]
#[pyo3(signature = (case, name, ranks, left, threads=None, folder=None, replace=false, restart=None, tell=None))]
pub(crate) fn run_on_ranks<'py>(
    py: Python<'py>,
    case: &Case,
    name: String,
    ranks: usize,
    left: PathBuf,
    threads: Option<usize>,
    folder: Option<PathBuf>,
    replace: bool,
    restart: Option<PathBuf>,
    tell: Option<Py<PyAny>>,
) -> PyResult<Ended<'py>> {
    let (stop, case, tell) = (flag(), case.case.clone(), tell.map(Arc::new));
    let make = move || {
        check_ranks(ranks)?;
        let restarted = restart.clone();
        let folder = folder.map(|path| Folder { path, replace, restart: restarted, name });
        let begun = Begun::of(case, ranks, threads, folder)?;
        let run = Run { begun: &begun, stop, restart, left, tell };
        let (keep, scalars) = (KeepRan::default(), KeepScalars::default());
        let case = begun.case.clone();
        let outcome =
            on_ranks(&case, ranks, None, threads, |context| run.on_rank(context, &keep, &scalars));
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                begun.written.map_or(Ok(()), |written| written.fail(&error))?;
                return Err(error);
            }
        };
        if let Some(written) = begun.written {
            written.finish(outcome.clone(), Vec::new(), case.clone())?;
        }
        let ran = keep.ran(case, outcome)?;
        let told = told::of(&ran)?;
        let others = std::mem::take(&mut *lock(&scalars.last));
        Ok((ran, others, told))
    };
    let (ran, others, told) = beside(py, make, || stop.store(1, Ordering::SeqCst))?;
    Ok((of_ended(py, &ran.case, ran.fields, others)?, told))
}

/// What every rank does.
struct Run<'a> {
    begun: &'a Begun,
    stop: &'static AtomicUsize,
    restart: Option<PathBuf>,
    left: PathBuf,
    tell: Option<Arc<Py<PyAny>>>,
}

impl Run<'_> {
    fn on_rank(&self, context: &Context, keep: &KeepRan, scalars: &KeepScalars) -> Result<Outcome> {
        let Begun { case, method, written, remedy } = self.begun;
        let mut simulation = Simulation::with_method(method, case, context)?;
        if let Some(path) = &self.restart {
            let state = open_checkpoint(path, case, context, false);
            simulation.restore(&context.ranks.agree(state)?)?;
        }
        let simulation = match written {
            Some(written) => {
                let (results, restart) = (&written.results, written.restart());
                let watched = |simulation| self.watched(simulation, remedy);
                // What other ranks have kept, nothing, must not take the place of it.
                let keep = match context.ranks.rank() {
                    0 => written.keep.clone(),
                    _ => KeepSeen::new(results.sight.clone()),
                };
                Written::watch(results, &keep, restart, simulation, watched)?
            }
            None => {
                let checkpoint = Checkpoint::new(&self.left, case)?;
                let leave = Leave { checkpoint, stop: self.stop };
                self.watched(simulation, remedy).watch(Every::Ends, leave)
            }
        };
        let simulation = simulation.watch(Every::Ends, scalars.clone());
        keep.watch(simulation)?.run()
    }

    fn watched<'m>(&self, simulation: Simulation<'m>, remedy: &str) -> Simulation<'m> {
        let simulation = simulation
            .watch(Every::Steps(1), Finite::new(remedy.to_owned()))
            .watch(Every::Steps(1), Interrupt::by(self.stop));
        match &self.tell {
            Some(tell) => {
                let tell = Tell { tell: tell.clone(), last: Instant::now() };
                simulation.watch(Every::Steps(1), tell)
            }
            None => simulation,
        }
    }
}
