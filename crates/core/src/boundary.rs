//! The physics at the six faces of the box, as data. Each method turns it into its own numbers.

use crate::error::Result;
use crate::velocity_formula::VelocityFormula;

/// Which end of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The lower end.
    Low = 0,
    /// The upper end.
    High = 1,
}

impl Side {
    /// Low, then high.
    pub const BOTH: [Side; 2] = [Side::Low, Side::High];

    /// The other one.
    pub fn opposite(self) -> Self {
        Self::BOTH[1 - self as usize]
    }

    /// The way out of a cell on this side: -1 or 1.
    pub fn outward(self) -> isize {
        2 * self as isize - 1
    }

    /// The cell next to another on this side.
    pub fn next(self, mut cell: [isize; 3], direction: usize) -> [isize; 3] {
        cell[direction] += self.outward();
        cell
    }
}

/// The name of a face in case files: `x-low` ... `z-high`.
pub fn face_name(direction: usize, side: Side) -> &'static str {
    [["x-low", "x-high"], ["y-low", "y-high"], ["z-low", "z-high"]][direction][side as usize]
}

/// A part of a face: coordinates between `from` and `to` in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The direction, 0 to 2.
    pub along: usize,
    /// Lower end in m.
    pub from: f64,
    /// Upper end in m.
    pub to: f64,
}

/// How the inflow velocity is distributed over its face; a factor to the mean velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// The same everywhere, or everywhere in an interval and zero (a wall) beside it.
    Uniform(Option<Interval>),
    /// A parabola with mean 1 and maximum 3/2 over the interval, zero (a wall) beside it.
    Parabolic(Interval),
}

impl Profile {
    /// Mean of the profile over a patch of the face, exactly integrated, so that the mass flow is
    /// the same on every grid. `low` and `high` are the patch's corners in m.
    pub fn average(&self, low: [f64; 3], high: [f64; 3]) -> f64 {
        // The antiderivative of the profile in s = (x - from)/(to - from), clamped to [0, 1].
        let (interval, integral): (_, fn(f64) -> f64) = match self {
            Self::Uniform(None) => return 1.0,
            Self::Uniform(Some(interval)) => (interval, |s| s),
            Self::Parabolic(interval) => (interval, |s| s * s * (3.0 - 2.0 * s)),
        };
        let Interval { along, from, to } = *interval;
        let s = |x: f64| ((x - from) / (to - from)).clamp(0.0, 1.0);
        let (a, b) = (low[along], high[along]);
        (integral(s(b)) - integral(s(a))) * (to - from) / (b - a)
    }

    /// Its largest value.
    fn peak(&self) -> f64 {
        match self {
            Self::Uniform(_) => 1.0,
            Self::Parabolic(_) => 1.5,
        }
    }

    /// The profile's value at a point of the face.
    pub fn value(&self, point: [f64; 3]) -> f64 {
        let s = |interval: &Interval| {
            (point[interval.along] - interval.from) / (interval.to - interval.from)
        };
        match self {
            Self::Uniform(None) => 1.0,
            Self::Uniform(Some(interval)) => f64::from((0.0..=1.0).contains(&s(interval))),
            Self::Parabolic(interval) => {
                let s = s(interval).clamp(0.0, 1.0);
                6.0 * s * (1.0 - s)
            }
        }
    }
}

/// What happens at one face of the box.
#[derive(Clone, Debug, PartialEq)]
pub enum Boundary {
    /// What leaves here enters at the opposite face.
    Periodic,
    /// No slip; the wall may move in its own plane.
    Wall {
        /// Velocity of the wall in m/s; its normal component is zero.
        velocity: [f64; 3],
    },
    /// Prescribed velocity.
    Inflow {
        /// Mean velocity over the profile's interval in m/s.
        velocity: [f64; 3],
        /// Its distribution over the face.
        profile: Profile,
    },
    /// A wall or an inflow whose velocity formulas give.
    Formula {
        /// Whether it is a wall, which moves in its own plane.
        wall: bool,
        /// The velocity in m/s.
        velocity: VelocityFormula,
    },
    /// The flow leaves with zero gradient against a given pressure.
    Outflow {
        /// Pressure at the face in Pa.
        pressure: f64,
    },
    /// The flow leaves as it is carried along, with its vortices; the pressure is not fixed.
    ConvectiveOutflow {
        /// Speed in m/s that it leaves at; by default the mean one, [`crate::ConvectiveOutlet`].
        speed: Option<f64>,
    },
    /// A mirror: no flow through it and no friction along it.
    Symmetry,
}

