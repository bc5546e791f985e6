//! Collision of the populations of one cell; eqs. (L4) to (L12). Twin of kernels/lbm/collide.cuh,
//! with the same names and order of operations, so that both give the same bits.
//!
//! Populations are stored without their weights, g = f - w, so that small numbers keep their digits.
//! Velocities are numbered in opposite pairs; what a pair has in common is called even, what has
//! opposite signs odd.

use vortice_core::Real;

use crate::lattice::{Lattice, each_direction, each_pair};
use crate::number::{Number, Signed, Sum};

use rates::Forcing;
pub(crate) use rates::Rates;

pub(crate) mod chosen;
pub(crate) mod mrt;
pub(crate) mod rates;
#[cfg(test)]
mod tests;

/// Most pairs of opposite velocities: those of D3Q27.
pub(crate) const MOST_PAIRS: usize = 13;

/// How populations relax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collision {
    /// One relaxation time: Bhatnagar, Gross and Krook (1954).
    Srt,
    /// Two, for even and odd populations: Ginzburg, Verhaeghe and d'Humieres (2008).
    Trt,
    /// One for each kind of moment: d'Humieres et al. (2002).
    Mrt,
    /// Only viscous stress is kept: Latt and Chopard (2006).
    Regularised,
}

/// Density and velocity of a cell, in lattice units.
#[derive(Clone, Copy)]
pub(crate) struct Moments<V> {
    /// Density less one.
    pub(crate) density_deviation: V,
    /// Momentum of the populations; half of the force is still to come.
    pub(crate) momentum: [V; 3],
    /// Velocity.
    pub(crate) u: [V; 3],
}

/// Half of the force acts before, half after a collision; eq. (L5).
#[inline(always)]
pub(crate) fn moments<const Q: usize, T: Real, V: Number<T>>(
    h: &[V; Q],
    force: impl Forcing<V>,
) -> Moments<V> {
    let mut density_deviation = h[0];
    let mut momentum = [Sum::NOTHING; 3];
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let (one, other) = (h[2 * p + 1], h[2 * p + 2]);
            density_deviation = density_deviation + (one + other);
            let odd = one - other;
            let c = Lattice::<Q>::c(p);
            each_direction(
                #[inline(always)]
                |d| momentum[d].add(c[d], odd),
            );
        },
    );
    let zero = density_deviation.constant(T::default());
    let momentum = momentum.map(|sum| sum.or(zero));
    let mut u = momentum;
    if let Some(force) = force.on(zero) {
        let half = T::from_f64(0.5);
        for d in 0..3 {
            u[d] = u[d] + force[d].times(half);
        }
    }
    Moments { density_deviation, momentum, u }
}

/// Projection on the velocity of pair `p`.
#[inline(always)]
fn along<const Q: usize, V: Signed>(p: usize, v: [V; 3]) -> V {
    let c = Lattice::<Q>::c(p);
    let mut sum = Sum::NOTHING;
    each_direction(
        #[inline(always)]
        |d| sum.add(c[d], v[d]),
    );
    sum.or(v[0])
}

/// Equilibrium of a cell; eq. (L4).
pub(crate) struct Equilibrium<V> {
    u: [V; 3],
    /// Density less one, less 3/2 u2.
    base: V,
}

impl<V> Equilibrium<V> {
    /// Of a density (as excess) and a velocity.
    #[inline(always)]
    pub(crate) fn new<T: Real>(density_deviation: V, u: [V; 3]) -> Self
    where
        V: Number<T>,
    {
        let square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        Self { u, base: density_deviation - square.times(T::from_f64(1.5)) }
    }

    /// The even part of pair `p`.
    #[inline(always)]
    pub(crate) fn even<const Q: usize, T: Real>(&self, p: usize) -> V
    where
        V: Number<T>,
    {
        let cu = along::<Q, V>(p, self.u);
        (self.base + (cu * cu).times(T::from_f64(4.5))).times(T::from_f64(Lattice::<Q>::w(p)))
    }

    /// That of the population at rest.
    #[inline(always)]
    pub(crate) fn rest<const Q: usize, T: Real>(&self) -> V
    where
        V: Number<T>,
    {
        self.base.times(T::from_f64(Lattice::<Q>::W[0]))
    }

    /// The odd part of pair `p` for a momentum.
    #[inline(always)]
    pub(crate) fn odd<const Q: usize, T: Real>(p: usize, momentum: [V; 3]) -> V
    where
        V: Number<T>,
    {
        along::<Q, V>(p, momentum).times(T::from_f64(3.0 * Lattice::<Q>::w(p)))
    }
}

