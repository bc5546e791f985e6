//! The temperature of one subdomain on a device; eqs. (H9), (H11), (H12).

use std::ops::Range;

use vortice_core::{
    Case, Field, Heat, Location, Result, Shape, StateReader, StateWriter, Subdomain, ThermalEnds,
};
use vortice_gpu::{Argument, Buffer, DeviceThermalEnds, Gpu};

use super::numbers::{self, number};
use crate::settings::Settings;
use crate::temperature::{Conductor, SAVED, at_centres};

/// The temperature relative to the reference, in K at cell centres, and its equation: `assemble_temperature.cu`.
pub(crate) struct Temperature {
    pub(super) theta: Buffer<f64>,
    /// After the last time step, and after the one before.
    pub(super) theta_last: Buffer<f64>,
    pub(super) theta_before: Buffer<f64>,
    pub(super) a: Buffer<f64>,
    pub(super) inverse: Buffer<f64>,
    pub(super) residual: Buffer<f64>,
    pub(super) correction: Buffer<f64>,
    /// In cells, in m/s2, one component after the other.
    pub(super) buoyancy: Buffer<f64>,
    /// Largest change of the temperature, as bits of a number in K.
    pub(super) warming: Buffer<i64>,
    pub(super) ends: DeviceThermalEnds<f64>,
    pub(super) heat: numbers::Heat<f64>,
    /// The reference in K.
    reference: f64,
}

/// Arrays of a cell.
pub(super) fn numbers(directions: usize) -> usize {
    6 + 3 * directions
}

impl Temperature {
    /// Of a case at t = 0, with these values in own cells.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(super) fn new(
        gpu: &Gpu,
        (case, heat): (&Case, &Heat),
        settings: &Settings,
        (part, shape): (&Subdomain, &Shape),
        theta: &[f64],
    ) -> Result<Self> {
        let zeros = |components: usize| {
            let mut buffer = gpu.zeros(components * shape.len())?;
            buffer.clear()?;
            Ok(buffer)
        };
        let directions = settings.directions;
        let ends = ThermalEnds::new((case, heat), part);
        Ok(Self {
            theta: gpu.upload(theta)?,
            theta_last: zeros(1)?,
            theta_before: zeros(1)?,
            a: zeros(2 * directions)?,
            inverse: zeros(1)?,
            residual: zeros(1)?,
            correction: zeros(1)?,
            buoyancy: zeros(directions)?,
            warming: gpu.zeros(1)?,
            ends: DeviceThermalEnds::new(gpu, shape, &ends)?,
            heat: numbers::Heat::new(&Conductor::new(heat, settings)),
            reference: heat.reference,
        })
    }

    /// The temperature becomes that of the last time step.
    pub(super) fn remember(&mut self) -> Result<()> {
        self.theta_before.copy_from(&self.theta_last)?;
        self.theta_last.copy_from(&self.theta)
    }

    /// What the last launch found on this rank, in K.
    pub(super) fn warming(&self) -> Result<f64> {
        let mut bits = [0];
        self.warming.read(&mut bits)?;
        Ok(number(bits[0]))
    }

    /// Temperature in K at the centres of some rows of own cells.
    pub(super) fn field(&self, shape: Shape, rows: Range<usize>) -> Result<Field> {
        let theta = self.theta.slice_to_vec(shape.hull(rows.clone()))?;
        Ok(at_centres(shape, rows, self.reference, &theta))
    }

    /// Gives the temperature to a state.
    pub(super) fn save(&self, shape: Shape, state: &mut dyn StateWriter) -> Result<()> {
        let all = [&self.theta, &self.theta_last, &self.theta_before];
        SAVED.iter().zip(all).try_for_each(|(name, theta)| {
            state.components(name, (Location::Centre, shape, 1), |_| theta.to_vec())
        })
    }

    /// The reverse of `save`, without buoyancy.
    pub(super) fn restore(&mut self, shape: Shape, state: &dyn StateReader) -> Result<()> {
        let all = [&mut self.theta, &mut self.theta_last, &mut self.theta_before];
        SAVED
            .iter()
            .zip(all)
            .try_for_each(|(name, theta)| theta.write(&state.scalar::<f64>(name, shape)?))
    }
}

/// Temperature and buoyancy as kernels of the flow are given them, which without heat read none of them.
pub(super) fn thermal_inputs<'a>(
    heat: &'a Option<Temperature>,
    unread: &'a Buffer<f64>,
) -> [Argument<'a>; 2] {
    let arrays = heat.as_ref().map_or([unread; 2], |heat| [&heat.theta, &heat.buoyancy]);
    [arrays[0].input("theta"), arrays[1].input("buoyancy")]
}
