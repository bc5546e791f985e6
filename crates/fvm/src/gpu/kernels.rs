//! The kernels, looked up once.

use vortice_core::Result;
use vortice_gpu::{Kernel, Module};

/// One for each `.cu` of `kernels/fvm`, of the same name.
pub(crate) struct Kernels {
    pub(crate) copy_ghosts: Kernel,
    pub(crate) assemble: Kernel,
    pub(crate) relax_momentum: Kernel,
    pub(crate) interpolate: Kernel,
    pub(crate) correct: Kernel,
    pub(crate) change: Kernel,
    pub(crate) find_missing: Kernel,
    pub(crate) apply_momentum: Kernel,
    pub(crate) add_change: Kernel,
}

/// One for each `.cu` of `kernels/linear` on levels, of the same name.
pub(crate) struct GridKernels {
    pub(crate) relax_level: Kernel,
    pub(crate) residual_level: Kernel,
    pub(crate) sum_residuals: Kernel,
    pub(crate) restrict_level: Kernel,
    pub(crate) prolong_level: Kernel,
    pub(crate) prolong_and_relax: Kernel,
    pub(crate) coarsen_level: Kernel,
    pub(crate) coarsen_direction: Kernel,
    pub(crate) take_ends: Kernel,
    pub(crate) invert_level: Kernel,
    pub(crate) coarsen_small_levels: Kernel,
    pub(crate) small_levels: Kernel,
}

/// One for each `.cu` of `kernels/linear` on vectors and scalars, of the same name.
pub(crate) struct VectorKernels {
    pub(crate) begin_iteration: Kernel,
    pub(crate) copy_cells: Kernel,
    pub(crate) subtract_cells: Kernel,
    pub(crate) add_multiple: Kernel,
    pub(crate) multiply_and_add: Kernel,
    pub(crate) multiply_cells: Kernel,
    pub(crate) step_along: Kernel,
    pub(crate) next_direction: Kernel,
    pub(crate) advance_solution: Kernel,
    pub(crate) inner_products: Kernel,
    pub(crate) evaluate: Kernel,
    pub(crate) apply_level: Kernel,
    pub(crate) mark_constants: Kernel,
}

impl Kernels {
    /// Looks them up in the loaded program.
    ///
    /// # Errors
    /// If one is missing.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        Ok(Self {
            copy_ghosts: module.kernel("copy_ghosts")?,
            assemble: module.kernel("assemble")?,
            relax_momentum: module.kernel("relax_momentum")?,
            interpolate: module.kernel("interpolate")?,
            correct: module.kernel("correct")?,
            change: module.kernel("change")?,
            find_missing: module.kernel("find_missing")?,
            apply_momentum: module.kernel("apply_momentum")?,
            add_change: module.kernel("add_change")?,
        })
    }
}

impl GridKernels {
    /// Looks them up in the loaded program.
    ///
    /// # Errors
    /// If one is missing.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        Ok(Self {
            relax_level: module.kernel("relax_level")?,
            residual_level: module.kernel("residual_level")?,
            sum_residuals: module.kernel("sum_residuals")?,
            restrict_level: module.kernel("restrict_level")?,
            prolong_level: module.kernel("prolong_level")?,
            prolong_and_relax: module.kernel("prolong_and_relax")?,
            coarsen_level: module.kernel("coarsen_level")?,
            coarsen_direction: module.kernel("coarsen_direction")?,
            take_ends: module.kernel("take_ends")?,
            invert_level: module.kernel("invert_level")?,
            coarsen_small_levels: module.kernel("coarsen_small_levels")?,
            small_levels: module.kernel("small_levels")?,
        })
    }
}

impl VectorKernels {
    /// Looks them up in the loaded program.
    ///
    /// # Errors
    /// If one is missing.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        Ok(Self {
            begin_iteration: module.kernel("begin_iteration")?,
            copy_cells: module.kernel("copy_cells")?,
            subtract_cells: module.kernel("subtract_cells")?,
            add_multiple: module.kernel("add_multiple")?,
            multiply_and_add: module.kernel("multiply_and_add")?,
            multiply_cells: module.kernel("multiply_cells")?,
            step_along: module.kernel("step_along")?,
            next_direction: module.kernel("next_direction")?,
            advance_solution: module.kernel("advance_solution")?,
            inner_products: module.kernel("inner_products")?,
            evaluate: module.kernel("evaluate")?,
            apply_level: module.kernel("apply_level")?,
            mark_constants: module.kernel("mark_constants")?,
        })
    }
}
