//! A page of finished runs.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::prelude::*;
use vortice_core::lock;
use vortice_watch::{Door, LastFlow, Replay, Replayed};

use crate::arrays::Given;
use crate::case::Case;
use crate::ending;
use crate::waiting::free;

/// A page of finished runs, served until it is closed or forgotten.
#[pyclass(frozen)]
pub(crate) struct Page {
    address: String,
    replay: Mutex<Option<Replay>>,
}

/// An array by its name: values, flat with components slowest, and how many there are in a cell.
type Named<'py> = (String, Given<'py>, usize);

/// A run that is to be shown.
#[derive(FromPyObject)]
enum Shown<'py> {
    Folder(PathBuf),
    /// The case, the flow time in s, and the arrays of its last flow.
    Last(PyRef<'py, Case>, f64, Vec<Named<'py>>),
}

fn replayed(shown: Shown<'_>) -> PyResult<Replayed> {
    let (case, time, arrays) = match shown {
        Shown::Folder(path) => return Ok(Replayed::Folder(path)),
        Shown::Last(case, time, arrays) => (case.case.clone(), time, arrays),
    };
    let mut last = LastFlow::new(case.clone(), time);
    for (name, values, components) in arrays {
        last = last.with(&name, &values.field(&case, components)?);
    }
    Ok(Replayed::Last(Box::new(last)))
}

#[pymethods]
impl Page {
    #[new]
    #[pyo3(signature = (runs, port=None))]
    fn new(py: Python<'_>, runs: Vec<Shown<'_>>, port: Option<u16>) -> PyResult<Self> {
        let runs = runs.into_iter().map(replayed).collect::<PyResult<Vec<_>>>()?;
        free(py, move || {
            let door = Door::at(port)?;
            let address = door.address();
            let replay = Mutex::new(Some(Replay::open(door, runs)?));
            Ok(Self { address, replay })
        })
    }

    #[getter]
    fn address(&self) -> &str {
        &self.address
    }

    /// Whether it is no longer served.
    #[getter]
    fn closed(&self) -> bool {
        lock(&self.replay).is_none()
    }

    /// Serves it no longer.
    fn close(&self, py: Python<'_>) {
        let replay = lock(&self.replay).take();
        ending::free(py, || drop(replay));
    }
}
