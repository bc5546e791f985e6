//! Heat or another scalar on a lattice of its own, D3Q7: its numbers, and the collision of one cell; eqs. (H14) to (H16).
//! Twin of kernels/lbm/heat.cuh.
//!
//! Temperatures, or what stands for them, are those above the reference in units of the case's difference. Seen along z this lattice is
//! D2Q5, so that it serves plane flows as well.

pub(crate) mod came;
pub(crate) mod links;
pub(crate) mod sources;
#[cfg(test)]
mod tests;

use vortice_core::{Case, Real, Scalar};

use crate::collide::Rates;
use crate::collide::rates::Force;
use crate::lattice::{Lattice, each_direction, each_pair};
use crate::number::{Number, Sum};

/// Velocities of the lattice.
pub(crate) const VELOCITIES: usize = 7;
/// The populations of a cell.
pub(crate) type Populations<V> = [V; VELOCITIES];

type Velocities = Lattice<VELOCITIES>;

/// The speed of what spreads on the lattice, squared; eq. (H14).
pub(crate) const SPEED_SQUARED: f64 = 0.25;

/// The numbers of heat, in lattice units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HeatRates<T> {
    /// Relaxation of even populations; eq. (H15).
    pub(crate) omega_plus: T,
    /// Relaxation of odd populations, which sets the diffusivity; eq. (H15).
    pub(crate) omega_minus: T,
    /// Force on a cell by a temperature of one; eq. (H16).
    pub(crate) lift: [T; 3],
    /// Whether there is one.
    pub(crate) is_buoyant: bool,
    /// What comes into a cell in a step, where it is the same in all; eq. (H20).
    pub(crate) source: T,
}

/// The product of both relaxation times less one half each, where the diffusivity is small: what stands most.
const STABLE: f64 = 1.0 / 4.0;
/// The same elsewhere: what is most exact.
const EXACT: f64 = 1.0 / 6.0;
/// From which diffusivity on, in lattice units.
const LARGE: f64 = 0.01;

/// The diffusivity in lattice units, for a spacing in m and a step in s.
fn diffusivity(scalar: &Scalar, spacing: f64, dt: f64) -> f64 {
    scalar.diffusivity * dt / (spacing * spacing)
}

/// Relaxation time of a scalar in steps.
pub(crate) fn relaxation_time(scalar: &Scalar, spacing: f64, dt: f64) -> f64 {
    diffusivity(scalar, spacing, dt) / SPEED_SQUARED + 0.5
}

impl HeatRates<f64> {
    /// Those of a scalar, for a spacing in m and a step in s.
    pub(crate) fn new(scalar: &Scalar, spacing: f64, dt: f64) -> Self {
        let tau = relaxation_time(scalar, spacing, dt);
        let lambda = if diffusivity(scalar, spacing, dt) >= LARGE { EXACT } else { STABLE };
        let unit = scalar.difference * dt * dt / spacing;
        Self {
            omega_plus: 1.0 / (lambda / (tau - 0.5) + 0.5),
            omega_minus: 1.0 / tau,
            lift: scalar.buoyancy.map(|b| b * unit),
            is_buoyant: scalar.is_buoyant(),
            source: scalar.source.as_number().unwrap_or(0.0) * dt / scalar.difference,
        }
    }

    /// The same in another number type.
    pub(crate) fn rounded<T: Real>(&self) -> HeatRates<T> {
        HeatRates {
            omega_plus: T::from_f64(self.omega_plus),
            omega_minus: T::from_f64(self.omega_minus),
            lift: self.lift.map(T::from_f64),
            is_buoyant: self.is_buoyant,
            source: T::from_f64(self.source),
        }
    }
}

/// Temperature of a cell at t = 0 in units of the case's difference.
pub(crate) fn initial(case: &Case, scalar: &Scalar, cell: [isize; 3]) -> f64 {
    (scalar.initial_value(case.grid.centre(cell)) - scalar.reference) / scalar.difference
}

