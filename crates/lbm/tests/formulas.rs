//! Velocities that formulas give, in place and time.

use crate::same_formulas::{
    advance, build, expect_exact_vortices, expect_same_parabola, expect_second_order, mean_inflow,
    pulsing_channel,
};
use vortice_lbm::METHOD;

#[test]
fn the_flow_over_a_swinging_plate_is_of_second_order() {
    expect_second_order(&METHOD, "relaxation-time = 0.8\n");
}

#[test]
fn a_parabola_by_formula_is_that_of_the_profile() {
    expect_same_parabola(&METHOD);
}

/// As long as no sound has reached the outlet, the box holds what has flowed in by then, in the middle of each step.
#[test]
fn a_pulse_brings_its_mass() {
    let case = pulsing_channel("lbm");
    let mut solver = build(&METHOD, &case);
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
    expect_exact_vortices(&METHOD, 0, 0.9);
}
