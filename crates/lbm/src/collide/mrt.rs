//! Collision in moment space, d'Humieres et al. (2002), factorised: no matrix is multiplied. Only
//! moments whose rate differs from that of their even or odd rest are projected out; eqs. (L9) to
//! (L11). Twin of kernels/lbm/mrt.cuh.

use vortice_core::Real;

use super::rates::Forcing;
use super::{Rates, Stress, departure, moments, push, relax};
use crate::lattice::{Lattice, each_direction, each_pair, square};
use crate::number::{Number, Sum};

/// Polynomials in the squared speed: their values on the shells 0 to 3 over their norms, so that the
/// projection of x is `value(n2) * sum of value(n2) x / norm`.
#[derive(Clone, Copy)]
struct Polynomial {
    value: [f64; 4],
    norm: f64,
}

/// The moments of a lattice that have rates of their own.
struct Basis<const Q: usize>;

impl<const Q: usize> Basis<Q> {
    /// Velocities in each shell.
    const COUNT: [f64; 4] = {
        let mut count = [0.0; 4];
        let mut q = 0;
        while q < Q {
            count[square(Lattice::<Q>::C[q]) as usize] += 1.0;
            q += 1;
        }
        count
    };
    /// Directions.
    const D: f64 = Lattice::<Q>::D as f64;
    /// n2, orthogonal to 1.
    const ENERGY: Polynomial = {
        let mean = mean(Self::COUNT, [0.0, 1.0, 2.0, 3.0]);
        polynomial(Self::COUNT, [-mean, 1.0 - mean, 2.0 - mean, 3.0 - mean])
    };
    /// n4, orthogonal to 1 and n2.
    const ENERGY_SQUARE: Polynomial = {
        let fourth = [0.0, 1.0, 4.0, 9.0];
        let mean = mean(Self::COUNT, fourth);
        let energy = Self::ENERGY;
        let slope = product(Self::COUNT, fourth, energy.value) / energy.norm;
        let mut value = [0.0; 4];
        let mut shell = 0;
        while shell < 4 {
            value[shell] = fourth[shell] - mean - slope * energy.value[shell];
            shell += 1;
        }
        polynomial(Self::COUNT, value)
    };
    /// Factor of n2 c that is orthogonal to c, by shell, and the norm of one component.
    const FLUX: Polynomial = {
        // Each of the D components has this share of the velocities' squares.
        let share = [0.0, Self::COUNT[1], 2.0 * Self::COUNT[2], 3.0 * Self::COUNT[3]];
        let total = share[1] + share[2] + share[3];
        let mean = (share[1] + 2.0 * share[2] + 3.0 * share[3]) / total;
        let value = [0.0, 1.0 - mean, 2.0 - mean, 3.0 - mean];
        let norm = product(share, value, value) / Self::D;
        Polynomial { value, norm }
    };
    /// Norm of the frame c_d2 - n2 / D, of which D make D - 1 moments.
    const NORMAL_STRESS: f64 = {
        let mut sum = 0.0;
        let mut q = 0;
        while q < Q {
            let c = Lattice::<Q>::C[q];
            let x = (c[0] as f64) * (c[0] as f64) - square(c) as f64 / Self::D;
            sum += x * x;
            q += 1;
        }
        sum * Self::D / (Self::D - 1.0)
    };
    /// Norm of c_x c_y.
    const SHEAR_STRESS: f64 = {
        let mut sum = 0.0;
        let mut q = 0;
        while q < Q {
            let c = Lattice::<Q>::C[q];
            sum += (c[0] != 0 && c[1] != 0) as i32 as f64;
            q += 1;
        }
        sum
    };
}

/// Which of two polynomials.
const ENERGY: bool = false;
const SQUARE: bool = true;

impl<const Q: usize> Basis<Q> {
    const fn of(which: bool) -> Polynomial {
        if which { Self::ENERGY_SQUARE } else { Self::ENERGY }
    }

    /// The sum over the shells that the lattice has, and perhaps the population at rest.
    #[inline(always)]
    fn weighted<T: Real, V: Number<T>>(rest: Option<V>, shells: &[V; 3], value: [f64; 4]) -> V {
        let mut sum = shells[0].times(T::from_f64(value[1]));
        if let Some(rest) = rest {
            sum = rest.times(T::from_f64(value[0])) + sum;
        }
        if Self::COUNT[2] > 0.0 {
            sum = sum + shells[1].times(T::from_f64(value[2]));
        }
        if Self::COUNT[3] > 0.0 {
            sum = sum + shells[2].times(T::from_f64(value[3]));
        }
        sum
    }

