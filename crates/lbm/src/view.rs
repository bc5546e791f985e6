//! Populations seen cell by cell, whatever their places: for pictures, checkpoints and outlets.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;
use vortice_core::{Field, Location, Quantity, Real, RowBlock, Scalar, Shape, fill_rows, share};

use crate::collide::rates::Force;
use crate::collide::{Equilibrium, moments};
use crate::lattice::{Lattice, each_pair, opposite};
use crate::layout::Layout;
use crate::links::{Answer, Outlet};
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state::Part;

/// Rows that a thread sets at least.
pub(crate) const ROWS: usize = 16;

/// Numbers that a thread converts at least.
const TOGETHER: usize = 1 << 14;

/// The populations before a step of a parity.
pub(crate) struct View<'a, const Q: usize, P> {
    layout: &'a Layout,
    parity: usize,
    /// Of all slots, or of some.
    values: &'a [P],
    /// The first of these slots.
    first: usize,
    /// How far behind its own place within a slot a cell inside finds each population among the values.
    behind: [isize; Q],
}

impl<'a, const Q: usize, P: Copy> View<'a, Q, P> {
    /// The populations in slots from `first` on.
    pub(crate) fn new(layout: &'a Layout, parity: usize, values: &'a [P], first: usize) -> Self {
        let begin = first * layout.slot;
        let behind = |q| layout.arriving_inside::<Q>(parity, 0, q).wrapping_sub(begin) as isize;
        Self { layout, parity, values, first, behind: std::array::from_fn(behind) }
    }

    /// The populations that arrive in an own cell.
    pub(crate) fn arrived<T: Packed>(&self, cell: [isize; 3]) -> [T; Q]
    where
        P: Population<T>,
    {
        let inside = self.layout.inside::<Q>(cell);
        std::array::from_fn(|q| self.one_arrived::<T>(cell, inside, q))
    }

    /// One of them; `inside` is what the layout tells of the cell.
    #[inline(always)]
    fn one_arrived<T: Packed>(&self, cell: [isize; 3], inside: Option<usize>, q: usize) -> T
    where
        P: Population<T>,
    {
        let place = match inside {
            Some(here) => here.wrapping_add_signed(self.behind[q]),
            None => self.layout.arriving::<Q>(self.parity, cell, q) - self.first * self.layout.slot,
        };
        self.values[place].widened()
    }
}

/// Density less one and velocity of a cell, in lattice units.
pub(crate) fn flow<const Q: usize, T: Packed>(h: &[T; Q], force: Force<T>) -> (T, [T; 3]) {
    let found = moments::<Q, T, T>(h, force);
    (found.density_deviation, found.u)
}

/// Some rows of the case's own cells, of which the lattice has `own`, and some of these.
pub(crate) struct Shown {
    pub(crate) own: [usize; 3],
    pub(crate) rows: RowBlock,
}

/// Room for velocity and pressure in these rows.
pub(crate) fn room(settings: &Settings, shown: &Shown) -> [Field; 2] {
    [Quantity::Velocity, Quantity::Pressure].map(|quantity| room_for(quantity, settings, shown))
}

fn room_for(quantity: Quantity, settings: &Settings, Shown { own, rows }: &Shown) -> Field {
    let shape = Shape { cells: [own[0] / settings.refinement[0], rows.count(), 1], halo: [0; 3] };
    Field::zeros(Location::Centre, shape, quantity.components())
}

/// The flow in the own cells of a row of the lattice.
pub(crate) struct RowFlow<'a, T: Clone> {
    /// Density less one and the components of the velocity, in lattice units.
    pub(crate) values: [Cow<'a, [T]>; 4],
    /// One for solid cells, zero for others; empty if none is solid.
    pub(crate) solid: Cow<'a, [u8]>,
}

