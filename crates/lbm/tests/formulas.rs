//! Velocities that formulas give, in place and time.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

#[path = "../../core/tests/formulas/mod.rs"]
mod formulas;

use formulas::{
    difference, error_over_plate, mean_inflow, order, parabolas, pulsing_channel, swinging_plate,
    velocity, vortices,
};
use vortice_core::{Case, Context, Solver};

fn build(case: &Case) -> Box<dyn Solver> {
    (vortice_lbm::METHOD.build)(case, &Context { threads: 1, ..Context::alone() })
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
        let case = swinging_plate("lbm", n, "relaxation-time = 0.8\n");
        error_over_plate(&case, &mut *build(&case))
    });
    println!("Stokes' second problem: errors {errors:?}, order {:.3}", order(&errors));
    assert!(order(&errors) > 1.8 && errors[2] < 3e-3);
}

#[test]
fn a_parabola_by_formula_is_that_of_the_profile() {
    let [profile, formula] = parabolas("lbm").map(|case| {
        let mut solver = build(&case);
        advance(&mut *solver, 40);
        velocity(&mut *solver)
    });
    let most = difference(&profile, &formula);
    println!("a parabola by formula: differs by {most:.1e} m/s at most");
    assert!(most < 1e-13 && profile.values.iter().any(|&u| u > 0.1));
}

/// As long as no sound has reached the outlet, the box holds what has flowed in by then, in the middle of each step.
#[test]
fn a_pulse_brings_its_mass() {
    let case = pulsing_channel("lbm");
    let mut solver = build(&case);
    advance(&mut *solver, 40);
    let dt = solver.now().dt;
    let inflow: f64 = (0..40).map(|n| mean_inflow((f64::from(n) + 0.5) * dt) * dt).sum();
    let findings = solver.findings().expect("findings");
    let drift = findings.iter().find(|(name, _)| name == "mass drift").expect("a drift").1;
    let ratio = drift * case.grid.axes[0].length() / inflow;
    println!("mass that a pulse brings: {ratio:.12} of what it should");
    assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
}

#[test]
fn vortices_by_formula_are_the_exact_flow_at_the_start() {
    let [exact, formula] = vortices("lbm").map(|case| velocity(&mut *build(&case)));
    let most = difference(&exact, &formula);
    assert!(most < 1e-12 && exact.values.iter().any(|&u| u > 0.9), "{most}");
}
