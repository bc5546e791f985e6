//! Vortices that leave the box: what comes back of them.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

#[path = "../../core/tests/vortices/mod.rs"]
mod vortices;

use vortice_core::{Context, Quantity, Values};
use vortices::{
    CONVECTIVE, INTERVAL, LENGTH, LONG, LOOKS, ONE, PAIR, channel, errors, flow, largest, stream,
    text, vorticity,
};

/// Vorticity at each look.
fn looks(n: usize, length: f64, outflow: &str, vortices: &[[f64; 3]]) -> Vec<Vec<f64>> {
    let case = stream("fvm", n, length, outflow);
    let context = Context { threads: 1, ..Context::alone() };
    let mut solver = (vortice_fvm::METHOD.build)(&case, &context).expect("a solver");
    let mut state = solver.state().expect("a state");
    for (a, axis) in ["x", "y"].into_iter().enumerate() {
        for time in ["", "-last", "-before"] {
            let mut put = |name: &str, at: &dyn Fn([isize; 3]) -> [f64; 3]| {
                let name = format!("{name}{time}-{axis}");
                let Some(Values::F64(field)) = state.fields.get_mut(&name) else {
                    panic!("{name}")
                };
                for cell in field.shape.all_cells() {
                    *field.at_mut(0, cell) = flow(at(cell), vortices).0[a];
                }
            };
            put("velocity", &|cell| case.grid.centre(cell));
            put("through", &|cell| case.grid.low_face(a, cell));
        }
    }
    solver.restore(&state).expect("the state");
    let look = |number: usize| {
        let end = INTERVAL * number as f64;
        while solver.now().time < end {
            solver.step(end).expect("a step");
        }
        vorticity(&case, &solver.field(Quantity::Velocity).expect("a field"))
    };
    (0..=LOOKS).map(look).collect()
}

/// Shares of the vorticity that come back from an outflow, at each look.
fn shares(n: usize, outflow: &str, vortices: &[[f64; 3]], far: &[Vec<f64>]) -> Vec<f64> {
    vortices::shares(&looks(n, LENGTH, outflow, vortices), far)
}

/// Vortices leave through a convective outflow, and what comes back is less than a hundredth of their enstrophy.
#[test]
fn vortices_leave() {
    for n in [32, 64] {
        for (name, vortices) in [("one", ONE), ("pair", PAIR)] {
            let far = looks(n, LONG, "'outflow'", vortices);
            let [plain, convective] =
                ["'outflow'", CONVECTIVE].map(|outflow| shares(n, outflow, vortices, &far));
            println!("fvm, {n} cells, {name}: {}, {}", text(&plain), text(&convective));
            let [plain, convective] = [plain, convective].map(|shares| largest(&shares));
            assert!(
                convective < 0.01 && convective < 0.25 * plain,
                "{n}, {name}: {convective}, {plain}"
            );
        }
    }
}

/// A steady flow leaves through a convective outflow as through the other, and all that enters.
#[test]
fn a_developed_flow_leaves_undisturbed() {
    let [plain, convective] = ["'outflow'", CONVECTIVE].map(|outflow| {
        let case = channel("fvm", 12, outflow);
        let context = Context { threads: 1, ..Context::alone() };
        let mut solver = (vortice_fvm::METHOD.build)(&case, &context).expect("a solver");
        while solver.now().time < 20.0 {
            solver.step(20.0).expect("a step");
        }
        let [error, lacks] = errors(&case, &solver.field(Quantity::Velocity).expect("a field"));
        println!("fvm, {outflow}: error {error:.2e} m/s, {lacks:.1e} of the flow rate missing");
        assert!(lacks < 1e-5, "{outflow}: {lacks}");
        error
    });
    assert!(convective < 1.1 * plain, "{convective}, {plain}");
}
