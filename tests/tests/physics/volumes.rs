//! What finite volumes promise beyond the checks of all methods. Errors are shares of the lid's speed.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice_tests::{Judge, Ran, richardson, run};

/// A built-in case by this method.
fn by_fvm(name: &str, sets: &[&str]) -> Ran {
    let mut all = vec!["run.method=\"fvm\""];
    all.extend_from_slice(sets);
    run(name, &all)
}

/// A cavity on n x n cells with a scheme, converged to rounding as far as the tables can tell.
fn cavity(name: &str, n: usize, scheme: &str) -> Ran {
    let cells = format!("grid.cells=[{n},{n},1]");
    let scheme = format!("fvm.convection=\"{scheme}\"");
    by_fvm(name, &[&cells, &scheme, "run.steady=1e-7"])
}

/// The smallest u on the vertical centre line: cubic interpolation between the two cells on each side, and
/// the parabola through the smallest three values.
fn lowest(ran: &Ran, n: usize) -> f64 {
    let u = &ran.fields.velocity;
    let at = |i: usize, j: usize| u.at(0, [i as isize, j as isize, 0]);
    let middle = |j: usize| {
        let (near, far) = (at(n / 2 - 1, j) + at(n / 2, j), at(n / 2 - 2, j) + at(n / 2 + 1, j));
        (9.0 * near - far) / 16.0
    };
    let low = (1..n - 1).min_by(|&a, &b| middle(a).total_cmp(&middle(b))).expect("cells");
    let [below, here, above] = [middle(low - 1), middle(low), middle(low + 1)];
    here - (above - below).powi(2) / (8.0 * (above - 2.0 * here + below))
}

/// Largest errors against both profiles of a table, with the name of their first half.
fn errors(ran: &Ran, table: &str) -> [f64; 2] {
    ["u", "v"].map(|which| ran.against(&format!("{table}-{which}")).max_error)
}

/// Largest errors of a cavity on n x n cells against a table with upwind and central differences and QUICK, of which
/// upwind's are so many times QUICK's.
fn expect_schemes(n: usize, name: &str, table: &str, worse: f64) {
    let [upwind, central, quick] = ["upwind", "central", "quick"].map(|scheme| {
        let [u, v] = errors(&cavity(name, n, scheme), table);
        u.max(v)
    });
    println!("{table} on {n} x {n}: UDS {upwind:.4}, CDS {central:.4}, QUICK {quick:.4}");
    assert!(central < 0.02 && quick < 0.02 && upwind > worse * quick);
}

#[test]
#[ignore = "long suite"]
fn a_cavity_with_every_scheme() {
    expect_schemes(128, "cavity-re400", "ghia-1982-re400", 2.0);
}

#[test]
#[ignore = "long suite"]
fn cavities_with_every_scheme() {
    // At Re 100 the grid resolves so much that the table's own error hides the scheme's.
    expect_schemes(128, "cavity-re100", "ghia-1982-re100", 0.5);
    expect_schemes(128, "cavity", "ghia-1982-re1000", 2.0);
}

#[test]
#[ignore = "long suite"]
fn cavities_with_every_scheme_on_256_squared() {
    for (name, table) in [
        ("cavity-re100", "ghia-1982-re100"),
        ("cavity-re400", "ghia-1982-re400"),
        ("cavity", "ghia-1982-re1000"),
        ("cavity", "botella-1998-re1000"),
    ] {
        expect_schemes(256, name, table, if name == "cavity-re100" { 0.5 } else { 1.5 });
    }
    let found = [64, 128, 256].map(|n| lowest(&cavity("cavity", n, "central"), n));
    let (limit, order) = richardson(found);
    println!("u min {found:?}, order {order:.2}, limit {limit:.6}, published -0.388570");
    assert!((order - 2.0).abs() < 0.2 && (limit / -0.388_569_8 - 1.0).abs() < 0.003);
}

/// The start of the cavity's flow, beside another method.
#[test]
fn the_cavity_at_t_16_is_that_of_finite_differences() {
    let sets = ["grid.cells=[96,96,1]", "run.until=16.0"];
    let other = run("cavity", &sets);
    let ran = by_fvm("cavity", &[&sets[..], &["fvm.convection=\"central\""]].concat());
    let (one, other_one) = (&ran.fields.velocity, &other.fields.velocity);
    let apart = |cell: [isize; 3]| (0..2).map(move |c| one.at(c, cell) - other_one.at(c, cell));
    let all = || one.own_cells().flat_map(apart);
    let rms = (all().map(|d| d * d).sum::<f64>() / all().count() as f64).sqrt();
    // Under the lid its corners are singular.
    let below = one.own_cells().filter(|cell| cell[1] < 84).flat_map(apart);
    let largest = below.map(f64::abs).fold(0.0, f64::max);
    let [a, b] = [&ran, &other].map(|ran| lowest(ran, 96));
    println!("  rms {rms:.5}, largest below the lid {largest:.5}, u min {a:.5} and {b:.5}");
    assert!((a - b).abs() < 7e-4 && rms < 2e-3 && largest < 6.8e-3);
}
