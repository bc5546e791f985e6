//! What is written down and done together; see [`vortice_gpu::Recorder`].

/// What a device does by itself.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Operation {
    /// A step.
    Advance,
    /// What a coarser grid is asked for is added.
    AddAsked,
}
