//! Checkpoints of earlier versions.

use std::path::Path;

use vortice_output::Stored;

use crate::{ends_with, vortice};

/// Two of each method, of 2026-11-23: the flow after 20 steps, and after 20 more by the program that wrote
/// both.
#[test]
fn a_checkpoint_of_an_earlier_version_goes_on_to_the_same_bits() {
    for (name, more) in [
        ("fdm-f32", ["run.precision=f32", "run.until=1e9"]),
        ("fdm-f64", ["run.precision=f64", "run.until=1e9"]),
        ("fvm-f64", ["run.precision=f64", "run.until=1e9"]),
        ("fvm-steady", ["run.precision=f64", "run.steady=1e-9"]),
        ("lbm-f32", ["run.precision=f32", "run.until=1e9"]),
        ("lbm-f64", ["run.precision=f64", "run.until=1e9"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/checkpoints");
        let [begin, end] = [20, 40].map(|steps| kept.join(format!("{name}-{steps}.h5")));
        let run = ["run", "cavity", "--method", &name[..3], "--cells", "8x8", "--re", "100"];
        let sets = ["--set", more[0], "--set", more[1], "--set", "references=[]"];
        let to = ["--set", "run.max-steps=40", "--device", "cpu", "--quiet", "--out", "out"];
        let from = ["--restart", begin.to_str().unwrap()];
        ends_with(&vortice(folder.path(), &[&run[..], &sets, &to, &from].concat()), 1);
        let [now, earlier] =
            [folder.path().join("out/checkpoint.h5"), end].map(|path| Stored::read(path).unwrap());
        assert_eq!(now.state.fields, earlier.state.fields, "{name}");
        for (number, value) in &earlier.state.numbers {
            let now = now.state.numbers[number];
            assert_eq!(now.to_bits(), value.to_bits(), "{name}, {number}: {now}, {value}");
        }
    }
}