/// The force's share of populations; eq. (L6), Guo, Zheng and Shi (2002).
struct Source<V> {
    u: [V; 3],
    force: [V; 3],
    /// 3 u F.
    power: V,
}

impl<V> Source<V> {
    #[inline(always)]
    fn new<T: Real>(u: [V; 3], force: [V; 3]) -> Self
    where
        V: Number<T>,
    {
        let power = u[0] * force[0] + u[1] * force[1] + u[2] * force[2];
        Self { u, force, power: power.times(T::from_f64(3.0)) }
    }

    #[inline(always)]
    fn even<const Q: usize, T: Real>(&self, p: usize) -> V
    where
        V: Number<T>,
    {
        let both = along::<Q, V>(p, self.u) * along::<Q, V>(p, self.force);
        (both.times(T::from_f64(9.0)) - self.power).times(T::from_f64(Lattice::<Q>::w(p)))
    }

    #[inline(always)]
    fn rest<const Q: usize, T: Real>(&self) -> V
    where
        V: Number<T>,
    {
        -self.power.times(T::from_f64(Lattice::<Q>::W[0]))
    }

    #[inline(always)]
    fn odd<const Q: usize, T: Real>(&self, p: usize) -> V
    where
        V: Number<T>,
    {
        Equilibrium::odd::<Q, T>(p, self.force)
    }
}

/// What is left of the populations of a cell after its equilibrium and half of the force's share are
/// taken away.
struct Departure<V> {
    rest: V,
    even: [V; MOST_PAIRS],
    odd: [V; MOST_PAIRS],
}

#[inline(always)]
fn departure<const Q: usize, T: Real, V: Number<T>>(
    h: &[V; Q],
    found: &Moments<V>,
    force: impl Forcing<V>,
) -> Departure<V> {
    let half = T::from_f64(0.5);
    let equilibrium = Equilibrium::new(found.density_deviation, found.u);
    let rest = h[0] - equilibrium.rest::<Q, T>();
    let mut left = Departure { rest, even: [rest; MOST_PAIRS], odd: [rest; MOST_PAIRS] };
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let (one, other) = (h[2 * p + 1], h[2 * p + 2]);
            left.even[p] = (one + other).times(half) - equilibrium.even::<Q, T>(p);
            // The momentum without half of the force: that is half of the force's odd share.
            left.odd[p] = (one - other).times(half) - Equilibrium::odd::<Q, T>(p, found.momentum);
        },
    );
    if let Some(force) = force.on(rest) {
        let source = Source::new::<T>(found.u, force);
        left.rest = left.rest + source.rest::<Q, T>().times(half);
        each_pair::<Q>(
            #[inline(always)]
            |p| left.even[p] = left.even[p] + source.even::<Q, T>(p).times(half),
        );
    }
    left
}

/// Takes away what relaxes, in a pair, and in the population at rest.
#[inline(always)]
fn relax<const Q: usize, V: Signed>(h: &mut [V; Q], p: usize, even: V, odd: V) {
    h[2 * p + 1] = (h[2 * p + 1] - even) - odd;
    h[2 * p + 2] = (h[2 * p + 2] - even) + odd;
}

/// Adds the force's share.
#[inline(always)]
fn push<const Q: usize, T: Real, V: Number<T>>(h: &mut [V; Q], u: [V; 3], force: impl Forcing<V>) {
    let Some(force) = force.on(u[0]) else { return };
    let source = Source::new::<T>(u, force);
    h[0] = h[0] + source.rest::<Q, T>();
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let (even, odd) = (source.even::<Q, T>(p), source.odd::<Q, T>(p));
            h[2 * p + 1] = (h[2 * p + 1] + even) + odd;
            h[2 * p + 2] = (h[2 * p + 2] + even) - odd;
        },
    );
}

/// One relaxation time for all; eq. (L8) with one rate.
#[inline(always)]
pub(crate) fn collide_srt<const Q: usize, T: Real, V: Number<T>>(
    h: &mut [V; Q],
    rates: &Rates<T>,
    force: impl Forcing<V>,
) {
    let found = moments::<Q, T, V>(h, force);
    let left = departure::<Q, T, V>(h, &found, force);
    h[0] = h[0] - left.rest.times(rates.omega_plus);
    each_pair::<Q>(
        #[inline(always)]
        |p| relax(h, p, left.even[p].times(rates.omega_plus), left.odd[p].times(rates.omega_plus)),
    );
    push::<Q, T, V>(h, found.u, force);
}

