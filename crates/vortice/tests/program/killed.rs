//! Studies that are killed, fail or are changed: `compare` never takes fields of another run, and costs
//! are those of all parts.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::turns::in_turn;
use crate::{ends_with, program, stderr, vortice};

/// A study of a steady cavity by one or all methods, with many checkpoints.
fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let study = ["compare", "cavity-re100", "--grids", "16", "--out", "study", "--quiet"];
    let sets = [
        "--set",
        "run.steady=1e-3",
        "--set",
        "lbm.lattice=d2q9",
        "--set",
        "output.checkpoint-steps=7",
    ];
    [&study[..], &sets, more].concat()
}

fn rows(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("study/results.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all[0]["rows"].as_array().unwrap().clone()
}

pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = program(folder);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a process as a power cut would, without a word to it.
pub(crate) fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What must be the same however often a study was killed.
fn numbers(row: &Value) -> [Value; 7] {
    let expense = &row["expense"];
    let steps = row["looks"].as_array().unwrap().iter().map(|look| look["step"].clone()).collect();
    [
        row["variant"].clone(),
        row["values"].clone(),
        row["deviations"].clone(),
        expense["steps"].clone(),
        expense["iterations"].clone(),
        expense["memory"].clone(),
        Value::Array(steps),
    ]
}

/// Six times in the long suite, else every second of these.
#[test]
fn a_study_that_was_killed_has_the_results_and_costs_of_one_that_was_not() {
    let [straight, folder] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let begin = Instant::now();
    ends_with(&vortice(straight.path(), &arguments(&[])), 0);
    let whole = begin.elapsed();
    let resume = arguments(&["--resume"]);
    for part in in_turn((1..=6).collect(), 1, 2) {
        let child = start(folder.path(), &resume);
        std::thread::sleep(whole.mul_f64(0.06 * f64::from(part)));
        kill(child);
    }
    ends_with(&vortice(folder.path(), &resume), 0);
    let (expected, found) = (rows(straight.path()), rows(folder.path()));
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(numbers(found), numbers(expected));
        let seconds = |row: &Value| row["expense"]["wall_seconds"].as_f64().unwrap();
        assert!(seconds(found) > 0.0 && seconds(expected) > 0.0);
        let looks = found["looks"].as_array().unwrap();
        let all = looks.iter().map(|look| look["seconds"].as_f64().unwrap());
        assert!(all.clone().zip(all.skip(1)).all(|(a, b)| a < b), "{looks:?}");
    }
    assert_eq!(found.len(), 3);
    assert!(expected[1]["expense"]["iterations"].as_u64().unwrap() > 100, "fvm iterates");
}

const RUN: &str = "study/runs/cavity-re100-fdm-16";

fn changed(path: &Path) -> SystemTime {
    path.metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Runs the study of one method once, lets `spoil` do something to it, and asks for the first study
/// again: it must be made again and be the same.
fn is_made_again_after(spoil: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let first = arguments(&["--methods", "fdm"]);
    ends_with(&vortice(folder.path(), &first), 0);
    let before = rows(folder.path());
    spoil(folder.path());
    ends_with(&vortice(folder.path(), &first), 0);
    let after = rows(folder.path());
    assert_eq!(numbers(&after[0]), numbers(&before[0]));
    assert_eq!(after[0]["reused"], false);
    ends_with(&vortice(folder.path(), &first), 0);
    assert_eq!(rows(folder.path())[0]["reused"], true);
}

#[test]
fn fields_of_a_rerun_that_was_killed_are_not_taken() {
    for more in [&["--set", "run.until=1e9"][..], &["--afresh", "--set", "run.steady=1e-30"]] {
        is_made_again_after(|folder| {
            let fields = folder.join(RUN).join("fields.vtkhdf");
            let old = changed(&fields);
            let child = start(folder, &[&arguments(&["--methods", "fdm"])[..], more].concat());
            let begin = Instant::now();
            while changed(&fields) == old {
                assert!(begin.elapsed() < Duration::from_secs(60), "the second run does not begin");
                std::thread::sleep(Duration::from_millis(2));
            }
            kill(child);
            assert!(!folder.join(RUN).join("run.json").exists());
        });
    }
}

#[test]
fn fields_of_a_rerun_that_failed_are_not_taken() {
    is_made_again_after(|folder| {
        let blocked = folder.join(RUN).join("checkpoint.h5.tmp");
        std::fs::create_dir(&blocked).unwrap();
        let more = ["--methods", "fdm", "--set", "fluid.viscosity=0.02"];
        ends_with(&vortice(folder, &arguments(&more)), 1);
        assert!(rows(folder)[0]["ended"]["why"].as_str().unwrap().contains("checkpoint.h5"));
        std::fs::remove_dir(blocked).unwrap();
    });
}

#[test]
fn fields_beside_a_record_of_another_run_are_not_taken() {
    is_made_again_after(|folder| {
        // As a program of before would have left it: the record of one run, the fields of another.
        let run = folder.join(RUN);
        let record = std::fs::read(run.join("run.json")).unwrap();
        let more = ["--methods", "fdm", "--set", "fluid.viscosity=0.02"];
        ends_with(&vortice(folder, &arguments(&more)), 0);
        std::fs::write(run.join("run.json"), record).unwrap();
    });
}

#[test]
fn a_checkpoint_of_another_study_is_not_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let more = |set| arguments(&["--methods", "fdm", "--resume", "--set", set]);
    let child = start(folder.path(), &more("run.steady=1e-30"));
    let (checkpoint, begin) = (folder.path().join(RUN).join("checkpoint.h5"), Instant::now());
    while !checkpoint.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no checkpoint comes");
        std::thread::sleep(Duration::from_millis(2));
    }
    kill(child);
    let resumed = vortice(folder.path(), &more("fluid.viscosity=0.02"));
    ends_with(&resumed, 0);
    let found = rows(folder.path());
    let other = tempfile::tempdir().unwrap();
    ends_with(&vortice(other.path(), &more("fluid.viscosity=0.02")), 0);
    assert_eq!(numbers(&found[0]), numbers(&rows(other.path())[0]), "{}", stderr(&resumed));
}
