//! Velocities that formulas give, in place and time.

use crate::same_formulas::{
    expect_exact_vortices, expect_pulse, expect_same_parabola, expect_second_order, velocity,
};
use vortice_core::Solver;
use vortice_fdm::METHOD;

#[test]
fn the_flow_over_a_swinging_plate_is_of_second_order() {
    expect_second_order(&METHOD, "stop = { residual = 1e-10 }\n");
}

#[test]
fn a_parabola_by_formula_is_that_of_the_profile() {
    expect_same_parabola(&METHOD);
}

#[test]
fn a_pulse_flows_through_every_section() {
    expect_pulse(&METHOD, "fdm.stop={ residual = 1e-9 }", means);
}

#[test]
fn vortices_by_formula_are_the_exact_flow() {
    expect_exact_vortices(&METHOD, 5, 0.5);
}

/// Mean velocity in m/s through the middle of each column of cells: of the faces beside it.
fn means(solver: &mut dyn Solver) -> Vec<f64> {
    let u = velocity(solver);
    let [nx, ny, _] = u.shape.cells.map(|n| n as isize);
    let mean = |i: isize| (0..ny).map(|j| u.at(0, [i, j, 0])).sum::<f64>() / ny as f64;
    (0..nx).map(mean).collect()
}
