//! A simulation from a case alone: the registry finds its method.

use vortice_core::{Case, Context, Result, Simulation};

use crate::registry;

/// Building a simulation by the name of the method in the case.
pub trait Simulate: Sized {
    /// The simulation of a case on this rank, with the method that [`vortice_core::RunOptions`]
    /// names.
    ///
    /// # Errors
    /// If there is no such method or a table of none, it cannot do the case, or the ranks do not fit the
    /// grid.
    fn new(case: &Case, context: &Context) -> Result<Self>;
}

impl Simulate for Simulation<'_> {
    fn new(case: &Case, context: &Context) -> Result<Self> {
        let method = registry::method(&case.run.method)?;
        case.check_tables()?;
        Self::with_method(method, case, context)
    }
}
