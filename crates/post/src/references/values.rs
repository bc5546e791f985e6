//! What a flow is judged against.

use vortice_core::ExactFlow;

use super::validity::Validity;
pub use crate::component::Component;
use crate::flow::{Line, Variable};
pub use crate::oscillation::Bound;

/// Something that a flow is judged against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Name in the case's `references`.
    pub name: String,
    /// Who published it, and where.
    pub citation: String,
    /// How far off the values themselves may be, in words; empty if unknown.
    pub accuracy: String,
    /// The same for each value in its own unit, not a number where it is unknown; none of exact flows.
    pub accuracies: Vec<f64>,
    /// For which flows it holds.
    pub validity: Validity,
    /// The values.
    pub values: Values,
}

/// The values of a reference, in units of the case's scale; places are measured from the low
/// corner of the box.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A variable along a line.
    Profile {
        /// Which variable.
        variable: Variable,
        /// Where the line lies.
        line: Line,
        /// Positions on the line and values.
        points: Vec<(f64, f64)>,
    },
    /// Smallest and largest values on lines.
    Extrema(Vec<Extremum>),
    /// Lengths of separation behind a step.
    Lengths {
        /// The table's unit of length, in units of the case's length scale.
        unit: f64,
        /// What, and how long.
        lengths: Vec<(Length, f64)>,
    },
    /// Coefficients of the forces on bodies.
    Coefficients(Vec<CoefficientValue>),
    /// Nusselt numbers of walls whose temperature is given.
    Nusselt(Vec<NusseltValue>),
    /// How what leaves the box is shared out among its faces.
    Flows(Vec<FlowShare>),
    /// Centres and strengths of vortices.
    Vortices(Vec<VortexValue>),
    /// An exact flow, everywhere.
    Exact(ExactFlow),
}

/// The smallest or largest value on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremum {
    /// Which variable.
    pub variable: Variable,
    /// 1 for the largest, -1 for the smallest.
    pub sign: f64,
    /// Where the line lies.
    pub line: Line,
    /// The value.
    pub value: f64,
    /// Where on the line; not a number if the table does not say.
    pub position: f64,
}

/// The published flow through one face of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowShare {
    /// The face, by the name that case files have for it.
    pub face: &'static str,
    /// Its share of all that leaves the box.
    pub share: f64,
}

/// One published number of a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct NusseltValue {
    /// The face of the box, by the name that case files have for it, or the name of a body, of which only the mean is known.
    pub face: String,
    /// What of it.
    pub quantity: NusseltQuantity,
    /// The number; Nusselt numbers are positive where heat enters the fluid, places in units of the case's scale.
    pub value: f64,
}

/// What tables say of the Nusselt numbers of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NusseltQuantity {
    /// `mean`
    Mean,
    /// `max`: the largest.
    Max,
    /// `min`: the smallest.
    Min,
    /// `max_at`: where on the wall of a plane flow the largest is.
    MaxAt,
    /// `min_at`: where the smallest is.
    MinAt,
}

impl NusseltQuantity {
    /// All of them.
    pub const ALL: [NusseltQuantity; 5] =
        [Self::Mean, Self::Max, Self::Min, Self::MaxAt, Self::MinAt];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Max => "max",
            Self::Min => "min",
            Self::MaxAt => "max_at",
            Self::MinAt => "min_at",
        }
    }
}

impl NusseltValue {
    /// What it is, for people: `x-low Nu`, `x-low Nu max`, `x-low Nu max at`.
    pub fn words(&self) -> String {
        let of = match self.quantity {
            NusseltQuantity::Mean => "",
            NusseltQuantity::Max => " max",
            NusseltQuantity::Min => " min",
            NusseltQuantity::MaxAt => " max at",
            NusseltQuantity::MinAt => " min at",
        };
        format!("{} Nu{of}", self.face)
    }
}

/// One published number of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct CoefficientValue {
    /// Its name in the case.
    pub body: String,
    /// Of what.
    pub coefficient: Coefficient,
    /// The number.
    pub value: f64,
}

