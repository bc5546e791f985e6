//! Saved states, and what is shown of a flow: the same for every engine.

use std::ops::Range;

use vortice_core::{Field, Location, Quantity, Real, Result, Shape, State, Storable, fill_rows};

/// Names of the velocity components in a saved state.
const COMPONENTS: [&str; 3] = ["velocity-x", "velocity-y", "velocity-z"];

/// Names of their rates of change, kept by steps of Adams and Bashforth.
const RATES: [&str; 3] = ["rate-x", "rate-y", "rate-z"];

/// Adds velocity components, the rates of change that are kept, and pressure, with their halos, to a
/// state.
pub(crate) fn save<T: Storable>(
    state: &mut State,
    shape: Shape,
    u: Vec<Vec<T>>,
    rates: Vec<Vec<T>>,
    p: Vec<T>,
) {
    let mut add = |name: &str, location, values| {
        state.insert(name, Field { location, shape, components: 1, values });
    };
    add("pressure", Location::Centre, p);
    for (a, component) in u.into_iter().enumerate() {
        add(COMPONENTS[a], Location::Face(a), component);
    }
    for (a, component) in rates.into_iter().enumerate() {
        add(RATES[a], Location::Face(a), component);
    }
}

/// Whether a state holds rates of change.
pub(crate) fn has_rates(state: &State) -> bool {
    state.fields.contains_key(RATES[0])
}

/// The saved rate of change of component `a` of the velocity; zeros in a state that holds none.
///
/// # Errors
/// As [`saved_velocity`].
pub(crate) fn saved_rate<T: Storable>(state: &State, a: usize, shape: Shape) -> Result<Vec<T>> {
    if has_rates(state) {
        saved(state, RATES[a], shape)
    } else {
        Ok(vec![T::default(); shape.len()])
    }
}

/// The saved component `a` of the velocity, with its halos.
///
/// # Errors
/// If it is missing, or of another number type or shape.
pub(crate) fn saved_velocity<T: Storable>(state: &State, a: usize, shape: Shape) -> Result<Vec<T>> {
    saved(state, COMPONENTS[a], shape)
}

/// The saved pressure, with its halos.
///
/// # Errors
/// As [`saved_velocity`].
pub(crate) fn saved_pressure<T: Storable>(state: &State, shape: Shape) -> Result<Vec<T>> {
    saved(state, "pressure", shape)
}

fn saved<T: Storable>(state: &State, name: &str, shape: Shape) -> Result<Vec<T>> {
    Ok(state.field::<T>(name, shape, 1)?.values.clone())
}

/// Pressure in Pa at the centres of some rows of own cells, from p in m2/s2: all that there is from the first of
/// these cells on.
pub(crate) fn pressure_at_centres<T: Real>(
    shape: Shape,
    rows: Range<usize>,
    density: f64,
    p: &[T],
) -> Field {
    let mut field = at_centres(shape, &rows, Quantity::Pressure);
    fill_rows([&mut field.values], shape.cells[0], |number, [to]| {
        let row = &p[from_first(shape, &rows, number)..];
        to.iter_mut().zip(row).for_each(|(to, p)| *to = density * p.to_f64());
    });
    field
}

/// Velocity at the centres of some rows of own cells, from its components on their faces, in m/s: all that there
/// is from the first of these cells on.
pub(crate) fn velocity_at_centres<T: Real>(shape: Shape, rows: Range<usize>, u: &[&[T]]) -> Field {
    let mut field = at_centres(shape, &rows, Quantity::Velocity);
    for (a, component) in u.iter().enumerate() {
        fill_rows([field.component_mut(a)], shape.cells[0], |number, [to]| {
            let here = from_first(shape, &rows, number);
            let both = component[here..].iter().zip(&component[here + shape.strides()[a]..]);
            for (to, (low, high)) in to.iter_mut().zip(both) {
                *to = 0.5 * (low.to_f64() + high.to_f64());
            }
        });
    }
    field
}

/// Place of the row of this number among `rows`, seen from the first of them.
fn from_first(shape: Shape, rows: &Range<usize>, number: usize) -> usize {
    shape.row(rows.start + number).start - shape.row(rows.start).start
}

fn at_centres(shape: Shape, rows: &Range<usize>, quantity: Quantity) -> Field {
    let shape = Shape { cells: [shape.cells[0], rows.len(), 1], halo: [0; 3] };
    Field::zeros(Location::Centre, shape, quantity.components())
}

/// Largest magnitude of each velocity component at own faces, in m/s.
pub(crate) fn largest_speeds<T: Real>(shape: Shape, u: &[Vec<T>]) -> [f64; 3] {
    let mut found = [0.0; 3];
    for (a, component) in u.iter().enumerate() {
        for k in shape.own(2) {
            for j in shape.own(1) {
                let row = &component[shape.index([0, j, k])..][..shape.cells[0]];
                let most = row.iter().fold(T::default(), |most, &x| most.max_magnitude(x));
                found[a] = found[a].max_magnitude(most.to_f64());
            }
        }
    }
    found
}