/// What holds for the flow at an end of the box, whatever kind of boundary asks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// The velocity is given, [`Boundary::velocity`]: at walls and inflows.
    Velocity,
    /// The pressure is given, in Pa, and the velocity does not change across: at outflows.
    Pressure(f64),
    /// The velocity is carried out of the box at one speed: [`crate::ConvectiveOutlet`].
    Convective,
    /// The flow beyond is the mirror image of that before.
    Mirror,
}

impl Boundary {
    /// A wall at rest.
    pub const WALL: Boundary = Boundary::Wall { velocity: [0.0; 3] };

    /// What holds here; nothing where the flow goes on, at a periodic face.
    pub fn condition(&self) -> Option<Condition> {
        match self {
            Self::Periodic => None,
            Self::Wall { .. } | Self::Inflow { .. } | Self::Formula { .. } => {
                Some(Condition::Velocity)
            }
            Self::Outflow { pressure } => Some(Condition::Pressure(*pressure)),
            Self::ConvectiveOutflow { .. } => Some(Condition::Convective),
            Self::Symmetry => Some(Condition::Mirror),
        }
    }

    /// The pressure in Pa that is given here, if one is.
    pub fn pressure(&self) -> Option<f64> {
        match self.condition() {
            Some(Condition::Pressure(pressure)) => Some(pressure),
            _ => None,
        }
    }

    /// Whether nothing flows through here and the fluid sticks, to a wall that may move.
    pub fn is_wall(&self) -> bool {
        matches!(self, Self::Wall { .. } | Self::Formula { wall: true, .. })
    }

    /// Whether what flows may enter or leave the box here.
    pub fn is_open(&self) -> bool {
        self.is_inflow() || self.is_outflow()
    }

    /// Whether the flow may leave here.
    pub fn is_outflow(&self) -> bool {
        matches!(self, Self::Outflow { .. } | Self::ConvectiveOutflow { .. })
    }

    /// Whether what flows enters the box here, with a given velocity.
    pub fn is_inflow(&self) -> bool {
        matches!(self, Self::Inflow { .. } | Self::Formula { wall: false, .. })
    }

    /// Whether what is given here changes with time.
    pub fn changes(&self) -> bool {
        matches!(self, Self::Formula { velocity, .. } if velocity.changes())
    }

    /// Largest magnitude of each component of the velocity in m/s that is given anywhere here at any time; nothing
    /// where none is.
    pub fn largest_velocity(&self) -> Option<[f64; 3]> {
        match self {
            Self::Wall { velocity } => Some(velocity.map(f64::abs)),
            Self::Inflow { velocity, profile } => Some(velocity.map(|u| profile.peak() * u.abs())),
            Self::Formula { velocity, .. } => Some(velocity.largest()),
            _ => None,
        }
    }

    /// Velocity in m/s that is given on a patch of the face (corners in m), averaged over it; nothing
    /// where none is.
    pub fn velocity(&self, low: [f64; 3], high: [f64; 3]) -> Option<[f64; 3]> {
        match self {
            Self::Wall { velocity } => Some(*velocity),
            Self::Inflow { velocity, profile } => {
                Some(velocity.map(|u| u * profile.average(low, high)))
            }
            Self::Formula { velocity, .. } => Some(velocity.average(low, high)),
            _ => None,
        }
    }

    /// Velocity in m/s that is given at a point of the face (m); nothing where none is.
    pub fn velocity_at(&self, point: [f64; 3]) -> Option<[f64; 3]> {
        match self {
            Self::Wall { velocity } => Some(*velocity),
            Self::Inflow { velocity, profile } => Some(velocity.map(|u| u * profile.value(point))),
            Self::Formula { velocity, .. } => Some(velocity.value(point)),
            _ => None,
        }
    }

