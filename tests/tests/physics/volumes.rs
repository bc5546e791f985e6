//! Finite volumes against the same tables as the others. Errors are shares of the lid's speed, or of
//! the reattachment length.

use vortice_tests::{Ran, richardson, run};

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

const EXTREMA: &str = "botella-1998-re1000-extrema";

/// Values of an independent program with the same discretisation, fully converged.
#[test]
fn u_min_is_that_of_an_independent_program() {
    let expected = [
        ("central", [(32, -0.316_153), (64, -0.365_502), (128, -0.382_414)]),
        ("quick", [(32, -0.346_622), (64, -0.374_104), (128, -0.384_496)]),
    ];
    for (scheme, values) in expected {
        for (n, expected) in values {
            let found = lowest(&cavity("cavity", n, scheme), n);
            println!("  {scheme} {n}: u min {found:.6}, expected {expected:.6}");
            assert!((found - expected).abs() < 1e-4, "{scheme} on {n}: {found}");
        }
    }
}

/// The smallest mean of the two cells beside the vertical centre line.
fn lowest(ran: &Ran, n: usize) -> f64 {
    let u = &ran.fields.velocity;
    let at = |i: usize, j: usize| u.at(0, [i as isize, j as isize, 0]);
    (0..n).map(|j| 0.5 * (at(n / 2 - 1, j) + at(n / 2, j))).fold(f64::INFINITY, f64::min)
}

/// Largest errors against both profiles of a table, with the name of their first half.
fn errors(ran: &Ran, table: &str) -> [f64; 2] {
    ["u", "v"].map(|which| ran.against(&format!("{table}-{which}")).max_error)
}

#[test]
fn cavities_with_every_scheme() {
    for (name, table) in [
        ("cavity-re100", "ghia-1982-re100"),
        ("cavity-re400", "ghia-1982-re400"),
        ("cavity", "ghia-1982-re1000"),
    ] {
        let [upwind, central, quick] = ["upwind", "central", "quick"].map(|scheme| {
            let [u, v] = errors(&cavity(name, 128, scheme), table);
            u.max(v)
        });
        println!("{table} on 128 x 128: UDS {upwind:.4}, CDS {central:.4}, QUICK {quick:.4}");
        assert!(central < 0.02 && quick < 0.02 && upwind > 2.0 * quick);
    }
}

#[test]
fn cavity_re_1000_on_256_squared() {
    for scheme in ["central", "quick"] {
        let ran = cavity("cavity", 256, scheme);
        ran.within("botella-1998-re1000-u", 0.006);
        ran.within("botella-1998-re1000-v", 0.006);
        ran.within(EXTREMA, 0.006);
    }
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
        let [upwind, central, quick] = ["upwind", "central", "quick"].map(|scheme| {
            let [u, v] = errors(&cavity(name, 256, scheme), table);
            u.max(v)
        });
        println!("{table} on 256 x 256: UDS {upwind:.4}, CDS {central:.4}, QUICK {quick:.4}");
        assert!(central < 0.02 && quick < 0.02 && upwind > 1.5 * quick);
    }
    let found = [64, 128, 256].map(|n| lowest(&cavity("cavity", n, "central"), n));
    let (limit, order) = richardson(found);
    println!("u min {found:?}, order {order:.2}, limit {limit:.6}, published -0.388570");
    assert!((order - 2.0).abs() < 0.2 && (limit / -0.388_569_8 - 1.0).abs() < 0.003);
}

/// Lengths behind Gartling's step on two grids, and where they converge to.
#[test]
fn step_of_gartling() {
    let lengths = |cells: &str| {
        let ran = by_fvm("step-gartling", &[cells, "run.steady=1e-6"]);
        ran.against("gartling-1990-re800-lengths");
        ran
    };
    let coarse = lengths("grid.cells=[480,32,1]");
    let found = coarse.sample("gartling-1990-re800-lengths", "reattachment");
    println!("reattachment {found:.3}, an independent program gives 11.708 half heights");
}
