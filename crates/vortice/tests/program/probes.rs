//! Values at points over time.

use std::path::Path;

use crate::{ends_with, summary, tiny, vortice};

const STEP: &str = "solid=[{low=[0.0,0.0,0.0],high=[0.25,0.25,0.0078125]}]";
const PROBES: &str = "output.probes={steps=2,points={middle=[0.52,0.47,0.0]},\
                      lines={down={from=[0.3,0.9,0.0],to=[0.3,0.0,0.0],points=3}}}";

/// Runs the cavity with a block in it to an end with such a code; the lines of its probes.
fn run(folder: &Path, sets: &[&str], more: &[&str], code: i32) -> String {
    let sets =
        [&[STEP, PROBES, "output.checkpoint-steps=4", "references=[]", "run.until=0.3"], sets]
            .concat();
    let more = [&["--quiet", "--out", "out"], more].concat();
    ends_with(&vortice(folder, &tiny(&sets, &more)), code);
    std::fs::read_to_string(folder.join("out/probes.csv")).unwrap()
}

/// Runs it by several ranks, and in two parts.
fn is_the_same(method: &[&str]) {
    let [long, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let whole = run(long.path(), method, &[], 0);
    assert!(whole.starts_with("step,time,middle.u,middle.v,middle.p,down.1.u,"), "{whole}");
    assert_eq!(whole.lines().next().unwrap().split(',').count(), 2 + 4 * 3);
    assert!(whole.lines().nth(3).is_some_and(|line| line.starts_with("4,")), "{whole}");
    for ranks in ["2", "3"] {
        assert_eq!(run(parts.path(), method, &["--ranks", ranks], 0), whole, "{method:?}");
    }
    // Stopped between two lines, it goes on without a line of its own.
    let begun = run(parts.path(), &[method, &["run.max-steps=5"]].concat(), &[], 1);
    assert_eq!(begun.lines().count(), 4, "{begun}");
    let both = run(parts.path(), method, &["--restart", "out/checkpoint.h5"], 0);
    assert_eq!(both, whole, "{method:?}");
    let [long, parts] = [long, parts].map(|folder| summary(&folder.path().join("out")));
    assert_eq!(long["probes"], parts["probes"]);
    let means = long["probes"].as_array().unwrap();
    assert_eq!(means.len(), 3, "{means:?}");
    assert!(means[0]["probe"] == "middle" && means[0]["mean"].as_f64().unwrap() < 0.0);
}

#[test]
fn probes_of_one_lattice_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=lbm"]);
}

#[test]
fn probes_of_two_lattices_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=lbm", "lbm.streaming='two-lattice'"]);
}

#[test]
fn probes_of_fdm_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=fdm"]);
}

#[test]
fn probes_of_fvm_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=fvm", "run.until=0.6"]);
}
