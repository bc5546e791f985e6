//! What the forces on bodies are made of: the values beside them, fetched from the device; eq. (V20).

use vortice_core::{BodyForce, Case, Result};
use vortice_gpu::PlaceReader;

use super::OnGpu;
use super::device::Device;
use crate::forces::{ForceFaces, Values};

/// The faces at bodies, and what brings what lies beside them.
pub(super) struct Forces {
    faces: ForceFaces,
    velocity: PlaceReader<f64>,
    pressure: PlaceReader<f64>,
    face_velocity: PlaceReader<f64>,
}

impl OnGpu {
    /// The forces of the flow as it is on the case's bodies.
    pub(super) fn forces_on_bodies(&mut self, case: &Case) -> Result<Vec<BodyForce>> {
        self.work.flush()?;
        let device = &mut self.work.device;
        // What lies beside the faces may be another rank's.
        device.complete_velocity()?;
        device.scalars.exchange(&*device.ranks, &mut [&mut device.fields.p])?;
        let directions = self.fluid.directions;
        if self.forces.is_none() {
            let faces = ForceFaces::new(case, &self.part, self.shape, &self.faces.kinds);
            self.forces = Some(Forces::new(device, faces, directions, self.shape.len())?);
        }
        let Some(forces) = &mut self.forces else { return Ok(Vec::new()) };
        let values = forces.values(device, directions)?;
        forces.faces.forces(case, &self.fluid, &values, &*device.ranks)
    }
}

impl Forces {
    /// Components and directions lie one after the other, each so long.
    fn new(
        Device { gpu, .. }: &Device,
        faces: ForceFaces,
        directions: usize,
        length: usize,
    ) -> Result<Self> {
        let places = &faces.places;
        let of = |c: usize| places.cells.iter().map(move |&place| c * length + place);
        let velocity: Vec<usize> = (0..directions).flat_map(of).collect();
        let through: Vec<usize> =
            places.faces.iter().map(|&(d, place)| d * length + place).collect();
        Ok(Self {
            velocity: PlaceReader::new(gpu, &velocity)?,
            pressure: PlaceReader::new(gpu, &places.cells)?,
            face_velocity: PlaceReader::new(gpu, &through)?,
            faces,
        })
    }

    fn values(&mut self, Device { fields, .. }: &Device, directions: usize) -> Result<Values> {
        let all = self.velocity.read(&fields.u)?;
        let count = all.len() / directions;
        let of =
            |c: usize| all[(c * count).min(all.len())..((c + 1) * count).min(all.len())].to_vec();
        Ok(Values {
            velocity: std::array::from_fn(of),
            pressure: self.pressure.read(&fields.p)?,
            face_velocity: self.face_velocity.read(&fields.face_velocity)?,
        })
    }
}
