//! The checks of `vortice validate`, one test a suite and method: what they ask for stands in
//! `cases/validation/checks.toml` and nowhere else.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice::validation::{Checks, Job, Row, Suite, Verdict, row_table};
use vortice_core::{Device, Devices, Every, Finite};

/// Makes the checks of a suite, and of no smaller one, by a method.
fn make(suite: Suite, method: &str) {
    let device = std::env::var("VORTICE_TEST_DEVICE").unwrap_or_else(|_| "cpu".into());
    let devices: Devices = device.parse().unwrap_or_else(|error| panic!("{error}"));
    let device = devices.list().first().copied().unwrap_or(Device::Cpu);
    let checks = Checks::built_in().unwrap_or_else(|error| panic!("{error}"));
    let of_method = checks
        .list
        .iter()
        .filter(|check| check.suite == suite && check.methods.iter().any(|name| name == method));
    let jobs = of_method.map(|check| Job { check, method, device });
    let rows: Vec<Row> = jobs
        .flat_map(|job| {
            job.rows(&|simulation| {
                Ok(simulation.watch(Every::Steps(100), Finite::new("this is a test")))
            })
        })
        .collect();
    println!("{}", row_table(&rows));
    assert!(!rows.is_empty());
    for row in &rows {
        // Much better than what was measured is a tolerance that judges nothing.
        assert_eq!((row.verdict, &*row.reason), (Verdict::Pass, ""), "{row:?}");
    }
}

#[test]
fn quick_checks_by_finite_differences() {
    make(Suite::Quick, "fdm");
}

#[test]
fn quick_checks_by_finite_volumes() {
    make(Suite::Quick, "fvm");
}

#[test]
fn quick_checks_by_lattice_boltzmann() {
    make(Suite::Quick, "lbm");
}

#[test]
#[ignore = "long suite"]
fn standard_checks_by_every_method() {
    ["fdm", "fvm", "lbm"].into_iter().for_each(|method| make(Suite::Standard, method));
}

/// Hours on two cores, minutes on a GPU.
#[test]
#[ignore = "long suite"]
fn full_checks_by_every_method() {
    ["fdm", "fvm", "lbm"].into_iter().for_each(|method| make(Suite::Full, method));
}
