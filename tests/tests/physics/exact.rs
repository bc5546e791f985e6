//! The exact flows as they come with the program.

use vortice_tests::{Judge, run, run_on_ranks};

#[test]
fn poiseuille_flow_is_as_exact_as_its_wall_cells() {
    let ran = run("poiseuille", &[]);
    // The half-cell mirror at the wall: G h2 / (8 nu), as a share of U.
    let h = ran.case.grid.spacing()[1];
    let shift = ran.case.force[0] * h * h / (8.0 * ran.case.viscosity * ran.case.scale.velocity);
    let error = ran.against("exact-poiseuille").max_error;
    println!("  of which the wall cells' curvature makes {shift:.5}");
    assert!((error - shift).abs() < 1e-4 * shift.max(1e-3), "{error} is not {shift}");
}

#[test]
fn every_built_in_case_gives_the_same_bits_on_three_ranks() {
    for (name, _) in vortice::built_in_cases() {
        let [x, y, z] = vortice::open_case(name, &[]).expect("a case").grid.cells();
        // Those for a GPU on a grid for a processor.
        let part = |n: usize| if x * y * z > 300_000 { n.div_ceil(4) } else { n };
        let cells = format!("grid.cells=[{},{},{}]", part(x), part(y), part(z));
        let sets: &[&str] = &["run.until=1e9", "run.max-steps=3", &cells];
        let alone = run_on_ranks(name, sets, 1);
        assert!(run_on_ranks(name, sets, 3) == alone, "{name}");
    }
}
