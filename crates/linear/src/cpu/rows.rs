//! Loops over neighbouring cells of a row; the equations themselves are in [`crate::stencil`].

use vortice_core::Shape;

use crate::stencil;

/// What lies on the low and high sides of neighbouring cells of a row, in each direction of the
/// problem: the cells beside them, or the faces between. All slices have the same length, those of
/// a missing direction are empty.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// West, south, bottom.
    pub low: [&'a [f64]; 3],
    /// East, north, top.
    pub high: [&'a [f64]; 3],
}

impl<'a> Sides<'a> {
    /// The cells beside `n` cells from `place`.
    #[inline(always)]
    pub fn cells(x: &'a [f64], shape: &Shape, directions: usize, place: usize, n: usize) -> Self {
        let strides = shape.strides();
        let part = |d: usize, up: bool| {
            if d >= directions {
                return &[][..];
            }
            &x[if up { place + strides[d] } else { place - strides[d] }..][..n]
        };
        Self {
            low: std::array::from_fn(|d| part(d, false)),
            high: std::array::from_fn(|d| part(d, true)),
        }
    }

    /// The faces of `n` cells from `place`; each array has the low faces in its direction.
    #[inline(always)]
    pub fn faces(
        c: &'a [Vec<f64>; 3],
        shape: &Shape,
        directions: usize,
        place: usize,
        n: usize,
    ) -> Self {
        let strides = shape.strides();
        let part = |d: usize, up: usize| {
            if d < directions { &c[d][place + up * strides[d]..][..n] } else { &[][..] }
        };
        Self { low: std::array::from_fn(|d| part(d, 0)), high: std::array::from_fn(|d| part(d, 1)) }
    }

    /// Coefficients that each cell has for its six sides: west, east, south, north, bottom, top.
    #[inline(always)]
    pub fn own(a: &'a [Vec<f64>; 6], directions: usize, place: usize, n: usize) -> Self {
        let part = |side: usize| {
            if side < 2 * directions { &a[side][place..][..n] } else { &[][..] }
        };
        Self {
            low: std::array::from_fn(|d| part(2 * d)),
            high: std::array::from_fn(|d| part(2 * d + 1)),
        }
    }

    #[inline(always)]
    fn plane(&self, n: usize) -> [&'a [f64]; 4] {
        let Self { low, high } = self;
        [&low[0][..n], &high[0][..n], &low[1][..n], &high[1][..n]]
    }

    #[inline(always)]
    fn space(&self, n: usize) -> [&'a [f64]; 6] {
        let ([w, e, s, north], Self { low, high }) = (self.plane(n), self);
        [w, e, s, north, &low[2][..n], &high[2][..n]]
    }
}

#[inline(always)]
fn at_four(v: &[&[f64]; 4], i: usize) -> [f64; 4] {
    [v[0][i], v[1][i], v[2][i], v[3][i]]
}

#[inline(always)]
fn at_six(v: &[&[f64]; 6], i: usize) -> [f64; 6] {
    [v[0][i], v[1][i], v[2][i], v[3][i], v[4][i], v[5][i]]
}

/// Computes each cell's `out` from coefficients times neighbours.
#[inline(always)]
pub fn from_sums(
    c: &Sides<'_>,
    x: &Sides<'_>,
    directions: usize,
    out: &mut [f64],
    value: impl Fn(usize, f64) -> f64,
) {
    let n = out.len();
    if directions == 2 {
        let (c, x) = (c.plane(n), x.plane(n));
        for i in 0..n {
            out[i] = value(i, stencil::sum_plane(at_four(&c, i), at_four(&x, i)));
        }
    } else {
        let (c, x) = (c.space(n), x.space(n));
        for i in 0..n {
            out[i] = value(i, stencil::sum_space(at_six(&c, i), at_six(&x, i)));
        }
    }
}

/// Computes each cell's `out` from coefficients times neighbours and the sum of the coefficients.
#[inline(always)]
pub fn from_sums_and_diagonals(
    c: &Sides<'_>,
    x: &Sides<'_>,
    directions: usize,
    out: &mut [f64],
    value: impl Fn(usize, f64, f64) -> f64,
) {
    let n = out.len();
    if directions == 2 {
        let (c, x) = (c.plane(n), x.plane(n));
        for i in 0..n {
            let c = at_four(&c, i);
            let diagonal = stencil::diagonal_plane(c);
            out[i] = value(i, stencil::sum_plane(c, at_four(&x, i)), diagonal);
        }
    } else {
        let (c, x) = (c.space(n), x.space(n));
        for i in 0..n {
            let c = at_six(&c, i);
            let diagonal = stencil::diagonal_space(c);
            out[i] = value(i, stencil::sum_space(c, at_six(&x, i)), diagonal);
        }
    }
}

/// Computes each cell's `out` from the sum of its coefficients.
#[inline(always)]
pub fn from_diagonals(
    c: &Sides<'_>,
    directions: usize,
    out: &mut [f64],
    value: impl Fn(usize, f64) -> f64,
) {
    let n = out.len();
    if directions == 2 {
        let c = c.plane(n);
        for i in 0..n {
            out[i] = value(i, stencil::diagonal_plane(at_four(&c, i)));
        }
    } else {
        let c = c.space(n);
        for i in 0..n {
            out[i] = value(i, stencil::diagonal_space(at_six(&c, i)));
        }
    }
}
