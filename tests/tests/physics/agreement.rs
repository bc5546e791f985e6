//! Three methods that share no discretisation and no solver converge to the same flow.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice::study::{Findings, Study};

/// What the flow in a cavity is compared by.
const VALUES: [&str; 6] = ["u min", "v max", "v min", "primary x", "primary y", "primary psi"];

/// All methods on three grids, each run to the same distance from its end.
fn cavity(case: &str, grids: &[usize], steady: &str) -> Findings {
    let folder = tempfile::tempdir().unwrap();
    let sets = [format!("run.steady={steady}"), "lbm.lattice=\"d2q9\"".into()];
    let study = Study::of(case, &sets).and_then(|study| study.grids(grids)).unwrap();
    let findings = study.run(folder.path()).unwrap();
    for limit in findings.limits.iter().filter(|limit| VALUES.contains(&&*limit.value)) {
        println!("{} by {}: {:?} {:?}", limit.value, limit.variant, limit.on, limit.convergence);
    }
    assert!(findings.are_complete());
    findings
}

/// Limits of all methods within `apart` of each other, and within `off` of a published value.
fn expect(findings: &Findings, apart: f64, published: &[(&str, f64)], off: f64) {
    for name in VALUES {
        let agreement = findings.agreements.iter().find(|one| one.value == name).unwrap();
        println!("{name}: limits agree within {:?}", agreement.spread);
        assert_eq!(agreement.variants, 3, "{name}");
        assert!(agreement.spread.unwrap() < apart, "{name}: {agreement:?}");
    }
    for (name, exact) in published {
        for variant in &findings.study.variants {
            let limit = findings.limit(&variant.name, name).unwrap().convergence.unwrap().limit;
            let error = ((limit - exact) / exact).abs();
            println!("{name} by {}: {limit:.6}, {:.4} % off", variant.name, 100.0 * error);
            assert!(error < off, "{name} by {}: {limit} is not {exact}", variant.name);
        }
    }
}

/// Botella and Peyret (1998).
const RE_100: [(&str, f64); 3] =
    [("u min", -0.214_042_4), ("v max", 0.179_572_8), ("v min", -0.253_803_0)];

#[test]
fn methods_agree_on_the_cavity_at_re_100() {
    expect(&cavity("cavity-re100", &[24, 48, 96], "1e-6"), 0.002, &RE_100, 0.002);
}

#[test]
#[ignore = "long suite"]
fn methods_agree_on_the_cavity_at_re_100_on_finer_grids() {
    expect(&cavity("cavity-re100", &[32, 64, 128], "1e-7"), 0.002, &RE_100, 0.002);
}

#[test]
#[ignore = "long suite"]
fn methods_agree_on_the_cavity_at_re_400() {
    let findings = cavity("cavity-re400", &[64, 128, 256], "1e-7");
    expect(&findings, 0.002, &[], 0.0);
}

/// Botella and Peyret (1998).
#[test]
#[ignore = "long suite"]
fn methods_agree_on_the_cavity_at_re_1000() {
    let findings = cavity("cavity", &[64, 128, 256], "1e-6");
    let published = [
        ("u min", -0.388_569_8),
        ("v max", 0.376_944_7),
        ("v min", -0.527_077_1),
        ("primary x", 0.5308),
        ("primary y", 0.5652),
        ("primary psi", -0.118_936_6),
    ];
    expect(&findings, 0.002, &published, 0.003);
}
