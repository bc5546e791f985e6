//! A case.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use vortice_core::{Error, Precision, Until, Values};
use vortice_study::comparison::cells_of_grid;
use vortice_study::{open_case, parse_case, registry};

use crate::arrays::{Given, array, with_threads};
use crate::errors::raised;
use crate::waiting::free;

/// A flow to be computed.
#[pyclass(frozen)]
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) case: vortice_core::Case,
}

impl Case {
    fn changed(&self, py: Python<'_>, sets: &[String]) -> PyResult<Self> {
        let case = self.case.with(sets).and_then(|case| case.check_tables().map(|()| case));
        case.map(|case| Self { case }).map_err(|error| raised(py, &error))
    }
}

#[pymethods]
impl Case {
    /// A built-in case by its name, or one of a file.
    #[staticmethod]
    fn open(py: Python<'_>, path_or_name: &str, sets: Vec<String>) -> PyResult<Self> {
        let case = open_case(path_or_name, &sets).map_err(|error| raised(py, &error))?;
        Ok(Self { case })
    }

    /// A case from its text.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, name: &str, sets: Vec<String>) -> PyResult<Self> {
        let case = parse_case(text, name, &sets).map_err(|error| raised(py, &error))?;
        Ok(Self { case })
    }

    /// The same case with settings, `key=value`.
    fn with_sets(&self, py: Python<'_>, sets: Vec<String>) -> PyResult<Self> {
        self.changed(py, &sets)
    }

    /// The same case with so many cells along its shortest side, or across the length of its scale if it has bodies.
    fn with_cells(&self, py: Python<'_>, n: usize) -> PyResult<Self> {
        let cells = cells_of_grid(&self.case, n).map_err(|error| raised(py, &error))?;
        self.changed(py, &[format!("grid.cells={cells:?}")])
    }

    /// The same case with the viscosity of a Reynolds number.
    fn with_reynolds(&self, py: Python<'_>, reynolds: f64) -> PyResult<Self> {
        if !(reynolds.is_finite() && reynolds > 0.0) {
            let problem = format!("is {reynolds}");
            let error = Error::case("reynolds", problem, "give a positive number, such as 400");
            return Err(raised(py, &error));
        }
        let scale = self.case.scale;
        let viscosity = scale.velocity * scale.length / reynolds;
        self.changed(py, &[format!("fluid.viscosity={viscosity:?}")])
    }

    /// What errors call its text.
    #[getter]
    fn name(&self) -> &str {
        &self.case.name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.case.title
    }

    /// Its text, as a case file has it.
    #[getter]
    fn text(&self) -> &str {
        &self.case.source
    }

    #[getter]
    fn method(&self) -> &str {
        &self.case.run.method
    }

    /// Cells in x, y and z.
    #[getter]
    fn cells(&self) -> (usize, usize, usize) {
        self.case.grid.cells().into()
    }

    #[getter]
    fn is_plane(&self) -> bool {
        self.case.grid.is_plane()
    }

    #[getter]
    fn viscosity(&self) -> f64 {
        self.case.viscosity
    }

    #[getter]
    fn density(&self) -> f64 {
        self.case.density
    }

    #[getter]
    fn reynolds(&self) -> f64 {
        self.case.reynolds()
    }

    /// Length in m and velocity in m/s of its scale.
    #[getter]
    fn scale(&self) -> (f64, f64) {
        (self.case.scale.length, self.case.scale.velocity)
    }

    /// The flow time in s at which it ends; nothing if it ends when the flow is steady.
    #[getter]
    fn end(&self) -> Option<f64> {
        match self.case.run.until {
            Until::Time(time) => Some(time),
            Until::Steady(_) => None,
        }
    }

    #[getter]
    fn max_steps(&self) -> u64 {
        self.case.run.max_steps
    }

    /// Names of its scalars, and `temperature` of a flow with heat.
    #[getter]
    fn carried(&self) -> Vec<&'static str> {
        self.case.carried().map(|scalar| scalar.quantity.name()).collect()
    }

    /// Centres of cells in m along one direction.
    fn centres<'py>(&self, py: Python<'py>, direction: usize) -> Bound<'py, PyArray1<f64>> {
        let axis = &self.case.grid.axes[direction.min(2)];
        let centres: Vec<f64> = (0..axis.len() as isize).map(|i| axis.centre(i)).collect();
        centres.into_pyarray(py)
    }

    /// Width of cells in m in x, y and z.
    #[getter]
    fn spacing(&self) -> (f64, f64, f64) {
        self.case.grid.spacing().into()
    }

    /// Low and high corner of the box in m.
    #[getter]
    fn corners(&self) -> ((f64, f64, f64), (f64, f64, f64)) {
        let axes = &self.case.grid.axes;
        (axes.map(|axis| axis.low()).into(), axes.map(|axis| axis.high()).into())
    }

    /// The velocity in m/s of a face that is a wall, by its name; nothing of one that is none.
    fn wall_velocity(&self, face: &str) -> Option<(f64, f64, f64)> {
        let found = self
            .case
            .boundaries
            .iter()
            .find(|&(d, side, _)| vortice_core::face_name(d, side) == face);
        match found {
            Some((.., vortice_core::Boundary::Wall { velocity })) => Some((*velocity).into()),
            _ => None,
        }
    }

    /// Which cells are solid (1), flat, x fastest.
    fn solids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let (solids, [nx, ny, nz]) = (self.case.solids(), self.case.grid.cells());
        let cells = vortice_core::each_cell([0..nx as isize, 0..ny as isize, 0..nz as isize]);
        let mask: Vec<u8> = cells.map(|cell| u8::from(solids.contains(cell))).collect();
        mask.into_pyarray(py)
    }

    /// The vorticity of a flow, both flat, x fastest and components slowest.
    fn vorticity<'py>(
        &self,
        py: Python<'py>,
        velocity: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let velocity = Given::F64(velocity).field(&self.case, 3)?;
        let vorticity = || Values::vorticity(&self.case, &velocity, Precision::F64);
        let vorticity = free(py, || with_threads(vorticity))?;
        Ok(array(py, vorticity).0)
    }

    /// What the method says of it before it runs: derived numbers and warnings, as JSON.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let checked = registry::method(&self.case.run.method)
            .and_then(|method| method.report(&self.case))
            .map_err(|error| raised(py, &error))?;
        let warnings: Vec<_> = self.case.warnings().into_iter().chain(checked.warnings).collect();
        Ok(serde_json::json!({
            "facts": checked.facts.into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            "warnings": warnings,
            "memory": checked.memory,
        })
        .to_string())
    }
}
