//! The momentum equations; eqs. (V3) to (V8).

use vortice_core::{Real, Region, Result, Row};

use super::{Cpu, Equations, slice_at};
use crate::boundary::{BESIDE_BODY, SOLID, kind_of};
use crate::state::Flow;
use crate::stencil::{
    Across, CENTRAL, QUICK, UPWIND, VAN_LEER, beyond_upwind_at, coefficient, gradient, in_units,
};

/// Largest residual of some cells, and the sum of their magnitudes in whole units.
#[derive(Clone, Copy)]
pub(super) struct Residuals {
    pub(super) largest: f64,
    pub(super) sum: i128,
}

impl Residuals {
    pub(super) const NONE: Self = Self { largest: 0.0, sum: 0 };

    pub(super) fn join(self, other: Self) -> Self {
        let largest = self.largest.max_magnitude(other.largest);
        Self { largest, sum: self.sum + other.sum }
    }
}

impl Cpu {
    /// Coefficients and right-hand sides of all components, and how far from solved they are.
    pub(super) fn assemble_momentum(&mut self) -> Result<()> {
        self.halo.exchange(&*self.ranks, &mut [&mut self.now.p])?;
        for c in 0..self.fluid.directions {
            self.before[c].copy_from_slice(&self.now.u[c]);
        }
        let found = match self.fluid.scheme {
            CENTRAL => self.assemble_cells::<CENTRAL>(),
            QUICK => self.assemble_cells::<QUICK>(),
            VAN_LEER => self.assemble_cells::<VAN_LEER>(),
            _ => self.assemble_cells::<UPWIND>(),
        };
        (self.norms.momentum, self.norms.sum) = (found.largest, found.sum);
        self.halo.exchange(&*self.ranks, &mut [&mut self.momentum.diagonal])
    }

    /// The equations of all cells.
    fn assemble_cells<const SCHEME: u8>(&mut self) -> Residuals {
        let of_rows = self.assemble_rows::<SCHEME>();
        of_rows.join(self.complete_beside_bodies::<SCHEME>())
    }

    fn assemble_rows<const SCHEME: u8>(&mut self) -> Residuals {
        let Equations { a, diagonal, inverse, b } = &mut self.momentum;
        let [west, east, south, north, bottom, top] = a.each_mut().map(Vec::as_mut_slice);
        let [x, y, z] = b.each_mut().map(Vec::as_mut_slice);
        let arrays = [west, east, south, north, bottom, top, diagonal, inverse, x, y, z];
        let rows = CellRows {
            now: &self.now,
            past: &self.past,
            kinds: &self.faces.kinds,
            fluid: &self.fluid,
            factors: &self.factors,
            buoyancy: Self::buoyant(&self.transported).map(|heat| &heat.buoyancy),
            strides: self.shape.strides(),
        };
        self.pool.reduce_rows(
            &Region::own(self.shape),
            arrays,
            Residuals::NONE,
            #[inline(always)]
            |row, arrays| rows.assemble::<SCHEME>(row, arrays),
            Residuals::join,
        )
    }
}

/// What a row's equations are made from.
struct CellRows<'a> {
    now: &'a Flow,
    past: &'a [Flow; 2],
    kinds: &'a [u8],
    fluid: &'a crate::fluid::Fluid,
    factors: &'a crate::settings::Factors,
    /// In cells, in m/s2, of a flow with heat.
    buoyancy: Option<&'a [Vec<f64>; 3]>,
    strides: [usize; 3],
}

