//! The lid-driven cavity, steady, with a file for ParaView: `cargo run --release --example cavity`.

#![allow(clippy::print_stdout)] // a program may print

use vortice::prelude::*;

fn main() -> Result<()> {
    let case = open_case("cavity", &["grid.cells=[64,64,1]".into()])?.device(Device::Auto);
    let last = Simulation::new(&case, &Context::alone())?
        .watch(Every::Steps(1), Finite::new("make `fdm.safety` smaller"))
        .watch(Every::Steps(100), Progress::new())
        .watch(Every::Seconds(1.0), Recorder::create("cavity.vtkhdf", &case)?)
        .watch(Every::Steps(10), SteadyState::below(1e-4))
        .run()?;
    println!("{last}");
    Ok(())
}
