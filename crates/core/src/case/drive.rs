//! What drives a flow: prescribed velocities and the body force, over time.

use super::meaning::Case;

impl Case {
    /// The largest speed in m/s that an end of the box or a body prescribes anywhere.
    pub fn prescribed_speed(&self) -> f64 {
        let faces = self.boundaries.iter().map(|(.., face)| face.speed());
        faces.chain(self.bodies.iter().map(|body| body.speed())).fold(0.0, f64::max)
    }

    /// Body force per unit mass in m/s2 at a time in s.
    pub fn force_at(&self, time: f64) -> [f64; 3] {
        self.changing_force.as_ref().map_or(self.force, |force| force.at(time))
    }

    /// Whether boundaries, of the velocity or of what the flow carries, or the body force change with time.
    pub fn changes(&self) -> bool {
        self.prescribes() || self.changing_force.is_some()
    }

    /// Whether boundaries do.
    pub fn prescribes(&self) -> bool {
        self.boundaries.change() || self.carried().any(crate::scalar::Scalar::changes)
    }

    /// In which directions the body force ever acts.
    pub fn pushes(&self) -> [bool; 3] {
        match &self.changing_force {
            Some(force) => force.components().each_ref().map(|one| one.as_number() != Some(0.0)),
            None => self.force.map(|force| force != 0.0),
        }
    }

    /// The same case with the boundaries' velocities and the body force at this time in s.
    pub fn at(&mut self, time: f64) -> &Self {
        self.boundaries.set_time(time);
        self.force = self.force_at(time);
        self
    }
}