/// Temperature of a cell; eq. (H14).
#[inline(always)]
pub(crate) fn temperature<T: Real, V: Number<T>>(h: &Populations<V>) -> V {
    let mut sum = h[0];
    each_pair::<VELOCITIES>(
        #[inline(always)]
        |p| sum = sum + (h[2 * p + 1] + h[2 * p + 2]),
    );
    sum
}

/// The force on a cell of this temperature; eq. (H16).
#[inline(always)]
pub(crate) fn force<T: Real, V: Number<T>>(
    temperature: V,
    rates: &Rates<T>,
    heat: &HeatRates<T>,
) -> Force<V> {
    let of_all = rates.force_on(temperature);
    if !heat.is_buoyant {
        return of_all;
    }
    let [x, y, z] = heat.lift;
    let lift = [temperature.times(x), temperature.times(y), temperature.times(z)];
    match of_all {
        None => Some(lift),
        Some(all) => Some([all[0] + lift[0], all[1] + lift[1], all[2] + lift[2]]),
    }
}

/// The odd part of pair `p` at equilibrium.
#[inline(always)]
fn odd<T: Real, V: Number<T>>(p: usize, temperature: V, u: [V; 3]) -> V {
    let c = Velocities::c(p);
    let mut sum = Sum::NOTHING;
    each_direction(
        #[inline(always)]
        |d| sum.add(c[d], u[d]),
    );
    let carried = temperature * sum.or(u[0]);
    carried.times(T::from_f64(Velocities::w(p) / SPEED_SQUARED))
}

/// The populations of a cell at equilibrium; eq. (H14).
pub(crate) fn at_equilibrium<T: Real>(temperature: T, u: [T; 3]) -> Populations<T> {
    let mut h = [temperature * T::from_f64(Velocities::W[0]); VELOCITIES];
    each_pair::<VELOCITIES>(|p| {
        let even = temperature * T::from_f64(Velocities::w(p));
        let odd = odd::<T, T>(p, temperature, u);
        h[2 * p + 1] = even + odd;
        h[2 * p + 2] = even - odd;
    });
    h
}

/// What leaves a cell of this temperature and velocity for good through an outlet along `q`; eq. (H17).
pub(crate) fn carried_out<T: Real>(q: usize, temperature: T, u: [T; 3]) -> T {
    let away = odd::<T, T>((q - 1) / 2, temperature, u);
    let twice = away + away;
    if q % 2 == 1 { twice } else { -twice }
}

/// Two relaxation times, with the velocity of the same cell and step, and what comes in, if anything does; eqs. (H15), (H20).
#[inline(always)]
pub(crate) fn collide<T: Real, V: Number<T>>(
    h: &mut Populations<V>,
    temperature: V,
    u: [V; 3],
    rates: &HeatRates<T>,
    source: Option<V>,
) {
    let half = T::from_f64(0.5);
    let rest = h[0] - temperature.times(T::from_f64(Velocities::W[0]));
    h[0] = h[0] - rest.times(rates.omega_plus);
    if let Some(source) = source {
        h[0] = h[0] + source.times(T::from_f64(Velocities::W[0]));
    }
    each_pair::<VELOCITIES>(
        #[inline(always)]
        |p| {
            let (one, other) = (h[2 * p + 1], h[2 * p + 2]);
            let even = (one + other).times(half) - temperature.times(T::from_f64(Velocities::w(p)));
            let odd = (one - other).times(half) - odd::<T, V>(p, temperature, u);
            let (even, odd) = (even.times(rates.omega_plus), odd.times(rates.omega_minus));
            h[2 * p + 1] = (one - even) - odd;
            h[2 * p + 2] = (other - even) + odd;
            if let Some(source) = source {
                let part = source.times(T::from_f64(Velocities::w(p)));
                h[2 * p + 1] = h[2 * p + 1] + part;
                h[2 * p + 2] = h[2 * p + 2] + part;
            }
        },
    );
}
