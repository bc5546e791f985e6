//! The prediction F, G, H; eqs. (F1) to (F4).

use vortice_core::{Real, Result};

use super::{Cpu, exchange};
use crate::stencil::{Transport, transport, transport_central};

impl<T: Real> Cpu<T> {
    /// Velocity advanced by convection, diffusion and force, with its values at boundaries.
    pub(super) fn predict_velocity(&mut self, dt: f64, gamma: f64) -> Result<()> {
        if T::from_f64(gamma) == T::default() {
            self.advance_inside::<true>(dt, gamma);
        } else {
            self.advance_inside::<false>(dt, gamma);
        }
        exchange(&self.halo, &*self.ranks, &mut self.f[..self.directions])?;
        for a in 0..self.directions {
            self.walls.fix(a, &mut self.f[a]);
        }
        self.walls.predict_outlets(&mut self.f);
        Ok(())
    }

    /// The prediction on own faces; CENTRAL without the donor cell.
    fn advance_inside<const CENTRAL: bool>(&mut self, dt: f64, gamma: f64) {
        let Self { shape, directions, u, f, walls, team, .. } = self;
        let (n, strides) = (shape.cells[0], shape.strides());
        let coefficients: [Transport<T>; 3] = std::array::from_fn(|d| {
            let h = self.spacing[d];
            let (diffusion, inverse_h) =
                (T::from_f64(self.viscosity / (h * h)), T::from_f64(1.0 / h));
            Transport { diffusion, inverse_h, gamma: T::from_f64(gamma), half: T::from_f64(0.5) }
        });
        let dt = T::from_f64(dt);
        for a in 0..*directions {
            let (q, force, open) = (&u[a], T::from_f64(self.force[a]), &walls.open[a]);
            team.each_row(
                shape,
                shape.padded()[0],
                &mut f[a],
                #[inline(always)]
                |row, values| {
                    let first = row.number * shape.padded()[0] + shape.halo[0];
                    let out = &mut values[shape.halo[0]..][..n];
                    out.fill(force);
                    for d in 0..*directions {
                        add_transport::<T, CENTRAL>(
                            out,
                            q,
                            &u[d],
                            first,
                            [strides[d], strides[a]],
                            &coefficients[d],
                        );
                    }
                    let (here, open) = (&q[first..][..n], &open[first..][..n]);
                    for i in 0..n {
                        out[i] = open[i] * (here[i] + dt * out[i]);
                    }
                },
            );
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
