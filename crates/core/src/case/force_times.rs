//! When the forces on bodies are looked at.

/// When the forces on bodies are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ForceTimes {
    /// The case does not say: when somebody asks for them, as comparisons do.
    Unsaid,
    /// At no time, whoever asks.
    Never,
    /// Whenever so much flow time in s has passed.
    Every(f64),
}