    /// The largest speed in m/s that the boundary prescribes anywhere at any time.
    pub fn speed(&self) -> f64 {
        let norm = |u: &[f64; 3]| u.iter().map(|x| x * x).sum::<f64>().sqrt();
        match self {
            Self::Wall { velocity } => norm(velocity),
            Self::Inflow { velocity, profile } => profile.peak() * norm(velocity),
            Self::Formula { velocity, .. } => velocity.speed(),
            _ => 0.0,
        }
    }

    /// Refuses a velocity of a patch (corners in m) that a formula gives and that is no number.
    ///
    /// # Errors
    /// If a component is not finite; names the formula, the place and the time.
    pub fn check(&self, u: [f64; 3], low: [f64; 3], high: [f64; 3]) -> Result<()> {
        match self {
            Self::Formula { velocity, .. } => velocity.check(u, low, high),
            _ => Ok(()),
        }
    }
}

/// The six faces, `[direction][side]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundaries(pub [[Boundary; 2]; 3]);

impl Boundaries {
    /// The boundary at a face.
    pub fn at(&self, direction: usize, side: Side) -> &Boundary {
        &self.0[direction][side as usize]
    }

    /// Which directions are periodic.
    pub fn periodic(&self) -> [bool; 3] {
        std::array::from_fn(|d| self.0[d][0] == Boundary::Periodic)
    }

    /// All six with their direction and side.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Side, &Boundary)> {
        (0..3).flat_map(move |d| Side::BOTH.map(|side| (d, side, self.at(d, side))))
    }

    /// Whether what is given at a face changes with time.
    pub fn change(&self) -> bool {
        self.iter().any(|(.., face)| face.changes())
    }

    /// From now on the velocities that formulas give at this time in s.
    pub fn set_time(&mut self, time: f64) {
        for face in self.0.iter_mut().flatten() {
            if let Boundary::Formula { velocity, .. } = face {
                velocity.set_time(time);
            }
        }
    }

    /// Whether the pressure is fixed somewhere; if not, it is known up to a constant only.
    pub fn fix_pressure(&self) -> bool {
        self.iter().any(|(.., face)| face.pressure().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Averages over `n` patches of the unit interval in y.
    fn averages(profile: Profile, n: usize) -> Vec<f64> {
        let y = |j: usize| j as f64 / n as f64;
        (0..n).map(|j| profile.average([0.0, y(j), 0.0], [0.0, y(j + 1), 0.0])).collect()
    }

    #[test]
    fn a_profile_carries_the_same_mass_on_every_grid() {
        // Three grids whose faces do not meet the ends of the interval.
        for n in [5, 7, 64] {
            for (from, to) in [(0.5, 1.0), (0.3, 0.45)] {
                let interval = Interval { along: 1, from, to };
                for profile in [Profile::Parabolic(interval), Profile::Uniform(Some(interval))] {
                    let mass: f64 = averages(profile, n).iter().sum::<f64>() / n as f64;
                    assert!((mass - (to - from)).abs() < 1e-15, "{profile:?} on {n}: {mass}");
                }
            }
        }
    }

    #[test]
    fn a_parabola_has_mean_one_and_maximum_three_halves() {
        let parabola = Profile::Parabolic(Interval { along: 1, from: 0.5, to: 1.0 });
        assert_eq!(parabola.value([0.0, 0.75, 0.0]), 1.5);
        assert_eq!(parabola.value([0.0, 0.25, 0.0]), 0.0);
        assert!((parabola.average([0.0, 0.5, 0.0], [0.0, 1.0, 0.0]) - 1.0).abs() < 1e-15);
        // Gartling's inlet, u = 24 y (1/2 - y) above the step.
        let y: f64 = 0.6 - 0.5;
        assert!((parabola.value([0.0, 0.6, 0.0]) - 24.0 * y * (0.5 - y)).abs() < 1e-14);
    }
}