/// Two relaxation times; eq. (L8).
#[inline(always)]
pub(crate) fn collide_trt<const Q: usize, T: Real, V: Number<T>>(
    h: &mut [V; Q],
    rates: &Rates<T>,
    force: impl Forcing<V>,
) {
    let found = moments::<Q, T, V>(h, force);
    let left = departure::<Q, T, V>(h, &found, force);
    h[0] = h[0] - left.rest.times(rates.omega_plus);
    each_pair::<Q>(
        #[inline(always)]
        |p| relax(h, p, left.even[p].times(rates.omega_plus), left.odd[p].times(rates.omega_minus)),
    );
    push::<Q, T, V>(h, found.u, force);
}

/// Only the viscous stress survives a collision; eq. (L12).
#[inline(always)]
pub(crate) fn collide_regularised<const Q: usize, T: Real, V: Number<T>>(
    h: &mut [V; Q],
    rates: &Rates<T>,
    force: impl Forcing<V>,
) {
    let found = moments::<Q, T, V>(h, force);
    let left = departure::<Q, T, V>(h, &found, force);
    let stress = Stress::of::<Q, T>(&left.even);
    let keep = T::from_f64(4.5) * (T::from_f64(1.0) - rates.omega_plus);
    // What was taken away comes back without its odd part and with the stress's own even part.
    h[0] = (h[0] - left.rest) - stress.trace_third.times(T::from_f64(Lattice::<Q>::W[0]) * keep);
    each_pair::<Q>(
        #[inline(always)]
        |p| {
            let kept = stress.along::<Q, T>(p) - stress.trace_third;
            let kept = kept.times(T::from_f64(Lattice::<Q>::w(p)) * keep);
            relax(h, p, left.even[p] - kept, left.odd[p]);
        },
    );
    push::<Q, T, V>(h, found.u, force);
}

/// Second moments of what departs from equilibrium; eq. (L10).
struct Stress<V> {
    /// xx, yy, zz.
    diagonal: [V; 3],
    /// xy, xz, yz.
    shear: [V; 3],
    /// A third of the diagonal's sum.
    trace_third: V,
}

/// The two directions of each shear stress.
pub(crate) const SHEAR: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

impl<V> Stress<V> {
    #[inline(always)]
    fn of<const Q: usize, T: Real>(even: &[V; MOST_PAIRS]) -> Self
    where
        V: Number<T>,
    {
        let mut diagonal = [Sum::NOTHING; 3];
        let mut shear = [Sum::NOTHING; 3];
        each_pair::<Q>(
            #[inline(always)]
            |p| {
                let c = Lattice::<Q>::c(p);
                each_direction(
                    #[inline(always)]
                    |d| {
                        diagonal[d].add(c[d] * c[d], even[p]);
                        let [a, b] = SHEAR[d];
                        shear[d].add(c[a] * c[b], even[p]);
                    },
                );
            },
        );
        let zero = even[0].constant(T::default());
        // Both populations of a pair count.
        let twice = T::from_f64(2.0);
        let diagonal = diagonal.map(|sum| sum.or(zero).times(twice));
        let shear = shear.map(|sum| sum.or(zero).times(twice));
        let trace = diagonal[0] + diagonal[1] + diagonal[2];
        Self { diagonal, shear, trace_third: trace.times(T::from_f64(1.0 / 3.0)) }
    }

    /// c c : stress for the velocity c of pair `p`.
    #[inline(always)]
    fn along<const Q: usize, T: Real>(&self, p: usize) -> V
    where
        V: Number<T>,
    {
        twofold::<Q, V>(p, self.diagonal, self.shear.map(|x| x + x))
    }
}

/// The sum of c_d c_d `diagonal` and c_a c_b `shear`, a < b, for the velocity c of pair `p`.
#[inline(always)]
pub(crate) fn twofold<const Q: usize, V: Signed>(p: usize, diagonal: [V; 3], shear: [V; 3]) -> V {
    let c = Lattice::<Q>::c(p);
    let mut sum = Sum::NOTHING;
    each_direction(
        #[inline(always)]
        |d| sum.add(c[d] * c[d], diagonal[d]),
    );
    each_direction(
        #[inline(always)]
        |d| {
            let [a, b] = SHEAR[d];
            sum.add(c[a] * c[b], shear[d]);
        },
    );
    sum.or(diagonal[0])
}
