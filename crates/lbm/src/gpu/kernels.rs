//! The kernels, looked up once.

use vortice_core::Result;
use vortice_gpu::{Kernel, Module};

/// One for each `.cu`, of the same name.
pub(crate) struct Kernels {
    pub(crate) stream_collide: Kernel,
    pub(crate) outlet: Kernel,
    pub(crate) swap_links: Kernel,
    pub(crate) add_to_links: Kernel,
    pub(crate) fill_slots: Kernel,
    pub(crate) look: Kernel,
    pub(crate) flow_of_cells: Kernel,
}

impl Kernels {
    /// Looks them up in the loaded program.
    ///
    /// # Errors
    /// If one is missing.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        Ok(Self {
            stream_collide: module.kernel("stream_collide")?,
            outlet: module.kernel("outlet")?,
            swap_links: module.kernel("swap_links")?,
            add_to_links: module.kernel("add_to_links")?,
            fill_slots: module.kernel("fill_slots")?,
            look: module.kernel("look")?,
            flow_of_cells: module.kernel("flow_of_cells")?,
        })
    }
}
