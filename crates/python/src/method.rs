//! A method that is written in Python.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use vortice_core::{
    Context, Cost, Error, Field, Location, Method, Precision, Quantity, Report, Result, Settling,
    Shape, Solver, StateReader, StateWriter, Step, Traffic, WallSlope, lock,
};

use crate::case::Case;
use crate::ending;
use crate::errors::{raised, standing_for};

/// What makes flows of each method, by its name: called with a case it gives an object as `vortice._method.Flow`.
static MAKERS: Mutex<BTreeMap<String, Arc<Py<PyAny>>>> = Mutex::new(BTreeMap::new());

/// Adds a method, or gives one that was added another way to make flows.
#[pyfunction]
pub(crate) fn add_method(
    py: Python<'_>,
    name: String,
    about: String,
    maker: Py<PyAny>,
) -> PyResult<()> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_plain) {
        let problem = format!("`{name}` is no name of a method");
        let error = Error::case("name", problem, "use small letters, digits and dashes");
        return Err(raised(py, &error));
    }
    let known = lock(&MAKERS).contains_key(&name);
    if !known {
        // A registry's entries stay as long as the program.
        let method = Box::leak(Box::new(entry(name.clone().leak(), about.leak())));
        vortice_study::registry::add_another(method).map_err(|error| raised(py, &error))?;
    }
    let before = lock(&MAKERS).insert(name, Arc::new(maker));
    // What Python does when it forgets it may add another method.
    drop(before);
    Ok(())
}

fn entry(name: &'static str, about: &'static str) -> Method {
    Method {
        name,
        about,
        check,
        when_it_diverges: |_| "a shorter step: `dt` of `vortice.method`".into(),
        wall_slope: |case| check(case).map(|_| WallSlope::MIRRORED),
        told_options: |case| check(case).map(|_| String::new()),
        build,
        ..Method::PLAIN
    }
}

/// Refuses what no such method can do, and says what it needs.
fn check(case: &vortice_core::Case) -> Result<Report> {
    let refused = [
        (case.run.device.name_a_gpu(), "run.device", "computes on the processor only"),
        (case.run.precision != Precision::F64, "run.precision", "computes in f64 only"),
    ];
    let method = vortice_study::registry::method(&case.run.method)?.name;
    if let Some((_, key, problem)) = refused.into_iter().find(|(is_so, ..)| *is_so) {
        let remedy = "change this key or take another method";
        return Err(Error::unsupported(method, key, problem, remedy));
    }
    let memory = COST.bytes_per_cell * case.grid.n_cells() as f64;
    let traffic = Traffic { moved: COST.bytes_per_step, reached: 1.0, ..Traffic::default() };
    Ok(Report { memory, traffic, saved: 32.0 * case.grid.n_cells() as f64, ..Report::default() })
}

/// Velocity twice and pressure; what its own arrays need is not known.
const COST: Cost = Cost { bytes_per_cell: 56.0, bytes_per_step: 88.0, bytes_per_iteration: 0.0 };

struct OfPython {
    name: &'static str,
    flow: Py<PyAny>,
    shape: Shape,
    speed: f64,
    before: Vec<f64>,
    now: Step,
    settling: Settling,
}

fn build(case: &vortice_core::Case, context: &Context) -> Result<Box<dyn Solver>> {
    let name = vortice_study::registry::method(&case.run.method)?.name;
    if context.ranks.size() > 1 {
        let remedy = "run on one rank or take another method";
        return Err(Error::unsupported(name, "ranks", "computes on one rank only", remedy));
    }
    let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
    let maker = lock(&MAKERS).get(name).cloned();
    let made = ending::call(|py| -> PyResult<_> {
        let maker = maker.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name))?;
        let begin = initial(case, shape);
        let begin = begin.map(|values| values.into_pyarray(py));
        let [velocity, pressure] = begin;
        maker.call1(py, (Case { case: case.clone() }, velocity, pressure))
    });
    let flow = made.map_err(|exception| stand(name, exception))?;
    let (speed, settling) = (case.scale.velocity, Settling::new(case));
    let now = Step { residual: f64::INFINITY, ..Step::default() };
    let before = Vec::new();
    Ok(Box::new(OfPython { name, flow, shape, speed, before, now, settling }))
}

fn stand(name: &str, exception: PyErr) -> Error {
    ending::call(|py| standing_for(py, name, exception))
}