impl<'a, T: Real> RowFlow<'a, T> {
    /// From what [`flow`] finds in each of so many cells.
    pub(crate) fn of_cells(
        n: usize,
        solid: impl Into<Cow<'a, [u8]>>,
        flow: impl Fn(isize) -> (T, [T; 3]),
    ) -> Self {
        let mut values = [(); 4].map(|()| vec![T::default(); n]);
        for i in 0..n {
            let (density_deviation, [x, y, z]) = flow(i as isize);
            for (to, value) in values.iter_mut().zip([density_deviation, x, y, z]) {
                to[i] = value;
            }
        }
        Self { values: values.map(Cow::Owned), solid: solid.into() }
    }

    /// Whether a cell is not solid.
    pub(crate) fn flows(&self, i: usize) -> bool {
        self.solid.get(i) != Some(&1)
    }

    /// Density less one and velocity of a cell.
    pub(crate) fn at(&self, i: usize) -> (T, [T; 3]) {
        let [density_deviation, x, y, z] = &self.values;
        (density_deviation[i], [x[i], y[i], z[i]])
    }

    /// Adds one of the numbers to each cell of the case, of which the lattice has so many along the row.
    fn add(&self, number: usize, cuts: usize, to: &mut [f64], value: impl Fn(f64) -> f64) {
        let from = &self.values[number];
        if cuts == 1 && !self.solid.contains(&1) {
            to.iter_mut().zip(&**from).for_each(|(to, x)| *to += value(x.to_f64()));
            return;
        }
        for (i, to) in to.iter_mut().enumerate() {
            for i in (i * cuts..(i + 1) * cuts).filter(|&i| self.flows(i)) {
                *to += value(from[i].to_f64());
            }
        }
    }
}

/// Velocity in m/s and pressure in Pa in these rows; see [`show`].
pub(crate) fn fields<'a, T: Real>(
    settings: &Settings,
    shown: &Shown,
    flow: impl Fn([usize; 2]) -> RowFlow<'a, T> + Sync,
) -> [Field; 2] {
    let mut fields = room(settings, shown);
    show(&mut fields, shown, 0..shown.rows.count(), settings, flow);
    fields
}

/// The same where each cell of the case is one of the lattice and none is solid, of values of all of these cells: density
/// less one, and the components of the velocity one after the other. They have the bits of [`fields`].
pub(crate) fn fields_of_values<T: Real>(
    settings: &Settings,
    shown: &Shown,
    density_deviation: &[T],
    velocity: &[T],
) -> [Field; 2] {
    let [unit, pressure_unit] = [settings.velocity_unit(), settings.pressure_unit()];
    let shape = Shape { cells: [shown.own[0], shown.rows.count(), 1], halo: [0; 3] };
    let field = |quantity: Quantity, values: Vec<f64>| Field {
        values,
        ..Field::zeros(Location::Centre, Shape { cells: [0; 3], ..shape }, quantity.components())
    };
    // No negative zero comes out of a sum with zero.
    let velocity = converted(velocity, |u| 0.0 + u * unit);
    let pressure = converted(density_deviation, |x| 0.0 + (settings.pressure + pressure_unit * x));
    let fields = [field(Quantity::Velocity, velocity), field(Quantity::Pressure, pressure)];
    fields.map(|field| Field { shape, ..field })
}

/// Numbers made of others; threads share many.
fn converted<T: Real>(from: &[T], make: impl Fn(f64) -> f64 + Sync + Send) -> Vec<f64> {
    if from.len() < 8 * TOGETHER {
        return from.iter().map(|x| make(x.to_f64())).collect();
    }
    let mut to = Vec::new();
    let all = from.par_iter().with_min_len(TOGETHER);
    all.map(|x| make(x.to_f64())).collect_into_vec(&mut to);
    to
}

/// Velocity in m/s and pressure in Pa in some of these rows, by their place among them, from the `flow` in rows of the
/// lattice.
pub(crate) fn show<'a, T: Real>(
    [velocity, pressure]: &mut [Field; 2],
    shown: &Shown,
    rows: Range<usize>,
    settings: &Settings,
    flow: impl Fn([usize; 2]) -> RowFlow<'a, T> + Sync,
) {
    let [x, y, z] = components(velocity);
    add([&mut pressure.values, x, y, z], shown, rows, settings, flow);
}

