//! A flow with heat on any ranks, saved and restored on the way: for the tests of every method.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Field, Method, Quantity, Threads, gather};

/// A channel with all kinds of ends for heat, so many cells deep, with these ends across and these keys of `run`.
pub fn channel(layers: usize, across: &str, run: &str) -> String {
    format!(
        "title = \"channel\"\ngrid = {{ cells = [12, 8, {layers}], size = [3.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\n\
         heat = {{ prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }}\n\
         initial = {{ velocity = [0.5, 0.0, 0.0], temperature = \"300 + x*y + sin(5*x)\" }}\n\
         [boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0], temperature = 300.0 }} }}\n\
         x-high = \"outflow\"\ny-low = {{ wall = {{ temperature = 320.0 }} }}\n\
         y-high = {{ wall = {{ heat-flux = 0.3 }} }}\n\
         z-low = \"{across}\"\nz-high = \"{across}\"\n\
         [run]\n{run}\n"
    )
}

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
