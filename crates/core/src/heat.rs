//! Heat that the flow carries and that moves it, as data in SI units. Equations: docs/src/theory/heat.md.

use std::sync::Arc;

use crate::boundary::Side;
use crate::error::Error;
use crate::expression::Expression;

/// The heat of a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// Thermal diffusivity in m2/s.
    pub diffusivity: f64,
    /// Volume expansion in 1/K: what a fluid that is warmer by 1 K loses of its density, as a share.
    pub expansion: f64,
    /// Gravity in m/s2; it acts on differences of temperature only.
    pub gravity: [f64; 3],
    /// Temperature in K at which the fluid is neither heavy nor light.
    pub reference: f64,
    /// The largest difference of temperatures in K that the case speaks of: of those that are fixed, else of the initial
    /// one, else what the largest heat flux makes over the length scale; 1 K if there is none.
    pub difference: f64,
    /// What holds at the six faces, `[direction][side]`.
    pub faces: [[ThermalBoundary; 2]; 3],
    /// Temperature in K at t = 0.
    pub initial: Arc<Expression>,
}

/// What holds for the temperature at a face of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThermalBoundary {
    /// What leaves here enters at the opposite face.
    Periodic,
    /// The temperature in K is given: at walls and inflows.
    Temperature(f64),
    /// What enters here in K m/s, the heat flux over density and heat capacity, is given; nothing at walls that no
    /// heat passes and at mirrors.
    HeatFlux(f64),
    /// What leaves carries its temperature out of the box; no heat is conducted.
    Outflow,
}

/// Mean heat fluxes into the box through its faces over density and heat capacity, in K m/s, `[direction][side]`, with what the flow
/// carries relative to the reference temperature; zero where the flux is given.
pub type FaceFluxes = [[f64; 2]; 3];

impl ThermalBoundary {
    /// The temperature in K that is given here, if one is.
    pub fn temperature(self) -> Option<f64> {
        match self {
            Self::Temperature(temperature) => Some(temperature),
            _ => None,
        }
    }

    /// What is given to enter here in K m/s; zero where nothing is.
    pub fn heat_flux(self) -> f64 {
        match self {
            Self::HeatFlux(flux) => flux,
            _ => 0.0,
        }
    }
}

impl Heat {
    /// What holds at a face.
    pub fn at(&self, direction: usize, side: Side) -> ThermalBoundary {
        self.faces[direction][side as usize]
    }

    /// All six faces with their direction and side.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Side, ThermalBoundary)> {
        (0..3).flat_map(move |d| Side::BOTH.map(|side| (d, side, self.at(d, side))))
    }

    /// Temperature in K at a point (m) at t = 0.
    pub fn initial_temperature(&self, point: [f64; 3]) -> f64 {
        self.initial.value(point, 0.0)
    }

    /// Acceleration in m/s2 by each kelvin above the reference; eq. (H2).
    pub fn buoyancy(&self) -> [f64; 3] {
        self.gravity.map(|g| -g * self.expansion)
    }

    /// Whether differences of temperature move the fluid.
    pub fn is_buoyant(&self) -> bool {
        self.buoyancy().iter().any(|&b| b != 0.0)
    }

    /// Acceleration in m/s2 by the temperature difference, its magnitude.
    pub fn acceleration(&self) -> f64 {
        let squares: f64 = self.buoyancy().iter().map(|b| b * b).sum();
        squares.sqrt() * self.difference
    }

    /// Free-fall velocity in m/s over a length in m; eq. (H3).
    pub fn free_fall_speed(&self, length: f64) -> f64 {
        (self.acceleration() * length).sqrt()
    }

    /// Prandtl number of a fluid of this kinematic viscosity in m2/s; eq. (H3).
    pub fn prandtl(&self, viscosity: f64) -> f64 {
        viscosity / self.diffusivity
    }

    /// Rayleigh number with this viscosity in m2/s and length in m; eq. (H3).
    pub fn rayleigh(&self, viscosity: f64, length: f64) -> f64 {
        self.acceleration() * length.powi(3) / (viscosity * self.diffusivity)
    }

    /// The error of a method that does not compute heat, or not here.
    pub fn unsupported(method: &'static str, key: &str, problem: &str, remedy: &str) -> Error {
        Error::Unsupported {
            method,
            key: key.into(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }
}
