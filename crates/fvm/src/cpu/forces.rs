//! What the forces on bodies are made of; eq. (V22).

use vortice_core::{Case, Result, SurfaceForce};

use super::Cpu;
use crate::forces::{ForceFaces, Values};

impl Cpu {
    /// The forces of the flow as it is on the case's bodies.
    pub(super) fn forces_on_bodies(&mut self, case: &Case) -> Result<Vec<SurfaceForce>> {
        // What lies beside the faces may be another rank's.
        self.complete_velocity()?;
        self.halo.exchange(&*self.ranks, &mut [&mut self.now.p])?;
        let (kinds, fluid) = (&self.faces.kinds, &self.fluid);
        let new = || ForceFaces::new(case, &self.part, self.shape, kinds, fluid);
        // The velocity of a wall that changes is in the list.
        self.force_faces.take_if(|_| case.boundaries.change());
        let faces = self.force_faces.get_or_insert_with(new);
        let values = Values {
            velocity: self.now.u.each_ref().map(Vec::as_slice),
            pressure: &self.now.p,
            face_velocity: self.now.face_velocity.each_ref().map(Vec::as_slice),
        };
        faces.forces(case, fluid, &values, &*self.ranks)
    }
}
