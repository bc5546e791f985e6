//! A scalar of one subdomain on a device; eqs. (H9), (H11), (H12).

use std::ops::Range;

use vortice_core::{
    Case, Field, Location, Quantity, Result, Scalar, Shape, StateReader, StateWriter, Subdomain,
    ThermalEnds, ThermalWalls,
};
use vortice_gpu::{Argument, Buffer, DeviceThermalEnds, DeviceThermalWalls, Gpu};

use super::numbers::{self, HEAT, SLOTS, number};
use crate::scalar::{Conductor, at_centres, saved_names};
use crate::settings::Settings;

/// A scalar relative to its reference, at cell centres, and its equation: `assemble_temperature.cu`.
pub(crate) struct Transported {
    pub(super) quantity: Quantity,
    /// Its names in a state.
    saved: [String; 3],
    pub(super) theta: Buffer<f64>,
    /// What comes in inside in units/s; empty if nothing does.
    pub(super) source: Buffer<f64>,
    pub(super) has_source: i32,
    /// After the last time step, and after the one before.
    pub(super) theta_last: Buffer<f64>,
    pub(super) theta_before: Buffer<f64>,
    pub(super) a: Buffer<f64>,
    pub(super) inverse: Buffer<f64>,
    pub(super) residual: Buffer<f64>,
    pub(super) correction: Buffer<f64>,
    /// In cells, in m/s2, one component after the other, if it moves the flow.
    pub(super) buoyancy: Option<Buffer<f64>>,
    /// What its equation found.
    pub(super) reductions: Buffer<i64>,
    /// Largest change, as bits of a number.
    pub(super) warming: Buffer<i64>,
    pub(super) ends: DeviceThermalEnds<f64>,
    /// What is given at ends, and whether it changes with time.
    given: ThermalEnds<f64>,
    pub(super) changes: bool,
    pub(super) walls: DeviceThermalWalls<f64>,
    pub(super) heat: numbers::Heat<f64>,
    reference: f64,
    /// What changes and residuals are shares of.
    difference: f64,
}

/// Arrays of a cell, of all scalars.
pub(super) fn numbers(case: &Case, directions: usize) -> usize {
    let vectors = |scalar: &Scalar| if scalar.is_buoyant() { 3 } else { 2 };
    let arrays = |scalar: &Scalar| 6 + usize::from(scalar.has_source());
    case.carried().map(|scalar| arrays(scalar) + vectors(scalar) * directions).sum()
}

impl Transported {
    /// Of a case at t = 0, with these values and sources in own cells.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(super) fn new(
        gpu: &Gpu,
        (case, scalar): (&Case, &Scalar),
        settings: &Settings,
        (part, shape): (&Subdomain, &Shape),
        [theta, source]: [&[f64]; 2],
    ) -> Result<Self> {
        let zeros = |components: usize| {
            let mut buffer = gpu.zeros(components * shape.len())?;
            buffer.clear()?;
            Ok(buffer)
        };
        let directions = settings.directions;
        let ends = ThermalEnds::new((case, scalar), part);
        let walls = ThermalWalls::new((case, scalar), part);
        let marks = walls.marks(case, part, shape);
        Ok(Self {
            quantity: scalar.quantity,
            saved: saved_names(scalar),
            theta: gpu.upload(theta)?,
            source: gpu.upload(source)?,
            has_source: i32::from(!source.is_empty()),
            theta_last: zeros(1)?,
            theta_before: zeros(1)?,
            a: zeros(2 * directions)?,
            inverse: zeros(1)?,
            residual: zeros(1)?,
            correction: zeros(1)?,
            buoyancy: scalar.is_buoyant().then(|| zeros(directions)).transpose()?,
            reductions: gpu.zeros(SLOTS)?,
            warming: gpu.zeros(1)?,
            ends: DeviceThermalEnds::new(gpu, shape, &ends)?,
            given: ends,
            changes: scalar.changes(),
            walls: DeviceThermalWalls::new(gpu, [shape, shape], &walls, &marks)?,
            heat: numbers::Heat::new(&Conductor::new(scalar, settings)),
            reference: scalar.reference,
            difference: scalar.difference,
        })
    }

    /// What is given at faces at a time in s, from the next values on.
    pub(super) fn prescribe(&mut self, time: f64) -> Result<()> {
        if self.given.follow(time) { self.ends.write(&self.given) } else { Ok(()) }
    }

    /// It becomes that of the last time step.
    pub(super) fn remember(&mut self) -> Result<()> {
        self.theta_before.copy_from(&self.theta_last)?;
        self.theta_last.copy_from(&self.theta)
    }

    /// The largest change that the last launch found on this rank, a share of the difference.
    pub(super) fn change(&self) -> Result<f64> {
        let mut bits = [0];
        self.warming.read(&mut bits)?;
        Ok(number(bits[0]) / self.difference)
    }

    /// The largest residual of its equation on this rank in 1/s, likewise.
    pub(super) fn residual_norm(&self) -> Result<f64> {
        let mut reductions = [0; SLOTS];
        self.reductions.read(&mut reductions)?;
        Ok(number(reductions[HEAT]) / self.difference)
    }

    /// Its values at the centres of some rows of own cells.
    pub(super) fn field(&self, shape: Shape, rows: Range<usize>) -> Result<Field> {
        let theta = self.theta.slice_to_vec(shape.hull(rows.clone()))?;
        Ok(at_centres(shape, rows, self.reference, &theta))
    }

    /// Gives it to a state.
    pub(super) fn save(&self, shape: Shape, state: &mut dyn StateWriter) -> Result<()> {
        let all = [&self.theta, &self.theta_last, &self.theta_before];
        self.saved.iter().zip(all).try_for_each(|(name, theta)| {
            state.components(name, (Location::Centre, shape, 1), |_| theta.to_vec())
        })
    }

    /// The reverse of `save`, without buoyancy.
    pub(super) fn restore(&mut self, shape: Shape, state: &dyn StateReader) -> Result<()> {
        let Self { saved, theta, theta_last, theta_before, .. } = self;
        let all = [theta, theta_last, theta_before];
        saved
            .iter()
            .zip(all)
            .try_for_each(|(name, theta)| theta.write(&state.scalar::<f64>(name, shape)?))
    }
}

/// Temperature and buoyancy as kernels of the flow are given them, which without buoyancy read none of them.
pub(super) fn thermal_inputs<'a>(
    all: &'a [Transported],
    unread: &'a Buffer<f64>,
) -> [Argument<'a>; 2] {
    let of_heat = all.iter().find_map(|one| Some([&one.theta, one.buoyancy.as_ref()?]));
    let arrays = of_heat.unwrap_or([unread; 2]);
    [arrays[0].input("theta"), arrays[1].input("buoyancy")]
}
