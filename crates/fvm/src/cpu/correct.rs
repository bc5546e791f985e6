//! Corrections by the pressure; eqs. (V12) and (V13).

use vortice_core::{Region, Result};

use super::{Cpu, slice_at};
use crate::boundary::{SOLID, kind_of};
use crate::state::Flow;
use crate::stencil::{gradient, pressure_diagonal};

impl Cpu {
    /// Face velocities that conserve mass, and velocity and pressure that go with them.
    pub(super) fn correct_flow(&mut self) -> Result<()> {
        let strides = self.shape.strides().map(|s| s as isize);
        let (fluid, factors) = (&self.fluid, &self.factors);
        let grids = self.correction.grids();
        let (x, c) = (grids.x(), grids.coefficients(0));
        let Flow { u, p, face_velocity } = &mut self.now;
        for (d, face_velocity) in face_velocity.iter_mut().enumerate().take(fluid.directions) {
            let spacing = 1.0 / fluid.inverse_h[d];
            self.pool.each_row(
                &Region::faces(self.shape, d),
                [face_velocity],
                #[inline(always)]
                |row, [face_velocity]| {
                    let n = face_velocity.len();
                    let c = slice_at(&c[d], row.place, 0, n);
                    let [low, high] = [-strides[d], 0].map(|s| slice_at(x, row.place, s, n));
                    for i in 0..n {
                        face_velocity[i] -= c[i] * spacing * (high[i] - low[i]);
                    }
                },
            );
        }
        let (diagonal, kinds) = (&self.momentum.diagonal, &self.faces.kinds);
        for (d, u) in u.iter_mut().enumerate().take(fluid.directions) {
            let s = strides[d];
            self.pool.each_row(
                &Region::own(self.shape),
                [u],
                #[inline(always)]
                |row, [u]| {
                    let n = u.len();
                    let x = [-s, 0, s].map(|shift| slice_at(x, row.place, shift, n));
                    let bits = [0, s].map(|shift| slice_at(kinds, row.place, shift, n));
                    let diagonal = slice_at(diagonal, row.place, 0, n);
                    for i in 0..n {
                        let kinds = [kind_of(bits[0][i], d), kind_of(bits[1][i], d)];
                        let x = [x[0][i], x[1][i], x[2][i]];
                        let slope = gradient(x, kinds, [0.0; 2], fluid.inverse_h[d]);
                        let pressure_diagonal =
                            pressure_diagonal(factors.share, factors.storage, diagonal[i]);
                        let corrected = u[i] - slope / pressure_diagonal;
                        u[i] = if bits[0][i] & SOLID == 0 { corrected } else { u[i] };
                    }
                },
            );
        }
        self.pool.each_row(
            &Region::own(self.shape),
            [p],
            #[inline(always)]
            |row, [p]| {
                let x = slice_at(x, row.place, 0, p.len());
                p.iter_mut().zip(x).for_each(|(p, x)| *p += factors.relax_pressure * x);
            },
        );
        Ok(())
    }
}
