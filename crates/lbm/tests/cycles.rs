//! Cycles over coarser grids lead to the flow that steps lead to, in far fewer of them; any number of ranks gives the same bits;
//! a restart equals going on; what they cannot do is refused.

use crate::agree::same;
use crate::common::{Flow, alone, build, state};
use vortice_core::{Case, Quantity, Solver};

/// Steps until the flow is steady, and its velocity.
fn end(solver: &mut dyn Solver, tolerance: f64, most: usize) -> (usize, Vec<f64>) {
    let steps = (1..=most).find(|_| {
        let step = solver.step(f64::INFINITY).expect("a step");
        step.steady(tolerance).is_some()
    });
    let velocity = solver.field(Quantity::Velocity).expect("a velocity").values;
    (steps.unwrap_or_else(|| panic!("not steady after {most}")), velocity)
}

/// Steps of a flow by cycles.
fn by_steps(flow: &Flow) -> Case {
    flow.replacing("multigrid = true\n", "collision = 'trt'\nanderson = 0\n").case()
}

/// Whatever the length of steps, as no force acts.
#[test]
fn cycles_lead_to_the_flow_of_steps() {
    let flow = &Flow::of_cycles()[0];
    let (steps, expected) = end(&mut *build(&by_steps(flow), &alone()), 1e-9, 100_000);
    for length in ["", "mach = 0.3\n"] {
        let case = flow.with_lbm(length).case();
        let (after, found) = end(&mut *build(&case, &alone()), 1e-9, 100);
        let most = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{}: {after} cycles for {steps} steps, {most:e}", flow.name);
        assert!(most < 2e-9 && 500 * after < steps, "{}: {after}, {most:e}", flow.name);
    }
}

/// With a force and a solid box, whose flow takes long.
#[test]
fn steps_leave_what_cycles_led_to() {
    let flow = &Flow::of_cycles()[1];
    let mut cycles = build(&flow.case(), &alone());
    let (after, _) = end(&mut *cycles, 1e-7, 1000);
    let mut steps = build(&by_steps(flow), &alone());
    steps.restore(&cycles.state().expect("a state")).expect("the same case");
    let residual = loop {
        let step = steps.step(f64::INFINITY).expect("a step");
        if step.time > 1.0 {
            break step.residual;
        }
    };
    println!("{}: {after} cycles, then a rate of {residual:e}", flow.name);
    assert!(residual < 5e-9, "{}: {residual:e}", flow.name);
}

#[test]
fn any_number_of_ranks_gives_the_same_bits_by_cycles() {
    for flow in Flow::of_cycles().into_iter().filter(|flow| flow.is_plane()) {
        let case = flow.case();
        let one = state(&case, 4, 1, None);
        for layout in [[2, 1, 1], [1, 2, 1], [2, 2, 1]] {
            let fits = (0..2).all(|d| case.grid.cells()[d] >= 16 * layout[d]);
            if fits {
                let other = state(&case, 4, layout.iter().product(), Some(layout));
                same(&format!("{} on {layout:?}", flow.name), &one, &other);
            }
        }
    }
}

#[test]
fn a_restart_equals_going_on_by_cycles() {
    for flow in Flow::of_cycles().into_iter().filter(|flow| flow.is_plane()) {
        let case = flow.case();
        let (mut whole, mut first) = (build(&case, &alone()), build(&case, &alone()));
        let cycles = |solver: &mut dyn Solver, count: usize| {
            for _ in 0..count {
                solver.step(f64::INFINITY).expect("a cycle");
            }
        };
        cycles(&mut *whole, 6);
        cycles(&mut *first, 3);
        let mut second = build(&case, &alone());
        second.restore(&first.state().expect("a state")).expect("the same case");
        cycles(&mut *second, 3);
        same(flow.name, &whole.state().expect("a state"), &second.state().expect("a state"));
        let slower = flow.with_lbm("mach = 0.2\n").case();
        let wrong = build(&slower, &alone()).restore(&first.state().expect("a state"));
        let wrong = wrong.expect_err("another time step").to_string();
        assert!(wrong.contains("time step"), "{wrong}");
    }
}

#[test]
fn what_cycles_cannot_do_is_refused() {
    let refused = |flow: &Flow, table: &str, key: &str| {
        let case = flow.clone().with_lbm(table).steady().case();
        let error = (vortice_lbm::METHOD.build)(&case, &alone()).err().expect("refused");
        let (text, remedy) = (error.to_string(), error.remedy().to_string());
        assert!(text.contains(key), "{}: {text}", flow.name);
        assert!(remedy.contains("lbm.multigrid = false"), "{}: {remedy}", flow.name);
    };
    let all = Flow::all();
    let flow = |name: &str| all.iter().find(|flow| flow.name == name).expect("a flow");
    refused(flow("step"), "multigrid = true\n", "boundary");
    refused(flow("drum"), "multigrid = true\n", "body.");
    refused(flow("cavity"), "multigrid = true\ncollision = 'mrt'\n", "lbm.collision");
    refused(flow("cavity"), "multigrid = true\nstreaming = 'two-lattice'\n", "lbm.streaming");
    let halves = flow("cavity").precision("f32");
    refused(&halves, "multigrid = true\nstorage = 'f16'\n", "lbm.storage");
}