/// Velocity and pressure at t = 0 at the centres of cells, x fastest.
fn initial(case: &vortice_core::Case, shape: Shape) -> [Vec<f64>; 2] {
    let mut velocity = Field::zeros(Location::Centre, shape, 3);
    let mut pressure = Field::zeros(Location::Centre, shape, 1);
    let solids = case.solids();
    for cell in pressure.own_cells().filter(|&cell| !solids.contains(cell)) {
        let centre: [f64; 3] = std::array::from_fn(|d| case.grid.axes[d].centre(cell[d]));
        let u = case.initial_velocity(centre);
        (0..3).for_each(|c| *velocity.at_mut(c, cell) = u[c]);
        pressure[cell] = case.initial_pressure(centre);
    }
    [velocity.values, pressure.values]
}

impl OfPython {
    /// One of the two flat arrays of the flow, copied.
    fn values(&self, py: Python<'_>, name: &str) -> PyResult<Vec<f64>> {
        let array = self.flow.bind(py).getattr(name)?;
        let array: PyReadonlyArray1<'_, f64> = array.extract()?;
        Ok(array.as_slice()?.to_vec())
    }

    fn ask<T>(&self, ask: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T> {
        let asked = ending::call(|py| ask(py, self.flow.bind(py)));
        asked.map_err(|exception| stand(self.name, exception))
    }

    fn field_of(&self, values: Vec<f64>, components: usize) -> Field {
        Field { location: Location::Centre, shape: self.shape, components, values }
    }
}

impl Solver for OfPython {
    fn now(&self) -> Step {
        self.now
    }

    fn step(&mut self, latest: f64) -> Result<Step> {
        if self.before.is_empty() {
            self.before = self.ask(|py, _| self.values(py, "_velocity"))?;
        }
        let (dt, after): (f64, Vec<f64>) = self.ask(|py, flow| {
            let dt = flow.call_method1("_advance", (self.now.number, self.now.time, latest))?;
            Ok((dt.extract()?, self.values(py, "_velocity")?))
        })?;
        let changes = after.iter().zip(&self.before).map(|(after, before)| (after - before).abs());
        // The largest, and no number once a change is none.
        let largest = changes.fold(0.0, |most: f64, x| if x.is_nan() { x } else { most.max(x) });
        let residual = largest / (dt * self.speed);
        self.before = after;
        let (number, time) = (self.now.number + 1, self.now.time + dt);
        // A step that was cut to end there ends there.
        let time = if (time - latest).abs() <= 1e-9 * dt { latest } else { time };
        let mut step = Step { number, time, dt, residual, ..Step::default() };
        self.settling.follow(&mut step, 8.0 * f64::EPSILON);
        self.now = step;
        Ok(step)
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let (name, components) = match quantity {
            Quantity::Velocity => ("_velocity", 3),
            Quantity::Pressure => ("_pressure", 1),
            _ => return Err(quantity.is_derived(self.name)),
        };
        let values = self.ask(|py, _| self.values(py, name))?;
        Ok(self.field_of(values, components))
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.now.save(state);
        self.settling.save(state);
        let arrays: Vec<(String, Vec<f64>)> = self.ask(|_, flow| {
            let arrays: Vec<(String, Bound<'_, PyAny>)> = flow.call_method0("_save")?.extract()?;
            let each = arrays.into_iter().map(|(name, array)| {
                let array: PyReadonlyArray1<'_, f64> = array.extract()?;
                Ok((name, array.as_slice()?.to_vec()))
            });
            each.collect()
        })?;
        let cells: usize = self.shape.cells.iter().product();
        for (name, values) in arrays {
            let components = values.len() / cells;
            state.whole(&name, &self.field_of(values, components))?;
        }
        Ok(())
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.now = Step::saved(state)?;
        self.settling.restore(state, &mut self.now)?;
        let mut arrays = Vec::new();
        for (name, outline) in state.outlines() {
            let field: Field = state.field(&name, self.shape, outline.components)?;
            arrays.push((name, field.values));
        }
        self.before.clear();
        self.ask(|py, flow| {
            let saved = PyDict::new(py);
            for (name, values) in arrays {
                saved.set_item(name, PyArray1::from_vec(py, values))?;
            }
            flow.call_method1("_restore", (saved,)).map(|_| ())
        })
    }

    fn cost(&self) -> Cost {
        COST
    }
}
