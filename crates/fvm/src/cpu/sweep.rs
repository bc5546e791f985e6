//! Half a red-black sweep over equations of seven points.

use vortice_core::{Shape, ThreadPool};
use vortice_linear::cpu::relax_rows;
use vortice_linear::cpu::rows::{Sides, from_sums};
use vortice_linear::stencil;

/// Coefficients of the neighbours, inverse of the diagonal, and right side.
pub(super) struct SevenPoints<'a> {
    pub(super) a: &'a [Vec<f64>; 6],
    pub(super) inverse: &'a [f64],
    pub(super) b: &'a [f64],
    pub(super) directions: usize,
}

impl SevenPoints<'_> {
    /// New values in the cells whose own indices have the sum `shift` or differ from it by an even number, from those of
    /// the other colour; eq. (V8).
    pub(super) fn relax(&self, pool: &ThreadPool, shape: &Shape, shift: usize, x: &mut [f64]) {
        let Self { a, inverse, b, directions } = *self;
        relax_rows(
            pool,
            shape,
            directions,
            shift,
            x,
            #[inline(always)]
            |block, out| {
                let n = out.len();
                let a = Sides::own(a, directions, block.place, n);
                let (b, inverse) = (&b[block.place..][..n], &inverse[block.place..][..n]);
                from_sums(
                    &a,
                    &block.x,
                    directions,
                    out,
                    #[inline(always)]
                    |i, sum| stencil::relaxed(inverse[i], b[i], sum),
                );
            },
        );
    }
}
