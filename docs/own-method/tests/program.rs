//! The program of this crate, run as a user runs it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs the program in a folder; returns what it printed.
fn own_method(folder: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-method"));
    command.current_dir(folder).env("CUDA_VISIBLE_DEVICES", "").args(words.split(' '));
    let output = command.output().expect("the program starts");
    let [out, remarks] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{words}\n{out}\n{remarks}");
    out
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it was written")).expect("JSON")
}

#[test]
fn four_methods_are_compared_and_this_one_is_of_second_order() {
    let folder = tempfile::tempdir().unwrap();
    let words = "compare cavity-re100 --grids 16,32 --set run.steady=1e-5 --set output.picture=false --out study";
    own_method(folder.path(), words);
    let study = &json(&folder.path().join("study/results.json"))[0];
    let error = |method: &str, grid: u64| {
        let mut rows = study["rows"].as_array().expect("rows").iter();
        let row = rows.find(|row| row["method"] == method && row["grid"] == grid).expect("a run");
        assert_eq!(row["ended"]["how"], "done", "{row}");
        let mut deviations = row["deviations"].as_array().expect("deviations").iter();
        let extrema = deviations.find(|one| one["kind"] == "extrema").expect("extrema");
        extrema["max_error"].as_f64().expect("an error")
    };
    for (method, most) in [("fdm", 0.006), ("fvm", 0.006), ("lbm", 0.02), ("chorin", 0.006)] {
        assert!(error(method, 32) < most, "{method}: {}", error(method, 32));
    }
    // The two have the same equations in the end, solved in different ways.
    assert!((error("chorin", 32) - error("fdm", 32)).abs() < 1e-4);
    let order = (error("chorin", 16) / error("chorin", 32)).log2();
    assert!((1.8..2.2).contains(&order), "{order}");
}

#[test]
fn checks_of_all_four_methods_pass() {
    let checks = concat!("validate --checks ", env!("CARGO_MANIFEST_DIR"), "/checks.toml");
    let folder = tempfile::tempdir().unwrap();
    let table = own_method(folder.path(), checks);
    assert!(["fdm", "fvm", "lbm", "chorin"].iter().all(|name| table.contains(name)), "{table}");
}

#[test]
fn a_run_that_goes_on_and_one_on_three_ranks_give_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let case =
            "run couette --method chorin --cells 9x14 --set output.picture=false --set run.steady=";
        own_method(folder.path(), &format!("{case}{words}"));
    };
    run("1e-8 --out one");
    run("1e-8 --out three --ranks 3");
    run("1e-2 --out early");
    run("1e-8 --out late --restart early/checkpoint.h5");
    let read = |name: &str| std::fs::read(folder.path().join(name).join("profiles.csv")).unwrap();
    let steps = |name: &str| json(&folder.path().join(name).join("summary.json"))["steps"].clone();
    assert_eq!(read("one"), read("three"));
    assert_eq!((read("one"), steps("one")), (read("late"), steps("late")));
    assert_ne!(read("one"), read("early"));
}
