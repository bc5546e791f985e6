//! Saved states, and what is shown of a flow: the same for every engine.

use std::ops::Range;

use rayon::prelude::*;
use vortice_core::{
    Field, FieldLater, Location, Quantity, Real, Result, Shape, StateReader, StateWriter, Storable,
    fill_rows,
};
use vortice_gpu::Sent;

/// Names of the velocity components in a saved state.
pub(crate) const COMPONENTS: [&str; 3] = ["velocity-x", "velocity-y", "velocity-z"];

/// Names of their rates of change, kept by steps of Adams and Bashforth.
const RATES: [&str; 3] = ["rate-x", "rate-y", "rate-z"];

/// A part of the flow that a state holds, with its halos.
#[derive(Clone, Copy)]
pub(crate) enum Saved {
    Pressure,
    /// Component of the velocity.
    Velocity(usize),
    /// Its kept rate of change.
    Rate(usize),
}

/// Adds pressure, velocity components and the rates of change that are kept to a state, each read when it is its turn.
pub(crate) fn save<T: Storable>(
    state: &mut dyn StateWriter,
    shape: Shape,
    [directions, rates]: [usize; 2],
    mut read: impl FnMut(Saved) -> Result<Vec<T>>,
) -> Result<()> {
    let mut add = |name: &str, location, of: Saved| {
        state.components(name, (location, shape, 1), |_| read(of))
    };
    add("pressure", Location::Centre, Saved::Pressure)?;
    for a in 0..directions {
        add(COMPONENTS[a], Location::Face(a), Saved::Velocity(a))?;
    }
    (0..rates).try_for_each(|a| add(RATES[a], Location::Face(a), Saved::Rate(a)))
}

/// Whether a state holds rates of change.
pub(crate) fn has_rates(state: &dyn StateReader) -> bool {
    state.has(RATES[0])
}

/// A part of the flow from a state; of rates of change zeros if it holds none.
///
/// # Errors
/// If it is missing, or of another number type or shape.
pub(crate) fn saved<T: Storable>(
    state: &dyn StateReader,
    of: Saved,
    shape: Shape,
) -> Result<Vec<T>> {
    match of {
        Saved::Pressure => state.scalar("pressure", shape),
        Saved::Velocity(a) => state.scalar(COMPONENTS[a], shape),
        Saved::Rate(a) if has_rates(state) => state.scalar(RATES[a], shape),
        Saved::Rate(_) => Ok(vec![T::default(); shape.len()]),
    }
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

/// A scalar at the centres of some rows of own cells, from its values relative to a reference: all that there is from
/// the first of these cells on.
pub(crate) fn scalar_at_centres<T: Real>(
    shape: Shape,
    rows: Range<usize>,
    reference: f64,
    theta: &[T],
) -> Field {
    let mut field = at_centres(shape, &rows, Quantity::Temperature);
    fill_rows([&mut field.values], shape.cells[0], |number, [to]| {
        let row = &theta[from_first(shape, &rows, number)..];
        to.iter_mut().zip(row).for_each(|(to, theta)| *to = reference + theta.to_f64());
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

/// The same of components that a device has sent.
pub(crate) fn velocity_of<T: Storable>(
    sent: Sent<T>,
    shape: Shape,
    rows: Range<usize>,
) -> FieldLater {
    FieldLater::new(move || {
        let u = sent.receive()?;
        let u: Vec<&[T]> = u.iter().map(Vec::as_slice).collect();
        Ok(velocity_at_centres(shape, rows, &u))
    })
}

/// Place of the row of this number among `rows`, seen from the first of them.
fn from_first(shape: Shape, rows: &Range<usize>, number: usize) -> usize {
    shape.row(rows.start + number).start - shape.row(rows.start).start
}

fn at_centres(shape: Shape, rows: &Range<usize>, quantity: Quantity) -> Field {
    let shape = Shape { cells: [shape.cells[0], rows.len(), 1], halo: [0; 3] };
    Field::zeros(Location::Centre, shape, quantity.components())
}

/// Rows that a thread looks at, at least.
const ROWS: usize = 64;

/// Largest magnitude of each velocity component at own faces, in m/s; the threads of the pool that this is called in share
/// the rows.
pub(crate) fn largest_speeds<T: Real>(shape: Shape, u: &[Vec<T>]) -> [f64; 3] {
    let [n_x, n_y, n_z] = shape.cells;
    let mut found = [0.0; 3];
    for (found, component) in found.iter_mut().zip(u) {
        let of_row = |row: usize| {
            let [j, k] = [row % n_y, row / n_y].map(|i| i as isize);
            let row = &component[shape.index([0, j, k])..][..n_x];
            row.iter().fold(T::default(), |most, &x| most.max_magnitude(x)).to_f64()
        };
        let rows = (0..n_y * n_z).into_par_iter().with_min_len(ROWS);
        *found = rows.map(of_row).reduce(|| 0.0, f64::max_magnitude);
    }
    found
}
