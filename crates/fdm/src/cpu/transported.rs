//! A scalar of one subdomain and its step; eqs. (H5) to (H7), (H9).

use vortice_core::{
    Case, Communicator, Decomposition, Halo, Location, Quantity, Real, Region, Result, Row, Scalar,
    Shape, StateReader, StateWriter, Storable, Subdomain, ThermalEnds, ThermalWalls, ThreadPool,
    WallPlace, WalledCell,
};

use crate::options::ScalarConvection;
use crate::scalar::{InitialScalar, LAYERS, complete, conduction};
use crate::settings::Settings;
use crate::stencil::{Conduction, scalar_flux_central, scalar_flux_van_leer};

/// A scalar of one subdomain, relative to its reference, at cell centres.
pub(super) struct Transported<T> {
    pub(super) quantity: Quantity,
    /// Its name in a state.
    saved: String,
    pub(super) shape: Shape,
    pub(super) reference: f64,
    /// What its changes are shares of.
    difference: f64,
    pub(super) theta: Vec<T>,
    /// What comes in inside in units/s; empty if nothing does.
    source: Vec<T>,
    /// After Euler's step, the first half of Heun's.
    predicted: Vec<T>,
    halo: Halo,
    ends: ThermalEnds<T>,
    walls: ThermalWalls<T>,
    /// Cells that walls do, and solid ones.
    marks: Vec<u8>,
    /// The largest change that Euler's step has made, a share of the difference; not a number if any is.
    pub(super) change: f64,
    scheme: Scheme<T>,
    /// Acceleration in m/s2 by each unit.
    pub(super) buoyancy: [f64; 3],
}

impl<T: Real> Transported<T> {
    /// Of the case at t = 0. Collective.
    ///
    /// # Errors
    /// If a rank has fewer cells across than its neighbours must know of.
    pub(super) fn new(
        (case, scalar): (&Case, &Scalar),
        place: (&Decomposition, &Subdomain, &Shape),
        settings: &Settings,
        ranks: &dyn Communicator,
        pool: &ThreadPool,
    ) -> Result<Self> {
        let initial = InitialScalar::new((case, scalar), place, ranks, pool)?;
        let InitialScalar { shape, theta, source, halo, ends, walls, marks } = initial;
        Ok(Self {
            quantity: scalar.quantity,
            saved: scalar.name_in_state(),
            shape,
            reference: scalar.reference,
            difference: scalar.difference,
            predicted: vec![T::default(); shape.len()],
            theta,
            source,
            halo,
            ends,
            walls,
            marks,
            change: 0.0,
            scheme: Scheme {
                strides: shape.strides(),
                conduction: conduction(case, scalar),
                convection: settings.scalar_convection,
            },
            buoyancy: scalar.buoyancy,
        })
    }

    /// Halos, and values beyond the ends of the box.
    fn complete(&mut self, ranks: &dyn Communicator) -> Result<()> {
        complete(&mut self.theta, (&self.halo, &self.ends), &self.shape, ranks)
    }

    /// What is given at faces at a time in s, from the next values on.
    pub(super) fn prescribe(&mut self, time: f64) {
        self.ends.follow(time);
    }

    /// Heun's step, carried by a velocity. Collective.
    pub(super) fn advance(
        &mut self,
        velocity: &Velocity<'_, T>,
        dt: f64,
        ranks: &dyn Communicator,
        pool: &ThreadPool,
    ) -> Result<()> {
        self.change = self.predict(velocity, dt, pool).to_f64() / self.difference;
        complete(&mut self.predicted, (&self.halo, &self.ends), &self.shape, ranks)?;
        self.correct(velocity, dt, pool);
        self.complete(ranks)
    }