/// The velocity alone.
pub(crate) fn velocity<'a, T: Real>(
    settings: &Settings,
    shown: &Shown,
    flow: impl Fn([usize; 2]) -> RowFlow<'a, T> + Sync,
) -> Field {
    let mut velocity = room_for(Quantity::Velocity, settings, shown);
    add(components(&mut velocity), shown, 0..shown.rows.count(), settings, flow);
    velocity
}

/// Those of a velocity.
fn components(velocity: &mut Field) -> [&mut [f64]; 3] {
    let length = velocity.shape.len();
    let mut each = velocity.values.chunks_exact_mut(length.max(1));
    [(); 3].map(|()| each.next().unwrap_or_default())
}

/// Adds the last so many of pressure and the components of velocity to arrays of all that is shown.
fn add<'a, T: Real, const N: usize>(
    arrays: [&mut [f64]; N],
    Shown { own, rows: all }: &Shown,
    rows: Range<usize>,
    settings: &Settings,
    flow: impl Fn([usize; 2]) -> RowFlow<'a, T> + Sync,
) {
    let cuts = settings.refinement;
    let [unit, pressure_unit] = [settings.velocity_unit(), settings.pressure_unit()];
    let share = 1.0 / cuts.iter().product::<usize>() as f64;
    let [n, n_j] = [0, 1].map(|d| own[d] / cuts[d]);
    let arrays = arrays.map(|values| &mut values[n * rows.start..n * rows.end]);
    fill_rows(arrays, n, |row, mut arrays| {
        let number = all.number(rows.start + row);
        let [j, k] = [number % n_j, number / n_j];
        for fine in 0..cuts[1] * cuts[2] {
            let flow = flow([j * cuts[1] + fine % cuts[1], k * cuts[2] + fine / cuts[1]]);
            // One array after the other: rows of several lie at the same places of pages, and wait for each other.
            for (number, to) in (4 - N..).zip(&mut arrays) {
                match number {
                    0 => flow.add(number, cuts[0], to, |x| {
                        share * (settings.pressure + pressure_unit * x)
                    }),
                    _ => flow.add(number, cuts[0], to, |u| share * u * unit),
                }
            }
        }
    });
}

/// A scalar in these rows, from that of each cell of the lattice above the reference in units of the difference.
pub(crate) fn scalar(
    settings: &Settings,
    scalar: &Scalar,
    Shown { own, rows }: &Shown,
    value: impl Fn([isize; 3]) -> f64 + Sync,
) -> Field {
    let cuts = settings.refinement;
    let [n, n_j] = [0, 1].map(|d| own[d] / cuts[d]);
    let shape = Shape { cells: [n, rows.count(), 1], halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, shape, 1);
    let (parts, share) = (cuts.iter().product(), 1.0 / cuts.iter().product::<usize>() as f64);
    fill_rows([&mut field.values], n, |row, [to]| {
        let (j, k) = (rows.number(row) % n_j, rows.number(row) / n_j);
        for (i, to) in to.iter_mut().enumerate() {
            let sum: f64 = (0..parts)
                .map(|part| {
                    let at = [part % cuts[0], part / cuts[0] % cuts[1], part / (cuts[0] * cuts[1])];
                    let cell = [i, j, k];
                    value(std::array::from_fn(|d| (cell[d] * cuts[d] + at[d]) as isize))
                })
                .sum();
            *to = scalar.reference + scalar.difference * (share * sum);
        }
    });
    field
}

/// The populations of a cell that is at equilibrium but for nothing, with half of the force still to
/// come.
pub(crate) fn at_equilibrium<const Q: usize, T: Packed>(
    density_deviation: T,
    u: [T; 3],
    force: Force<T>,
) -> [T; Q] {
    let half = T::from_f64(0.5);
    let momentum = force.map_or(u, |force| std::array::from_fn(|d| u[d] - half * force[d]));
    let equilibrium = Equilibrium::new(density_deviation, u);
    let mut g = [equilibrium.rest::<Q, T>(); Q];
    each_pair::<Q>(|p| {
        let (even, odd) = (equilibrium.even::<Q, T>(p), Equilibrium::odd::<Q, T>(p, momentum));
        g[2 * p + 1] = even + odd;
        g[2 * p + 2] = even - odd;
    });
    g
}

