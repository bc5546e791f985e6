//! A scalar of one subdomain on a device; eqs. (H5) to (H9).

use std::ops::Range;

use vortice_core::{Case, Communicator, Field, Quantity, Real, Result, Scalar, Shape, ThermalEnds};
use vortice_gpu::{Buffer, DeviceHalo, DeviceThermalEnds, DeviceThermalWalls, Gpu};

use super::numbers::Conductor;
use super::program::Kernels;
use crate::options::ScalarConvection;
use crate::scalar::{InitialScalar, conduction};
use crate::settings::Settings;
use crate::state;

/// A scalar relative to its reference, at cell centres: `temperature.cuh`.
pub(crate) struct Transported<T> {
    pub(super) quantity: Quantity,
    /// Its name in a state.
    pub(super) saved: String,
    pub(super) shape: Shape,
    reference: f64,
    difference: f64,
    pub(super) theta: Buffer<T>,
    /// What comes in inside in units/s; empty if nothing does.
    pub(super) source: Buffer<T>,
    pub(super) has_source: i32,
    /// After Euler's step, the first half of Heun's.
    pub(super) predicted: Buffer<T>,
    /// The largest change that it made.
    pub(super) warming: Buffer<T>,
    pub(super) halo: DeviceHalo,
    pub(super) ends: DeviceThermalEnds<T>,
    /// What is given at ends, and whether it changes with time.
    given: ThermalEnds<T>,
    pub(super) changes: bool,
    /// What solid boxes and bodies do.
    pub(super) walls: DeviceThermalWalls<T>,
    pub(super) conductor: Conductor<T>,
    /// Whether face values are central, else van Leer's.
    pub(super) central: i32,
    /// Acceleration in m/s2 by each unit.
    pub(super) buoyancy: [f64; 3],
}

impl<T: Real> Transported<T> {
    /// Of a case at t = 0.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(super) fn new(
        gpu: &Gpu,
        (case, scalar): (&Case, &Scalar),
        settings: &Settings,
        (initial, of_velocity): (&InitialScalar<T>, &Shape),
    ) -> Result<Self> {
        let InitialScalar { shape, theta, source, halo, ends, walls, marks } = initial;
        let mut predicted = gpu.zeros(shape.len())?;
        // Also at edges, which neighbours are sent and do not use.
        predicted.clear()?;
        Ok(Self {
            quantity: scalar.quantity,
            saved: scalar.name_in_state(),
            shape: *shape,
            reference: scalar.reference,
            difference: scalar.difference,
            theta: gpu.upload(theta)?,
            source: gpu.upload(source)?,
            has_source: i32::from(!source.is_empty()),
            predicted,
            warming: gpu.zeros(1)?,
            halo: DeviceHalo::new(gpu, halo, size_of::<T>())?,
            ends: DeviceThermalEnds::new(gpu, shape, ends)?,
            given: ends.clone(),
            changes: scalar.changes(),
            walls: DeviceThermalWalls::new(gpu, [shape, of_velocity], walls, marks)?,
            conductor: Conductor::new(&conduction(case, scalar)),
            central: i32::from(settings.scalar_convection == ScalarConvection::Central),
            buoyancy: scalar.buoyancy,
        })
    }

    /// What is given at faces at a time in s, from the next values on.
    pub(super) fn prescribe(&mut self, time: f64) -> Result<()> {
        if self.given.follow(time) { self.ends.write(&self.given) } else { Ok(()) }
    }

    /// Halos, and values beyond the ends of the box.
    pub(super) fn complete(&mut self, kernels: &Kernels, ranks: &dyn Communicator) -> Result<()> {
        self.halo.exchange(ranks, &mut [&mut self.theta])?;
        self.ends.fill(&kernels.fill_ends, &mut self.theta)
    }

    /// The largest change that the step made on this rank, a share of the difference.
    pub(super) fn change(&self) -> Result<f64> {
        let mut warming = [T::default()];
        self.warming.read(&mut warming)?;
        Ok(warming[0].to_f64() / self.difference)
    }

    /// Its values at the centres of some rows of own cells.
    pub(super) fn field(&self, rows: Range<usize>) -> Result<Field> {
        let theta = self.theta.slice_to_vec(self.shape.hull(rows.clone()))?;
        Ok(state::scalar_at_centres(self.shape, rows, self.reference, &theta))
    }
}
