//! The forces on bodies, added up on the device; eq. (V22).

use vortice_core::{Case, Result, Shape, Subdomain, SurfaceForce};
use vortice_gpu::{DeviceForces, Gpu, value};

use super::device::Device;
use crate::fluid::Fluid;
use crate::forces::{ForceFace, ForceFaces};

/// What adds up what the faces at surfaces feel.
pub(super) struct Forces {
    on_device: DeviceForces<ForceFace>,
    /// Values of a component or direction.
    length: i64,
}

impl Forces {
    pub(super) fn new(
        gpu: &Gpu,
        case: &Case,
        part: &Subdomain,
        shape: Shape,
        kinds: &[u8],
        fluid: &Fluid,
    ) -> Result<Self> {
        let ForceFaces { faces } = ForceFaces::new(case, part, shape, kinds, fluid);
        let on_device = DeviceForces::new(gpu, case, &faces)?;
        Ok(Self { on_device, length: shape.len() as i64 })
    }

    /// The forces of all ranks on the case's bodies. Collective.
    pub(super) fn of(
        &mut self,
        case: &Case,
        fluid: &Fluid,
        device: &mut Device,
    ) -> Result<Vec<SurfaceForce>> {
        // What lies beside the faces may be another rank's.
        device.complete_velocity()?;
        device.scalars.exchange(&*device.ranks, &mut [&mut device.fields.p])?;
        let Device { fields, kernels, ranks, .. } = device;
        let rest = vec![
            value("length", &self.length),
            value("blend", &fluid.blend),
            fields.u.input("u"),
            fields.p.input("p"),
            fields.face_velocity.input("face_velocity"),
        ];
        let sums = self.on_device.sums(case, &kernels.force_on_faces, rest)?;
        sums.of_all(&**ranks)
    }
}
