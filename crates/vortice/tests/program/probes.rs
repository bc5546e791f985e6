//! Values at points over time.

use std::path::Path;

use crate::{ends_with, summary, tiny, vortice};

const STEP: &str = "solid=[{low=[0.0,0.0,0.0],high=[0.25,0.25,0.0078125]}]";
const PROBES: &str = "output.probes={steps=2,points={middle=[0.52,0.47,0.0]},\
                      lines={down={from=[0.3,0.9,0.0],to=[0.3,0.0,0.0],points=3}}}";

/// Runs the cavity with a block in it to an end with such a code; the lines of its probes.
pub(crate) fn run(folder: &Path, sets: &[&str], more: &[&str], code: i32) -> String {
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

/// The flow above the middle begins with another velocity than that below, in boxes of which one lies in another.
#[test]
fn boxes_begin_with_their_velocity_by_any_ranks() {
    let sets = [
        "initial={velocity=['y',0.0,0.0],box={a={low=[0.0,0.5,0.0],high=[1.0,1.0,0.0078125],\
         velocity=[0.5,0.0,0.0]},b={low=[0.5,0.5,0.0],high=[1.0,1.0,0.0078125],velocity=[0.0,-0.25,0.0]}}}",
        "boundary.x-low=periodic",
        "boundary.x-high=periodic",
        "output.probes={steps=2,points={low=[0.45833333333333331,0.29166666666666669,0.0],\
         left=[0.20833333333333334,0.70833333333333337,0.0],right=[0.70833333333333337,0.70833333333333337,0.0]}}",
        "run.until=0.05",
    ];
    for method in ["run.method=lbm", "run.method=fdm", "run.method=fvm"] {
        let folder = tempfile::tempdir().unwrap();
        let sets = [&[method][..], &sets].concat();
        let whole = run(folder.path(), &sets, &[], 0);
        assert_eq!(run(folder.path(), &sets, &["--ranks", "3"], 0), whole, "{method}");
        let first: Vec<f64> =
            whole.lines().nth(1).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
        // Points come in the order of their names.
        let expected = [0.5, 0.0, 3.5 / 12.0, 0.0, 0.0, -0.25];
        let found = [first[2], first[3], first[5], first[6], first[8], first[9]];
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(found.iter().zip(&expected).all(near), "{method}: {found:?}");
    }
}
