//! What an engine asks of a device.

/// A verb and what determines its launches; numbers that change from step to step lie in the
/// device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    GatherSources,
    ForceFaces,
    RemoveLeaks,
    CarryScalars,
    /// By Adams and Bashforth if rates of change are kept.
    Predict {
        keeps_rates: bool,
    },
    AddAsked,
    CarryOut,
    BalanceOutlet,
    Divergence,
    /// `omega` as bits.
    Relax {
        omega: u64,
        iterations: u32,
    },
    /// One iteration; `omega` as bits.
    RelaxAndMeasure {
        omega: u64,
    },
    /// So many multigrid cycles in place of SOR.
    Cycles {
        count: u32,
    },
    Residual,
    Squares,
    Project,
}