/// The velocity of a cell in lattice units, from the populations that leave it.
pub(crate) fn velocity_before<const Q: usize, T: Packed>(left: &[T; Q], force: Force<T>) -> [T; 3] {
    let momentum = moments::<Q, T, T>(left, None).momentum;
    // The collision has added the whole force, of which half belongs to this moment.
    let half = T::from_f64(0.5);
    force.map_or(momentum, |force| std::array::from_fn(|d| momentum[d] - half * force[d]))
}

/// What comes back from an outlet; eqs. (L15) and (L16). `left` are all populations that leave the
/// cell; `memory` is the velocity that the outlet is used to; `like` tells what leaves a cell as the
/// answer of this number comes back. Returns the populations that come back instead of those that met
/// the outlet, in the order of the answers, through `back`.
pub(crate) fn from_outlet<const Q: usize, T: Packed>(
    left: &[T; Q],
    force: Force<T>,
    forget: T,
    outlet: &Outlet,
    memory: &mut T,
    like: impl Fn(usize) -> T,
    mut back: impl FnMut(usize, T),
) {
    let (direction, outward) = (outlet.direction, T::from_f64(f64::from(outlet.outward)));
    let u = velocity_before(left, force);
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

/// What comes back from a convective outlet, eq. (L16a): `before` tells what came back instead of the population of
/// this number in the last step; the others are as in [`from_outlet`].
pub(crate) fn carried_out<const Q: usize, T: Packed>(
    left: &[T; Q],
    [forget, carry]: [T; 2],
    outlet: &Outlet,
    before: impl Fn(usize) -> T,
    like: impl Fn(usize) -> T,
    mut back: impl FnMut(usize, T),
) {
    let deviation = moments::<Q, T, T>(left, None).density_deviation;
    for (number, &Answer { q, straight, .. }) in outlet.answers.iter().enumerate() {
        let inner = if q == straight { left[opposite(q)] } else { like(number) };
        let carried = (before(q) + carry * inner) / (T::from_f64(1.0) + carry);
        back(q, carried - forget * (T::from_f64(Lattice::<Q>::W[q]) * deviation));
    }
}

/// Population `q` of a part of the cells as it arrives, zero in solid cells.
pub(crate) fn saved<const Q: usize, T: Packed, P: Population<T>>(
    view: &View<'_, Q, P>,
    q: usize,
    part: &Part,
    flows: impl Fn([isize; 3]) -> bool + Sync,
) -> Vec<T> {
    part.values(|cell| {
        if flows(cell) {
            view.one_arrived::<T>(cell, view.layout.inside::<Q>(cell), q)
        } else {
            T::default()
        }
    })
}

/// Puts population `q` of each own cell where it arrives before a step of parity 0, in slots from `first` on.
pub(crate) fn restore<const Q: usize, T: Packed, P: Population<T>>(
    slots: &Slots<P>,
    first: usize,
    layout: &Layout,
    q: usize,
    find: impl Fn([isize; 3]) -> T + Sync,
) {
    let [n, n_j, n_k] = layout.shape.cells;
    let begin = first * layout.slot;
    let behind = layout.arriving_inside::<Q>(0, 0, q).wrapping_sub(begin) as isize;
    share(n_j * n_k, ROWS, &|row| {
        for i in 0..n {
            let cell = [i, row % n_j, row / n_j].map(|at| at as isize);
            let place = match layout.inside::<Q>(cell) {
                Some(here) => here.wrapping_add_signed(behind),
                None => layout.arriving::<Q>(0, cell, q) - begin,
            };
            slots.leave(place, 1)[0] = P::narrowed(find(cell));
        }
    });
}
