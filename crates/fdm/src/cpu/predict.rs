//! The prediction F, G, H; eqs. (F1) to (F4), (F15).

use vortice_core::{Real, Region, Result};

use super::{Cpu, exchange};
use crate::boundary;
use crate::stencil::{Transport, extrapolated, transport, transport_central};

impl<T: Real> Cpu<T> {
    /// Velocity advanced by convection, diffusion and force, with its values at boundaries.
    pub(super) fn predict_velocity(
        &mut self,
        dt: f64,
        gamma: f64,
        weights: Option<[f64; 2]>,
    ) -> Result<()> {
        if T::from_f64(gamma) == T::default() {
            self.advance_inside::<true>(dt, gamma, weights);
        } else {
            self.advance_inside::<false>(dt, gamma, weights);
        }
        self.add_buoyancy(dt);
        self.forced.keep(&self.u, &mut self.f);
        exchange(&self.halo, &*self.ranks, &mut self.f[..self.directions])?;
        boundary::fix(&self.walls.fixed, &mut self.f);
        self.walls.predict_outlets(&mut self.f);
        Ok(())
    }

    /// The prediction on own faces; CENTRAL without the donor cell.
    fn advance_inside<const CENTRAL: bool>(
        &mut self,
        dt: f64,
        gamma: f64,
        weights: Option<[f64; 2]>,
    ) {
        let Self { shape, directions, u, f, rates, open, pool, .. } = self;
        let (rows, strides) = (Region::own(*shape), shape.strides());
        let coefficients: [Transport<T>; 3] = std::array::from_fn(|d| {
            let h = self.spacing[d];
            let (diffusion, inverse_h) =
                (T::from_f64(self.viscosity / (h * h)), T::from_f64(1.0 / h));
            Transport { diffusion, inverse_h, gamma: T::from_f64(gamma), half: T::from_f64(0.5) }
        });
        let dt = T::from_f64(dt);
        let weights = weights.map(|weights| weights.map(T::from_f64));
        for a in 0..*directions {
            let (q, open) = (&u[a], &open[a]);
            let change = Change {
                u: &u[..*directions],
                component: a,
                force: T::from_f64(self.force[a]),
                strides,
                coefficients,
            };
            let Some(weights) = weights else {
                pool.each_row(
                    &rows,
                    [&mut f[a]],
                    #[inline(always)]
                    |row, [out]| {
                        let n = out.len();
                        change.of_row::<CENTRAL>(row.place, out);
                        let (here, open) = (row.part(q, n), row.part(open, n));
                        for i in 0..n {
                            out[i] = open[i] * (here[i] + dt * out[i]);
                        }
                    },
                );
                continue;
            };
            pool.each_row(
                &rows,
                [&mut f[a], &mut rates[a]],
                #[inline(always)]
                |row, [out, before]| {
                    let n = out.len();
                    change.of_row::<CENTRAL>(row.place, out);
                    let (here, open) = (row.part(q, n), row.part(open, n));
                    for i in 0..n {
                        let rate = out[i];
                        out[i] = open[i] * extrapolated(here[i], rate, before[i], weights, dt);
                        before[i] = rate;
                    }
                },
            );
        }
    }
}

/// What changes a velocity component.
struct Change<'a, T> {
    u: &'a [Vec<T>],
    component: usize,
    /// In m/s2.
    force: T,
    strides: [usize; 3],
    coefficients: [Transport<T>; 3],
}

impl<T: Real> Change<'_, T> {
    /// The rates of change in m/s2 on a row's own faces, whose first is at `first`; CENTRAL without
    /// the donor cell.
    #[inline(always)]
    fn of_row<const CENTRAL: bool>(&self, first: usize, out: &mut [T]) {
        let Self { u, component: a, force, strides, coefficients } = self;
        out.fill(*force);
        for (d, v) in u.iter().enumerate() {
            let along = [strides[d], strides[*a]];
            add_transport::<T, CENTRAL>(out, &u[*a], v, first, along, &coefficients[d]);
        }
    }
}

/// Adds the transport along one direction to a row's rate of change. `v` is the velocity component
/// along that direction; `along` and `at` are the strides of that direction and of the component's.
#[inline(always)]
fn add_transport<T: Real, const CENTRAL: bool>(
    out: &mut [T],
    q: &[T],
    v: &[T],
    first: usize,
    [along, at]: [usize; 2],
    k: &Transport<T>,
) {
    let n = out.len();
    let (low, here, high) = (&q[first - along..][..n], &q[first..][..n], &q[first + along..][..n]);
    // The velocity that crosses the low and the high side of the component's own cell.
    let (v_low, v_low_before) = (&v[first..][..n], &v[first - at..][..n]);
    let (v_high, v_high_before) = (&v[first + along..][..n], &v[first + along - at..][..n]);
    for i in 0..n {
        let v_sides =
            [k.half * (v_low_before[i] + v_low[i]), k.half * (v_high_before[i] + v_high[i])];
        out[i] += if CENTRAL {
            transport_central(low[i], here[i], high[i], v_sides, k)
        } else {
            transport(low[i], here[i], high[i], v_sides, k)
        };
    }
}
