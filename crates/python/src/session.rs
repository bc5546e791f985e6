//! A run that Python drives.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use vortice_core::{Context, Error, Every, Finite, Quantity, Result, Step, Surface, lock};
use vortice_post::references::Reference;
use vortice_study::{Change, Goal, KeepRan, Way};
use vortice_watch::{Course, Door, STOPPED, Watch};

use crate::arrays::{Array, Named, array, of_ended};
use crate::begun::Begun;
use crate::case::Case;
use crate::ending;
use crate::errors::raised;
use crate::told;
use crate::waiting::{LOOK, free};
use crate::written::{Folder, Written};

/// Between two words about how far it is.
pub(crate) const TELL: Duration = Duration::from_millis(100);

/// Number, time, length, residual and iteration error of the last step, and whether the run has ended.
type Moment = (u64, f64, f64, f64, f64, bool);

/// A surface's name, the force on it in N, its torque in N m, and its coefficients.
type OnSurface = (String, [f64; 3], f64, [f64; 3]);

/// A run on a thread of its own.
#[pyclass(frozen)]
pub(crate) struct Session {
    session: Arc<vortice_study::Session>,
    case: vortice_core::Case,
    keep: KeepRan,
    /// The folder stays locked as long as this lives.
    written: Mutex<Option<Written>>,
    /// The page that shows it, with its address.
    page: Option<(Watch, String)>,
    /// The process that the thread belongs to: a fork has none.
    pid: u32,
}

impl Session {
    fn here(&self) -> Result<&vortice_study::Session> {
        if self.pid == std::process::id() {
            return Ok(&self.session);
        }
        Err(Error::Device {
            problem:
                "the run belongs to the process that began it, and this one was forked from it"
                    .into(),
            remedy: "begin runs in the process that uses them".into(),
        })
    }

    /// Does something with the session while Python's lock is free.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&vortice_study::Session) -> Result<T> + Send,
    ) -> PyResult<T> {
        free(py, || self.here().and_then(ask))
    }

    /// Waits for steps; a signal or an exception of `tell` ends the waiting and lets the run pause.
    fn wait(&self, py: Python<'_>, mut way: Way, tell: Option<&Py<PyAny>>) -> PyResult<()> {
        let mut told = Instant::now();
        loop {
            let (back, arrived) = ending::free(py, move || {
                let arrived = way.wait_for(LOOK);
                (way, arrived)
            });
            way = back;
            let mut interrupted = py.check_signals();
            if let Some(tell) = tell.filter(|_| interrupted.is_ok() && told.elapsed() >= TELL) {
                told = Instant::now();
                interrupted = self.moment(py).and_then(|now| tell.call1(py, now)).map(|_| ());
            }
            if let Err(signal) = interrupted {
                self.ask(py, |session| session.pause())?;
                return Err(signal);
            }
            if let Some(arrived) = arrived {
                return arrived.map_err(|error| self.failed(py, &error));
            }
        }
    }

    /// The exception of a run that has failed, of which the folder is told.
    fn failed(&self, py: Python<'_>, error: &Error) -> PyErr {
        let written = lock(&self.written).take();
        match written.map_or(Ok(()), |written| written.fail(error)) {
            Ok(()) => raised(py, error),
            Err(error) => raised(py, &error),
        }
    }

    fn is_stopped(&self) -> bool {
        self.page.as_ref().is_some_and(|(watch, _)| watch.is_stopped())
    }
}

