//! Flows that begin with something random or stored.

use vortice_core::{Grid, Perturbation};

use crate::probes::run;

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