    /// The moment of a polynomial, times a rate over its norm.
    #[inline(always)]
    fn more<T: Real, V: Number<T>>(which: bool, rest: &V, shells: &[V; 3], rate: T) -> V {
        let polynomial = Self::of(which);
        let moment = Self::weighted(Some(*rest), shells, polynomial.value);
        moment.times(rate * T::from_f64(1.0 / polynomial.norm))
    }

    /// What a population of a shell has of both.
    #[inline(always)]
    fn isotropic<T: Real, V: Number<T>>(shell: usize, energy: V, square: V) -> V {
        energy.times(T::from_f64(Self::ENERGY.value[shell]))
            + square.times(T::from_f64(Self::ENERGY_SQUARE.value[shell]))
    }
}

const fn product(count: [f64; 4], a: [f64; 4], b: [f64; 4]) -> f64 {
    let mut sum = 0.0;
    let mut shell = 0;
    while shell < 4 {
        sum += count[shell] * a[shell] * b[shell];
        shell += 1;
    }
    sum
}

const fn mean(count: [f64; 4], value: [f64; 4]) -> f64 {
    product(count, value, [1.0; 4]) / product(count, [1.0; 4], [1.0; 4])
}

const fn polynomial(count: [f64; 4], value: [f64; 4]) -> Polynomial {
    Polynomial { value, norm: product(count, value, value) }
}

/// One rate for each kind of moment; eq. (L9).
#[inline(always)]
pub(crate) fn collide_mrt<const Q: usize, T: Real, V: Number<T>>(
    h: &mut [V; Q],
    rates: &Rates<T>,
    force: impl Forcing<V>,
) {
    let found = moments::<Q, T, V>(h, force);
    let left = departure::<Q, T, V>(h, &found, force);
    let zero = left.rest.constant(T::default());
    let number = T::from_f64;

    // Sums over shells, of even parts and of odd parts times c.
    let mut shells = [Sum::NOTHING; 4];
    let mut fluxes = [[Sum::NOTHING; 3]; 4];
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let c = Lattice::<Q>::c(p);
            let shell = square(c) as usize;
            shells[shell].add(1, left.even[p]);
            each_direction(
                #[inline(always)]
                |d| fluxes[shell][d].add(c[d], left.odd[p]),
            );
        },
    );
    let twice = number(2.0);
    let shells = [
        shells[1].or(zero).times(twice),
        shells[2].or(zero).times(twice),
        shells[3].or(zero).times(twice),
    ];

    // What energy and its square relax more than the other even moments.
    let energy = Basis::<Q>::more::<T, V>(ENERGY, &left.rest, &shells, rates.energy - rates.even);
    let square_of_energy =
        Basis::<Q>::more::<T, V>(SQUARE, &left.rest, &shells, rates.energy_square - rates.even);

    // The same for viscous stress.
    let stress = Stress::of::<Q, T>(&left.even);
    let trace = (stress.diagonal[0] + stress.diagonal[1] + stress.diagonal[2])
        .times(number(1.0 / Basis::<Q>::D));
    let normal = (rates.omega_plus - rates.even) * number(1.0 / Basis::<Q>::NORMAL_STRESS);
    let tangential = (rates.omega_plus - rates.even) * number(1.0 / Basis::<Q>::SHEAR_STRESS);
    let normal_stress = stress.diagonal.map(|x| (x - trace).times(normal));
    let shear_stress = stress.shear.map(|x| x.times(tangential));

    // And for the energy flux among odd moments.
    let factor = (rates.flux - rates.odd) * number(2.0 / Basis::<Q>::FLUX.norm);
    let mut flux = [zero; 3];
    each_direction(
        #[inline(always)]
        |d| {
            let sums = [fluxes[1][d].or(zero), fluxes[2][d].or(zero), fluxes[3][d].or(zero)];
            flux[d] = Basis::<Q>::weighted(None, &sums, Basis::<Q>::FLUX.value).times(factor);
        },
    );

    let isotropic = Basis::<Q>::isotropic::<T, V>(0, energy, square_of_energy);
    h[0] = h[0] - (left.rest.times(rates.even) + isotropic);
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let c = Lattice::<Q>::c(p);
            let shell = square(c) as usize;
            let viscous = super::twofold::<Q, V>(p, normal_stress, shear_stress);
            let isotropic = Basis::<Q>::isotropic::<T, V>(shell, energy, square_of_energy);
            let even = left.even[p].times(rates.even) + isotropic + viscous;
            let flux = super::along::<Q, V>(p, flux).times(number(Basis::<Q>::FLUX.value[shell]));
            relax(h, p, even, left.odd[p].times(rates.odd) + flux);
        },
    );
    push::<Q, T, V>(h, found.u, force);
}
