//! Flows that begin with something random or stored.

use std::path::Path;

use vortice_core::{Grid, Perturbation};

use crate::probes::run;
use crate::{ends_with, stderr, vortice};

/// The velocity of the first point in the first line of the probes.
fn first(lines: &str) -> [f64; 2] {
    let line = lines.lines().nth(1).expect("a first line");
    let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
    [numbers[2], numbers[3]]
}

/// A random velocity over a flow in x: the same by any ranks and after a restart, another one by another seed.
fn begins_at_random(method: &str) {
    let sets = |seed: &'static str| {
        [
            method,
            "initial={velocity=[0.5,0.0,0.0],perturbation={amplitude=0.05,seed=3}}",
            seed,
            "boundary.x-low=periodic",
            "boundary.x-high=periodic",
            "output.probes={steps=2,points={one=[0.45833333333333331,0.54166666666666663,0.0]}}",
            "run.until=0.3",
        ]
    };
    let [long, other, parts] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(long.path(), &sets("initial.perturbation.seed=3"), &[], 0);
    let another = run(other.path(), &sets("initial.perturbation.seed=4"), &[], 0);
    assert_ne!(first(&whole), first(&another), "{method}");
    let grid = Grid::uniform([12, 12, 1], [1.0, 1.0, 0.0078125], [0.0; 3]);
    let random = Perturbation::new(0.05, 3, &grid, [true, false, true]);
    let [u, v, _] = random.velocity([5.5 / 12.0, 6.5 / 12.0, 0.0]);
    let expected = [0.5 + u, v];
    // What lies on faces is shown as the mean of them.
    let tolerance = if method.ends_with("fdm") { 0.1 } else { 1e-12 };
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < tolerance;
    assert!(first(&whole).iter().zip(&expected).all(near), "{method}: {whole} {expected:?}");
    let sets = sets("initial.perturbation.seed=3");
    assert_eq!(run(parts.path(), &sets, &["--ranks", "3"], 0), whole, "{method}");
    run(parts.path(), &[&sets[..], &["run.max-steps=3"]].concat(), &[], 1);
    assert_eq!(run(parts.path(), &sets, &["--restart", "out/checkpoint.h5"], 0), whole, "{method}");
}

#[test]
fn a_random_flow_is_the_same_by_any_ranks_and_after_a_restart() {
    ["run.method=lbm", "run.method=fdm", "run.method=fvm"].into_iter().for_each(begins_at_random);
}

const BOX: &str = r#"title = "Box"
grid = { cells = [16, 12, 1], size = [1.0, 0.75, 0.0625] }
fluid = { viscosity = 1e-2 }
scale = { length = 1.0, velocity = 1.0 }
run = { until = 0.4 }
output = { fields = 0.2, checkpoint-steps = 4, probes = { steps = 2, points = { a = [0.53125, 0.40625, 0.0] } } }
[boundary]
x-low = "periodic"
x-high = "periodic"
y-low = "wall"
y-high = { wall = { velocity = [1.0, 0.0, 0.0] } }
z-low = "periodic"
z-high = "periodic"
"#;

/// Writes the box with a flow at t = 0 as `case.toml` and runs it into `out`.
fn run_box(folder: &Path, initial: &str, method: &str, more: &[&str], out: &str, code: i32) {
    std::fs::write(folder.join("case.toml"), format!("initial = {{ {initial} }}\n{BOX}")).unwrap();
    let arguments = ["run", "case.toml", "--quiet", "--out", out, "--method", method];
    ends_with(&vortice(folder, &[&arguments, more].concat()), code);
}

fn probes(folder: &Path, out: &str) -> String {
    std::fs::read_to_string(folder.join(out).join("probes.csv")).unwrap()
}

const RANDOM: &str = "velocity = [\"y\", 0, 0], perturbation = { amplitude = 0.05 }";

/// A run begins with the last fields of another one, the same by any ranks and after a restart.
fn begins_with_fields(method: &str) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_box(folder, RANDOM, method, &[], "first", 0);
    let last = probes(folder, "first");
    let last: Vec<f64> =
        last.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    let stored = "file = \"first/fields.vtkhdf\"";
    run_box(folder, stored, method, &[], "second", 0);
    let whole = probes(folder, "second");
    // The point is the centre of a cell; what lies on faces is the mean of means there.
    let tolerance = if method == "fdm" { 0.02 } else { 1e-12 };
    let found = first(&whole);
    let near = |c: usize| (found[c] - last[2 + c]).abs() < tolerance;
    assert!(near(0) && near(1), "{method}: {found:?} {last:?}");
    run_box(folder, stored, method, &["--ranks", "3"], "third", 0);
    assert_eq!(probes(folder, "third"), whole, "{method}");
    run_box(folder, stored, method, &["--set", "run.max-steps=3"], "third", 1);
    run_box(folder, stored, method, &["--restart", "third/checkpoint.h5"], "third", 0);
    assert_eq!(probes(folder, "third"), whole, "{method}");
}

