//! What the lattice Boltzmann method promises beyond the checks of all methods. Errors are shares of
//! the lid's speed.

use vortice_tests::{Judge, run};

/// Every collision, in single precision too: the same flow.
#[test]
#[ignore = "long suite"]
fn cavity_re_100_with_every_collision() {
    for collision in ["srt", "trt", "mrt", "regularised"] {
        for precision in ["f64", "f32"] {
            let collision = format!("lbm.collision=\"{collision}\"");
            let precision = format!("run.precision=\"{precision}\"");
            let sets = [
                "run.method=\"lbm\"",
                &*collision,
                &*precision,
                "grid.cells=[64,64,1]",
                "lbm.lattice=\"d2q9\"",
                "run.steady=1e-4",
            ];
            run("cavity-re100", &sets).within("botella-1998-re100-extrema", 0.0015);
        }
    }
}
