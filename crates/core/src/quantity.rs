//! What a flow has, by name.

use crate::error::Error;
use crate::grid::Grid;

/// What can be asked of a solver, in SI units at cell centres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    /// Velocity in m/s, three components.
    Velocity,
    /// Pressure in Pa.
    Pressure,
    /// Temperature in K, of a flow that carries heat.
    Temperature,
    /// Vorticity in 1/s, three components; derived from the velocity.
    Vorticity,
    /// Stream function of a plane flow in m2/s: u = d(psi)/dy; derived from the velocity.
    StreamFunction,
    /// Time average of the velocity in m/s, three components.
    MeanVelocity,
    /// Root mean square of what each component of the velocity differs from its average by, in m/s.
    RmsVelocity,
    /// Averages of the products u'v', u'w' and v'w' of what the velocity differs from its average by, in m2/s2.
    ReynoldsStress,
    /// Time average of the pressure in Pa.
    MeanPressure,
    /// Root mean square of what the pressure differs from its average by, in Pa.
    RmsPressure,
}

impl Quantity {
    /// What a solver computes of a flow, which may carry heat; the rest is derived of it.
    pub fn computed(is_heated: bool) -> impl Iterator<Item = Self> + use<> {
        let of_all = [Self::Velocity, Self::Pressure];
        of_all.into_iter().chain(is_heated.then_some(Self::Temperature))
    }

    /// All that there is of a flow on a grid, which may carry heat.
    pub fn of(grid: &Grid, is_heated: bool) -> impl Iterator<Item = Self> + use<> {
        let derived = std::iter::once(Self::Vorticity);
        let derived = derived.chain(grid.is_plane().then_some(Self::StreamFunction));
        Self::computed(is_heated).chain(derived)
    }

    /// All that is known of a flow over time, where the case asks for it by `output.statistics`.
    pub const STATISTICS: [Self; 5] = [
        Self::MeanVelocity,
        Self::RmsVelocity,
        Self::ReynoldsStress,
        Self::MeanPressure,
        Self::RmsPressure,
    ];

    /// What samples are taken of for a quantity of [`Self::STATISTICS`]; nothing for others.
    pub fn sampled(self) -> Option<Self> {
        match self {
            Self::MeanVelocity | Self::RmsVelocity | Self::ReynoldsStress => Some(Self::Velocity),
            Self::MeanPressure | Self::RmsPressure => Some(Self::Pressure),
            Self::Velocity
            | Self::Pressure
            | Self::Temperature
            | Self::Vorticity
            | Self::StreamFunction => None,
        }
    }

    /// Name in files: `velocity`, `pressure`, `temperature`, `vorticity`, `stream_function`, `mean_velocity` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Pressure => "pressure",
            Self::Temperature => "temperature",
            Self::Vorticity => "vorticity",
            Self::StreamFunction => "stream_function",
            Self::MeanVelocity => "mean_velocity",
            Self::RmsVelocity => "rms_velocity",
            Self::ReynoldsStress => "reynolds_stress",
            Self::MeanPressure => "mean_pressure",
            Self::RmsPressure => "rms_pressure",
        }
    }

    /// The error of a method that is asked for what is derived from its velocity for every method, or for the
    /// temperature of a flow without heat.
    pub fn is_derived(self, method: &'static str) -> Error {
        if self == Self::Temperature {
            return Error::Unsupported {
                method,
                key: self.name().into(),
                problem: "computes no heat of this flow".into(),
                remedy: "give the case the table `heat`".into(),
            };
        }
        Error::Unsupported {
            method,
            key: self.name().into(),
            problem: "computes velocity and pressure only".into(),
            remedy: match self.sampled() {
                Some(_) => "give the case the table `output.statistics`".into(),
                None => "ask a snapshot, which derives the rest for every method".into(),
            },
        }
    }

    /// Values per cell.
    pub fn components(self) -> usize {
        match self {
            Self::Velocity
            | Self::Vorticity
            | Self::MeanVelocity
            | Self::RmsVelocity
            | Self::ReynoldsStress => 3,
            Self::Pressure
            | Self::Temperature
            | Self::StreamFunction
            | Self::MeanPressure
            | Self::RmsPressure => 1,
        }
    }
}
