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
    /// All that there is of a flow on a grid.
    pub fn of(grid: &Grid) -> impl Iterator<Item = Self> + use<> {
        let of_all = [Self::Velocity, Self::Pressure, Self::Vorticity];
        of_all.into_iter().chain(grid.is_plane().then_some(Self::StreamFunction))
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
            Self::Velocity | Self::Pressure | Self::Vorticity | Self::StreamFunction => None,
        }
    }

    /// Name in files: `velocity`, `pressure`, `vorticity`, `stream_function`, `mean_velocity` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Pressure => "pressure",
            Self::Vorticity => "vorticity",
            Self::StreamFunction => "stream_function",
            Self::MeanVelocity => "mean_velocity",
            Self::RmsVelocity => "rms_velocity",
            Self::ReynoldsStress => "reynolds_stress",
            Self::MeanPressure => "mean_pressure",
            Self::RmsPressure => "rms_pressure",
        }
    }

    /// The error of a method that is asked for what is derived from its velocity for every method.
    pub fn is_derived(self, method: &'static str) -> Error {
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
            Self::Pressure | Self::StreamFunction | Self::MeanPressure | Self::RmsPressure => 1,
        }
    }
}
