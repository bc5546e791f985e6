//! Averages over time.

use std::path::Path;

use vortice_core::{State, Values};
use vortice_output::Stored;

use crate::{ends_with, stderr, stdout, summary, vortice};

/// 40 steps of a cavity with a sample of every third after a time between the sixth and the seventh step.
fn forty(folder: &Path, method: &str, sets: &[&str], arguments: &[&str]) -> std::process::Output {
    let mut all = vec!["run", "cavity", "--method", method, "--re", "100", "--quiet"];
    let usual = [
        "grid.cells=[12,10,1]",
        "references=[]",
        "run.until=1e9",
        "run.max-steps=40",
        "output.checkpoint-steps=20",
        "output.fields=\"none\"",
        "output.statistics.from=0.01",
        "output.statistics.steps=3",
    ];
    usual.iter().chain(sets).for_each(|set| all.extend(["--set", set]));
    vortice(folder, &[&all, arguments].concat())
}

/// What a checkpoint holds of averages; their file shows the same means, bit for bit.
fn averages(folder: &Path) -> State {
    let mut state = Stored::read(folder.join("checkpoint.h5")).expect("a checkpoint").state;
    state.fields.retain(|name, _| name.starts_with("statistics"));
    state.numbers.retain(|name, _| name.starts_with("statistics"));
    assert_eq!((state.fields.len(), state.numbers.len()), (2, 4));
    let Values::F64(velocity) = &state.fields["statistics_velocity"] else { panic!("not f64") };
    let cell = |i: usize| (0..3).flat_map(move |c| velocity.component(c)[i].to_le_bytes());
    let means: Vec<u8> = (0..velocity.shape.len()).flat_map(cell).collect();
    let file = std::fs::read(folder.join("statistics.vtkhdf")).expect("averages");
    assert!(file.windows(means.len()).any(|bytes| bytes == means), "no means in the file");
    state
}

#[test]
fn averages_of_every_method_go_on_from_a_checkpoint_to_the_same_bits() {
    for method in ["fdm", "fvm", "lbm"] {
        let folder = tempfile::tempdir().unwrap();
        let out = |name: &str| folder.path().join(name);
        ends_with(&forty(folder.path(), method, &[], &["--out", "whole"]), 1);
        let whole = averages(&out("whole"));
        let findings = &summary(&out("whole"))["findings"];
        assert!(findings["samples averaged"].as_f64() > Some(5.0), "{method}: {findings}");
        // The last checkpoint but one is of step 20, which is none of a sample.
        let older = out("whole").join("checkpoint-older.h5");
        let restart = ["--restart", older.to_str().unwrap(), "--out", "rest"];
        ends_with(&forty(folder.path(), method, &[], &restart), 1);
        assert!(averages(&out("rest")) == whole, "{method}");
        for ranks in ["2", "3x1x1"] {
            let several = ["--ranks", ranks, "--threads", "1", "--out", "several"];
            ends_with(&forty(folder.path(), method, &[], &several), 1);
            assert!(averages(&out("several")) == whole, "{method}, {ranks} ranks");
        }
    }
}

#[test]
fn what_is_not_sampled_is_not_written_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let late = forty(folder.path(), "fdm", &["output.statistics.from=1e6"], &["--out", "late"]);
    ends_with(&late, 1);
    assert!(!folder.path().join("late/statistics.vtkhdf").exists());
    assert!(stderr(&late).contains("warning: output.statistics: nothing was sampled"));
    let warnings = summary(&folder.path().join("late"))["warnings"].to_string();
    assert!(warnings.contains("output.statistics: nothing was sampled"), "{warnings}");
    // A later run into the folder leaves no averages of the earlier one.
    ends_with(&forty(folder.path(), "fdm", &[], &["--out", "late"]), 1);
    let names = || folder.path().join("late/statistics.xmf").exists();
    assert!(names());
    let none = ["output.statistics.fields=\"none\""];
    ends_with(&forty(folder.path(), "fdm", &none, &["--out", "late"]), 1);
    assert!(!names());
}

#[test]
fn check_foresees_the_bytes_of_averages() {
    let folder = tempfile::tempdir().unwrap();
    let sets =
        ["--cells", "64x64", "--set", "run.until=2.0", "--set", "output.statistics.from=0.5"];
    let checked = vortice(folder.path(), &[&["check", "cavity"][..], &sets].concat());
    ends_with(&checked, 0);
    let said = stdout(&checked);
    let line = said.lines().find(|line| line.starts_with("averages")).expect("a line");
    for words in ["every 10 steps after t = 0.5 s", "360 kB"] {
        assert!(line.contains(words), "{line}");
    }
    assert!(said.contains("statistics 360 kB"), "{said}");
}