impl CellRows<'_> {
    /// The equations of a row of cells.
    #[inline(always)]
    fn assemble<const SCHEME: u8>(&self, row: Row, arrays: [&mut [f64]; 11]) -> Residuals {
        let [west, east, south, north, bottom, top, diagonal, inverse, x, y, z] = arrays;
        let mut a = [[west, east], [south, north], [bottom, top]];
        let b = [x, y, z];
        diagonal.fill(0.0);
        for d in 0..self.fluid.directions {
            let [low, high] = &mut a[d];
            self.set_coefficients(row, d, low, high, diagonal);
        }
        for c in 0..self.fluid.directions {
            b[c].fill(self.factors.force[c]);
            for d in 0..self.fluid.directions {
                self.subtract_corrections::<SCHEME>(row, d, c, b[c]);
                if c == d {
                    self.subtract_slope(row, d, b[c]);
                }
            }
            if let Some(buoyancy) = self.buoyancy.filter(|_| self.fluid.lift[c] != 0.0) {
                let lift = slice_at(&buoyancy[c], row.place, 0, b[c].len());
                b[c].iter_mut().zip(lift).for_each(|(b, lift)| *b += lift);
            }
        }
        let mut found = Residuals::NONE;
        for c in 0..self.fluid.directions {
            found = found.join(self.complete(row, c, &a, diagonal, b[c]));
        }
        self.relax_diagonal(row, diagonal, inverse);
        found
    }

    /// Coefficients in one direction, added to the diagonal; eq. (V4).
    #[inline(always)]
    fn set_coefficients(
        &self,
        row: Row,
        d: usize,
        low: &mut [f64],
        high: &mut [f64],
        diagonal: &mut [f64],
    ) {
        let (n, s) = (low.len(), self.strides[d] as isize);
        let (diffusion, inverse_h) = (self.fluid.diffusion[d], self.fluid.inverse_h[d]);
        let face_velocity =
            [0, s].map(|shift| slice_at(&self.now.face_velocity[d], row.place, shift, n));
        let kinds = [0, s].map(|shift| slice_at(self.kinds, row.place, shift, n));
        let (high, diagonal) = (&mut high[..n], &mut diagonal[..n]);
        for i in 0..n {
            let (v_low, v_high) =
                (face_velocity[0][i] * inverse_h, face_velocity[1][i] * inverse_h);
            let (below, above) = (kind_of(kinds[0][i], d), kind_of(kinds[1][i], d));
            low[i] = coefficient(below, diffusion, v_low);
            high[i] = coefficient(above, diffusion, -v_high);
            diagonal[i] += low[i] + high[i];
        }
    }

    /// What the scheme carries beyond upwind differences through both faces in one direction; eq. (V5).
    #[inline(always)]
    fn subtract_corrections<const SCHEME: u8>(
        &self,
        row: Row,
        d: usize,
        c: usize,
        explicit: &mut [f64],
    ) {
        let (n, s) = (explicit.len(), self.strides[d] as isize);
        let (blend, inverse_h) = (self.fluid.blend, self.fluid.inverse_h[d]);
        let face_velocity =
            [0, s].map(|shift| slice_at(&self.now.face_velocity[d], row.place, shift, n));
        let u =
            [-2 * s, -s, 0, s, 2 * s].map(|shift| slice_at(&self.now.u[c], row.place, shift, n));
        let kinds = [-s, 0, s, 2 * s].map(|shift| slice_at(self.kinds, row.place, shift, n));
        let normal = c == d;
        for i in 0..n {
            let (v_low, v_high) =
                (face_velocity[0][i] * inverse_h, face_velocity[1][i] * inverse_h);
            let u = [u[0][i], u[1][i], u[2][i], u[3][i], u[4][i]];
            let kind = |place: usize| kind_of(kinds[place][i], d);
            let kinds = [kind(0), kind(1), kind(2), kind(3)];
            let low = Across {
                u: [u[0], u[1], u[2], u[3]],
                kind: kinds[1],
                beside: [kinds[0], kinds[2]],
            };
            let high = Across {
                u: [u[1], u[2], u[3], u[4]],
                kind: kinds[2],
                beside: [kinds[1], kinds[3]],
            };
            let carried_low = v_low * beyond_upwind_at::<SCHEME>(low, v_low, true, normal);
            let carried_high = v_high * beyond_upwind_at::<SCHEME>(high, v_high, false, normal);
            explicit[i] -= blend * (carried_high - carried_low);
        }
    }

    /// The pressure gradient; eq. (V6).
    #[inline(always)]
    fn subtract_slope(&self, row: Row, d: usize, explicit: &mut [f64]) {
        let (n, s) = (explicit.len(), self.strides[d] as isize);
        let p = [-s, 0, s].map(|shift| slice_at(&self.now.p, row.place, shift, n));
        let kinds = [0, s].map(|shift| slice_at(self.kinds, row.place, shift, n));
        let (outlet_pressure, inverse_h) = (self.fluid.outlet_pressure[d], self.fluid.inverse_h[d]);
        for i in 0..n {
            let kinds = [kind_of(kinds[0][i], d), kind_of(kinds[1][i], d)];
            explicit[i] -= gradient([p[0][i], p[1][i], p[2][i]], kinds, outlet_pressure, inverse_h);
        }
    }

    /// Right-hand side and residual of a component; eq. (V8). `b` holds what is explicit, `diagonal` the
    /// sum of the coefficients.
    #[inline(always)]
    fn complete(
        &self,
        row: Row,
        c: usize,
        a: &[[&mut [f64]; 2]; 3],
        diagonal: &[f64],
        b: &mut [f64],
    ) -> Residuals {
        let n = b.len();
        let u = slice_at(&self.now.u[c], row.place, 0, n);
        let past = self.past.each_ref().map(|flow| slice_at(&flow.u[c], row.place, 0, n));
        let kinds = slice_at(self.kinds, row.place, 0, n);
        let factors = self.factors;
        let around = [0, 1, 2].map(|d| {
            let s = if d < self.fluid.directions { self.strides[d] as isize } else { 0 };
            [-s, s].map(|shift| slice_at(&self.now.u[c], row.place, shift, n))
        });
        let part = |d: usize, i: usize| {
            let [low, high] = around[d];
            a[d][0][i] * (low[i] - u[i]) + a[d][1][i] * (high[i] - u[i])
        };
        let space = self.fluid.directions == 3;
        let (mut largest, mut sum) = (0.0_f64, 0_i64);
        for i in 0..n {
            let mut implicit = part(0, i) + part(1, i);
            if space {
                implicit += part(2, i);
            }
            let known = b[i] + (factors.last * past[0][i] - factors.before * past[1][i]);
            let whole = diagonal[i] + factors.latest;
            let residual = (known + implicit) - factors.latest * u[i];
            b[i] = known + (whole * factors.over_alpha - whole) * u[i];
            let counts = kinds[i] & (SOLID | BESIDE_BODY) == 0;
            let residual = if counts { residual } else { 0.0 };
            largest = largest.max_magnitude(residual);
            sum = sum.saturating_add(in_units(residual, self.fluid.units));
        }
        Residuals { largest, sum: sum.into() }
    }

    /// The relaxed diagonal and its inverse, which is zero in solids; eq. (V8).
    #[inline(always)]
    fn relax_diagonal(&self, row: Row, diagonal: &mut [f64], inverse: &mut [f64]) {
        let n = diagonal.len();
        let kinds = slice_at(self.kinds, row.place, 0, n);
        for i in 0..n {
            let relaxed = (diagonal[i] + self.factors.latest) * self.factors.over_alpha;
            diagonal[i] = relaxed;
            inverse[i] = if kinds[i] & SOLID == 0 { 1.0 / relaxed } else { 0.0 };
        }
    }
}
