//! Heat that the flow carries and that moves it, as data in SI units. Equations: docs/src/theory/heat.md.

use std::ops::Deref;

use crate::scalar::Scalar;

/// The heat of a flow: its temperature, and why that moves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// The temperature in K.
    pub temperature: Scalar,
    /// Volume expansion in 1/K: what a fluid that is warmer by 1 K loses of its density, as a share.
    pub expansion: f64,
    /// Gravity in m/s2; it acts on differences of temperature only.
    pub gravity: [f64; 3],
}

/// Heat is the scalar temperature, and more.
impl Deref for Heat {
    type Target = Scalar;

    fn deref(&self) -> &Scalar {
        &self.temperature
    }
}

impl Heat {
    /// Acceleration in m/s2 by each kelvin, of an expansion in 1/K and a gravity in m/s2; eq. (H2).
    pub(crate) fn buoyancy_of(expansion: f64, gravity: [f64; 3]) -> [f64; 3] {
        gravity.map(|g| -g * expansion)
    }

    /// Prandtl number of a fluid of this kinematic viscosity in m2/s; eq. (H3).
    pub fn prandtl(&self, viscosity: f64) -> f64 {
        self.schmidt(viscosity)
    }

    /// Rayleigh number with this viscosity in m2/s and length in m; eq. (H3).
    pub fn rayleigh(&self, viscosity: f64, length: f64) -> f64 {
        self.acceleration() * length.powi(3) / (viscosity * self.diffusivity)
    }
}
