//! A scalar of one subdomain and its equation; eqs. (H11), (H12).

mod walled;

use vortice_core::{
    Case, Communicator, Field, Halo, Location, Quantity, Real, Region, Result, Row, Scalar, Shape,
    StateReader, StateWriter, Subdomain, ThermalEnds, ThermalWalls, ThreadPool,
};
use vortice_linear::Colour;

use super::slices::slice_at;
use super::sweep::SevenPoints;
use crate::boundary::kind_of;
use crate::scalar::{Conductor, SWEEPS, at_centres, initial, saved_names, source};
use crate::settings::{Factors, Settings};
use crate::state::Flow;
use crate::stencil::{CENTRAL, VAN_LEER, buoyancy, heat_flux, thermal_coefficient};

/// A scalar of one subdomain, relative to its reference, at cell centres.
pub(super) struct Transported {
    pub(super) quantity: Quantity,
    /// Its names in a state.
    saved: [String; 3],
    shape: Shape,
    directions: usize,
    /// Sum of the global indices of cell (0, 0, 0): its parity is its colour.
    origin: usize,
    /// The difference is what residuals are shares of.
    reference: f64,
    difference: f64,
    pub(super) theta: Vec<f64>,
    /// What comes in inside in units/s; empty if nothing does.
    source: Vec<f64>,
    past: [Vec<f64>; 2],
    /// Coefficients of the neighbours in 1/s, as those of the momentum equations, and the inverse of the diagonal.
    a: [Vec<f64>; 6],
    inverse: Vec<f64>,
    /// What is missing in the equations, in units/s, and what they are corrected by.
    residual: Vec<f64>,
    correction: Vec<f64>,
    /// Acceleration in m/s2 by each unit, and by the values in each cell, if the scalar moves the flow.
    lift: [f64; 3],
    pub(super) is_buoyant: bool,
    pub(super) buoyancy: [Vec<f64>; 3],
    conductor: Conductor,
    ends: ThermalEnds<f64>,
    walls: ThermalWalls<f64>,
    /// Cells that walls do, and solid ones.
    marks: Vec<u8>,
}

impl Transported {
    /// Of the case at t = 0. Collective.
    pub(super) fn new(
        (case, scalar): (&Case, &Scalar),
        (part, shape): (&Subdomain, Shape),
        (settings, kinds): (&Settings, &[u8]),
        (halo, ranks): (&Halo, &dyn Communicator),
        pool: &ThreadPool,
    ) -> Result<Self> {
        let zeros = || vec![0.0; shape.len()];
        let of_flow = || if scalar.is_buoyant() { zeros() } else { Vec::new() };
        let walls = ThermalWalls::new((case, scalar), part);
        let mut one = Self {
            quantity: scalar.quantity,
            saved: saved_names(scalar),
            shape,
            directions: settings.directions,
            origin: part.offset().iter().sum(),
            reference: scalar.reference,
            difference: scalar.difference,
            theta: initial((case, scalar), (part, shape), pool),
            source: source((case, scalar), (part, shape), pool),
            past: [zeros(), zeros()],
            a: std::array::from_fn(|_| zeros()),
            inverse: zeros(),
            residual: zeros(),
            correction: zeros(),
            lift: scalar.buoyancy,
            is_buoyant: scalar.is_buoyant(),
            buoyancy: std::array::from_fn(|_| of_flow()),
            conductor: Conductor::new(scalar, settings),
            ends: ThermalEnds::new((case, scalar), part),
            marks: walls.marks(case, part, &shape),
            walls,
        };
        one.complete(kinds, (halo, ranks), pool)?;
        Ok(one)
    }

    /// Halos, values beyond the ends of the box, and the buoyancy of cells.
    fn complete(
        &mut self,
        kinds: &[u8],
        (halo, ranks): (&Halo, &dyn Communicator),
        pool: &ThreadPool,
    ) -> Result<()> {
        let Self { shape, theta, ends, lift, buoyancy: all, directions, .. } = self;
        halo.exchange(ranks, &mut [theta])?;
        ends.fill(theta, shape);
        if !self.is_buoyant {
            return Ok(());
        }
        let (theta, strides) = (&theta[..], shape.strides().map(|s| s as isize));
        for (d, out) in all.iter_mut().enumerate().take(*directions) {
            let (s, lift) = (strides[d], lift[d]);
            pool.each_row(
                &Region::own(*shape),
                [out],
                #[inline(always)]
                |row, [out]| {
                    let n = out.len();
                    let t = [-s, 0, s].map(|shift| slice_at(theta, row.place, shift, n));
                    let bits = [0, s].map(|shift| slice_at(kinds, row.place, shift, n));
                    for i in 0..n {
                        let kinds = [kind_of(bits[0][i], d), kind_of(bits[1][i], d)];
                        out[i] = buoyancy([t[0][i], t[1][i], t[2][i]], kinds, lift);
                    }
                },
            );
        }
        let mut all: Vec<&mut [f64]> = all.iter_mut().map(Vec::as_mut_slice).collect();
        halo.exchange(ranks, &mut all[..*directions])
    }

