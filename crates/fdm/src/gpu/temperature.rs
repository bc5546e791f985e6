//! The temperature of one subdomain on a device, and launches of its step; eqs. (H5) to (H9).

use std::ops::Range;

use vortice_core::{Case, Communicator, Field, Heat, Real, Result, Shape};
use vortice_gpu::{Buffer, DeviceHalo, DeviceThermalEnds, Gpu, value};

use super::device::Device;
use super::fields::inputs;
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
    predicted: Buffer<T>,
    /// The largest change that it made.
    warming: Buffer<T>,
    halo: DeviceHalo,
    ends: DeviceThermalEnds<T>,
    conductor: Conductor<T>,
    /// Whether face values are central, else van Leer's.
    central: i32,
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

impl<T: Real> Device<T> {
    /// Heun's step, carried by the velocity that there is; eq. (H7).
    pub(super) fn carry_heat(&mut self) -> Result<()> {
        let Self { heat, fields, kernels, layout, ranks, .. } = self;
        let Some(heat) = heat else { return Ok(()) };
        let Temperature { theta, predicted, warming, conductor, central, halo, ends, .. } = heat;
        warming.clear()?;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        kernels.predict_temperature.launch(
            layout.cells_in_turn(),
            &[
                value("layout", layout),
                value("conductor", conductor),
                value("central", central),
                fields.interval.input("interval"),
                u,
                v,
                w,
                theta.input("theta"),
                predicted.output("predicted"),
                warming.output("warming"),
            ],
        )?;
        halo.exchange(&**ranks, &mut [&mut *predicted])?;
        ends.fill(&kernels.fill_ends, predicted)?;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        kernels.correct_temperature.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("conductor", conductor),
                value("central", central),
                fields.interval.input("interval"),
                u,
                v,
                w,
                predicted.input("predicted"),
                theta.output("theta"),
            ],
        )?;
        heat.complete(kernels, &**ranks)
    }

    /// Adds what the temperature does to the prediction at open own faces; eq. (H8).
    pub(super) fn add_buoyancy(&mut self) -> Result<()> {
        let Self { heat, fields, kernels, layout, directions, .. } = self;
        let Some(heat) = heat else { return Ok(()) };
        for a in (0..*directions).filter(|&a| heat.buoyancy[a] != 0.0) {
            let direction = a as i32;
            kernels.add_buoyancy.launch(
                layout.each_cell(),
                &[
                    value("layout", layout),
                    fields.interval.input("interval"),
                    value("direction", &direction),
                    fields.faces.input("faces"),
                    heat.theta.input("theta"),
                    fields.f[a].output("f"),
                ],
            )?;
        }
        Ok(())
    }
}