    /// The rest of Heun's step from Euler's.
    fn correct(&mut self, velocity: &Velocity<'_, T>, dt: f64, pool: &ThreadPool) {
        let Self { theta, source, predicted, scheme, shape, walls, marks, .. } = self;
        let (half, half_dt) = (T::from_f64(0.5), T::from_f64(0.5 * dt));
        let (predicted, marks) = (&predicted[..], &marks[..]);
        pool.each_row(
            &Region::own(*shape),
            [theta],
            #[inline(always)]
            |row, [out]| {
                let euler = row.part(predicted, out.len());
                let mut kept = Kept::new(marks, row, out);
                out.iter_mut().zip(euler).for_each(|(out, euler)| *out = half * (*out + *euler));
                scheme.add(predicted, velocity, row, half_dt, out);
                add_source(source, row, half_dt, out);
                kept.put_back(out);
            },
        );
        for walled in &walls.cells {
            let place = shape.index(walled.cell);
            let mean = half * (theta[place] + predicted[place]);
            let after = scheme.with_fluxes(predicted, velocity, (place, half_dt), walled, mean);
            theta[place] = with_source(source, place, half_dt, after);
        }
    }

    /// Euler's step, and the largest change that it makes.
    fn predict(&mut self, velocity: &Velocity<'_, T>, dt: f64, pool: &ThreadPool) -> T {
        let Self { theta, source, predicted, scheme, shape, walls, marks, .. } = self;
        let (dt, theta, marks) = (T::from_f64(dt), &theta[..], &marks[..]);
        let [mut most] = pool.largest_of_rows(
            &Region::own(*shape),
            [&mut *predicted],
            #[inline(always)]
            |row, [out]| {
                let before = row.part(theta, out.len());
                out.copy_from_slice(before);
                let mut kept = Kept::new(marks, row, out);
                scheme.add(theta, velocity, row, dt, out);
                add_source(source, row, dt, out);
                kept.put_back(out);
                let changes = out.iter().zip(before).map(|(new, old)| *new - *old);
                [changes.fold(T::default(), T::max_magnitude)]
            },
        );
        for walled in &walls.cells {
            let place = shape.index(walled.cell);
            let after = scheme.with_fluxes(theta, velocity, (place, dt), walled, theta[place]);
            predicted[place] = with_source(source, place, dt, after);
            most = most.max_magnitude(predicted[place] - theta[place]);
        }
        most
    }
}

impl<T: Storable> Transported<T> {
    /// Gives it to a state.
    pub(super) fn save(&self, state: &mut dyn StateWriter) -> Result<()> {
        let form = (Location::Centre, self.shape, 1);
        state.components(&self.saved, form, |_| Ok(self.theta.clone()))
    }

    /// The reverse of `save`.
    pub(super) fn restore(
        &mut self,
        state: &dyn StateReader,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        self.theta = state.scalar(&self.saved, self.shape)?;
        self.complete(ranks)
    }
}

/// The velocity that carries a scalar, on its own padded shape.
pub(super) struct Velocity<'a, T> {
    pub(super) u: &'a [Vec<T>],
    pub(super) shape: Shape,
}

/// Adds what comes into a row's cells inside during a time dt; eq. (H5).
#[inline(always)]
fn add_source<T: Real>(source: &[T], row: Row, dt: T, out: &mut [T]) {
    if !source.is_empty() {
        let source = row.part(source, out.len());
        out.iter_mut().zip(source).for_each(|(out, source)| *out += dt * *source);
    }
}

/// The same for one cell.
fn with_source<T: Real>(source: &[T], place: usize, dt: T, value: T) -> T {
    if source.is_empty() { value } else { value + dt * source[place] }
}

/// The values of a row that its loop must leave as they are: of solid cells, and of those beside walls.
struct Kept<T>(Vec<(usize, T)>);

impl<T: Real> Kept<T> {
    /// Those of a row with these marks, before it is computed.
    #[inline(always)]
    fn new(marks: &[u8], row: Row, values: &[T]) -> Self {
        if marks.is_empty() {
            return Self(Vec::new());
        }
        let marked = row.part(marks, values.len()).iter().zip(values).enumerate();
        Self(marked.filter(|(_, (mark, _))| **mark != 0).map(|(i, (_, x))| (i, *x)).collect())
    }

