//! Vortice as a module of Python: what `python/vortice` is made with.
//!
//! Everything that computes does so on threads of its own, with Python's lock free. What comes back owns its memory.

mod arrays;
mod begun;
mod case;
mod compare;
mod ending;
mod errors;
mod method;
mod ranks;
mod recorded;
mod replay;
mod session;
mod told;
mod waiting;
mod written;

#[pyo3::pymodule]
mod _vortice {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::case::Case;
    #[pymodule_export]
    use super::compare::{compare, validate};
    #[pymodule_export]
    use super::ending::end_calls;
    #[pymodule_export]
    use super::method::add_method;
    #[pymodule_export]
    use super::ranks::run_on_ranks;
    #[pymodule_export]
    use super::recorded::Recorded;
    #[pymodule_export]
    use super::replay::Page;
    #[pymodule_export]
    use super::session::Session;

    /// The version of Vortice.
    #[pyfunction]
    fn version() -> &'static str {
        vortice_study::VERSION
    }

    /// Names and titles of the built-in cases.
    #[pyfunction]
    fn cases(py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let titled = |(name, _): &(&str, &str)| {
            let case = vortice_study::open_case(name, &[])?;
            Ok((String::from(*name), case.title))
        };
        let all = vortice_study::built_in_cases().iter().map(titled);
        all.collect::<vortice_core::Result<_>>().map_err(|error| super::errors::raised(py, &error))
    }

    /// Names of the methods, with a sentence about each.
    #[pyfunction]
    fn methods() -> Vec<(&'static str, &'static str)> {
        let all = vortice_study::registry::methods().iter();
        all.map(|method| (method.name, method.about)).collect()
    }

    /// The changes of a run from the table that it left.
    #[pyfunction]
    fn read_changes(
        py: Python<'_>,
        path: std::path::PathBuf,
    ) -> PyResult<Vec<(u64, f64, Vec<String>)>> {
        let read = vortice_study::read_changes(&path);
        let changes = read.map_err(|error| super::errors::raised(py, &error))?.into_iter();
        Ok(changes.map(|one| (one.step, one.time, one.sets)).collect())
    }

    /// The keys that every case can have.
    #[pyfunction]
    fn known_keys() -> Vec<String> {
        vortice_core::known_keys()
    }
}
