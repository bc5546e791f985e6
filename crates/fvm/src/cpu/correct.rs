//! Corrections by the pressure; eqs. (V12) and (V13).

use vortice_core::{Region, Result};

use super::{Cpu, stretch};
use crate::boundary::{SOLID, kind_of};
use crate::state::Flow;
use crate::stencil::{gradient, linked};

impl Cpu {
    /// Face velocities that conserve mass, and velocity and pressure that go with them.
    pub(super) fn correct_flow(&mut self) -> Result<()> {
        let strides = self.shape.strides().map(|s| s as isize);
        let (fluid, factors) = (&self.fluid, &self.factors);
        let grids = self.correction.grids();
        let (x, c) = (grids.x(), grids.coefficients(0));
        let Flow { u, p, through } = &mut self.now;
        for (d, through) in through.iter_mut().enumerate().take(fluid.directions) {
            let spacing = 1.0 / fluid.inverse_h[d];
            self.pool.each_row(
                &Region::faces(self.shape, d),
                [through],
                #[inline(always)]
                |row, [through]| {
                    let n = through.len();
                    let c = stretch(&c[d], row.place, 0, n);
                    let [low, high] = [-strides[d], 0].map(|s| stretch(x, row.place, s, n));
                    for i in 0..n {
                        through[i] -= c[i] * spacing * (high[i] - low[i]);
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
                    let x = [-s, 0, s].map(|shift| stretch(x, row.place, shift, n));
                    let bits = [0, s].map(|shift| stretch(kinds, row.place, shift, n));
                    let diagonal = stretch(diagonal, row.place, 0, n);
                    for i in 0..n {
                        let kinds = [kind_of(bits[0][i], d), kind_of(bits[1][i], d)];
                        let x = [x[0][i], x[1][i], x[2][i]];
                        let slope = gradient(x, kinds, [0.0; 2], fluid.inverse_h[d]);
                        let linked = linked(factors.share, factors.storage, diagonal[i]);
                        let corrected = u[i] - slope / linked;
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
                let x = stretch(x, row.place, 0, p.len());
                p.iter_mut().zip(x).for_each(|(p, x)| *p += factors.relax_pressure * x);
            },
        );
        Ok(())
    }
}
