//! Moments of populations, and the populations that leave a cell of these moments; eqs. (L20) to (L22). Twin of
//! kernels/lbm/moments.cuh, with the same names and order of operations, so that both give the same bits.

use vortice_core::Real;

use crate::collide::rates::{Force, Forcing};
use crate::collide::{Equilibrium, Rates, SHEAR, moments, twofold};
use crate::lattice::{Lattice, each_direction, each_pair};
use crate::number::{Number, Sum};

/// Velocities of the lattice.
pub(crate) const VELOCITIES: usize = 19;

/// Density less one, momentum in x, y and z, and second moments xx, yy, zz, xy, xz, yz of the populations that arrive in a
/// cell; eq. (L20).
pub(crate) const NUMBERS: usize = 10;

const Q: usize = VELOCITIES;

/// Those of these populations; eq. (L20).
#[inline(always)]
pub(crate) fn moments_of<T: Real, V: Number<T>>(h: &[V; Q]) -> [V; NUMBERS] {
    let found = moments::<Q, T, V>(h, None);
    let mut diagonal = [Sum::NOTHING; 3];
    let mut shear = [Sum::NOTHING; 3];
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let (both, c) = (h[2 * p + 1] + h[2 * p + 2], Lattice::<Q>::c(p));
            each_direction(
                #[inline(always)]
                |d| {
                    diagonal[d].add(c[d] * c[d], both);
                    let [a, b] = SHEAR[d];
                    shear[d].add(c[a] * c[b], both);
                },
            );
        },
    );
    let zero = h[0].constant(T::default());
    let [x, y, z] = found.momentum;
    let [xx, yy, zz] = diagonal.map(|sum| sum.or(zero));
    let [xy, xz, yz] = shear.map(|sum| sum.or(zero));
    [found.density_deviation, x, y, z, xx, yy, zz, xy, xz, yz]
}

/// The populations that leave a cell after a regularised collision; eqs. (L21) and (L22).
#[inline(always)]
pub(crate) fn leaving_of<T: Real, V: Number<T>>(
    m: &[V; NUMBERS],
    rates: &Rates<T>,
    force: impl Forcing<V>,
) -> [V; Q] {
    let [one, half] = [1.0, 0.5].map(T::from_f64);
    let (keep, third) = (one - rates.omega_plus, m[0].times(T::from_f64(1.0 / 3.0)));
    let force = force.on(m[0]);
    let (mut u, mut momentum) = ([m[1], m[2], m[3]], [m[1], m[2], m[3]]);
    if let Some(force) = force {
        for d in 0..3 {
            u[d] = u[d] + force[d].times(half);
            momentum[d] = momentum[d] + force[d];
        }
    }
    let (mut diagonal, mut shear) = ([m[4], m[5], m[6]], [m[7], m[8], m[9]]);
    for d in 0..3 {
        let [a, b] = SHEAR[d];
        let (square, product) = (u[d] * u[d], u[a] * u[b]);
        diagonal[d] = square + ((diagonal[d] - third) - square).times(keep);
        shear[d] = product + (shear[d] - product).times(keep);
    }
    if let Some(force) = force {
        let share = one - rates.omega_plus * half;
        for d in 0..3 {
            let [a, b] = SHEAR[d];
            let power = u[d] * force[d];
            diagonal[d] = diagonal[d] + (power + power).times(share);
            shear[d] = shear[d] + (u[a] * force[b] + u[b] * force[a]).times(share);
        }
    }
    // Of shear both halves count.
    let diagonal = diagonal.map(|x| x.times(T::from_f64(4.5)));
    let shear = shear.map(|x| x.times(T::from_f64(9.0)));
    let trace = diagonal[0] + diagonal[1] + diagonal[2];
    let base = m[0] - trace.times(T::from_f64(1.0 / 3.0));
    let mut h = [base.times(T::from_f64(Lattice::<Q>::W[0])); Q];
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let even =
                (base + twofold::<Q, V>(p, diagonal, shear)).times(T::from_f64(Lattice::<Q>::w(p)));
            let odd = Equilibrium::odd::<Q, T>(p, momentum);
            h[2 * p + 1] = even + odd;
            h[2 * p + 2] = even - odd;
        },
    );
    h
}

/// Density less one and velocity of a cell of these moments, in lattice units.
pub(crate) fn flow_of<T: Real>(m: [T; 4], force: Force<T>) -> (T, [T; 3]) {
    let [density_deviation, x, y, z] = m;
    let half = T::from_f64(0.5);
    let u = [x, y, z];
    (density_deviation, force.map_or(u, |force| std::array::from_fn(|d| u[d] + half * force[d])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::collide_regularised;

    /// A number between -1 and 1 from each of these.
    fn noise(n: usize) -> f64 {
        let x = (n as f64 * 12.9898).sin() * 43_758.545_3;
        2.0 * (x - x.floor()) - 1.0
    }

    /// What leaves by its moments is what leaves by a regularised collision of the populations themselves, but for rounding.
    #[test]
    fn moments_are_all_that_a_regularised_collision_sees() {
        for is_forced in [0, 1] {
            let rates = Rates {
                omega_plus: 1.7,
                omega_minus: 1.0,
                energy: 1.0,
                energy_square: 1.0,
                even: 1.0,
                flux: 1.0,
                odd: 1.0,
                force: [1e-3, -2e-3, 5e-4],
                is_forced,
            };
            let mut h: [f64; Q] = std::array::from_fn(|q| 0.01 * noise(q + 1));
            let left = leaving_of(&moments_of(&h), &rates, &rates);
            collide_regularised(&mut h, &rates, &rates);
            for q in 0..Q {
                assert!((left[q] - h[q]).abs() < 1e-16, "{q}: {} and {}", left[q], h[q]);
            }
            // Mass is kept, and momentum but for the force.
            let (before, after) = (moments_of(&h), moments_of(&left));
            (0..NUMBERS).for_each(|n| assert!((before[n] - after[n]).abs() < 1e-16, "{n}"));
        }
    }
}
