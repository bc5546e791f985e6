//! `vortice validate`: what it says and how it ends.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{ends_with, program, stderr, stdout, vortice};

/// Checks of flows that take no time.
fn checks(folder: &Path, tolerance: &str) -> &'static str {
    let text = format!(
        "[[check]]\ncase = \"couette\"\nmethods = [\"fdm\", \"fvm\"]\nsuite = \"quick\"\n\
         set = [\"grid.cells=[4,8,1]\"]\n\
         judge = [{{ reference = \"exact-couette\", tolerance = {tolerance} }}]\n\
         [[check]]\ncase = \"taylor-green\"\nmethods = [\"fdm\"]\nsuite = \"standard\"\n\
         set = [\"grid.cells=[8,8,1]\", \"run.max-steps=2\"]\n\
         judge = [{{ reference = \"exact-taylor-green\", tolerance = 0.1 }}]\n"
    );
    std::fs::write(folder.join("mine.toml"), text).expect("a checks file");
    "mine.toml"
}

#[test]
fn what_passes_is_a_table_and_two_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = checks(folder.path(), "1e-6");
    let output =
        vortice(folder.path(), &["validate", "--quick", "--checks", file, "--out", "found/here"]);
    ends_with(&output, 0);
    let table = stdout(&output);
    assert!(
        table.contains("2 of 2 judgements passed") && table.contains("exact-couette"),
        "{table}"
    );
    assert!(stderr(&output).contains("[2/2] couette by fvm on cpu"), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("found/here/validation.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["rows"][1]["method"], "fvm");
    assert_eq!(json["rows"][1]["verdict"], "pass");
    assert!(json["version"].is_string() && json["date"].is_string());
    let csv = std::fs::read_to_string(folder.path().join("found/here/validation.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

#[test]
fn a_tolerance_that_is_too_small_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = checks(folder.path(), "1e-30");
    let output = vortice(
        folder.path(),
        &["validate", "--quick", "--checks", file, "--methods", "fdm", "--json"],
    );
    ends_with(&output, 1);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(json["rows"][0]["verdict"], "fail");
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_run_that_does_not_arrive_is_a_row_and_not_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = checks(folder.path(), "1e-6");
    let output = vortice(folder.path(), &["validate", "--checks", file, "--device", "cpu"]);
    ends_with(&output, 1);
    let table = stdout(&output);
    assert!(table.contains("failed to run") && table.contains("run.max-steps = 2"), "{table}");
    assert!(table.contains("2 of 3 judgements passed, 1 failed to run"), "{table}");
}

#[test]
fn what_is_wrong_is_said_before_anything_is_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = checks(folder.path(), "1e-6");
    for (arguments, words) in [
        (vec!["validate", "--checks", "none.toml"], "none.toml"),
        (vec!["validate", "--checks", file, "--only", "nothing"], "no check is left"),
        (vec!["validate", "--checks", file, "--methods", "fdn"], "did you mean `fdm`"),
        (vec!["validate", "--checks", file, "--device", "gpu"], "there is no device `gpu`"),
    ] {
        let output = vortice(folder.path(), &arguments);
        assert!(matches!(output.status.code(), Some(2 | 3)), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    std::fs::write(folder.path().join(file), text.replace("suite", "siute")).unwrap();
    let output = vortice(folder.path(), &["validate", "--checks", file]);
    ends_with(&output, 2);
    assert!(stderr(&output).contains("line 4, column 1"), "{}", stderr(&output));
    assert!(stderr(&output).contains("unknown field `siute`"), "{}", stderr(&output));
}

#[test]
fn a_signal_ends_it_with_the_rows_that_there_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = checks(folder.path(), "1e-6");
    let path = folder.path().join(file);
    let endless = "\"grid.cells=[48,48,1]\", \"run.until=1e9\"";
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("\"grid.cells=[8,8,1]\", \"run.max-steps=2\"", endless);
    std::fs::write(&path, text).unwrap();
    let mut child = program(folder.path())
        .args(["validate", "--checks", file, "--out", "found"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut remarks = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    assert!(remarks.any(|line| line.is_ok_and(|line| line.starts_with("[3/3]"))));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(sent.expect("a signal").success());
    let ended = child.wait_with_output().expect("an end");
    ends_with(&ended, 130);
    assert!(stdout(&ended).contains("2 of 2 judgements passed"), "{}", stdout(&ended));
    let text = std::fs::read_to_string(folder.path().join("found/validation.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["interrupted"], true);
}