/// What tables say of the flow past a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// `drag`: of the force in x.
    Drag,
    /// `lift`: of the force in y.
    Lift,
    /// `pressure_difference`: between the places where the line along x through its middle meets it and leaves it, in
    /// units of the density times the squared velocity of the scale.
    PressureDifference,
    /// `wake_length`: from the body to where u on the line along x through its middle turns forward, in units of the scale.
    WakeLength,
    /// `drag_mean` ... `lift_amplitude`: of a drag or lift over time, over whole periods if it repeats itself.
    Swing(Component, Bound),
    /// `strouhal`: the frequency of the lift in units of the scale.
    Strouhal,
}

impl Coefficient {
    /// All of them.
    pub const ALL: [Coefficient; 15] = [
        Self::Drag,
        Self::Lift,
        Self::PressureDifference,
        Self::WakeLength,
        Self::Strouhal,
        Self::Swing(Component::Drag, Bound::Mean),
        Self::Swing(Component::Drag, Bound::Rms),
        Self::Swing(Component::Drag, Bound::Max),
        Self::Swing(Component::Drag, Bound::Min),
        Self::Swing(Component::Drag, Bound::Amplitude),
        Self::Swing(Component::Lift, Bound::Mean),
        Self::Swing(Component::Lift, Bound::Rms),
        Self::Swing(Component::Lift, Bound::Max),
        Self::Swing(Component::Lift, Bound::Min),
        Self::Swing(Component::Lift, Bound::Amplitude),
    ];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drag => "drag",
            Self::Lift => "lift",
            Self::PressureDifference => "pressure_difference",
            Self::WakeLength => "wake_length",
            Self::Strouhal => "strouhal",
            Self::Swing(Component::Drag, Bound::Mean) => "drag_mean",
            Self::Swing(Component::Drag, Bound::Rms) => "drag_rms",
            Self::Swing(Component::Drag, Bound::Max) => "drag_max",
            Self::Swing(Component::Drag, Bound::Min) => "drag_min",
            Self::Swing(Component::Drag, Bound::Amplitude) => "drag_amplitude",
            Self::Swing(Component::Lift, Bound::Mean) => "lift_mean",
            Self::Swing(Component::Lift, Bound::Rms) => "lift_rms",
            Self::Swing(Component::Lift, Bound::Max) => "lift_max",
            Self::Swing(Component::Lift, Bound::Min) => "lift_min",
            Self::Swing(Component::Lift, Bound::Amplitude) => "lift_amplitude",
        }
    }
}

/// One published number of a vortex, in units of the case's scale.
#[derive(Clone, Debug, PartialEq)]
pub struct VortexValue {
    /// Which: [`crate::Vortex::name`].
    pub vortex: String,
    /// What of it.
    pub quantity: VortexQuantity,
    /// The number.
    pub value: f64,
}

/// What tables say of a vortex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VortexQuantity {
    /// `x`, of the centre.
    X,
    /// `y`, of the centre.
    Y,
    /// `psi`: the stream function in the centre.
    StreamFunction,
    /// `omega`: the vorticity in the centre, positive if it turns from x to y.
    Vorticity,
}

impl VortexQuantity {
    /// All of them.
    pub const ALL: [VortexQuantity; 4] = [Self::X, Self::Y, Self::StreamFunction, Self::Vorticity];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::StreamFunction => "psi",
            Self::Vorticity => "omega",
        }
    }
}

/// A length of [`Separation`](crate::Separation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// `reattachment`
    Reattachment,
    /// `upper_separation`
    UpperSeparation,
    /// `upper_reattachment`
    UpperReattachment,
}

impl Length {
    /// All of them.
    pub const ALL: [Length; 3] =
        [Self::Reattachment, Self::UpperSeparation, Self::UpperReattachment];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reattachment => "reattachment",
            Self::UpperSeparation => "upper_separation",
            Self::UpperReattachment => "upper_reattachment",
        }
    }
}