    /// What is given at faces at a time in s.
    pub(super) fn prescribe(&mut self, time: f64) {
        if self.ends.follow(time) {
            self.ends.fill(&mut self.theta, &self.shape);
        }
    }

    /// It becomes that of the last step.
    pub(super) fn begin_step(&mut self) {
        self.past.swap(0, 1);
        self.past[0].clone_from(&self.theta);
    }

    /// Largest change since then, a share of the difference; not a number if any is.
    pub(super) fn change(&self) -> f64 {
        let rows = self.shape.rows();
        let of_row = |places: std::ops::Range<usize>| {
            let both = self.theta[places.clone()].iter().zip(&self.past[0][places]);
            both.fold(0.0, |most: f64, (now, past)| most.max_magnitude(now - past))
        };
        rows.map(of_row).fold(0.0, f64::max_magnitude) / self.difference
    }

    /// Solves the equation once with the face velocities of a flow; inner iterations, and the largest residual in 1/s
    /// before it, as a share of the difference.
    pub(super) fn solve(
        &mut self,
        (flow, kinds, factors): (&Flow, &[u8], &Factors),
        (halo, ranks): (&Halo, &dyn Communicator),
        pool: &ThreadPool,
    ) -> Result<(u64, f64)> {
        let found = match self.conductor.scheme {
            CENTRAL => self.assemble::<CENTRAL>(flow, kinds, factors, pool),
            _ => self.assemble::<VAN_LEER>(flow, kinds, factors, pool),
        };
        self.correction.fill(0.0);
        for _ in 0..SWEEPS {
            for colour in [Colour::Red, Colour::Black] {
                self.relax(colour, pool);
                halo.exchange(ranks, &mut [&mut self.correction])?;
            }
        }
        let correction = &self.correction;
        pool.each_row(&Region::own(self.shape), [&mut self.theta], |row, [out]| {
            let by = slice_at(correction, row.place, 0, out.len());
            out.iter_mut().zip(by).for_each(|(out, by)| *out += by);
        });
        self.complete(kinds, (halo, ranks), pool)?;
        Ok((SWEEPS.into(), found / self.difference))
    }

    /// Coefficients, and what is missing; eq. (H12).
    fn assemble<const SCHEME: u8>(
        &mut self,
        flow: &Flow,
        kinds: &[u8],
        factors: &Factors,
        pool: &ThreadPool,
    ) -> f64 {
        let Self { shape, theta, source, past, a, inverse, residual, walls, marks, .. } = self;
        let alpha = if factors.latest > 0.0 { 1.0 } else { self.conductor.alpha };
        let rows = CellRows {
            theta,
            source,
            past,
            flow,
            kinds,
            marks,
            factors,
            strides: shape.strides().map(|s| s as isize),
            directions: self.directions,
            conductor: self.conductor,
            over_alpha: 1.0 / alpha,
        };
        let [west, east, south, north, bottom, top] = a.each_mut().map(Vec::as_mut_slice);
        let [mut largest] = pool.largest_of_rows(
            &Region::own(*shape),
            [west, east, south, north, bottom, top, &mut *inverse, &mut *residual],
            #[inline(always)]
            |row, arrays| [rows.assemble::<SCHEME>(row, arrays)],
        );
        for walled in &walls.cells {
            let place = shape.index(walled.cell);
            let balance = rows.balance::<SCHEME>(place, walled);
            a.iter_mut().zip(balance.a).for_each(|(a, of_cell)| a[place] = of_cell);
            inverse[place] = 1.0 / (balance.diagonal * rows.over_alpha);
            residual[place] = balance.residual;
            largest = largest.max_magnitude(balance.residual);
        }
        largest
    }

    /// New corrections in the cells of one colour, from those of the other.
    fn relax(&mut self, colour: Colour, pool: &ThreadPool) {
        let Self { shape, directions, a, inverse, residual, correction, .. } = self;
        let shift = self.origin + usize::from(colour == Colour::Black);
        let equations = SevenPoints { a, inverse, b: residual, directions: *directions };
        equations.relax(pool, shape, shift, correction);
    }

    /// Its values at the centres of some rows.
    pub(super) fn field(&self, rows: std::ops::Range<usize>) -> Field {
        let theta = &self.theta[self.shape.hull(rows.clone()).start..];
        at_centres(self.shape, rows, self.reference, theta)
    }

    /// Gives it to a state.
    pub(super) fn save(&self, state: &mut dyn StateWriter) -> Result<()> {
        let all = [&self.theta, &self.past[0], &self.past[1]];
        self.saved.iter().zip(all).try_for_each(|(name, theta)| {
            state.components(name, (Location::Centre, self.shape, 1), |_| Ok(theta.clone()))
        })
    }

