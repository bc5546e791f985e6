//! Saved states: the same for every device, decomposition and scheme of streaming. What belongs to
//! the lattice's cells in one cell of the case lies there as components.

use vortice_core::{Field, Location, Result, Shape, State, Storable, fill_rows};

use crate::settings::Settings;

/// Populations less their weights, as they arrive before the next step.
pub(crate) const POPULATIONS: &str = "populations";
/// Velocity across the outlet that cells before it are used to, in cells per step.
pub(crate) const OUTLETS: &str = "outlet-memory";
/// Velocity at the last look, in cells per step.
pub(crate) const WATCHED: &str = "watched-velocity";

/// The cells of the lattice in a cell of the case, x fastest.
pub(crate) fn inside(
    cell: [isize; 3],
    cuts: [usize; 3],
) -> impl Iterator<Item = [isize; 3]> + use<> {
    let [x, y, z] = cuts.map(|n| n as isize);
    let at = |d: usize| cell[d] * cuts[d] as isize;
    let [i, j, k] = [at(0), at(1), at(2)];
    (k..k + z).flat_map(move |k| (j..j + y).flat_map(move |j| (i..i + x).map(move |i| [i, j, k])))
}

fn shape(cells: [usize; 3], settings: &Settings) -> Shape {
    let cells = std::array::from_fn(|d| cells[d] / settings.refinement[d]);
    Shape { cells, halo: [0; 3] }
}

/// Room for values of cells of the lattice, `count` each.
pub(crate) fn room<T: Storable>(count: usize, cells: [usize; 3], settings: &Settings) -> Field<T> {
    let parts: usize = settings.refinement.iter().product();
    Field::zeros(Location::Centre, shape(cells, settings), count * parts)
}

/// Fills in the value number `c` of all cells of the lattice.
pub(crate) fn fill<T: Storable>(
    field: &mut Field<T>,
    c: usize,
    settings: &Settings,
    find: impl Fn([isize; 3]) -> T + Sync,
) {
    let cuts = settings.refinement;
    let parts: usize = cuts.iter().product();
    let (length, [n, n_j, n_k]) = (field.shape.len(), field.shape.cells);
    let values = &mut field.values[c * parts * length..(c + 1) * parts * length];
    fill_rows([values], n, |number, [to]| {
        let (row, part) = (number % (n_j * n_k), number / (n_j * n_k));
        let part = [part % cuts[0], part / cuts[0] % cuts[1], part / (cuts[0] * cuts[1])];
        for (i, to) in to.iter_mut().enumerate() {
            let cell = [i, row % n_j, row / n_j];
            *to = find(std::array::from_fn(|d| (cell[d] * cuts[d] + part[d]) as isize));
        }
    });
}

/// Where values of a cell of the lattice lie: the cell of the case, and the part of it, x fastest.
fn part_of(fine: [isize; 3], cuts: [usize; 3]) -> ([isize; 3], usize) {
    let [x, y, z]: [usize; 3] = std::array::from_fn(|d| fine[d] as usize % cuts[d]);
    (std::array::from_fn(|d| fine[d] / cuts[d] as isize), x + cuts[0] * (y + cuts[1] * z))
}

/// Adds values of some own cells, zero elsewhere.
pub(crate) fn insert_some<T: Storable, const N: usize>(
    state: &mut State,
    name: &str,
    cells: [usize; 3],
    settings: &Settings,
    some: impl Iterator<Item = [isize; 3]>,
    value: impl Fn(usize) -> [T; N],
) {
    let cuts = settings.refinement;
    let parts: usize = cuts.iter().product();
    let mut field = Field::<T>::zeros(Location::Centre, shape(cells, settings), N * parts);
    for (number, fine) in some.enumerate() {
        let (cell, part) = part_of(fine, cuts);
        for (c, value) in value(number).into_iter().enumerate() {
            *field.at_mut(c * parts + part, cell) = value;
        }
    }
    state.insert(name, field);
}

/// Saved values of cells of the lattice, by cell and component.
///
/// # Errors
/// If they are missing, or of another number type or shape.
pub(crate) fn found<'a, T: Storable>(
    state: &'a State,
    name: &str,
    count: usize,
    cells: [usize; 3],
    settings: &Settings,
) -> Result<impl Fn([isize; 3], usize) -> T + use<'a, T>> {
    let cuts = settings.refinement;
    let parts: usize = cuts.iter().product();
    let field: &'a Field<T> = state.field(name, shape(cells, settings), count * parts)?;
    Ok(move |fine: [isize; 3], c: usize| {
        let (cell, part) = part_of(fine, cuts);
        field.at(c * parts + part, cell)
    })
}
