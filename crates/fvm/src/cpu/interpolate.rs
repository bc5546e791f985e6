//! Face velocities by Rhie and Chow, and the equation of the pressure correction; eqs. (V9) to (V11).

use vortice_core::{Real, Region, Result, Row};
use vortice_linear::cpu::Finest;

use super::{Cpu, slice_at};
use crate::boundary::{IN_BODY, kind_of};
use crate::fluid::Fluid;
use crate::settings::Factors;
use crate::state::Flow;
use crate::stencil::{OPEN, OUTLET, Pair, gradient, pressure_diagonal, rhie_chow_correction};

impl Cpu {
    /// New face velocities, and coefficients and right-hand side of the pressure correction.
    pub(super) fn interpolate_faces(&mut self) -> Result<()> {
        let Finest { c, .. } = self.correction.finest_mut();
        let Flow { u, p, face_velocity } = &mut self.now;
        for (d, (face_velocity, c)) in
            face_velocity.iter_mut().zip(c).take(self.fluid.directions).enumerate()
        {
            let faces = FaceRows {
                d,
                stride: self.shape.strides()[d] as isize,
                u: &u[d],
                p,
                before: &self.before[d],
                past: &self.past,
                diagonal: &self.momentum.diagonal,
                kinds: &self.faces.kinds,
                fluid: &self.fluid,
                factors: &self.factors,
                last: self.shape.cells[d] as isize,
            };
            self.pool.each_row(
                &Region::faces(self.shape, d),
                [face_velocity, c],
                #[inline(always)]
                |row, [face_velocity, c]| faces.interpolate(row, face_velocity, c),
            );
        }
        (0..self.fluid.directions).for_each(|d| self.lift_faces(d));
        if self.body_faces.is_empty() {
            self.set_divergence::<false>();
        } else {
            self.set_divergence::<true>();
        }
        self.correction.prepare()
    }

    /// Right-hand side of the pressure correction: what flows in and does not flow out. Into bodies it only
    /// seems to flow.
    fn set_divergence<const BODIES: bool>(&mut self) {
        let strides = self.shape.strides().map(|s| s as isize);
        let (fluid, kinds) = (&self.fluid, &self.faces.kinds);
        let all = &self.now.face_velocity;
        let Finest { b, x, .. } = self.correction.finest_mut();
        x.fill(0.0);
        let [largest] = self.pool.largest_of_rows(
            &Region::own(self.shape),
            [b],
            #[inline(always)]
            |row, [b]| {
                let n = b.len();
                b.fill(0.0);
                for d in 0..fluid.directions {
                    let [low, high] =
                        [0, strides[d]].map(|shift| slice_at(&all[d], row.place, shift, n));
                    for i in 0..n {
                        b[i] -= (high[i] - low[i]) * fluid.inverse_h[d];
                    }
                }
                if BODIES {
                    let kinds = slice_at(kinds, row.place, 0, n);
                    for i in 0..n {
                        b[i] = if kinds[i] & IN_BODY == IN_BODY { 0.0 } else { b[i] };
                    }
                }
                [largest_of(b)]
            },
        );
        self.norms.mass = largest;
    }
}

#[inline(always)]
fn largest_of(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, &x| largest.max_magnitude(x))
}

/// The faces across one direction.
struct FaceRows<'a> {
    d: usize,
    stride: isize,
    u: &'a [f64],
    p: &'a [f64],
    /// Velocity before this outer iteration.
    before: &'a [f64],
    past: &'a [Flow; 2],
    diagonal: &'a [f64],
    kinds: &'a [u8],
    fluid: &'a Fluid,
    factors: &'a Factors,
    /// Index of the last face.
    last: isize,
}

impl FaceRows<'_> {
    /// Velocities and pressure coefficients of a row of faces.
    #[inline(always)]
    fn interpolate(&self, row: Row, face_velocity: &mut [f64], c: &mut [f64]) {
        let Self { d, fluid, factors, .. } = *self;
        let (n, s, inverse_h) = (face_velocity.len(), self.stride, fluid.inverse_h[d]);
        let pairs = |of| [-s, 0].map(|shift| slice_at(of, row.place, shift, n));
        let pair = |of: [&[f64]; 2], i: usize| Pair { low: of[0][i], high: of[1][i] };
        let (u, before, diagonal) = (pairs(self.u), pairs(self.before), pairs(self.diagonal));
        let p = [-2 * s, -s, 0, s].map(|shift| slice_at(self.p, row.place, shift, n));
        let kinds = [-s, 0, s].map(|shift| slice_at(self.kinds, row.place, shift, n));
        let past = self
            .past
            .each_ref()
            .map(|flow| (slice_at(&flow.face_velocity[d], row.place, 0, n), pairs(&flow.u[d])));
        for i in 0..n {
            let kinds = [kind_of(kinds[0][i], d), kind_of(kinds[1][i], d), kind_of(kinds[2][i], d)];
            let p = [p[0][i], p[1][i], p[2][i], p[3][i]];
            let gradients = Pair {
                low: gradient(
                    [p[0], p[1], p[2]],
                    [kinds[0], kinds[1]],
                    fluid.outlet_pressure[d],
                    inverse_h,
                ),
                high: gradient(
                    [p[1], p[2], p[3]],
                    [kinds[1], kinds[2]],
                    fluid.outlet_pressure[d],
                    inverse_h,
                ),
            };
            let pressures = Pair { low: p[1], high: p[2] };
            let last = past[0].0[i] - pair(past[0].1, i).mean();
            let older = past[1].0[i] - pair(past[1].1, i).mean();
            let history = factors.last * last - factors.before * older;
            let iteration = face_velocity[i] - pair(before, i).mean();
            let diagonals = pair(diagonal, i);
            let mean = diagonals.mean();
            let rhie_chow_correction = rhie_chow_correction(
                gradients,
                pressures,
                inverse_h,
                mean,
                factors.one_minus_alpha,
                iteration,
                history,
            );
            let u = pair(u, i);
            let corrected = u.mean() + fluid.rhie_chow * rhie_chow_correction;
            // The cell beside an outlet: below the last face, above a first one.
            let is_last = if d == 0 { i as isize == self.last } else { self.is_last(row) };
            let inside = if is_last { diagonals.low } else { diagonals.high };
            let inside_of = |pair: Pair| if is_last { pair.low } else { pair.high };
            // What a finer grid asks for of an outlet of this one.
            let asked = past[0].0[i] - inside_of(pair(past[0].1, i));
            let outflow = inside_of(u);
            let outflow = if factors.asks() { outflow + factors.last * asked } else { outflow };
            let link = |diagonal| pressure_diagonal(factors.share, factors.storage, diagonal);
            let open = inverse_h * inverse_h / link(mean);
            let outlet = 2.0 * inverse_h * inverse_h / link(inside);
            let kind = kinds[1];
            face_velocity[i] = if kind == OPEN {
                corrected
            } else if kind == OUTLET {
                outflow
            } else {
                face_velocity[i]
            };
            c[i] = if kind == OPEN {
                open
            } else if kind == OUTLET {
                outlet
            } else {
                0.0
            };
        }
    }

    /// Whether a row of faces across y or z is the last.
    #[inline(always)]
    fn is_last(&self, row: Row) -> bool {
        self.last == if self.d == 1 { row.j } else { row.k }
    }
}
