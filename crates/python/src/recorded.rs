//! Files of fields that runs have left.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use vortice_output::{RecordedSteps, StepValues};

use crate::errors::raised;
use crate::waiting::free;

/// The steps of a file of fields.
#[pyclass(frozen)]
pub(crate) struct Recorded {
    steps: RecordedSteps,
}

#[pymethods]
impl Recorded {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        free(py, || RecordedSteps::open(&path)).map(|steps| Self { steps })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.steps.title
    }

    #[getter]
    fn method(&self) -> &str {
        &self.steps.method
    }

    /// Text of the case.
    #[getter]
    fn text(&self) -> &str {
        &self.steps.source
    }

    /// Flow times in s.
    #[getter]
    fn times(&self) -> Vec<f64> {
        self.steps.times.clone()
    }

    /// Names of the arrays with the values that each has in a cell.
    #[getter]
    fn arrays(&self) -> Vec<(String, usize)> {
        self.steps.arrays.clone()
    }

    /// Cells in x, y and z.
    #[getter]
    fn cells(&self) -> (usize, usize, usize) {
        self.steps.grid.cells().into()
    }

    /// Low corner of the box and width of the cells in m.
    #[getter]
    fn geometry(&self) -> ((f64, f64, f64), (f64, f64, f64)) {
        let grid = &self.steps.grid;
        (grid.axes.map(|axis| axis.low()).into(), grid.spacing().into())
    }

    /// Centres of cells in m along one direction.
    fn centres<'py>(&self, py: Python<'py>, direction: usize) -> Bound<'py, PyArray1<f64>> {
        let axis = &self.steps.grid.axes[direction.min(2)];
        let centres: Vec<f64> = (0..axis.len() as isize).map(|i| axis.centre(i)).collect();
        centres.into_pyarray(py)
    }

    /// The values of an array at a step by its number, flat, components and x fastest, in the number type of the file.
    fn read<'py>(
        &self,
        py: Python<'py>,
        array: &str,
        number: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(match free(py, || self.steps.read(array, number))? {
            StepValues::F32(values) => values.into_pyarray(py).into_any(),
            StepValues::F64(values) => values.into_pyarray(py).into_any(),
        })
    }

    /// Which cells are solid (1), flat, x fastest; nothing if none is.
    fn solids<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<u8>>>> {
        let mask = self.steps.solids().map_err(|error| raised(py, &error))?;
        Ok(mask.map(|mask| mask.into_pyarray(py)))
    }
}
