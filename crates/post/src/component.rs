//! The two forces that coefficients are of.

/// Drag or lift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// In x.
    Drag,
    /// In y.
    Lift,
}
