//! The temperature of one subdomain on a device, and launches of its equation; eqs. (H9), (H11), (H12).

use std::ops::Range;

use vortice_core::{
    Case, Field, Heat, Location, Result, Shape, StateReader, StateWriter, Subdomain, ThermalEnds,
};
use vortice_gpu::{Argument, Buffer, DeviceThermalEnds, Gpu, value};

use super::device::Device;
use super::number;
use super::numbers;
use crate::settings::Settings;
use crate::temperature::{Conductor, SAVED, SWEEPS, at_centres};

/// The temperature relative to the reference, in K at cell centres, and its equation: `assemble_temperature.cu`.
pub(crate) struct Temperature {
    theta: Buffer<f64>,
    /// After the last time step, and after the one before.
    theta_last: Buffer<f64>,
    theta_before: Buffer<f64>,
    a: Buffer<f64>,
    inverse: Buffer<f64>,
    residual: Buffer<f64>,
    correction: Buffer<f64>,
    /// In cells, in m/s2, one component after the other.
    buoyancy: Buffer<f64>,
    /// Largest change of the temperature, as bits of a number in K.
    warming: Buffer<i64>,
    ends: DeviceThermalEnds<f64>,
    heat: numbers::Heat<f64>,
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

impl Device {
    /// Halos of the temperature, values beyond the ends of the box, and the buoyancy of cells; nothing without heat;
    /// eqs. (H9), (H11).
    pub(super) fn complete_heat(&mut self) -> Result<()> {
        let Self { kernels, layout, fluid, fields, heat, scalars, velocities, ranks, .. } = self;
        let Some(Temperature { theta, buoyancy, ends, .. }) = heat else { return Ok(()) };
        scalars.exchange(&**ranks, &mut [&mut *theta])?;
        ends.fill(&kernels.fill_thermal_ends, theta)?;
        kernels.lift_cells.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("fluid", fluid),
                fields.kinds.input("kinds"),
                theta.input("theta"),
                buoyancy.output("lifts"),
            ],
        )?;
        velocities.exchange(&**ranks, &mut [buoyancy])
    }

    /// The temperature with the face velocities of the flow; eq. (H12).
    pub(super) fn carry_heat(&mut self) -> Result<()> {
        self.assemble_temperature()?;
        self.relax_temperature()?;
        let Self { kernels, layout, heat, .. } = self;
        let Some(Temperature { theta, correction, .. }) = heat else { return Ok(()) };
        kernels.add_correction.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("component", &0_i32),
                correction.input("correction"),
                theta.output("u"),
            ],
        )?;
        self.complete_heat()
    }

    /// Coefficients, and what is missing.
    fn assemble_temperature(&mut self) -> Result<()> {
        let Self { kernels, layout, fields, heat, .. } = self;
        let Some(of) = heat else { return Ok(()) };
        kernels.assemble_temperature.launch(
            layout.cells_in_turn(),
            &[
                value("layout", layout),
                value("heat", &of.heat),
                fields.factors.input("factors"),
                fields.kinds.input("kinds"),
                fields.face_velocity.input("face_velocity"),
                of.theta.input("theta"),
                of.theta_last.input("theta_last"),
                of.theta_before.input("theta_before"),
                of.a.output("a"),
                of.inverse.output("inverse"),
                of.residual.output("residual"),
                fields.reductions.output("reductions"),
            ],
        )
    }

    /// Red-black sweeps from a correction of zero.
    fn relax_temperature(&mut self) -> Result<()> {
        let Self { kernels, layout, heat, scalars, ranks, .. } = self;
        let Some(Temperature { a, inverse, residual, correction, .. }) = heat else {
            return Ok(());
        };
        correction.clear()?;
        for half_sweep in 0..2 * SWEEPS {
            let colour = (half_sweep % 2) as i32;
            kernels.relax_temperature.launch(
                layout.each_of_colour(),
                &[
                    value("layout", layout),
                    value("colour", &colour),
                    a.input("a"),
                    inverse.input("inverse"),
                    residual.input("residual"),
                    correction.output("correction"),
                ],
            )?;
            // What is written with the cells is all that is read.
            if layout.wraps == 0 {
                scalars.exchange(&**ranks, &mut [&mut *correction])?;
            }
        }
        Ok(())
    }

    /// The largest change of the temperature since the last time step.
    pub(super) fn find_warming(&mut self) -> Result<()> {
        let Self { kernels, layout, heat, .. } = self;
        let Some(Temperature { theta, theta_last, warming, .. }) = heat else { return Ok(()) };
        warming.clear()?;
        kernels.warming.launch(
            layout.cells_in_turn(),
            &[
                value("layout", layout),
                theta.input("theta"),
                theta_last.input("theta_last"),
                warming.output("largest"),
            ],
        )
    }
}
