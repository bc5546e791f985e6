//! The program of this crate, run as a user runs it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs the program in a folder; returns what it printed.
fn own_method(folder: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-method"));
    command.current_dir(folder).env("CUDA_VISIBLE_DEVICES", "").args(words.split(' '));
    let output = command.output().expect("the program starts");
    let [out, remarks] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{words}\n{out}\n{remarks}");
    out
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it was written")).expect("JSON")
}
