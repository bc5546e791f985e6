//! The case's flow at t = 0, at equilibrium.

use vortice_core::{Initial, Scalar, share, share_each};

use crate::boundary::Site;
use crate::collide::Rates;
use crate::collide::rates::Force;
use crate::heat;
use crate::lattice::opposite;
use crate::layout::Layout;
use crate::links::Outlet;
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::view;

/// Density less one and velocity in lattice units of the case's initial flow in a cell of the
/// lattice.
pub(crate) fn initial(settings: &Settings, cell: [isize; 3]) -> (f64, [f64; 3]) {
    let case = &settings.case;
    let point = case.grid.centre(cell);
    let (pressure, velocity) = (case.initial_pressure(point), case.initial_velocity(point));
    let unit = settings.velocity_unit();
    (pressure / settings.pressure_unit(), velocity.map(|u| u / unit))
}

/// The force on a cell at t = 0.
fn force<T: Packed>(settings: &Settings, rates: &Rates<T>, cell: [isize; 3]) -> Force<T> {
    // Heat is the first of what is carried.
    let (Some(heat), Some(numbers)) = (&settings.case.heat, settings.scalars.first()) else {
        return rates.force_on(T::default());
    };
    let temperature = T::from_f64(heat::initial(&settings.case, heat, cell));
    heat::force(temperature, rates, &numbers.rounded())
}

/// The populations of a cell of the lattice.
pub(crate) fn populations<const Q: usize, T: Packed, P: Population<T>>(
    settings: &Settings,
    rates: &Rates<T>,
    cell: [isize; 3],
) -> [P; Q] {
    let (density_deviation, u) = initial(settings, cell);
    let (u, force) = (u.map(T::from_f64), force(settings, rates, cell));
    view::at_equilibrium::<Q, T>(T::from_f64(density_deviation), u, force).map(P::narrowed)
}

/// The populations of all cells, if they have the same.
pub(crate) fn everywhere<const Q: usize, T: Packed, P: Population<T>>(
    settings: &Settings,
    rates: &Rates<T>,
) -> Option<[P; Q]> {
    (matches!(settings.case.initial, Initial::Uniform(_)) && settings.scalars.is_empty())
        .then(|| populations(settings, rates, [0; 3]))
}

/// Values that a thread fills together.
const FILLED: usize = 1 << 16;

/// So many places: with the case's flow for a step of parity 0, if it is the same everywhere, by the threads of the pool
/// that this is called in.
pub(crate) fn slots<const Q: usize, T: Packed, P: Population<T>>(
    settings: &Settings,
    rates: &Rates<T>,
    layout: &Layout,
    places: usize,
) -> Slots<P> {
    let mut values = vec![P::zeroed(); places];
    if let Some(same) = everywhere::<Q, T, P>(settings, rates) {
        let slots = values.chunks_mut(layout.slot).take(Q).enumerate();
        // Slots 2 p + 1 and 2 p + 2 hold each other's populations.
        let parts = slots.flat_map(|(slot, places)| {
            places.chunks_mut(FILLED).map(move |some| (same[opposite(slot)], some))
        });
        share_each(parts, 1, |_, (population, some)| some.fill(*population));
    }
    Slots::new(values)
}

/// Sets the places of own cells that are in the flow, for a step of parity 0. `offset` is the global
/// index of the first own cell.
pub(crate) fn set<const Q: usize, T: Packed, P: Population<T>>(
    slots: &Slots<P>,
    settings: &Settings,
    rates: &Rates<T>,
    layout: &Layout,
    offset: [usize; 3],
    flows: impl Fn([isize; 3]) -> bool + Sync,
) {
    let [n, n_j, n_k] = layout.shape.cells;
    share(n_j * n_k, view::ROWS, &|row| {
        let cells = (0..n).map(|i| [i, row % n_j, row / n_j].map(|at| at as isize));
        for cell in cells.filter(|&cell| flows(cell)) {
            let global = std::array::from_fn(|d| cell[d] + offset[d] as isize);
            let g: [P; Q] = populations(settings, rates, global);
            for (place, g) in layout.all_arriving::<Q>(0, cell).into_iter().zip(g) {
                slots.leave(place, 1)[0] = g;
            }
        }
    });
}

/// Sets the places of a scalar of own cells, for a step of parity 0; eq. (H14).
pub(crate) fn set_heat<T: Packed, P: Population<T>>(
    slots: &Slots<P>,
    (settings, scalar): (&Settings, &Scalar),
    (site, layout): (&Site<'_>, &Layout),
    offset: [usize; 3],
) {
    let [n, n_j, n_k] = layout.shape.cells;
    share(n_j * n_k, view::ROWS, &|row| {
        for i in 0..n {
            let cell = [i, row % n_j, row / n_j].map(|at| at as isize);
            let global = std::array::from_fn(|d| cell[d] + offset[d] as isize);
            // Solid cells keep the reference.
            let flows = !site.surfaces.is_solid(global);
            let temperature =
                if flows { heat::initial(&settings.case, scalar, global) } else { 0.0 };
            let (_, u) = initial(settings, global);
            let h = heat::at_equilibrium(T::from_f64(temperature), u.map(T::from_f64));
            for (q, &h) in h.iter().enumerate() {
                let place = layout.arriving::<{ heat::VELOCITIES }>(0, cell, q);
                slots.leave(place, 1)[0] = P::narrowed(h);
            }
        }
    });
}

/// What the outlets remember: the velocity across each in cells per step, which it is used to; or, if it is convective,
/// what comes back instead of each population, first the numbers 0 of all.
pub(crate) fn memory<const Q: usize, T: Packed>(
    settings: &Settings,
    rates: &Rates<T>,
    outlets: &[Outlet],
    offset: [usize; 3],
) -> Vec<T> {
    let remembered = |outlet: &Outlet| -> [T; Q] {
        let global = std::array::from_fn(|d| outlet.cell[d] + offset[d] as isize);
        remembered(settings, rates, outlet, global)
    };
    let each: Vec<[T; Q]> = outlets.iter().map(remembered).collect();
    let numbers = 0..settings.outlet_numbers(Q);
    numbers.flat_map(|number| each.iter().map(move |of| of[number])).collect()
}

/// The same of one outlet, before a cell of the lattice.
pub(crate) fn remembered<const Q: usize, T: Packed>(
    settings: &Settings,
    rates: &Rates<T>,
    outlet: &Outlet,
    cell: [isize; 3],
) -> [T; Q] {
    let (density_deviation, u) = initial(settings, cell);
    if settings.carry == 0.0 {
        return [T::from_f64(f64::from(outlet.outward) * u[outlet.direction]); Q];
    }
    let (density_deviation, force) = (T::from_f64(density_deviation), force(settings, rates, cell));
    let g = view::at_equilibrium::<Q, T>(density_deviation, u.map(T::from_f64), force);
    std::array::from_fn(|q| g[opposite(q)])
}
