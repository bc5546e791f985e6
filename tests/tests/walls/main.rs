//! What is said of walls in flows that the methods have computed: friction, balances and lengths, where
//! the tests of `vortice-post` read fields that are known.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod balance;
mod friction;
mod lengths;
mod oblique;
mod told;
#[path = "../../../crates/core/tests/turns/mod.rs"]
mod turns;

use vortice::Flow;
use vortice_core::{Case, Context, Field, Method, Quantity, State, SurfaceForce, WallSlope};

/// A flow that a method has computed.
struct Solved {
    case: Case,
    velocity: Field,
    pressure: Field,
    wall_slope: WallSlope,
    state: State,
    /// As the method tells them, on the surfaces of [`Surface::wetted`](vortice_core::Surface::wetted).
    forces: Vec<SurfaceForce>,
}

impl Solved {
    /// Steps until the residual of a case is below `steady`.
    fn by(method: &Method, text: &str, steady: f64) -> Self {
        let case = Case::parse(text, "test")
            .unwrap_or_else(|error| panic!("{text}\n{error}: {}", error.remedy()));
        let context = Context { threads: 1, ..Context::alone() };
        let mut solver = (method.build)(&case, &context)
            .unwrap_or_else(|error| panic!("{error}: {}", error.remedy()));
        for _ in 0..1_000_000 {
            let step = solver.step(f64::INFINITY).expect("a step");
            assert!(!step.residual.is_nan(), "{} diverges", method.name);
            if step.residual < steady {
                break;
            }
        }
        let mut field = |quantity| solver.field(quantity).expect("a field");
        let (velocity, pressure) = (field(Quantity::Velocity), field(Quantity::Pressure));
        let wall_slope = (method.wall_slope)(&case).expect("a slope");
        let state = solver.state().expect("a state");
        let forces = solver.forces().expect("forces");
        Self { case, velocity, pressure, wall_slope, state, forces }
    }

    fn flow(&self) -> Flow<'_> {
        Flow::new(&self.case, &self.velocity, &self.pressure, self.wall_slope, 0.0)
    }
}

/// The order with which values on three grids that halve come nearer to each other, and their limit;
/// prints them.
fn order(what: &str, [coarse, middle, fine]: [f64; 3]) -> (f64, f64) {
    let order = ((coarse - middle) / (middle - fine)).abs().log2();
    let limit = fine + (fine - middle) / (2.0_f64.powf(order) - 1.0);
    println!("{what}: {coarse:.6} {middle:.6} {fine:.6}, order {order:.2}, limit {limit:.6}");
    (order, limit)
}
