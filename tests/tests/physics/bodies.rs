//! Flows past bodies against published forces.

use vortice_tests::{Judge, Ran, run};

const CASE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../cases/bodies/cylinder-schaefer-turek-2d1.toml");
const TABLE: &str = "dfg-1996-2d1-coefficients";

/// The cylinder with so many cells a diameter.
fn cylinder(diameter: usize) -> Ran {
    let cells = format!("grid.cells=[{},{},1]", 22 * diameter, 41 * diameter / 10);
    run(CASE, &["run.method=\"lbm\"", &cells])
}

/// Errors of a coefficient as shares of the published one.
fn errors(ran: &Ran) -> [f64; 3] {
    ["drag", "lift", "pressure_difference"].map(|what| {
        let [computed, published] = ran.published(TABLE, &format!("cylinder {what}"));
        computed / published - 1.0
    })
}

#[test]
fn the_cylinder_between_walls_has_the_published_drag() {
    let ran = cylinder(10);
    ran.against(TABLE);
    let [drag, lift, difference] = errors(&ran);
    assert!(drag.abs() < 0.015 && lift.abs() < 0.08 && difference.abs() < 0.05);
}

#[test]
#[ignore = "long suite"]
fn twice_as_many_cells_bring_its_drag_within_half_a_percent() {
    let ran = cylinder(20);
    ran.against(TABLE);
    let [drag, lift, difference] = errors(&ran);
    assert!(drag.abs() < 0.005 && lift.abs() < 0.05 && difference.abs() < 0.02);
}
