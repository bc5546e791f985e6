//! What the flow carries and what spreads in it, as data in SI units: its temperature and scalars with names. Equations:
//! docs/src/theory/heat.md.

use std::sync::Arc;

use crate::boundary::Side;
use crate::expression::Expression;
use crate::quantity::Quantity;
use crate::wetted::Surface;

/// A scalar: the temperature in K, or one in the unit that the case thinks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// [`Quantity::Temperature`], or [`Quantity::Scalar`] with its name.
    pub quantity: Quantity,
    /// Diffusivity in m2/s.
    pub diffusivity: f64,
    /// What its values are stored relative to, so that few digits are lost: of the temperature the one at which the fluid
    /// is neither heavy nor light.
    pub reference: f64,
    /// The largest difference that the case speaks of: of values that are fixed, else of the initial ones, else what the
    /// largest flux makes over the length scale, else between fixed and initial ones, else what the largest source makes; 1
    /// if there is none.
    pub difference: f64,
    /// Acceleration in m/s2 by each unit above the reference, eq. (H2); zero of what moves nothing.
    pub buoyancy: [f64; 3],
    /// What holds at the six faces, `[direction][side]`.
    pub faces: [[ScalarBoundary; 2]; 3],
    /// By which formula of place and time, where it is one; the number in `faces` then is a mean at t = 0.
    pub formulas: FaceFormulas,
    /// What holds at each body, in their order.
    pub bodies: Vec<ScalarBoundary>,
    /// What holds at each solid box, in their order.
    pub solids: Vec<ScalarBoundary>,
    /// By which formula of the place, where it is one, in the order of [`Surface::inner`]; the number in `bodies` or `solids`
    /// then is a mean.
    pub inner_formulas: Vec<Option<Arc<Expression>>>,
    /// What comes in everywhere, in its unit over s, by the place.
    pub source: Arc<Expression>,
    /// Value at t = 0.
    pub initial: Arc<Expression>,
    /// What it is at all times, where the case says so beside [`crate::Case::exact`].
    pub exact: Option<Arc<Expression>>,
}

/// Formulas of place and time for what holds at the six faces, `[direction][side]`.
pub type FaceFormulas = [[Option<Arc<Expression>>; 2]; 3];

/// What holds for a scalar at a face of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarBoundary {
    /// What leaves here enters at the opposite face.
    Periodic,
    /// The value is given: at walls and inflows.
    Value(f64),
    /// What enters here, in the scalar's unit times m/s, is given; nothing at walls that nothing passes and at mirrors. Of
    /// the temperature in K m/s: the heat flux over density and heat capacity.
    Flux(f64),
    /// What leaves carries its value out of the box; nothing diffuses.
    Outflow,
}

impl ScalarBoundary {
    /// The value that is given here, if one is.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The same kind with another number, of a value or a flux.
    #[must_use]
    pub fn with(self, number: f64) -> Self {
        match self {
            Self::Value(_) => Self::Value(number),
            Self::Flux(_) => Self::Flux(number),
            other => other,
        }
    }

    /// What is given to enter here; zero where nothing is.
    pub fn flux(self) -> f64 {
        match self {
            Self::Flux(flux) => flux,
            _ => 0.0,
        }
    }
}

impl Scalar {
    /// What holds at a face.
    pub fn at(&self, direction: usize, side: Side) -> ScalarBoundary {
        self.faces[direction][side as usize]
    }

    /// The formula of what holds at a face, if it is one.
    pub fn formula(&self, direction: usize, side: Side) -> Option<&Arc<Expression>> {
        self.formulas[direction][side as usize].as_ref()
    }

    /// The value or the flux that is given at a point (m) of a face at a time in s; zero where none is.
    pub fn given_at(&self, direction: usize, side: Side, point: [f64; 3], time: f64) -> f64 {
        let at = self.at(direction, side);
        let number = at.value().unwrap_or(at.flux());
        self.formula(direction, side).map_or(number, |formula| formula.value(point, time))
    }

    /// Whether what is given at faces changes with time.
    pub fn changes(&self) -> bool {
        self.formulas.iter().flatten().flatten().any(|formula| formula.changes())
    }

    /// What holds at a surface; nothing passes that of no body and no box.
    pub fn on(&self, surface: Option<Surface>) -> ScalarBoundary {
        match surface {
            Some(Surface::Face(direction, side)) => self.at(direction, side),
            Some(Surface::Solid(number)) => self.solids[number],
            Some(Surface::Body(number)) => self.bodies[number],
            None => ScalarBoundary::Flux(0.0),
        }
    }

    /// The formula of what holds at a surface, if it is one.
    pub(crate) fn formula_on(&self, surface: Surface) -> Option<&Arc<Expression>> {
        match surface {
            Surface::Face(direction, side) => self.formula(direction, side),
            Surface::Body(number) => self.inner_formulas[number].as_ref(),
            Surface::Solid(number) => self.inner_formulas[self.bodies.len() + number].as_ref(),
        }
    }

    /// Whether a surface has a value, or lets something in.
    pub fn passes(&self, surface: Surface) -> bool {
        let is_given = self.formula_on(surface).is_some();
        is_given || self.on(Some(surface)) != ScalarBoundary::Flux(0.0)
    }

    /// All six faces with their direction and side.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Side, ScalarBoundary)> {
        (0..3).flat_map(move |d| Side::BOTH.map(|side| (d, side, self.at(d, side))))
    }

    /// Value at a point (m) at t = 0.
    pub fn initial_value(&self, point: [f64; 3]) -> f64 {
        self.initial.value(point, 0.0)
    }

    /// Whether it comes in somewhere inside.
    pub fn has_source(&self) -> bool {
        self.source.as_number() != Some(0.0)
    }

    /// What comes in at a point (m), in its unit over s.
    pub fn source_at(&self, point: [f64; 3]) -> f64 {
        self.source.value(point, 0.0)
    }

    /// Whether differences of it move the fluid.
    pub fn is_buoyant(&self) -> bool {
        self.buoyancy.iter().any(|&b| b != 0.0)
    }

    /// Acceleration in m/s2 by its difference, the magnitude.
    pub fn acceleration(&self) -> f64 {
        let squares: f64 = self.buoyancy.iter().map(|b| b * b).sum();
        squares.sqrt() * self.difference
    }

    /// Free-fall velocity in m/s over a length in m; eq. (H3).
    pub fn free_fall_speed(&self, length: f64) -> f64 {
        (self.acceleration() * length).sqrt()
    }

    /// Viscosity (m2/s) over diffusivity: the Prandtl number of heat, eq. (H3), the Schmidt number of other scalars.
    pub fn schmidt(&self, viscosity: f64) -> f64 {
        viscosity / self.diffusivity
    }

    /// Peclet number with a velocity in m/s and a length in m; eq. (H3).
    pub fn peclet(&self, velocity: f64, length: f64) -> f64 {
        velocity * length / self.diffusivity
    }

    /// What it is called in a saved state: `temperature`, or `scalar-dye`.
    pub fn name_in_state(&self) -> String {
        match self.quantity {
            Quantity::Temperature => "temperature".into(),
            quantity => format!("scalar-{}", quantity.name()),
        }
    }

    /// The key of a case file that gives it.
    pub fn key(&self) -> String {
        match self.quantity {
            Quantity::Temperature => "heat".into(),
            quantity => format!("scalar {}", quantity.name()),
        }
    }
}
