//! Between a grid and the next coarser one of the full approximation scheme; eqs. (V23) to (V26).

use vortice_core::Result;
use vortice_gpu::value;

use super::OnGpu;
use super::device::Device;
use crate::engine::Engine;

impl OnGpu {
    /// What its equations ask for becomes what the finer grid's miss and these do not; and the flow is kept from which the
    /// correction is counted.
    fn begin_correction(&mut self) -> Result<()> {
        self.equations()?;
        let Device { kernels, layout, fluid, fields, velocities, ranks, .. } =
            &mut self.work.device;
        kernels.ask_in_cells.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                fields.kinds.input("kinds"),
                fields.u.input("u"),
                fields.a.input("a"),
                fields.diagonal.input("diagonal"),
                fields.b.input("b"),
                fields.u_last.output("asked_u"),
            ],
        )?;
        velocities.exchange(&**ranks, &mut [&mut fields.u_last])?;
        kernels.ask_on_faces.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("fluid", fluid),
                fields.factors.input("factors"),
                fields.kinds.input("kinds"),
                fields.u.input("u"),
                fields.p.input("p"),
                fields.face_velocity.input("face_velocity"),
                fields.diagonal.input("diagonal"),
                fields.face_velocity_before.input("missing_velocity"),
                fields.u_last.input("asked_u"),
                fields.face_velocity_last.output("asked_velocity"),
            ],
        )?;
        fields.u_before.copy_from(&fields.u)?;
        self.begun_p.as_mut().map_or(Ok(()), |begun| begun.copy_from(&fields.p))
    }

    /// Assembles the momentum equations now.
    fn equations(&mut self) -> Result<()> {
        self.assemble()?;
        self.work.flush()
    }

    /// The flow becomes the coarser grid's, and what is missing in its equations what that one's ask for.
    pub(super) fn restrict_flow(&mut self) -> Result<()> {
        self.equations()?;
        let Some(coarser) = &mut self.coarser else { return Ok(()) };
        let Device { kernels, layout, fluid, fields, .. } = &self.work.device;
        let below = &mut coarser.work.device;
        kernels.restrict_flow.launch(
            below.layout.each_cell(),
            &[
                value("layout", layout),
                value("coarser", &below.layout),
                value("fluid", fluid),
                fields.factors.input("factors"),
                fields.kinds.input("kinds"),
                below.fields.kinds.input("coarse_kinds"),
                fields.u.input("u"),
                fields.p.input("p"),
                fields.face_velocity.input("face_velocity"),
                fields.a.input("a"),
                fields.diagonal.input("diagonal"),
                fields.b.input("b"),
                fields.u_last.input("asked_u"),
                fields.face_velocity_last.input("asked_velocity"),
                below.fields.u.output("coarse_u"),
                below.fields.p.output("coarse_p"),
                below.fields.face_velocity.output("coarse_face_velocity"),
                below.fields.u_last.output("missing_u"),
                below.fields.face_velocity_before.output("missing_velocity"),
            ],
        )?;
        coarser.begin_correction()
    }

    /// Adds what the coarser grid's flow has changed; eq. (V26).
    pub(super) fn prolong_correction(&mut self) -> Result<()> {
        let Some(coarser) = &mut self.coarser else { return Ok(()) };
        coarser.work.flush()?;
        let Some(begun_p) = &coarser.begun_p else { return Ok(()) };
        let below = &mut coarser.work.device;
        below.complete_velocity()?;
        below.scalars.exchange(&*below.ranks, &mut [&mut below.fields.p])?;
        let device = &mut self.work.device;
        device.kernels.prolong_flow.launch(
            device.layout.each_cell(),
            &[
                value("layout", &device.layout),
                value("coarser", &below.layout),
                device.fields.kinds.input("kinds"),
                below.fields.kinds.input("coarse_kinds"),
                below.fields.u.input("coarse_u"),
                below.fields.p.input("coarse_p"),
                below.fields.u_before.input("begun_u"),
                begun_p.input("begun_p"),
                device.fields.u.output("u"),
                device.fields.p.output("p"),
            ],
        )?;
        device.complete_velocity()?;
        let Device { kernels, layout, fields, .. } = device;
        kernels.move_faces.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                fields.kinds.input("kinds"),
                fields.u.input("u"),
                fields.above.input("above"),
                fields.face_velocity.output("face_velocity"),
            ],
        )
    }
}
