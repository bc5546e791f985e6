//! The program, run as a user runs it.

mod bench;
mod bodies;
mod compare;
mod compare_forces;
mod compare_page;
mod course;
mod device;
mod ending;
mod faults;
mod film;
mod finite;
mod goes_on;
mod heat;
mod hostile;
mod how_to;
mod initial;
mod killed;
mod memory;
mod no_memory;
mod odd_bodies;
mod older;
mod pages;
mod probes;
#[cfg(not(feature = "mpi"))]
mod processes;
mod run;
mod statistics;
mod tables;
#[path = "../../../core/tests/turns/mod.rs"]
mod turns;
mod validate;
mod watch;
mod words;
mod wrong;

use std::path::Path;
use std::process::{Command, Output};

/// A cavity so small that it takes no time: 0.1 s of flow on 12 x 12 cells.
const TINY: &[&str] =
    &["grid.cells=[12,12,1]", "fluid.viscosity=0.01", "run.until=0.1", "output.picture=false"];

/// The program in a folder, without colours. It sees no GPU, so that it answers the same on every
/// machine.
fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vortice"));
    command.current_dir(folder).env("NO_COLOR", "1").env("CUDA_VISIBLE_DEVICES", "");
    command
}

/// Runs the program in a folder to its end. Pictures, which take longer than such flows, are drawn where a test asks for them.
fn vortice(folder: &Path, arguments: &[&str]) -> Output {
    let (verb, more) = arguments.split_at(arguments.len().min(1));
    let draws = matches!(verb, ["run" | "compare"]);
    let no_pictures: &[&str] = if draws { &["--set", "output.picture=false"] } else { &[] };
    program(folder).args(verb).args(no_pictures).args(more).output().expect("the program starts")
}

/// `run cavity` on the tiny grid with more settings and arguments.
fn tiny<'a>(sets: &[&'a str], arguments: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["run", "cavity"];
    TINY.iter().chain(sets).for_each(|set| all.extend(["--set", set]));
    all.extend(arguments);
    all
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts an exit code and shows both outputs otherwise.
#[track_caller]
fn ends_with(output: &Output, code: i32) {
    let text = format!("{}\n{}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{text}");
}

fn summary(folder: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join("summary.json")).expect("there is a summary");
    serde_json::from_str(&text).expect("the summary is JSON")
}
