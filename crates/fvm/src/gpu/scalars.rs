//! Launches of the equations of scalars, and of buoyancy; eqs. (H9), (H11), (H12).

use vortice_core::{Communicator, Result};
use vortice_gpu::{DeviceHalo, Launch, value};
use vortice_linear::gpu::Layout;

use super::device::Device;
use super::fields::Fields;
use super::numbers::Fluid;
use super::program::Kernels;
use super::regions::Equations;
use super::transported::Transported;
use crate::scalar::SWEEPS;

/// Bytes in which a block notes the largest residual.
const NOTE: u32 = size_of::<u64>() as u32;

/// What the equations of all scalars have in common.
pub(super) struct Around<'a> {
    kernels: &'a Kernels,
    layout: &'a Layout,
    fluid: &'a Fluid<f64>,
    fields: &'a mut Fields,
    by_regions: bool,
    velocities: &'a mut DeviceHalo,
    scalars: &'a mut DeviceHalo,
    /// Of scalars in halves.
    in_halves: &'a mut DeviceHalo,
    ranks: &'a dyn Communicator,
}

impl Device {
    /// The scalars, and what is around them.
    fn scalars_and_around(&mut self) -> (&mut [Transported], Around<'_>) {
        let Self {
            transported,
            kernels,
            layout,
            by_regions,
            fluid,
            fields,
            velocities,
            scalars,
            halves,
            ranks,
            ..
        } = self;
        let [_, in_halves] = halves;
        (
            transported,
            Around {
                kernels,
                layout,
                fluid,
                fields,
                by_regions: *by_regions,
                velocities,
                scalars,
                in_halves,
                ranks: &**ranks,
            },
        )
    }

    /// Halos of all scalars, values beyond the ends of the box, and the buoyancy of cells; eqs. (H9), (H11).
    pub(super) fn complete_scalars(&mut self) -> Result<()> {
        let (all, mut around) = self.scalars_and_around();
        all.iter_mut().try_for_each(|scalar| scalar.complete(&mut around))
    }

    /// Values of all scalars beyond the ends of the box; eq. (H9).
    pub(super) fn fill_thermal_ends(&mut self) -> Result<()> {
        let (all, around) = self.scalars_and_around();
        all.iter_mut().try_for_each(|Transported { ends, theta, .. }| {
            ends.fill(&around.kernels.fill_thermal_ends, theta)
        })
    }

    /// All scalars with the face velocities of the flow; eq. (H12).
    pub(super) fn carry_scalars(&mut self) -> Result<()> {
        let (all, mut around) = self.scalars_and_around();
        all.iter_mut().try_for_each(|scalar| scalar.solve(&mut around))
    }

    /// The largest changes of scalars since the last time step.
    pub(super) fn find_scalar_changes(&mut self) -> Result<()> {
        let (all, around) = self.scalars_and_around();
        all.iter_mut().try_for_each(|scalar| scalar.find_change(&around))
    }
}

impl Transported {
    /// Halos, values beyond the ends of the box, and the buoyancy of cells.
    fn complete(&mut self, around: &mut Around<'_>) -> Result<()> {
        let Around { kernels, layout, fluid, fields, velocities, scalars, ranks, .. } = around;
        let Self { theta, buoyancy, ends, .. } = self;
        scalars.exchange(*ranks, &mut [&mut *theta])?;
        ends.fill(&kernels.fill_thermal_ends, theta)?;
        let Some(buoyancy) = buoyancy else { return Ok(()) };
        kernels.lift_cells.launch(
            layout.each_cell(),
            &[
                value("layout", *layout),
                value("fluid", *fluid),
                fields.kinds.input("kinds"),
                theta.input("theta"),
                buoyancy.output("lifts"),
            ],
        )?;
        velocities.exchange(*ranks, &mut [buoyancy])
    }

    /// Its equation once.
    fn solve(&mut self, around: &mut Around<'_>) -> Result<()> {
        self.assemble(around)?;
        self.relax(around)?;
        let Self { theta, correction, .. } = self;
        around.kernels.add_correction.launch(
            around.layout.each_cell(),
            &[
                value("layout", around.layout),
                value("component", &0_i32),
                value("is_in_halves", &i32::from(!around.by_regions)),
                correction.input("correction"),
                theta.output("u"),
            ],
        )?;
        self.complete(around)
    }

    /// Coefficients, and what is missing.
    fn assemble(&mut self, around: &Around<'_>) -> Result<()> {
        let Around { kernels, layout, fields, .. } = around;
        self.reductions.clear()?;
        let before = [
            value("layout", *layout),
            value("heat", &self.heat),
            fields.factors.input("factors"),
            fields.kinds.input("kinds"),
            fields.face_velocity.input("face_velocity"),
            value("has_source", &self.has_source),
            self.source.input("source"),
        ];
        let after = [
            self.theta.input("theta"),
            self.theta_last.input("theta_last"),
            self.theta_before.input("theta_before"),
            self.a.output("a"),
            self.inverse.output("inverse"),
            self.residual.output("residual"),
            self.reductions.output("reductions"),
        ];
        let everywhere = [&before[..], &self.walls.marks(), &after].concat();
        kernels.assemble_temperature.launch(layout.cells_in_turn(), &everywhere)?;
        if self.walls.is_empty() {
            return Ok(());
        }
        let beside_walls = [&before[..], &self.walls.lists(), &after].concat();
        let launch = Launch { shared: NOTE, ..self.walls.launch() };
        kernels.assemble_walled.launch(launch, &beside_walls)
    }

    /// Red-black sweeps from a correction of zero.
    fn relax(&mut self, around: &mut Around<'_>) -> Result<()> {
        let Around { kernels, layout, in_halves, ranks, .. } = around;
        let Self { a, inverse, residual, correction, .. } = self;
        correction.clear()?;
        if around.by_regions {
            let equations = Equations {
                components: 1,
                a,
                inverse,
                inverse_is_in_halves: true,
                b: residual,
                x: correction,
                spare: &mut around.fields.halves,
            };
            return equations.sweep(kernels, layout, SWEEPS);
        }
        for half_sweep in 0..2 * SWEEPS {
            let colour = (half_sweep % 2) as i32;
            kernels.relax_temperature.launch(
                layout.each_of_colour(),
                &[
                    value("layout", *layout),
                    value("colour", &colour),
                    a.input("a"),
                    inverse.input("inverse"),
                    residual.input("residual"),
                    correction.output("correction"),
                ],
            )?;
            // What is written with the cells is all that is read.
            if layout.wraps == 0 {
                in_halves.exchange(*ranks, &mut [&mut *correction])?;
            }
        }
        Ok(())
    }

    /// The largest change since the last time step.
    fn find_change(&mut self, around: &Around<'_>) -> Result<()> {
        let Self { theta, theta_last, warming, .. } = self;
        warming.clear()?;
        around.kernels.warming.launch(
            around.layout.cells_in_turn(),
            &[
                value("layout", around.layout),
                theta.input("theta"),
                theta_last.input("theta_last"),
                warming.output("largest"),
            ],
        )
    }
}
