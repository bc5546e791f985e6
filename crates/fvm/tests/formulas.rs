//! Velocities that formulas give, in place and time.

use crate::same_formulas::{
    expect_exact_vortices, expect_pulse, expect_same_parabola, expect_second_order,
};
use vortice_core::{Solver, Values};
use vortice_fvm::METHOD;

#[test]
fn the_flow_over_a_swinging_plate_is_of_second_order() {
    expect_second_order(
        &METHOD,
        "courant = 0.5\nouter-iterations = 3\nmomentum = { sweeps = 60 }\n",
    );
}

#[test]
fn a_parabola_by_formula_is_that_of_the_profile() {
    expect_same_parabola(&METHOD);
}

#[test]
fn a_pulse_flows_through_every_section() {
    expect_pulse(&METHOD, "fvm.pressure={ multigrid-cg = { retol = 1e-8 } }", means);
}

#[test]
fn vortices_by_formula_are_the_exact_flow() {
    expect_exact_vortices(&METHOD, 5, 0.5);
}

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
