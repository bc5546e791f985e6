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
}

impl Quantity {
    /// All that there is of a flow on a grid.
    pub fn of(grid: &Grid) -> impl Iterator<Item = Self> + use<> {
        let of_all = [Self::Velocity, Self::Pressure, Self::Vorticity];
        of_all.into_iter().chain(grid.is_plane().then_some(Self::StreamFunction))
    }

    /// Name in files: `velocity`, `pressure`, `vorticity`, `stream_function`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Pressure => "pressure",
            Self::Vorticity => "vorticity",
            Self::StreamFunction => "stream_function",
        }
    }

    /// The error of a method that is asked for what is derived from its velocity for every method.
    pub fn is_derived(self, method: &'static str) -> Error {
        Error::Unsupported {
            method,
            key: self.name().into(),
            problem: "computes velocity and pressure only".into(),
            remedy: "ask a snapshot, which derives the rest for every method".into(),
        }
    }

    /// Values per cell.
    pub fn components(self) -> usize {
        match self {
            Self::Velocity | Self::Vorticity => 3,
            Self::Pressure | Self::StreamFunction => 1,
        }
    }
}
