//! Arrays of numpy and fields: flat, x fastest and components slowest.

use std::sync::Arc;

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use vortice_core::{
    Case, Context, Field, Location, Precision, Quantity, Result, Shape, ThreadPool, Values,
};
use vortice_study::Fields;

use crate::waiting::free;

/// Values of a quantity in the number type of the run, flat, with their shape.
pub(crate) type Array<'py> = (Bound<'py, PyAny>, (usize, usize, usize, usize));

/// The same with the name of the quantity.
pub(crate) type Named<'py> = (&'static str, Array<'py>);

/// Values that Python gives, in the number type of the run that they are of.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    F64(PyReadonlyArray1<'py, f64>),
    F32(PyReadonlyArray1<'py, f32>),
}

impl Given<'_> {
    /// The field of a case that they are.
    pub(crate) fn field(&self, case: &Case, components: usize) -> PyResult<Field> {
        let values = match self {
            Self::F64(values) => values.as_slice()?.to_vec(),
            Self::F32(values) => values.as_slice()?.iter().map(|&x| x.into()).collect(),
        };
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        Ok(Field { location: Location::Centre, shape, components, values })
    }
}

/// Values of a field without halo, moved into an array.
pub(crate) fn array(py: Python<'_>, values: Values) -> Array<'_> {
    let outline = values.outline();
    let ([nx, ny, nz], components) = (outline.shape.cells, outline.components);
    let array = match values {
        Values::F32(field) => field.values.into_pyarray(py).into_any(),
        Values::F64(field) => field.values.into_pyarray(py).into_any(),
    };
    (array, (components, nz, ny, nx))
}

/// The last fields of a run by the names of their quantities: those that it kept, and others. In single precision with the vorticity,
/// which has other last bits if it is made of a velocity that was rounded.
pub(crate) fn of_ended<'py>(
    py: Python<'py>,
    case: &Case,
    fields: Fields,
    others: Vec<(Quantity, Arc<Field>)>,
) -> PyResult<Vec<Named<'py>>> {
    let Fields { velocity, pressure, temperature } = fields;
    let precision = case.run.precision;
    let first = case.carried().next().map(|scalar| scalar.quantity);
    let values = || {
        let vorticity = (precision == Precision::F32)
            .then(|| Values::vorticity(case, &velocity, precision))
            .map(|values| (Quantity::Vorticity.name(), values));
        let flow = [(Quantity::Velocity, velocity), (Quantity::Pressure, pressure)];
        let all = flow.into_iter().chain(first.zip(temperature)).chain(others);
        let values = |field| Values::of(Arc::unwrap_or_clone(field), precision);
        let all = all.map(|(quantity, field)| (quantity.name(), values(field)));
        all.chain(vorticity).collect::<Vec<_>>()
    };
    let values = free(py, || with_threads(values))?;
    Ok(values.into_iter().map(|(name, values)| (name, array(py, values))).collect())
}

/// Does something with all threads to share it.
pub(crate) fn with_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    Ok(ThreadPool::new(Context::alone().threads, 0)?.install(work))
}
