//! When the forces on bodies are looked at.

/// When the forces on bodies are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ForceTimes {
    /// The case does not say: only comparisons look at them.
    Unsaid,
    /// At no time, in comparisons neither.
    Never,
    /// Whenever so much flow time in s has passed.
    Every(f64),
}
