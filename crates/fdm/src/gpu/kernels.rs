//! The kernels, looked up once.

use vortice_core::Result;
use vortice_gpu::{Kernel, Module};

/// One for each `.cu`, of the same name.
pub(crate) struct Kernels {
    pub(crate) predict: Kernel,
    pub(crate) predict_adams_bashforth: Kernel,
    pub(crate) predict_outlets: Kernel,
    pub(crate) divergence: Kernel,
    pub(crate) prescribe_pressures: Kernel,
    pub(crate) relax: Kernel,
    pub(crate) relax_and_measure: Kernel,
    pub(crate) residual: Kernel,
    pub(crate) squares: Kernel,
    pub(crate) project: Kernel,
    pub(crate) project_outlets: Kernel,
    pub(crate) fix: Kernel,
    pub(crate) mirror: Kernel,
}

impl Kernels {
    /// Looks them up in the loaded program.
    ///
    /// # Errors
    /// If one is missing.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        Ok(Self {
            predict: module.kernel("predict")?,
            predict_adams_bashforth: module.kernel("predict_adams_bashforth")?,
            predict_outlets: module.kernel("predict_outlets")?,
            divergence: module.kernel("divergence")?,
            prescribe_pressures: module.kernel("prescribe_pressures")?,
            relax: module.kernel("relax")?,
            relax_and_measure: module.kernel("relax_and_measure")?,
            residual: module.kernel("residual")?,
            squares: module.kernel("squares")?,
            project: module.kernel("project")?,
            project_outlets: module.kernel("project_outlets")?,
            fix: module.kernel("fix")?,
            mirror: module.kernel("mirror")?,
        })
    }
}
