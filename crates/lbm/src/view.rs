//! Populations seen cell by cell, whatever their places: for pictures, checkpoints and outlets.

use vortice_core::{Field, Location, Quantity, Real, Result, Shape, State};

use crate::collide::{Equilibrium, Rates, moments};
use crate::lattice::{Lattice, each_pair, opposite};
use crate::layout::Layout;
use crate::links::{Answer, Outlet};
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::state;

/// The populations before a step of a parity.
pub(crate) struct View<'a, P> {
    pub(crate) layout: &'a Layout,
    pub(crate) parity: usize,
    pub(crate) values: &'a [P],
}

impl<P: Copy> View<'_, P> {
    /// The populations that arrive in an own cell.
    pub(crate) fn arrived<const Q: usize, T: Packed>(&self, cell: [isize; 3]) -> [T; Q]
    where
        P: Population<T>,
    {
        let place = |q| self.layout.arriving::<Q>(self.parity, cell, q);
        match self.layout.inside::<Q>(cell) {
            Some(here) => std::array::from_fn(|q| {
                self.values[self.layout.arriving_inside::<Q>(self.parity, here, q)].widened()
            }),
            None => std::array::from_fn(|q| self.values[place(q)].widened()),
        }
    }
}

/// Density less one and velocity of a cell, in lattice units.
pub(crate) fn flow<const Q: usize, T: Packed>(h: &[T; Q], rates: &Rates<T>) -> (T, [T; 3]) {
    let found = moments(h, rates);
    (found.density_deviation, found.u)
}

/// Velocity in m/s or pressure in Pa in the case's own cells, from `find`, which tells density less
/// one and velocity of a cell of the lattice in lattice units, or nothing if it is solid.
///
/// # Errors
/// Those of `find`.
pub(crate) fn field<T: Real>(
    settings: &Settings,
    own: [usize; 3],
    quantity: Quantity,
    mut find: impl FnMut([isize; 3]) -> Result<Option<(T, [T; 3])>>,
) -> Result<Field> {
    let cuts = settings.refinement;
    let cells = std::array::from_fn(|d| own[d] / cuts[d]);
    let mut field =
        Field::zeros(Location::Centre, Shape { cells, halo: [0; 3] }, quantity.components());
    let share = 1.0 / cuts.iter().product::<usize>() as f64;
    for cell in field.own_cells() {
        for fine in state::inside(cell, cuts) {
            let Some((density_deviation, u)) = find(fine)? else { continue };
            match quantity {
                Quantity::Pressure => {
                    let pressure =
                        settings.pressure + settings.pressure_unit() * density_deviation.to_f64();
                    *field.at_mut(0, cell) += share * pressure;
                }
                _ => {
                    for d in 0..3 {
                        *field.at_mut(d, cell) += share * u[d].to_f64() * settings.velocity_unit();
                    }
                }
            }
        }
    }
    Ok(field)
}

/// The populations of a cell that is at equilibrium but for nothing, with half of the force still to
/// come.
pub(crate) fn at_equilibrium<const Q: usize, T: Packed>(
    density_deviation: T,
    u: [T; 3],
    rates: &Rates<T>,
) -> [T; Q] {
    let half = T::from_f64(0.5);
    let momentum: [T; 3] = std::array::from_fn(|d| u[d] - half * rates.force[d]);
    let equilibrium = Equilibrium::new(density_deviation, u);
    let mut g = [equilibrium.rest::<Q, T>(); Q];
    each_pair::<Q>(|p| {
        let (even, odd) = (equilibrium.even::<Q, T>(p), Equilibrium::odd::<Q, T>(p, momentum));
        g[2 * p + 1] = even + odd;
        g[2 * p + 2] = even - odd;
    });
    g
}

/// What comes back from an outlet; eqs. (L15) and (L16). `left` are all populations that leave the
/// cell; `memory` is the velocity that the outlet is used to; `like` tells what leaves a cell as the
/// answer of this number comes back. Returns the populations that come back instead of those that met
/// the outlet, in the order of the answers, through `back`.
pub(crate) fn from_outlet<const Q: usize, T: Packed>(
    left: &[T; Q],
    rates: &Rates<T>,
    forget: T,
    outlet: &Outlet,
    memory: &mut T,
    like: impl Fn(usize) -> T,
    mut back: impl FnMut(usize, T),
) {
    let (direction, outward) = (outlet.direction, T::from_f64(f64::from(outlet.outward)));
    let after = moments(left, rates);
    // The collision has added the whole force, of which half belongs to this moment.
    let half = T::from_f64(0.5);
    let mut u = after.u;
    if rates.is_forced != 0 {
        for d in 0..3 {
            u[d] = after.momentum[d] - half * rates.force[d];
        }
    }
    let speed = outward * u[direction];
    let density_deviation = T::from_f64(3.0_f64.sqrt()) * (speed - *memory);
    *memory = *memory + forget * (speed - *memory);
    let equilibrium = Equilibrium::new(density_deviation, u);
    let mut answers = *left;
    each_pair::<Q>(|p| {
        let even = equilibrium.even::<Q, T>(p);
        for q in [2 * p + 1, 2 * p + 2] {
            answers[q] = (even + even) - left[q];
        }
    });
    for (number, &Answer { q, straight, .. }) in outlet.answers.iter().enumerate() {
        if q == straight {
            back(q, answers[q]);
        } else {
            let share = T::from_f64(Lattice::<Q>::W[q] / Lattice::<Q>::W[1]);
            let change = answers[straight] - left[opposite(straight)];
            back(q, like(number) + share * change);
        }
    }
}

/// Saves populations as they arrive, zero in solid cells.
pub(crate) fn save<const Q: usize, T: Packed, P: Population<T>>(
    view: &View<'_, P>,
    settings: &Settings,
    flows: impl Fn([isize; 3]) -> bool,
    state: &mut State,
) {
    let find = |cell| if flows(cell) { view.arrived::<Q, T>(cell) } else { [T::default(); Q] };
    state::insert(state, state::POPULATIONS, Q, view.layout.shape.cells, settings, find);
}

/// The populations of all slots from saved ones, for a step of parity 0.
///
/// # Errors
/// If they are missing, or of another number type or shape.
pub(crate) fn restored<const Q: usize, T: Packed, P: Population<T>>(
    layout: &Layout,
    settings: &Settings,
    state: &State,
) -> Result<Vec<P>> {
    let find = state::found::<T>(state, state::POPULATIONS, Q, layout.shape.cells, settings)?;
    let mut values = vec![P::zeroed(); layout.len(Q)];
    for cell in layout.own_cells() {
        for q in 0..Q {
            values[layout.arriving::<Q>(0, cell, q)] = P::narrowed(find(cell, q));
        }
    }
    Ok(values)
}
