//! Launches of the temperature's equation, and of its buoyancy; eqs. (H9), (H11), (H12).

use vortice_core::Result;
use vortice_gpu::value;

use super::device::Device;
use super::temperature::Temperature;
use crate::temperature::SWEEPS;

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
