//! Velocities that formulas give, in place and time.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

#[path = "../../core/tests/formulas/mod.rs"]
mod formulas;

use formulas::{
    difference, error_over_plate, mean_inflow, order, parabolas, pulsing_channel, swinging_plate,
    velocity, vortices,
};
use vortice_core::{Case, Context, Solver, Values};

fn build(case: &Case) -> Box<dyn Solver> {
    (vortice_fvm::METHOD.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

fn advance(solver: &mut dyn Solver, steps: usize) {
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
}

#[test]
fn the_flow_over_a_swinging_plate_is_of_second_order() {
    let errors = [8, 16, 32].map(|n| {
        let case = swinging_plate(
            "fvm",
            n,
            "courant = 0.5\nouter-iterations = 3\nmomentum = { sweeps = 60 }\n",
        );
        error_over_plate(&case, &mut *build(&case))
    });
    println!("Stokes' second problem: errors {errors:?}, order {:.3}", order(&errors));
    assert!(order(&errors) > 1.8 && errors[2] < 3e-3);
}

#[test]
fn a_parabola_by_formula_is_that_of_the_profile() {
    let [profile, formula] = parabolas("fvm").map(|case| {
        let mut solver = build(&case);
        advance(&mut *solver, 40);
        velocity(&mut *solver)
    });
    let most = difference(&profile, &formula);
    println!("a parabola by formula: differs by {most:.1e} m/s at most");
    assert!(most < 1e-13 && profile.values.iter().any(|&u| u > 0.1));
}

/// At each time as much flows through every section as enters.
#[test]
fn a_pulse_flows_through_every_section() {
    let case = pulsing_channel("fvm").with(&[KEYS.into()]).expect("a case");
    let mut solver = build(&case);
    let mut worst = 0.0_f64;
    for _ in 0..12 {
        advance(&mut *solver, 4);
        let expected = mean_inflow(solver.now().time);
        for mean in means(&mut *solver) {
            worst = worst.max((mean / expected - 1.0).abs());
        }
    }
    println!("mass balance of a pulse: {worst:.1e} at any time and section");
    assert!(worst < 1e-5);
}

#[test]
fn vortices_by_formula_are_the_exact_flow() {
    let [exact, formula] = vortices("fvm").map(|case| {
        let mut solver = build(&case);
        advance(&mut *solver, 5);
        velocity(&mut *solver)
    });
    let most = difference(&exact, &formula);
    assert!(most < 1e-12 && exact.values.iter().any(|&u| u > 0.5), "{most}");
}

const KEYS: &str = "fvm.pressure={ multigrid-cg = { retol = 1e-8 } }";

/// Mean velocity in m/s through the faces across each section.
fn means(solver: &mut dyn Solver) -> Vec<f64> {
    let state = solver.state().expect("a state");
    let Some(Values::F64(u)) = state.fields.get("through-x") else {
        panic!("{:?}", state.fields.keys().collect::<Vec<_>>())
    };
    let [nx, ny, _] = u.shape.cells.map(|n| n as isize);
    let mean = |i: isize| (0..ny).map(|j| u[[i, j, 0]]).sum::<f64>() / ny as f64;
    (0..nx).map(mean).collect()
}
