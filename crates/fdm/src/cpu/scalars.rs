//! Scalars in a step: what carries them, and what heat does to the velocity; eq. (H8).

use vortice_core::{Real, Region, Result};

use super::Cpu;
use super::transported::Velocity;
use crate::scalar::half_lift;

impl<T: Real> Cpu<T> {
    /// Brings all scalars to the end of the step with the velocity of its begin.
    pub(super) fn advance_scalars(&mut self, dt: f64) -> Result<()> {
        let Self { scalars, u, directions, shape, pool, ranks, .. } = self;
        let velocity = Velocity { u: &u[..*directions], shape: *shape };
        scalars.iter_mut().try_for_each(|scalar| scalar.advance(&velocity, dt, &**ranks, pool))
    }

    /// Adds what the temperature does to the prediction at open own faces.
    pub(super) fn add_buoyancy(&mut self, dt: f64) {
        let Self { scalars, f, open, directions, pool, shape, .. } = self;
        let all = scalars.iter().flat_map(|heat| (0..*directions).map(move |a| (heat, a)));
        for (heat, a) in all.filter(|(heat, a)| heat.buoyancy[*a] != 0.0) {
            let (open, lift): (_, T) = (&open[a], half_lift(heat.buoyancy[a], dt));
            let (within, stride) = (heat.shape, heat.shape.strides()[a]);
            let theta = &heat.theta;
            pool.each_row(
                &Region::own(*shape),
                [&mut f[a]],
                #[inline(always)]
                |row, [out]| {
                    let (n, place) = (out.len(), within.index([0, row.j, row.k]));
                    let (before, here) = (&theta[place - stride..][..n], &theta[place..][..n]);
                    let open = row.part(open, n);
                    for i in 0..n {
                        out[i] += open[i] * (lift * (before[i] + here[i]));
                    }
                },
            );
        }
    }
}
