//! All sweeps of a plane level in one launch on the way down, and in one on the way up.

use vortice_core::Result;
use vortice_gpu::value;

use super::super::launches::MOST_HALF_SWEEPS;
use super::levels::{Grid, Multigrid, Next, Storage};
use crate::cycle::Smoothing;

impl Multigrid {
    /// Whether blocks sweep over regions of a level.
    pub(super) fn sweeps_regions(&self, level: usize, smoothing: Smoothing) -> bool {
        let Smoothing { pre, post } = smoothing;
        let few = pre > 0 && post > 0 && 2 * pre.max(post) < MOST_HALF_SWEEPS;
        few && self.grids[level].next.as_ref().is_some_and(|next| next.by_regions)
    }

    /// What [`crate::cycle::sweep_and_restrict`] does.
    pub(super) fn descend_by_regions(&mut self, number: usize, smoothing: Smoothing) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(number + 1);
        let (fine, coarse) = (&mut finer[number], &mut coarser[0]);
        let Grid { layout, storage, next, is_zero, .. } = fine;
        let Some(Next { transfer, .. }) = next else { return Ok(()) };
        coarse.is_zero = true;
        let from_zero = std::mem::take(is_zero);
        let half_sweeps = 2 * smoothing.pre;
        let halo = half_sweeps + usize::from(!from_zero);
        let Storage { c, inverse, x, b, r } = storage;
        self.kernels.descend_level.launch(
            coarse.layout.regions(halo, transfer.factors(), 2),
            &[
                value("fine", layout),
                value("coarse", &coarse.layout),
                value("step", transfer),
                value("half_sweeps", &(half_sweeps as i32)),
                value("from_zero", &i32::from(from_zero)),
                c.input("c"),
                inverse.input("inverse"),
                b.input("b"),
                x.input("x"),
                r.output("relaxed_x"),
                coarse.storage.b.output("b_coarse"),
            ],
        )
    }

    /// What [`crate::cycle::prolong_and_sweep`] does.
    pub(super) fn ascend_by_regions(&mut self, number: usize, smoothing: Smoothing) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(number + 1);
        let Grid { layout, storage, next, .. } = &mut finer[number];
        let Some(Next { transfer, .. }) = next else { return Ok(()) };
        let coarse = &coarser[0];
        let half_sweeps = 2 * smoothing.post;
        let Storage { c, inverse, x, b, r } = storage;
        self.kernels.ascend_level.launch(
            layout.regions(half_sweeps, [1; 2], 1),
            &[
                value("fine", layout),
                value("coarse", &coarse.layout),
                value("step", transfer),
                value("half_sweeps", &(half_sweeps as i32)),
                c.input("c"),
                inverse.input("inverse"),
                b.input("b"),
                r.input("relaxed_x"),
                coarse.storage.x.input("x_coarse"),
                x.output("x"),
            ],
        )
    }
}
