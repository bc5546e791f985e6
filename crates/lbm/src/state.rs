//! Saved states: the same for every device, decomposition and scheme of streaming. What belongs to
//! the lattice's cells in one cell of the case lies there as components.

use std::ops::Range;

use vortice_core::{
    Location, Quantity, Result, Scalar, Shape, StateReader, StateWriter, Storable, fill_rows,
};

use crate::settings::Settings;

/// Populations less their weights, as they arrive before the next step.
pub(crate) const POPULATIONS: &str = "populations";
/// What outlets remember of cells before them: [`crate::initial::memory`].
pub(crate) const OUTLETS: &str = "outlet-memory";
/// Velocity at the last look, in cells per step.
const WATCHED: &str = "watched-velocity";

/// Populations of heat or another scalar, as they arrive before the next step.
pub(crate) fn populations_of(scalar: &Scalar) -> String {
    match scalar.quantity {
        Quantity::Temperature => "heat-populations".into(),
        _ => scalar.name_in_state() + "-populations",
    }
}

/// Its values at the last look, above the reference in units of the case's difference.
pub(crate) fn watched_of(scalar: &Scalar) -> String {
    format!("watched-{}", scalar.name_in_state())
}

fn shape(cells: [usize; 3], settings: &Settings) -> Shape {
    let cells = std::array::from_fn(|d| cells[d] / settings.refinement[d]);
    Shape { cells, halo: [0; 3] }
}

/// The cells of the lattice that are the same part of each cell of the case.
pub(crate) struct Part {
    cells: [usize; 3],
    cuts: [usize; 3],
    /// Which part, per direction.
    at: [usize; 3],
}

impl Part {
    /// A value of each, in the order of cells of the case.
    pub(crate) fn values<T: Storable>(&self, find: impl Fn([isize; 3]) -> T + Sync) -> Vec<T> {
        self.values_of(0..self.cells[2], find)
    }

    /// The same of some layers of the case.
    pub(crate) fn values_of<T: Storable>(
        &self,
        layers: Range<usize>,
        find: impl Fn([isize; 3]) -> T + Sync,
    ) -> Vec<T> {
        let ([n, n_j, _], cuts) = (self.cells, self.cuts);
        let mut values = vec![T::default(); n * n_j * layers.len()];
        fill_rows([&mut values], n, |row, [to]| {
            for (i, to) in to.iter_mut().enumerate() {
                let cell = [i, row % n_j, layers.start + row / n_j];
                *to = find(std::array::from_fn(|d| (cell[d] * cuts[d] + self.at[d]) as isize));
            }
        });
        values
    }

    /// Layers of the case, so many of the lattice together at most, and where these lie.
    pub(crate) fn pieces(&self, planes: usize) -> impl Iterator<Item = [Range<usize>; 2]> + use<> {
        let (n, cuts, at) = (self.cells[2], self.cuts[2], self.at[2]);
        let together = (planes / cuts).clamp(1, n);
        (0..n).step_by(together).map(move |first| {
            let end = (first + together).min(n);
            [first..end, first * cuts + at..(end - 1) * cuts + at + 1]
        })
    }
}

/// Adds `count` values of each cell of the lattice; `component` makes those of a number and a part.
pub(crate) fn save<T: Storable>(
    state: &mut dyn StateWriter,
    name: &str,
    (count, cells): (usize, [usize; 3]),
    settings: &Settings,
    component: &mut dyn FnMut(usize, &Part) -> Result<Vec<T>>,
) -> Result<()> {
    let (shape, cuts) = (shape(cells, settings), settings.refinement);
    let parts: usize = cuts.iter().product();
    state.components(name, (Location::Centre, shape, count * parts), |c| {
        let (number, part) = (c / parts, c % parts);
        let at = [part % cuts[0], part / cuts[0] % cuts[1], part / (cuts[0] * cuts[1])];
        component(number, &Part { cells: shape.cells, cuts, at })
    })
}

