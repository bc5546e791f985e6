//! What comes into the cells of the lattice, by formulas of the place too; eq. (H20).

use vortice_core::{Scalar, share};

use super::{HeatRates, Populations, temperature};
use crate::boundary::Site;
use crate::layout::Layout;
use crate::number::{Number, Packed};
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::view;

/// What comes into a cell of the lattice in a step, in units of the case's difference.
pub(crate) fn source_in((settings, scalar): (&Settings, &Scalar), cell: [isize; 3]) -> f64 {
    scalar.source_at(settings.case.grid.centre(cell)) * settings.dt / scalar.difference
}

/// What comes into own cells in a step, where their populations 0 lie; empty if it is the same in all. `offset` is the global index
/// of the first own cell.
pub(crate) fn by_place<T: Packed, P: Population<T>>(
    (settings, scalar): (&Settings, &Scalar),
    (site, layout): (&Site<'_>, &Layout),
    offset: [usize; 3],
) -> Slots<P> {
    if scalar.source.as_number().is_some() {
        return Slots::new(Vec::new());
    }
    let sources = Slots::new(vec![P::zeroed(); layout.slot]);
    let [n, n_j, n_k] = layout.shape.cells;
    share(n_j * n_k, view::ROWS, &|row| {
        for i in 0..n {
            let cell = [i, row % n_j, row / n_j].map(|at| at as isize);
            let global = std::array::from_fn(|d| cell[d] + offset[d] as isize);
            if !site.surfaces.is_solid(global) {
                let source = T::from_f64(source_in((settings, scalar), global));
                sources.leave(layout.cell(cell), 1)[0] = P::narrowed(source);
            }
        }
    });
    sources
}

/// What comes into a cell: so much by its place, else what comes into all, if anything does.
#[inline(always)]
pub(crate) fn coming<T: Packed, V: Number<T>>(
    by_place: Option<V>,
    like: V,
    rates: &HeatRates<T>,
) -> Option<V> {
    by_place.or((rates.source != T::default()).then(|| like.constant(rates.source)))
}

/// Temperature that a cell had in a step that left these populations, in which so much came in.
pub(crate) fn temperature_before<T: Packed>(left: &Populations<T>, source: T) -> T {
    temperature::<T, T>(left) - source
}