    /// Gives them back.
    #[inline(always)]
    fn put_back(&mut self, values: &mut [T]) {
        self.0.drain(..).for_each(|(i, value)| values[i] = value);
    }
}

/// What changes a scalar.
struct Scheme<T> {
    strides: [usize; 3],
    conduction: [Conduction<T>; 3],
    convection: ScalarConvection,
}

impl<T: Real> Scheme<T> {
    /// Adds what a row's cells with the values `from` take in during a time dt; eq. (H5).
    #[inline(always)]
    fn add(&self, from: &[T], velocity: &Velocity<'_, T>, row: Row, dt: T, out: &mut [T]) {
        match self.convection {
            ScalarConvection::VanLeer => {
                self.add_fluxes(from, velocity, (row, dt), out, scalar_flux_van_leer);
            }
            ScalarConvection::Central => {
                self.add_fluxes(from, velocity, (row, dt), out, scalar_flux_central);
            }
        }
    }

    /// The same with the flux through a face.
    #[inline(always)]
    fn add_fluxes(
        &self,
        from: &[T],
        Velocity { u, shape }: &Velocity<'_, T>,
        (row, dt): (Row, T),
        out: &mut [T],
        flux: impl Fn(T, [T; 4], &Conduction<T>) -> T,
    ) {
        let (n, place) = (out.len(), shape.index([0, row.j, row.k]));
        for (d, u) in u.iter().enumerate() {
            let (stride, k) = (self.strides[d], &self.conduction[d]);
            let at = |shift: usize| &from[row.place + shift * stride - LAYERS * stride..][..n];
            let (low2, low, here, high, high2) = (at(0), at(1), at(2), at(3), at(4));
            let (u_low, u_high) = (&u[place..][..n], &u[place + shape.strides()[d]..][..n]);
            let share = dt * k.inverse_h;
            for i in 0..n {
                let enters = flux(u_low[i], [low2[i], low[i], here[i], high[i]], k);
                let leaves = flux(u_high[i], [low[i], here[i], high[i], high2[i]], k);
                out[i] += share * (enters - leaves);
            }
        }
    }

    /// A value with what a cell beside walls takes in during a time dt; eqs. (H5), (H23). Twin of `with_walled_fluxes` in
    /// `kernels/fdm/walled.cuh`.
    fn with_fluxes(
        &self,
        from: &[T],
        Velocity { u, shape }: &Velocity<'_, T>,
        (place, dt): (usize, T),
        WalledCell { cell, sides }: &WalledCell<T>,
        mut sum: T,
    ) -> T {
        let face = shape.index(*cell);
        let here = from[place];
        for (d, u) in u.iter().enumerate() {
            let (stride, k) = (self.strides[d], &self.conduction[d]);
            let low = [from[place - stride], from[place - 2 * stride]];
            let high = [from[place + stride], from[place + 2 * stride]];
            let [below, above] = [&sides[2 * d], &sides[2 * d + 1]];
            let [low, low2] = below.beside(here, low, high[0]);
            let [high, high2] = above.beside(here, high, from[place - stride]);
            let (u_low, u_high) = (u[face], u[face + shape.strides()[d]]);
            let through = |is_wall: bool, v: T, q: [T; 4]| match (is_wall, self.convection) {
                (true, _) => v * here - k.diffusion * (q[2] - q[1]),
                (false, ScalarConvection::VanLeer) => scalar_flux_van_leer(v, q, k),
                (false, ScalarConvection::Central) => scalar_flux_central(v, q, k),
            };
            let enters = through(below.place == WallPlace::Here, u_low, [low2, low, here, high]);
            let leaves = through(above.place == WallPlace::Here, u_high, [low, here, high, high2]);
            sum += dt * k.inverse_h * (enters - leaves);
        }
        sum
    }
}
