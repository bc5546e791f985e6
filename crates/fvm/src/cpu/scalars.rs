//! Scalars in an outer iteration: they come after the flow; and what heat does to velocities at faces.

use vortice_core::{Real, Region, Result};

use super::transported::Transported;
use super::{Cpu, slice_at};
use crate::boundary::kind_of;
use crate::stencil::{OPEN, Pair, buoyancy_at};

impl Cpu {
    /// All scalars with the face velocities of the flow; returns inner iterations.
    pub(super) fn solve_scalars(&mut self) -> Result<u64> {
        let Self { transported, now, faces, factors, halo, ranks, pool, norms, .. } = self;
        let (mut all, mut largest) = (0, 0.0_f64);
        for scalar in transported {
            let of_flow = (&*now, &faces.kinds[..], &*factors);
            let (iterations, found) = scalar.solve(of_flow, (halo, &**ranks), pool)?;
            all += iterations;
            largest = largest.max_magnitude(found);
        }
        norms.scalars = largest;
        Ok(all)
    }

    /// The scalar that moves the flow, if one does.
    pub(super) fn buoyant(transported: &[Transported]) -> Option<&Transported> {
        transported.iter().find(|scalar| scalar.is_buoyant)
    }

    /// What buoyancy adds to the difference of pressure gradients at faces across a direction; eq. (H11).
    pub(super) fn lift_faces(&mut self, d: usize) {
        let Self { transported, now, faces, momentum, fluid, pool, shape, .. } = self;
        let buoyant = Self::buoyant(transported).filter(|_| fluid.lift[d] != 0.0);
        let Some(heat) = buoyant else { return };
        let s = shape.strides()[d] as isize;
        let (theta, cells, lift) = (&heat.theta, &heat.buoyancy[d], fluid.lift[d]);
        let (diagonal, kinds) = (&momentum.diagonal, &faces.kinds);
        pool.each_row(
            &Region::faces(*shape, d),
            [&mut now.face_velocity[d]],
            #[inline(always)]
            |row, [face_velocity]| {
                let n = face_velocity.len();
                let pairs = |of| [-s, 0].map(|shift| slice_at(of, row.place, shift, n));
                let pair = |of: [&[f64]; 2], i: usize| Pair { low: of[0][i], high: of[1][i] };
                let (t, cells, diagonal) = (pairs(theta), pairs(cells), pairs(diagonal));
                let kinds = slice_at(kinds, row.place, 0, n);
                for i in 0..n {
                    let at_face = buoyancy_at(t[0][i], t[1][i], lift);
                    let above_mean = at_face - pair(cells, i).mean();
                    let lifted = fluid.rhie_chow * (above_mean / pair(diagonal, i).mean());
                    let is_open = kind_of(kinds[i], d) == OPEN;
                    let before = face_velocity[i];
                    face_velocity[i] = if is_open { before + lifted } else { before };
                }
            },
        );
    }
}
