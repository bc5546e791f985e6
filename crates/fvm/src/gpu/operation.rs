//! What an engine asks of a device.

/// A verb and what determines its launches; numbers that change from step to step lie in the
/// device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    BeginStep,
    Prescribe,
    PrescribeScalars,
    CarryOut,
    Assemble,
    Sweeps {
        count: u32,
    },
    InterpolateBodyFaces,
    Interpolate,
    Cycles {
        count: u32,
        /// Whether the unknown is zero before.
        from_zero: bool,
    },
    Correct,
    CarryScalars,
    Change,
    ScalarChange,
}
