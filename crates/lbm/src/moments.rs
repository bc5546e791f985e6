//! Moments stored instead of populations: ten numbers of a cell, from which a regularised collision makes all that leave it;
//! eqs. (L20) to (L22). Nothing but these is ever stored of a population.

pub(crate) mod collide;
pub(crate) mod cpu;
pub(crate) mod places;
mod sweep;
#[cfg(test)]
mod tests;
pub(crate) mod walls;

use std::ops::Range;

use vortice_core::{
    Boundary, Case, Condition, Error, ForceTimes, Result, Side, StateReader, StateWriter,
    face_name, fill_rows, share,
};

use crate::initial;
use crate::number::Packed;
use crate::options::NAME;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state;
use crate::view::ROWS;

use collide::moments_of;
pub(crate) use collide::{NUMBERS, VELOCITIES};
use places::{LANES, Places, in_row};

/// Name of all of them in a saved state.
const SAVED: &str = "moments";

/// The case's flow at t = 0, at equilibrium, before a step of parity 0.
pub(crate) enum Start<P> {
    /// The same everywhere: all that is stored of a plane; nothing if that is zero.
    Same(Option<Vec<P>>),
    /// All that is stored.
    Each(Slots<P>),
}

impl<P: bytemuck::Pod + Send + Sync> Start<P> {
    /// That of a part of the lattice whose first own cell has this global index.
    pub(crate) fn new<T: Packed>(settings: &Settings, places: &Places, offset: [usize; 3]) -> Self
    where
        P: Population<T>,
    {
        let rates = settings.rates.rounded::<T>();
        let moments = |h: [P; VELOCITIES]| -> [T; NUMBERS] { moments_of(&h.map(P::widened)) };
        if let Some(same) = initial::everywhere(settings, &rates).map(moments) {
            let is_zero = same == [T::default(); NUMBERS];
            return Self::Same((!is_zero).then(|| places.filled_plane(same.map(P::narrowed))));
        }
        let values = Slots::new(vec![P::zeroed(); places.len()]);
        let [n, n_j, n_k] = places.cells;
        share(n_j * n_k, ROWS, &|row| {
            for i in 0..n {
                let cell = [i, row % n_j, row / n_j].map(|at| at as isize);
                let global = std::array::from_fn(|d| cell[d] + offset[d] as isize);
                let place = places.cell(0, cell);
                let of_cell = moments(initial::populations(settings, &rates, global));
                for (n, x) in of_cell.into_iter().enumerate() {
                    values.leave(place + n * LANES, 1)[0] = P::narrowed(x);
                }
            }
        });
        Self::Each(values)
    }
}

/// Bytes that are fetched from a device together, at most.
pub(crate) const PIECE: usize = 8 << 30;

/// What is stored, a piece of it at a time: on a device there may be more of it than the processor has memory.
pub(crate) trait Stored<P> {
    /// Planes of a piece, at most.
    fn planes(&self) -> usize;
    /// These places.
    fn piece(&mut self, places: Range<usize>) -> Result<&mut [P]>;
}

/// Adds the moments before a step of this parity to a state.
pub(crate) fn save<T: Packed, P: Population<T>>(
    state: &mut dyn StateWriter,
    settings: &Settings,
    (places, parity): (&Places, usize),
    stored: &mut dyn Stored<P>,
) -> Result<()> {
    state::save(state, SAVED, (NUMBERS, places.cells), settings, &mut |n, part| {
        let mut values = Vec::new();
        for [layers, planes] in part.pieces(stored.planes()) {
            let these = places.planes(parity, &planes);
            let (first, piece) = (these.start, &*stored.piece(these)?);
            let place = |cell| places.cell(parity, cell) + n * LANES - first;
            values.extend(part.values_of(layers, |cell| piece[place(cell)].widened()));
        }
        Ok(values)
    })
}

/// The reverse of `save`, for a step of parity 0.
pub(crate) fn restore<T: Packed, P: Population<T>>(
    state: &dyn StateReader,
    settings: &Settings,
    places: &Places,
    stored: &mut dyn Stored<P>,
) -> Result<()> {
    let [n_i, n_j, n_k] = places.cells;
    let rows = places.plane / places.row;
    for n in 0..NUMBERS {
        let find = state::saved::<T>(state, SAVED, (NUMBERS, places.cells), settings, n)?;
        let together = stored.planes().clamp(1, n_k);
        for first in (0..n_k).step_by(together) {
            let planes = first..(first + together).min(n_k);
            let piece = stored.piece(places.planes(0, &planes))?;
            fill_rows([piece], places.row, |row, [values]| {
                let (j, k) = ((row % rows).wrapping_sub(places.halo[1]), first + row / rows);
                for i in (0..n_i).filter(|_| j < n_j) {
                    let cell = [i, j, k].map(|at| at as isize);
                    values[in_row(i) + n * LANES] = P::narrowed(find(cell));
                }
            });
        }
    }
    Ok(())
}

/// That forces are not told.
pub(crate) fn no_forces() -> Error {
    let problem = "is not told where moments are stored: populations that met a wall are gone";
    Error::case("output.forces", problem, "leave it out, or set lbm.storage = \"precision\"")
}

/// Refuses a case with what is not done where moments are stored.
///
/// # Errors
/// If there is any.
pub(crate) fn expect_done(case: &Case) -> Result<()> {
    let face = |(d, side, face): (usize, Side, &Boundary)| {
        let condition = face.condition()?;
        let what = match condition {
            Condition::Mirror => "a symmetry face",
            _ if face.is_outflow() => "an outflow",
            _ => return None,
        };
        Some(format!("{what} at boundary.{}", face_name(d, side)))
    };
    let faces = || case.boundaries.iter().find_map(face);
    let body = || case.bodies.first().map(|body| format!("body.{}", body.name));
    let solid = || (!case.solid.is_empty()).then(|| "a solid box".to_string());
    let carried = || case.carried().next().map(|scalar| scalar.key().to_string());
    let forces =
        || matches!(case.output.forces, ForceTimes::Every(_)).then(|| "output.forces".to_string());
    let found = faces().or_else(body).or_else(solid).or_else(carried).or_else(forces);
    let Some(what) = found else { return Ok(()) };
    let problem =
        format!("stores moments of flows between walls and periodic faces, not with {what}");
    let remedy = "set lbm.storage = \"precision\" for it".to_string();
    Err(Error::Unsupported { method: NAME, key: "lbm.storage".into(), problem, remedy })
}

/// How many times the moments of all cells there is room for on one rank.
pub(crate) fn room(cells: [usize; 3]) -> f64 {
    1.0 + places::planes_ahead(cells) as f64 / cells[2] as f64
}

/// Components of a saved state, of so many bytes, that are fetched from a device with the one that is saved.
pub(crate) fn fetched(component: f64) -> f64 {
    (PIECE as f64 / component).min(NUMBERS as f64)
}