#[test]
fn lbm_begins_with_fields() {
    begins_with_fields("lbm");
}

#[test]
fn fdm_begins_with_fields() {
    begins_with_fields("fdm");
}

#[test]
fn fvm_begins_with_fields() {
    begins_with_fields("fvm");
}

/// On a finer grid the flow goes on as the one that it was taken from, as far as a coarse grid knows it.
#[test]
fn another_grid_and_step_go_on_with_the_flow() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [coarse, fine] = ["grid.cells=[32,24,1]", "grid.cells=[64,48,1]"];
    let smooth = "velocity = [\"y/0.75\", \"0.1*sin(2*pi*x)*sin(pi*y/0.75)^2\", 0]";
    run_box(folder, smooth, "fvm", &["--set", fine], "fine", 0);
    run_box(folder, smooth, "fvm", &["--set", coarse], "coarse", 0);
    let stored = "file = \"coarse/fields.vtkhdf\", time = 0.2";
    let rest = ["--set", fine, "--set", "run.until=0.2"];
    run_box(folder, stored, "fvm", &rest, "rest", 0);
    let ends = ["fine", "rest"].map(|out| {
        let lines = probes(folder, out);
        let last = lines.lines().last().unwrap().to_owned();
        let numbers: Vec<f64> = last.split(',').skip(2).map(|x| x.parse().unwrap()).collect();
        [numbers[0], numbers[1]]
    });
    let off = |c: usize| (ends[0][c] - ends[1][c]).abs();
    assert!(off(0) < 2e-3 && off(1) < 2e-3, "{ends:?}");
}

/// What stands in the case, and words of the message.
#[rustfmt::skip]
const WRONG: &[(&str, &[&str])] = &[
    ("file = \"none.vtkhdf\"", &["initial.file", "`none.vtkhdf`", "there is no such file"]),
    ("file = \"first\"", &["initial.file", "there is no such file"]),
    ("file = \"case.toml\"", &["initial.file", "cannot be read as HDF5"]),
    ("file = \"first/checkpoint.h5\"", &["initial.file", "is no VTKHDF file"]),
    ("file = \"first/fields.vtkhdf\", step = 9999", &["initial.file", "has no step 9999; the nearest is"]),
    ("file = \"first/fields.vtkhdf\", step = -1", &["initial.step", "-1 is below zero"]),
    ("file = \"first/fields.vtkhdf\", time = 0.3", &["initial.file", "has no step at 0.3 s; the nearest is at"]),
    ("file = \"first/fields.vtkhdf\", time = nan", &["initial.time", "NaN is not a finite number"]),
    ("file = \"first/fields.vtkhdf\", time = 0.2, step = 0", &["initial.time", "both given", "keep one"]),
    ("file = \"first/fields.vtkhdf\", velocity = [0, 0, 0]", &["initial", "velocity and file are both given"]),
    ("time = 0.2", &["initial.time", "no file that it would be of"]),
    ("step = 2", &["initial.step", "no file that it would be of"]),
    ("file = 7", &["initial.file", "integer `7`", "fields of another run"]),
];

#[test]
fn fields_that_do_not_fit_are_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_box(folder, RANDOM, "lbm", &[], "first", 0);
    let mut wrong = Vec::new();
    let mut check = |initial: &str, sets: &[&str], words: &[&str]| {
        std::fs::write(folder.join("case.toml"), format!("initial = {{ {initial} }}\n{BOX}"))
            .unwrap();
        let output = vortice(folder, &[&["check", "case.toml"], sets].concat());
        let said = stderr(&output);
        let right = output.status.code() == Some(2) && words.iter().all(|word| said.contains(word));
        if !right {
            wrong.push(format!("{initial} {sets:?}: {words:?}\n{said}"));
        }
    };
    WRONG.iter().for_each(|(initial, words)| check(initial, &[], words));
    let stored = "file = \"first/fields.vtkhdf\"";
    let larger = ["--set", "grid.size=[2.0,0.75,0.0625]"];
    check(stored, &larger, &["is of a box from 0 to 1 m in x", "reaches from 0 to 2 m"]);
    let deep = ["--set", "grid.cells=[16,12,4]"];
    check(stored, &deep, &["is of a plane flow, and the case is of a flow in space"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A file without velocities.
    std::fs::write(folder.join("case.toml"), format!("initial = {{ {RANDOM} }}\n{BOX}")).unwrap();
    let only = "output.quantities=[\"pressure\"]";
    run_box(folder, RANDOM, "lbm", &["--set", only], "pressure", 0);
    let initial = "initial = { file = \"pressure/fields.vtkhdf\" }\n";
    std::fs::write(folder.join("case.toml"), format!("{initial}{BOX}")).unwrap();
    let said = stderr(&vortice(folder, &["check", "case.toml"]));
    assert!(said.contains("has no array `velocity`"), "{said}");
}
