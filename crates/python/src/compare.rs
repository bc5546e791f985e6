//! Comparisons and validation.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use vortice_core::{Device, Every, Finite, Result};
use vortice_study::comparison::{Study, write_report};
use vortice_study::validation::{Checks, Job, Suite};
use vortice_study::{Interrupt, registry};

use crate::case::Case;
use crate::ending;
use crate::waiting::beside;

/// A flag that stops runs. It stays for ever: runs may look at it for as long as they please.
pub(crate) fn flag() -> &'static AtomicUsize {
    Box::leak(Box::new(AtomicUsize::new(0)))
}

/// Makes the runs of a study in a folder and its page; `tell` hears of each run in a line.
#[pyfunction]
#[pyo3(signature = (case, name, folder, methods, schemes, grids, resume, afresh, tell=None))]
pub(crate) fn compare(
    py: Python<'_>,
    case: &Case,
    name: &str,
    folder: PathBuf,
    methods: Vec<String>,
    schemes: Vec<String>,
    grids: Vec<usize>,
    resume: bool,
    afresh: bool,
    tell: Option<Py<PyAny>>,
) -> PyResult<bool> {
    let (stop, base, name) = (flag(), case.case.clone(), name.to_owned());
    let make = move || -> Result<bool> {
        let mut study = Study::of_case(&name, base);
        if !methods.is_empty() {
            study = study.methods(&methods)?;
        }
        study = study.schemes(&schemes)?;
        if !grids.is_empty() {
            study = study.grids(&grids)?;
        }
        study.check()?;
        let study = study.resume(resume).afresh(afresh).interrupt(stop);
        let findings = study.run_telling(&folder, &mut |row| {
            let Some(tell) = &tell else { return };
            let (how, why) = (row.ended.word(), row.ended.why());
            let line = format!(
                "{}  {}  {how}{}{why}",
                row.variant,
                row.cells_words(),
                if why.is_empty() { "" } else { ": " }
            );
            // A page is made whether or not the line can be shown.
            let _ = ending::call(|py| tell.call1(py, (line,)));
        })?;
        write_report(&folder, &[findings])?;
        Ok(stop.load(Ordering::SeqCst) == 0)
    };
    beside(py, make, || stop.store(1, Ordering::SeqCst))
}

/// Judges flows by a method as a file of checks says; rows as JSON. Without a text the built-in checks are made with this method in place of theirs.
#[pyfunction]
#[pyo3(signature = (method, text=None, cases=vec![], suite="quick"))]
pub(crate) fn validate(
    py: Python<'_>,
    method: String,
    text: Option<String>,
    cases: Vec<String>,
    suite: &str,
) -> PyResult<String> {
    let suite = match suite {
        "full" => Suite::Full,
        "standard" => Suite::Standard,
        _ => Suite::Quick,
    };
    let stop = flag();
    let make = move || -> Result<String> {
        registry::method(&method)?;
        let checks = match &text {
            Some(text) => Checks::parse(text, "checks")?,
            None => Checks::built_in()?,
        };
        let chosen = checks.list.iter().filter(|check| {
            check.suite <= suite && (cases.is_empty() || cases.contains(&check.case))
        });
        let mut rows = Vec::new();
        for check in chosen {
            let job = Job { check, method: &method, device: Device::Cpu };
            rows.extend(job.rows(&|simulation| {
                let simulation =
                    simulation.watch(Every::Steps(1), Finite::new("make steps shorter"));
                Ok(simulation.watch(Every::Steps(1), Interrupt::by(stop)))
            }));
            if stop.load(Ordering::SeqCst) != 0 {
                break;
            }
        }
        Ok(serde_json::to_string(&rows).unwrap_or_default())
    };
    beside(py, make, || stop.store(1, Ordering::SeqCst))
}
