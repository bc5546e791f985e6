//! Errors of the house as exceptions of Python, and exceptions on their way through the house.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use vortice_core::{Error, lock};

/// Exceptions that were raised in a method or a callback, with the problem that stands for each meanwhile.
static RAISED: Mutex<Vec<(String, PyErr)>> = Mutex::new(Vec::new());

/// That many are kept: what is not asked for within so many others is forgotten.
const KEPT: usize = 16;

/// The key of an error that stands for an exception.
const KEY: &str = "run.method";

/// The exception that tells an error: a class of `vortice._errors`, or the exception that the error stands for.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    if let Some(exception) = of_python(py, error) {
        return exception;
    }
    made(py, error).unwrap_or_else(|failed| failed)
}

fn made(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let details = PyDict::new(py);
    let name = match error {
        Error::Case { key, .. } => {
            details.set_item("key", key)?;
            if let Some(place) = error.place() {
                let end = (place.start + place.length).min(place.text.len());
                details.set_item("value", place.text.get(place.start..end))?;
                let line = place.text.get(..place.start).map(|text| text.lines().count().max(1));
                details.set_item("line", line)?;
            }
            "CaseError"
        }
        Error::Command { argument, .. } => {
            let argument = argument.trim_start_matches("--set ");
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            details.set_item("key", key.trim_start_matches("--"))?;
            details.set_item("value", Some(value).filter(|value| !value.is_empty()))?;
            "CaseError"
        }
        Error::Unsupported { method, key, .. } => {
            details.set_item("key", key)?;
            details.set_item("method", *method)?;
            "UnsupportedError"
        }
        Error::File { path, .. } => {
            details.set_item("path", path)?;
            "FileError"
        }
        Error::Diverged { step, time, field, cell, value, .. } => {
            details.set_item("step", step)?;
            details.set_item("time", time)?;
            details.set_item("field", *field)?;
            details.set_item("cell", (cell[0], cell[1], cell[2]))?;
            details.set_item("value", value)?;
            "DivergedError"
        }
        Error::Ranks { .. } | Error::OtherRank { .. } => "RanksError",
        _ => "DeviceError",
    };
    details.set_item("remedy", error.remedy())?;
    let class = py.import("vortice._errors")?.getattr(name)?;
    Ok(PyErr::from_value(class.call((error.to_string(),), Some(&details))?))
}

/// The error that stands for an exception while it passes through the house.
pub(crate) fn standing_for(py: Python<'_>, method: &str, exception: PyErr) -> Error {
    let problem = format!(
        "`{method}` raised {}",
        exception.value(py).repr().map_or_else(|_| exception.to_string(), |text| text.to_string(),)
    );
    let mut raised = lock(&RAISED);
    raised.push((problem.clone(), exception));
    let too_many = raised.len().saturating_sub(KEPT);
    raised.drain(..too_many);
    Error::case(KEY, problem, "see where the exception comes from")
}

fn of_python(py: Python<'_>, error: &Error) -> Option<PyErr> {
    let Error::Case { key, problem, .. } = error else { return None };
    let mut raised = lock(&RAISED);
    let place = raised.iter().rposition(|(known, _)| key == KEY && known == problem)?;
    Some(raised.remove(place).1.clone_ref(py))
}
