//! Bodies that touch, overlap, are thin or cut the box: each method computes a flow around them, or refuses them in one
//! sentence.

use crate::{summary, vortice};

/// A channel with walls, 40 x 20 cells of 0.1 m, and a body.
const CHANNEL: &str = "title = 'odd'\ngrid = { cells = [40, 20, 1], size = [4.0, 2.0, 0.1] }\n\
    fluid = { viscosity = 0.05 }\nscale = { length = 1.0, velocity = 1.0 }\n\
    run = { until = 1e9, max-steps = 6 }\n[boundary]\nx-low = { inflow = { velocity = [1.0, 0.0, 0.0] } }\n\
    x-high = 'outflow'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n";

/// Bodies, and the methods that compute the flow around them.
const ODD: [(&str, &str, &[&str]); 11] = [
    (
        "two that touch",
        "one = { inside = '(x - 1.5)^2 + (y - 1)^2 < 0.09' }, \
      two = { circle = { centre = [2.1, 1.0], radius = 0.3 } }",
        &ALL,
    ),
    (
        "two that overlap",
        "one = { inside = '(x - 1.5)^2 + (y - 1)^2 < 0.09' }, \
      two = { circle = { centre = [1.75, 1.1], radius = 0.3 } }",
        &ALL,
    ),
    (
        "one within another",
        "one = { circle = { centre = [2.0, 1.0], radius = 0.2 } }, \
      two = { circle = { centre = [2.0, 1.0], radius = 0.4 } }",
        &ALL,
    ),
    (
        "a gap of one cell",
        "one = { box = { low = [1.5, 0.4, 0], high = [2.2, 0.9, 1] } }, \
      two = { box = { low = [1.5, 1.0, 0], high = [2.2, 1.5, 1] } }",
        &ALL,
    ),
    ("on a wall", "one = { circle = { centre = [2.0, 0.1], radius = 0.4 } }", &ALL),
    ("in the inflow", "one = { circle = { centre = [0.1, 1.03], radius = 0.4 } }", &ALL),
    ("in the outflow", "one = { circle = { centre = [3.9, 1.03], radius = 0.4 } }", &ALL),
    ("in a corner", "one = { circle = { centre = [0.0, 0.0], radius = 0.5 } }", &ALL),
    ("a hill by a condition", "one = { inside = 'y < 0.5*exp(-4*(x - 2)^2)' }", &ALL),
    (
        "a plate of one cell",
        "one = { box = { low = [1.52, 0.6, 0], high = [1.62, 1.4, 1] } }",
        &["lbm"],
    ),
    (
        "a cell alone",
        "one = { circle = { centre = [2.05, 1.05], radius = 0.06 } }",
        &["lbm", "fdm"],
    ),
];

const ALL: [&str; 3] = ["lbm", "fdm", "fvm"];

/// The end of a run with bodies, what it printed as errors, and the largest coefficient of a force.
fn run(bodies: &str, method: &str) -> (Option<i32>, String, f64) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("odd.toml"), CHANNEL).unwrap();
    let (body, method) = (format!("body={{ {bodies} }}"), format!("run.method={method}"));
    let words = ["run", "odd.toml", "--quiet", "--out", "out", "--set", "output.picture=false"];
    let ran = vortice(folder.path(), &[&words[..], &["--set", &body, "--set", &method]].concat());
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    let code = ran.status.code();
    if code == Some(2) {
        return (code, errors, 0.0);
    }
    let forces = summary(&folder.path().join("out"))["forces"].clone();
    let all = forces.as_array().unwrap().iter().filter_map(|body| body["coefficients"].as_array());
    let largest = all
        .flatten()
        .filter_map(serde_json::Value::as_f64)
        .fold(0.0, |most: f64, x| most.max(x.abs()));
    (code, errors, largest)
}

#[test]
fn odd_bodies_are_computed_or_refused_in_one_sentence() {
    let mut complaints = Vec::new();
    for (name, bodies, computed) in ODD {
        for method in ALL {
            let (code, errors, largest) = run(bodies, method);
            let refused = code == Some(2);
            println!(
                "{name} by {method}: {code:?} {largest:.3} {}",
                errors.lines().next().unwrap_or("")
            );
            let is_well = match computed.contains(&method) {
                true => code.is_some_and(|code| code < 2) && largest.is_finite(),
                false => refused && errors.contains("two cells thick"),
            };
            if !is_well || errors.contains("panicked") {
                complaints.push(format!("{name} by {method}: {code:?} {errors}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}