#[pymethods]
impl Session {
    /// Builds the simulation of a case, which writes files into a folder if one is given, and is shown by a page if that is
    /// wanted: one that drives it (`drive`), or one beside a program that does (`beside`).
    #[new]
    #[pyo3(signature = (case, name, threads=None, folder=None, replace=false, restart=None, page=None, port=None))]
    fn new(
        py: Python<'_>,
        case: &Case,
        name: String,
        threads: Option<usize>,
        folder: Option<PathBuf>,
        replace: bool,
        restart: Option<PathBuf>,
        page: Option<String>,
        port: Option<u16>,
    ) -> PyResult<Self> {
        let case = case.case.clone();
        let folder = folder.map(|path| Folder { path, replace, restart: restart.clone(), name });
        free(py, move || {
            let Begun { case, written, remedy, .. } = Begun::of(case, 1, threads, folder)?;
            let (keep, course) = (KeepRan::default(), Course::default());
            let (kept, steps, is_shown) = (keep.clone(), course.clone(), page.is_some());
            let of_files = written
                .as_ref()
                .map(|written| (written.results.clone(), written.keep.clone(), restart.clone()));
            let threads = threads.unwrap_or_else(|| Context::alone().threads).max(1);
            let session =
                vortice_study::Session::begin(case.clone(), threads, move |simulation, _| {
                    let finite = |one: vortice_core::Simulation<'static>| {
                        one.watch(Every::Steps(1), Finite::new(remedy))
                    };
                    let simulation = match of_files {
                        Some((results, keep, restart)) => {
                            Written::watch(&results, &keep, restart, simulation, finite)?
                        }
                        None => finite(simulation),
                    };
                    let simulation = if is_shown {
                        simulation.watch(Every::Steps(1), steps)
                    } else {
                        simulation
                    };
                    kept.watch(simulation)
                })?;
            let session = Arc::new(session);
            if let Some(restart) = &restart {
                session.restart(restart, false)?;
            }
            if let Some(written) = &written {
                session.mark(&written.results.files.changes)?;
            }
            let page = page.map(|how| open(&how, port, &session, &case, course)).transpose()?;
            let (written, pid) = (Mutex::new(written), std::process::id());
            Ok(Self { session, case, keep, written, page, pid })
        })
    }

    /// The address of the page that shows it.
    #[getter]
    fn address(&self) -> Option<String> {
        self.page.as_ref().map(|(_, address)| address.clone())
    }

    /// Whether its page has stopped it.
    #[getter]
    fn stopped(&self) -> bool {
        self.is_stopped()
    }

    /// Lets its page drive it, until it has come to its end and no page looks at it, or is stopped.
    #[pyo3(signature = (tell=None))]
    fn drive(&self, py: Python<'_>, tell: Option<Py<PyAny>>) -> PyResult<()> {
        let Some((watch, _)) = &self.page else { return Ok(()) };
        self.ask(py, |_| watch.begin())?;
        let mut told = Instant::now();
        loop {
            let is_over =
                ending::free(py, || watch.turn()).map_err(|error| self.failed(py, &error))?;
            let mut interrupted = py.check_signals();
            if let Some(tell) = tell.as_ref().filter(|_| told.elapsed() >= TELL) {
                told = Instant::now();
                let moment = self.moment(py)?;
                interrupted = interrupted.and_then(|()| tell.call1(py, moment).map(|_| ()));
            }
            if let Err(signal) = interrupted {
                self.ask(py, |session| session.pause())?;
                return Err(signal);
            }
            if is_over {
                return Ok(());
            }
        }
    }

    /// Steps to the end (`end`), by a number of `steps`, or to a flow `time` in s; tells whether there is more to come.
    /// `tell` hears now and then where the run is.
    #[pyo3(signature = (kind, amount=0.0, tell=None))]
    fn go(
        &self,
        py: Python<'_>,
        kind: &str,
        amount: f64,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let goal = match kind {
            "end" => Goal::End,
            "steps" => Goal::Steps(amount as u64),
            _ => Goal::Time(amount),
        };
        let way = self.ask(py, move |session| session.go(goal))?;
        self.wait(py, way, tell.as_ref())?;
        Ok(!self.session.status().has_ended)
    }

    /// Number, time, length, residual and iteration error of the last step, and whether the run has ended.
    fn moment(&self, py: Python<'_>) -> PyResult<Moment> {
        let status = self.here().map_err(|error| raised(py, &error))?.status();
        let step = status.step;
        let Step { number, time, dt, residual, iteration_error, .. } = step;
        Ok((number, time, dt, residual, iteration_error, status.has_ended))
    }

    /// A quantity as it is now, in the number type of the run; the array has the only copy.
    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Array<'py>> {
        let averages = self.case.statistics().map(|averages| averages.part.quantities.clone());
        let known = self.case.quantities().into_iter().chain(averages.unwrap_or_default());
        let names: Vec<(&str, Quantity)> = known.map(|one| (one.name(), one)).collect();
        let quantity = names.iter().find(|(known, _)| *known == name).map(|(_, one)| *one);
        let Some(quantity) = quantity else {
            let all: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let remedy = vortice_core::suggest("quantity", name, &all);
            let problem = "the flow has no such quantity";
            return Err(raised(py, &Error::case(name, problem, remedy)));
        };
        let values = self.ask(py, move |session| session.values(quantity))?;
        Ok(array(py, values))
    }

    /// Of each body, solid box and wall its name, the force on it in N, its torque in N m, and its coefficients.
    fn forces(&self, py: Python<'_>) -> PyResult<Vec<OnSurface>> {
        let (forces, case) = self.ask(py, |session| Ok((session.forces()?, session.case()?)))?;
        let surfaces = Surface::wetted(&case).into_iter().zip(forces);
        let told = surfaces.map(|(surface, on)| {
            (surface.name(&case), on.force, on.torque, on.coefficients(&case, surface))
        });
        Ok(told.collect())
    }

    /// The case as it is now.
    fn case(&self, py: Python<'_>) -> PyResult<Case> {
        self.ask(py, |session| session.case()).map(|case| Case { case })
    }

    /// Changes settings of the case while the flow goes on.
    fn set(&self, py: Python<'_>, sets: Vec<String>) -> PyResult<()> {
        self.ask(py, move |session| session.set(&sets))
    }

    /// What was changed: step, time and settings.
    fn changes(&self) -> Vec<(u64, f64, Vec<String>)> {
        let changes = self.session.status().changes.into_iter();
        changes.map(|Change { step, time, sets }| (step, time, sets)).collect()
    }

    /// Makes changes again, each before its step.
    fn repeat(&self, py: Python<'_>, changes: Vec<(u64, f64, Vec<String>)>) -> PyResult<()> {
        let changes = changes.into_iter().map(|(step, time, sets)| Change { step, time, sets });
        let changes: Vec<Change> = changes.collect();
        self.ask(py, move |session| session.repeat(&changes))
    }

    /// Writes the complete state into a file.
    fn checkpoint(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.ask(py, move |session| session.checkpoint(&path))
    }

    /// Ends the run where it is: velocity, pressure and temperature by name with their shapes, and the rest as JSON.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<(Vec<Named<'py>>, String)> {
        let (ran, told) = self.ask(py, |session| {
            let (case, has_ended) = (session.case()?, session.status().has_ended);
            let mut outcome = session.finish()?;
            if self.is_stopped() && !has_ended && !outcome.converged {
                outcome.reason = STOPPED.into();
            }
            if let Some(written) = lock(&self.written).take() {
                written.finish(outcome.clone(), session.status().changes, case.clone())?;
            }
            let ran = self.keep.ran(case, outcome)?;
            let told = told::of(&ran)?;
            Ok((ran, told))
        })?;
        Ok((of_ended(py, &ran.case, ran.fields, Vec::new())?, told))
    }
}

/// A page for a session, with its address.
fn open(
    how: &str,
    port: Option<u16>,
    session: &Arc<vortice_study::Session>,
    case: &vortice_core::Case,
    course: Course,
) -> Result<(Watch, String)> {
    let (door, references) = (Door::at(port)?, Reference::of(case)?);
    let address = door.address();
    let watch = match how {
        "drive" => Watch::open(door, session.clone(), &references, course)?,
        _ => Watch::beside(door, session.clone(), &references, course)?,
    };
    Ok((watch, address))
}
