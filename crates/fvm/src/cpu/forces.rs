//! What the forces on bodies are made of; eq. (V22).

use vortice_core::{BodyForce, Case, Result};

use super::Cpu;
use crate::forces::{ForceFaces, Values};

impl Cpu {
    /// The forces of the flow as it is on the case's bodies.
    pub(super) fn forces_on_bodies(&mut self, case: &Case) -> Result<Vec<BodyForce>> {
        // What lies beside the faces may be another rank's.
        self.complete_velocity()?;
        self.halo.exchange(&*self.ranks, &mut [&mut self.now.p])?;
        let kinds = &self.faces.kinds;
        let new = || ForceFaces::new(case, &self.part, self.shape, kinds);
        let faces = self.force_faces.get_or_insert_with(new);
        let places = &faces.places;
        let at = |values: &[f64]| places.cells.iter().map(|&place| values[place]).collect();
        let through = places.faces.iter().map(|&(d, place)| self.now.face_velocity[d][place]);
        let values = Values {
            velocity: self.now.u.each_ref().map(|u| at(u)),
            pressure: at(&self.now.p),
            face_velocity: through.collect(),
        };
        faces.forces(case, &self.fluid, &values, &*self.ranks)
    }
}
