//! What the forces on bodies are made of: the values beside them, fetched from the device; eq. (V22).

use vortice_core::{BodyForce, Case, Result, Shape, Subdomain};
use vortice_gpu::{Gpu, PlaceReader};

use super::device::Device;
use crate::fluid::Fluid;
use crate::forces::{ForceFaces, Values};

/// The faces at bodies, and what brings what lies beside them.
pub(super) struct Forces {
    faces: ForceFaces,
    velocity: PlaceReader<f64>,
    pressure: PlaceReader<f64>,
    face_velocity: PlaceReader<f64>,
}

impl Forces {
    /// Components and directions lie one after the other in the arrays of a device.
    pub(super) fn new(
        gpu: &Gpu,
        case: &Case,
        part: &Subdomain,
        shape: Shape,
        kinds: &[u8],
    ) -> Result<Self> {
        let faces = ForceFaces::new(case, part, shape, kinds);
        let (directions, length) = (case.grid.directions().len(), shape.len());
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

    /// The forces of all ranks on the case's bodies. Collective.
    pub(super) fn of(
        &mut self,
        case: &Case,
        fluid: &Fluid,
        device: &mut Device,
    ) -> Result<Vec<BodyForce>> {
        // What lies beside the faces may be another rank's.
        device.complete_velocity()?;
        device.scalars.exchange(&*device.ranks, &mut [&mut device.fields.p])?;
        let values = self.values(device, fluid.directions)?;
        self.faces.forces(case, fluid, &values, &*device.ranks)
    }

    fn values(&mut self, Device { fields, .. }: &Device, directions: usize) -> Result<Values> {
        let all = self.velocity.read(&fields.u)?;
        let count = all.len() / directions;
        let of = |c: usize| all.get(c * count..(c + 1) * count).unwrap_or_default().to_vec();
        Ok(Values {
            velocity: std::array::from_fn(of),
            pressure: self.pressure.read(&fields.p)?,
            face_velocity: self.face_velocity.read(&fields.face_velocity)?,
        })
    }
}
