//! Velocities of faces by tables over time.

use std::path::Path;

use crate::{ends_with, stderr, vortice};

const CASE: &str = r#"title = "Channel"
grid = { cells = [24, 12, 1], size = [2.0, 1.0, 0.083333333333333333] }
fluid = { viscosity = 5e-2 }
scale = { length = 1.0, velocity = 1.0 }
run = { until = 0.5 }
output = { checkpoint-steps = 4, probes = { steps = 2, points = { a = [0.9, 0.4, 0.0], b = [1.6, 0.8, 0.0] } } }
[boundary]
x-low = { inflow = { velocity = INFLOW } }
x-high = "outflow"
y-low = "wall"
y-high = { wall = { velocity = LID } }
z-low = "periodic"
z-high = "periodic"
"#;

/// Runs the channel by a method to an end with such a code; the lines of its probes.
fn run(folder: &Path, velocities: [&str; 2], method: &str, more: &[&str], code: i32) -> String {
    let [inflow, lid] = velocities;
    std::fs::write(folder.join("inflow.csv"), "t,u\n0,0.5\n1,1.5\n").unwrap();
    let lid_table = "t,u\n-1,1\n0,0.25\n0.25,0.25\n0.5,-0.75\n9,0\n";
    std::fs::write(folder.join("lid.csv"), lid_table).unwrap();
    let text = CASE.replace("INFLOW", inflow).replace("LID", lid);
    std::fs::write(folder.join("case.toml"), text).unwrap();
    let arguments = ["run", "case.toml", "--quiet", "--out", "out", "--method", method];
    ends_with(&vortice(folder, &[&arguments, more].concat()), code);
    std::fs::read_to_string(folder.join("out/probes.csv")).unwrap()
}

/// By tables as by formulas, to the last bit; by any ranks and after a restart.
fn is_the_same(method: &str) {
    let formulas = ["[\"0.5 + t\", 0, 0]", "[\"0.25 - 4*max(t - 0.25, 0)\", 0, 0]"];
    let tables = ["{ file = \"inflow.csv\" }", "{ file = \"lid.csv\" }"];
    let [one, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let whole = run(one.path(), formulas, method, &[], 0);
    assert!(whole.lines().count() > 4, "{whole}");
    assert_eq!(run(one.path(), tables, method, &[], 0), whole, "{method}");
    assert_eq!(run(parts.path(), tables, method, &["--ranks", "3"], 0), whole, "{method}");
    run(parts.path(), tables, method, &["--set", "run.max-steps=5"], 1);
    let restart = ["--restart", "out/checkpoint.h5"];
    assert_eq!(run(parts.path(), tables, method, &restart, 0), whole, "{method}");
    // Another table is not the flow that the checkpoint is of.
    std::fs::write(parts.path().join("inflow.csv"), "t,u\n0,0.5\n1,1.75\n").unwrap();
    let arguments = ["run", "case.toml", "--quiet", "--out", "out", "--method", method];
    let refused = vortice(parts.path(), &[&arguments[..], &restart].concat());
    ends_with(&refused, 2);
    let said = stderr(&refused);
    assert!(said.contains("boundary.x-low") && said.contains("checksum"), "{said}");
    assert!(said.contains("--restart-changed"), "{said}");
}

#[test]
fn tables_of_lbm_are_formulas_by_any_ranks_and_after_a_restart() {
    is_the_same("lbm");
}

#[test]
fn tables_of_fdm_are_formulas_by_any_ranks_and_after_a_restart() {
    is_the_same("fdm");
}

#[test]
fn tables_of_fvm_are_formulas_by_any_ranks_and_after_a_restart() {
    is_the_same("fvm");
}

#[test]
fn a_table_that_is_wrong_is_said_so_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let velocities = ["{ file = \"inflow.csv\" }", "{ file = \"lid.csv\" }"];
    run(folder.path(), velocities, "lbm", &[], 0);
    std::fs::write(folder.path().join("lid.csv"), "t,u\n0,1\n0.25,fast\n1,0\n").unwrap();
    let refused = vortice(folder.path(), &["check", "case.toml"]);
    ends_with(&refused, 2);
    let said = stderr(&refused);
    let parts = ["boundary.y-high.wall.velocity.file", "`lid.csv`, line 3: u is `fast`", "1e-3"];
    assert!(parts.iter().all(|part| said.contains(part)), "{said}");
}
