//! Vortice with a fourth method.

mod chorin;
mod flow;

fn main() -> std::process::ExitCode {
    vortice::program(&[&chorin::METHOD])
}