/// Where values of a cell of the lattice lie: the cell of the case, and which part of it.
fn part_of(fine: [isize; 3], cuts: [usize; 3]) -> ([isize; 3], [usize; 3]) {
    let part = std::array::from_fn(|d| fine[d] as usize % cuts[d]);
    (std::array::from_fn(|d| fine[d] / cuts[d] as isize), part)
}

/// Adds `count` values of some own cells, zero elsewhere: the value of a number of a cell, by its place among them.
pub(crate) fn save_some<T: Storable, I: Iterator<Item = [isize; 3]>>(
    state: &mut dyn StateWriter,
    name: &str,
    (count, cells): (usize, [usize; 3]),
    settings: &Settings,
    some: impl Fn() -> I,
    value: impl Fn(usize, usize) -> T,
) -> Result<()> {
    let shape = shape(cells, settings);
    save(state, name, (count, cells), settings, &mut |number, part| {
        let mut values = vec![T::default(); shape.len()];
        for (place, fine) in some().enumerate() {
            let (cell, of) = part_of(fine, part.cuts);
            if of == part.at {
                values[shape.index(cell)] = value(place, number);
            }
        }
        Ok(values)
    })
}

/// Saved values of a number of cells of the lattice, by cell, of a field with `count` numbers.
///
/// # Errors
/// If they are missing, or of another number type or shape.
pub(crate) fn saved<T: Storable>(
    state: &dyn StateReader,
    name: &str,
    (count, cells): (usize, [usize; 3]),
    settings: &Settings,
    number: usize,
) -> Result<impl Fn([isize; 3]) -> T + use<T>> {
    let (shape, cuts) = (shape(cells, settings), settings.refinement);
    let parts: usize = cuts.iter().product();
    state.expect::<T>(name, shape, count * parts)?;
    let components = number * parts..(number + 1) * parts;
    let found: Vec<Vec<T>> = components.map(|c| state.values(name, c)).collect::<Result<_>>()?;
    Ok(move |fine: [isize; 3]| {
        let (cell, [x, y, z]) = part_of(fine, cuts);
        found[x + cuts[0] * (y + cuts[1] * z)][shape.index(cell)]
    })
}

/// All numbers of some cells, first the numbers 0 of all.
///
/// # Errors
/// As [`saved`].
pub(crate) fn saved_some<T: Storable, I: Iterator<Item = [isize; 3]>>(
    state: &dyn StateReader,
    name: &str,
    (count, cells): (usize, [usize; 3]),
    settings: &Settings,
    some: impl Fn() -> I,
) -> Result<Vec<T>> {
    let mut values = Vec::new();
    for number in 0..count {
        let find = saved::<T>(state, name, (count, cells), settings, number)?;
        values.extend(some().map(find));
    }
    Ok(values)
}

/// Adds the velocities of cells that were looked at.
pub(crate) fn save_seen<T: Storable, I: Iterator<Item = [isize; 3]>>(
    state: &mut dyn StateWriter,
    cells: [usize; 3],
    settings: &Settings,
    watched: impl Fn() -> I,
    seen: &[[T; 3]],
) -> Result<()> {
    save_some(state, WATCHED, (3, cells), settings, watched, |place, d| seen[place][d])
}

/// Saved velocities of cells that were looked at.
///
/// # Errors
/// As [`saved`].
pub(crate) fn saved_seen<T: Storable>(
    state: &dyn StateReader,
    cells: [usize; 3],
    settings: &Settings,
    watched: impl Iterator<Item = [isize; 3]>,
) -> Result<Vec<[T; 3]>> {
    let mut seen: Vec<_> = watched.map(|cell| (cell, [T::default(); 3])).collect();
    for d in 0..3 {
        let find = saved(state, WATCHED, (3, cells), settings, d)?;
        seen.iter_mut().for_each(|(cell, u)| u[d] = find(*cell));
    }
    Ok(seen.into_iter().map(|(_, u)| u).collect())
}
