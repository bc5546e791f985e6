//! The arithmetic of one cell: functions of values in a fixed order, without fused multiply-adds,
//! so that every device computes the same bits.

/// Coefficients times neighbours, in the plane: west, east, south, north.
#[inline(always)]
pub fn sum_plane(c: [f64; 4], x: [f64; 4]) -> f64 {
    (c[0] * x[0] + c[1] * x[1]) + (c[2] * x[2] + c[3] * x[3])
}

/// Coefficients times neighbours, in space: west, east, south, north, bottom, top.
#[inline(always)]
pub fn sum_space(c: [f64; 6], x: [f64; 6]) -> f64 {
    ((c[0] * x[0] + c[1] * x[1]) + (c[2] * x[2] + c[3] * x[3])) + (c[4] * x[4] + c[5] * x[5])
}

/// Sum of the coefficients, in the plane.
#[inline(always)]
pub fn diagonal_plane(c: [f64; 4]) -> f64 {
    (c[0] + c[1]) + (c[2] + c[3])
}

/// Sum of the coefficients, in space.
#[inline(always)]
pub fn diagonal_space(c: [f64; 6]) -> f64 {
    ((c[0] + c[1]) + (c[2] + c[3])) + (c[4] + c[5])
}

/// One over the diagonal; 0 in a cell without neighbours, which stays at rest.
#[inline(always)]
pub fn inverse(diagonal: f64) -> f64 {
    if diagonal == 0.0 { 0.0 } else { 1.0 / diagonal }
}

/// The value that satisfies a cell's equation.
#[inline(always)]
pub fn relaxed(inverse: f64, b: f64, sum: f64) -> f64 {
    inverse * (b + sum)
}

/// A value that goes part of the way, or further.
#[inline(always)]
pub fn weighted(x: f64, omega: f64, relaxed: f64) -> f64 {
    x + omega * (relaxed - x)
}

/// b - A x in a cell.
#[inline(always)]
pub fn residual(b: f64, sum: f64, diagonal: f64, x: f64) -> f64 {
    (b + sum) - diagonal * x
}

/// A x in a cell.
#[inline(always)]
pub fn product(diagonal: f64, x: f64, sum: f64) -> f64 {
    diagonal * x - sum
}

/// y + a x.
#[inline(always)]
pub fn axpy(a: f64, x: f64, y: f64) -> f64 {
    y + a * x
}

/// The next direction of BiCGSTAB.
#[inline(always)]
pub fn direction(r: f64, beta: f64, p: f64, omega: f64, v: f64) -> f64 {
    r + beta * (p - omega * v)
}
