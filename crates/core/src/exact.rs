//! Exact solutions of the Navier-Stokes equations, as initial states and as references.

mod formulas;

/// A flow whose velocity and pressure are known everywhere at all times.
///
/// The box of the case gives its lengths, [`crate::FlowScale::velocity`] its velocity. Formulas:
/// docs/theory/exact.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactFlow {
    /// Decaying vortices, one period of the box in x and y: Taylor and Green (1937), eq. (E1).
    TaylorGreen,
    /// The same vortices carried along by a mean flow of the velocity scale in x and half of it in
    /// y, eq. (E1a): at rest their convection is all balanced by pressure, which tests it hardly.
    MovingTaylorGreen,
    /// Plane channel driven by the force in x between walls at rest in y, eq. (E2).
    Poiseuille,
    /// Plane channel in x whose upper wall moves, started from rest, eq. (E3).
    Couette,
    /// The velocity of [`crate::Case::exact`].
    Formula,
}

/// What names of references that are exact flows begin with.
const REFERENCE: &str = "exact-";

impl ExactFlow {
    /// All that every case can begin with.
    pub const ALL: [ExactFlow; 4] =
        [Self::TaylorGreen, Self::MovingTaylorGreen, Self::Poiseuille, Self::Couette];

    /// Name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::TaylorGreen => "taylor-green",
            Self::MovingTaylorGreen => "moving-taylor-green",
            Self::Poiseuille => "poiseuille",
            Self::Couette => "couette",
            Self::Formula => "exact",
        }
    }

    /// Name as a reference: `exact-couette`, or `exact` for that of the case.
    pub fn reference(self) -> String {
        match self {
            Self::Formula => self.name().into(),
            _ => format!("{REFERENCE}{}", self.name()),
        }
    }

    /// The flow that a reference of this name is, if it is one.
    pub fn of_reference(name: &str) -> Option<Self> {
        if name == Self::Formula.name() {
            return Some(Self::Formula);
        }
        let name = name.strip_prefix(REFERENCE)?;
        Self::ALL.into_iter().find(|flow| flow.name() == name)
    }
}
