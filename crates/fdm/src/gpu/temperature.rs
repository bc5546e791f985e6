//! The temperature of one subdomain on a device; eqs. (H5) to (H9).

use std::ops::Range;

use vortice_core::{Case, Communicator, Field, Heat, Real, Result, Shape};
use vortice_gpu::{Buffer, DeviceHalo, DeviceThermalEnds, Gpu};

use super::numbers::Conductor;
use super::program::Kernels;
use crate::options::ScalarConvection;
use crate::settings::Settings;
use crate::state;
use crate::temperature::{InitialTemperature, conduction};

/// The temperature relative to the reference, in K at cell centres: `temperature.cuh`.
pub(crate) struct Temperature<T> {
    pub(super) shape: Shape,
    reference: f64,
    pub(super) theta: Buffer<T>,
    /// After Euler's step, the first half of Heun's.
    pub(super) predicted: Buffer<T>,
    /// The largest change that it made.
    pub(super) warming: Buffer<T>,
    pub(super) halo: DeviceHalo,
    pub(super) ends: DeviceThermalEnds<T>,
    pub(super) conductor: Conductor<T>,
    /// Whether face values are central, else van Leer's.
    pub(super) central: i32,
    /// Acceleration in m/s2 by each kelvin.
    pub(super) buoyancy: [f64; 3],
}

impl<T: Real> Temperature<T> {
    /// Of a case at t = 0.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(super) fn new(
        gpu: &Gpu,
        (case, heat): (&Case, &Heat),
        settings: &Settings,
        initial: &InitialTemperature<T>,
    ) -> Result<Self> {
        let InitialTemperature { shape, theta, halo, ends } = initial;
        let mut predicted = gpu.zeros(shape.len())?;
        // Also at edges, which neighbours are sent and do not use.
        predicted.clear()?;
        Ok(Self {
            shape: *shape,
            reference: heat.reference,
            theta: gpu.upload(theta)?,
            predicted,
            warming: gpu.zeros(1)?,
            halo: DeviceHalo::new(gpu, halo, size_of::<T>())?,
            ends: DeviceThermalEnds::new(gpu, shape, ends)?,
            conductor: Conductor::new(&conduction(case, heat)),
            central: i32::from(settings.scalar_convection == ScalarConvection::Central),
            buoyancy: heat.buoyancy(),
        })
    }

    /// Halos, and values beyond the ends of the box.
    pub(super) fn complete(&mut self, kernels: &Kernels, ranks: &dyn Communicator) -> Result<()> {
        self.halo.exchange(ranks, &mut [&mut self.theta])?;
        self.ends.fill(&kernels.fill_ends, &mut self.theta)
    }

    /// What the step found on this rank, in K.
    pub(super) fn warming(&self) -> Result<f64> {
        let mut warming = [T::default()];
        self.warming.read(&mut warming)?;
        Ok(warming[0].to_f64())
    }

    /// Temperature in K at the centres of some rows of own cells.
    pub(super) fn field(&self, rows: Range<usize>) -> Result<Field> {
        let theta = self.theta.slice_to_vec(self.shape.hull(rows.clone()))?;
        Ok(state::temperature_at_centres(self.shape, rows, self.reference, &theta))
    }
}
