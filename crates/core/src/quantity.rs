//! What a flow has, by name.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::error::Error;
use crate::grid::Grid;
use crate::lock::lock;

/// What can be asked of a solver, in SI units at cell centres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    /// Velocity in m/s, three components.
    Velocity,
    /// Pressure in Pa.
    Pressure,
    /// Temperature in K, of a flow that carries heat.
    Temperature,
    /// A scalar that the case names; see [`Quantity::scalar`].
    Scalar(ScalarName),
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
    /// Time average of the temperature in K.
    MeanTemperature,
    /// Root mean square of what the temperature differs from its average by, in K.
    RmsTemperature,
    /// Time average of a scalar that the case names.
    MeanScalar(ScalarName),
    /// Root mean square of what it differs from its average by.
    RmsScalar(ScalarName),
}

/// The name of a scalar. There is one of each name in a program, so that it costs nothing to hand it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScalarName(&'static str);

const VELOCITY_ONLY: &str = "computes velocity and pressure only";

/// All names that scalars have had.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

impl ScalarName {
    fn new(name: &str) -> Self {
        let mut names = lock(&NAMES);
        let known = names.get(name).copied();
        Self(known.unwrap_or_else(|| {
            let name: &'static str = String::leak(name.to_owned());
            names.insert(name);
            name
        }))
    }
}

impl Quantity {
    /// The scalar of this name.
    pub fn scalar(name: &str) -> Self {
        Self::Scalar(ScalarName::new(name))
    }

    /// What a solver computes of a flow that carries these; the rest is derived of it.
    pub(crate) fn computed(carried: &[Self]) -> impl Iterator<Item = Self> + '_ {
        [Self::Velocity, Self::Pressure].into_iter().chain(carried.iter().copied())
    }

    /// All that there is of a flow on a grid that carries these.
    pub(crate) fn of<'a>(grid: &Grid, carried: &'a [Self]) -> impl Iterator<Item = Self> + use<'a> {
        let derived = std::iter::once(Self::Vorticity);
        let derived = derived.chain(grid.is_plane().then_some(Self::StreamFunction));
        Self::computed(carried).chain(derived)
    }

    /// Whether a solver computes it of some flow.
    pub(crate) fn is_computed(self) -> bool {
        matches!(self, Self::Velocity | Self::Pressure | Self::Temperature | Self::Scalar(_))
    }

    /// All that is known over time of a flow that carries nothing, where the case asks for it by `output.statistics`.
    pub const STATISTICS: [Self; 5] = [
        Self::MeanVelocity,
        Self::RmsVelocity,
        Self::ReynoldsStress,
        Self::MeanPressure,
        Self::RmsPressure,
    ];

    /// The same of a flow that carries these.
    pub(crate) fn over_time(carried: &[Self]) -> Vec<Self> {
        let of = |one: &Self| match *one {
            Self::Scalar(name) => [Self::MeanScalar(name), Self::RmsScalar(name)],
            _ => [Self::MeanTemperature, Self::RmsTemperature],
        };
        Self::STATISTICS.into_iter().chain(carried.iter().flat_map(of)).collect()
    }

    /// Whether it is a root mean square over time.
    pub(crate) fn is_rms(self) -> bool {
        matches!(
            self,
            Self::RmsVelocity | Self::RmsPressure | Self::RmsTemperature | Self::RmsScalar(_)
        )
    }

    /// What samples are taken of for what is known over time; nothing for others.
    pub fn sampled(self) -> Option<Self> {
        match self {
            Self::MeanTemperature | Self::RmsTemperature => Some(Self::Temperature),
            Self::MeanScalar(name) | Self::RmsScalar(name) => Some(Self::Scalar(name)),
            Self::MeanVelocity | Self::RmsVelocity | Self::ReynoldsStress => Some(Self::Velocity),
            Self::MeanPressure | Self::RmsPressure => Some(Self::Pressure),
            Self::Velocity
            | Self::Pressure
            | Self::Temperature
            | Self::Scalar(_)
            | Self::Vorticity
            | Self::StreamFunction => None,
        }
    }

    /// Name in files: `velocity`, `pressure`, `temperature`, `vorticity`, `stream_function`, `mean_velocity` and so on; of a
    /// scalar its own.
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Pressure => "pressure",
            Self::Temperature => "temperature",
            Self::Scalar(ScalarName(name)) => name,
            Self::Vorticity => "vorticity",
            Self::StreamFunction => "stream_function",
            Self::MeanVelocity => "mean_velocity",
            Self::RmsVelocity => "rms_velocity",
            Self::ReynoldsStress => "reynolds_stress",
            Self::MeanPressure => "mean_pressure",
            Self::RmsPressure => "rms_pressure",
            Self::MeanTemperature => "mean_temperature",
            Self::RmsTemperature => "rms_temperature",
            Self::MeanScalar(ScalarName(name)) => ScalarName::new(&format!("mean_{name}")).0,
            Self::RmsScalar(ScalarName(name)) => ScalarName::new(&format!("rms_{name}")).0,
        }
    }

    /// The error of a method that is asked for what is derived from its velocity for every method, or for a scalar that
    /// the flow does not carry.
    pub fn is_derived(self, method: &'static str) -> Error {
        let (problem, remedy) = match (self, self.sampled()) {
            (Self::Temperature, _) => {
                ("computes no heat of this flow", "give the case the table `heat`")
            }
            (Self::Scalar(_), _) => (
                "computes no such scalar of this flow",
                "give the case a table `[[scalar]]` for it",
            ),
            (_, Some(_)) => (VELOCITY_ONLY, "give the case the table `output.statistics`"),
            _ => (VELOCITY_ONLY, "ask a snapshot, which derives the rest for every method"),
        };
        Error::Unsupported {
            method,
            key: self.name().into(),
            problem: problem.into(),
            remedy: remedy.into(),
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
            | Self::Scalar(_)
            | Self::StreamFunction
            | Self::MeanPressure
            | Self::RmsPressure
            | Self::MeanTemperature
            | Self::RmsTemperature
            | Self::MeanScalar(_)
            | Self::RmsScalar(_) => 1,
        }
    }
}