    /// The reverse of `save`.
    pub(super) fn restore(
        &mut self,
        state: &dyn StateReader,
        kinds: &[u8],
        (halo, ranks): (&Halo, &dyn Communicator),
        pool: &ThreadPool,
    ) -> Result<()> {
        let saved = |number: usize| state.scalar(&self.saved[number], self.shape);
        (self.theta, self.past) = (saved(0)?, [saved(1)?, saved(2)?]);
        self.complete(kinds, (halo, ranks), pool)
    }
}

/// What a row's equations are made from.
struct CellRows<'a> {
    theta: &'a [f64],
    source: &'a [f64],
    past: &'a [Vec<f64>; 2],
    flow: &'a Flow,
    kinds: &'a [u8],
    marks: &'a [u8],
    factors: &'a Factors,
    strides: [isize; 3],
    directions: usize,
    conductor: Conductor,
    over_alpha: f64,
}

impl CellRows<'_> {
    /// The equations of a row of cells; the largest residual in units/s.
    #[inline(always)]
    fn assemble<const SCHEME: u8>(&self, row: Row, arrays: [&mut [f64]; 8]) -> f64 {
        let [west, east, south, north, bottom, top, inverse, residual] = arrays;
        let mut a = [[west, east], [south, north], [bottom, top]];
        let n = residual.len();
        inverse.fill(self.factors.latest);
        self.take_past(row, residual);
        for d in 0..self.directions {
            let [low, high] = &mut a[d];
            self.add_direction::<SCHEME>(row, d, [low, high], inverse, residual);
        }
        let mut largest = 0.0_f64;
        for i in 0..n {
            inverse[i] = 1.0 / (inverse[i] * self.over_alpha);
        }
        if !self.marks.is_empty() {
            let marked = slice_at(self.marks, row.place, 0, n).iter().enumerate();
            for (i, _) in marked.filter(|(_, mark)| **mark != 0) {
                (inverse[i], residual[i]) = (0.0, 0.0);
            }
        }
        for residual in residual {
            largest = largest.max_magnitude(*residual);
        }
        largest
    }

    /// What the time step asks for, eq. (V3), and what comes in.
    #[inline(always)]
    fn take_past(&self, row: Row, residual: &mut [f64]) {
        let n = residual.len();
        let now = slice_at(self.theta, row.place, 0, n);
        let [last, before] = self.past.each_ref().map(|past| slice_at(past, row.place, 0, n));
        let factors = self.factors;
        for i in 0..n {
            residual[i] =
                (factors.last * last[i] - factors.before * before[i]) - factors.latest * now[i];
        }
        if !self.source.is_empty() {
            let source = slice_at(self.source, row.place, 0, n);
            residual.iter_mut().zip(source).for_each(|(residual, source)| *residual += source);
        }
    }

    /// The faces across one direction.
    #[inline(always)]
    fn add_direction<const SCHEME: u8>(
        &self,
        row: Row,
        d: usize,
        [low, high]: [&mut [f64]; 2],
        diagonal: &mut [f64],
        residual: &mut [f64],
    ) {
        let (n, s) = (residual.len(), self.strides[d]);
        let t = [-2 * s, -s, 0, s, 2 * s].map(|shift| slice_at(self.theta, row.place, shift, n));
        let u = [0, s].map(|shift| slice_at(&self.flow.face_velocity[d], row.place, shift, n));
        let kinds = [0, s].map(|shift| slice_at(self.kinds, row.place, shift, n));
        let Conductor { diffusion, conduction, inverse_h, fixed, .. } = self.conductor;
        let (diffusion, conduction) = (diffusion[d], conduction[d]);
        let (inverse_h, fixed) = (inverse_h[d], fixed[d]);
        for i in 0..n {
            let t = [t[0][i], t[1][i], t[2][i], t[3][i], t[4][i]];
            let (u_low, u_high) = (u[0][i], u[1][i]);
            let [below, above] = [kind_of(kinds[0][i], d), kind_of(kinds[1][i], d)];
            low[i] = thermal_coefficient(below, diffusion, fixed[0], u_low * inverse_h);
            high[i] = thermal_coefficient(above, diffusion, fixed[1], -u_high * inverse_h);
            diagonal[i] += low[i] + high[i];
            let enters = heat_flux::<SCHEME>(u_low, [t[0], t[1], t[2], t[3]], conduction);
            let leaves = heat_flux::<SCHEME>(u_high, [t[1], t[2], t[3], t[4]], conduction);
            // What the pressure correction leaves of the divergence does not heat.
            residual[i] += inverse_h * ((enters - leaves) + t[2] * (u_high - u_low));
        }
    }
}
