//! A flow with heat on any ranks, saved and restored on the way: for the tests of every method.
#![allow(unreachable_pub)]

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Field, Method, Quantity, Threads, gather};

/// How a flow is computed.
pub struct How {
    /// Ranks along each direction.
    pub layout: [usize; 3],
    /// Threads of each.
    pub threads: usize,
    /// After how many steps another solver goes on from its state.
    pub restart: Option<usize>,
}

/// Temperature and velocity of the whole grid after some steps.
pub fn after(method: &'static Method, case: &Case, steps: usize, how: &How) -> [Field; 2] {
    let answers = Threads::run(how.layout.iter().product(), |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let (layout, threads) = (Some(how.layout), how.threads);
        let context = Context { layout, threads, ranks: ranks.clone() };
        let cut = context.decomposition(case)?;
        let mut solver = (method.build)(case, &context)?;
        for step in 0..steps {
            if how.restart == Some(step) {
                let state = solver.state()?;
                solver = (method.build)(case, &context)?;
                solver.restore(&state)?;
            }
            solver.step(f64::INFINITY)?;
        }
        let mut whole = |quantity| gather(&*ranks, &cut, &solver.field(quantity)?);
        Ok([whole(Quantity::Temperature)?, whole(Quantity::Velocity)?])
    });
    let fields = answers.unwrap_or_else(|error| panic!("{error}")).swap_remove(0);
    fields.map(|field| field.expect("on rank 0"))
}
