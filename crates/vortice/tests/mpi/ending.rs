//! How runs of several processes end early.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::{DELAY, ends_with, program, run, state, text, vortice};

const ENDLESS: [&str; 3] = ["grid.cells=[24,24,1]", "fluid.viscosity=0.01", "run.until=1e9"];

/// A run without end of three processes that has begun, and their numbers; and a checkpoint if it
/// writes any.
fn endless(folder: &Path, more: &[&str], awaited: &str) -> (Child, Vec<u32>) {
    let sets = [&ENDLESS[..], more].concat();
    let mut command = program(folder, 3);
    command.env_remove(DELAY).args(run("cavity", &sets, &["--quiet", "--out", "out"]));
    let child = command.spawn().unwrap();
    let begin = Instant::now();
    while !folder.join("out").join(awaited).exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let below = descendants(child.id());
    assert_eq!(below.len(), 3, "{below:?}");
    (child, below)
}

/// The processes of the program that another one started, or what it started.
fn descendants(of: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let status = |number: u32| std::fs::read_to_string(format!("/proc/{number}/stat"));
    let all: Vec<(u32, u32, bool)> = numbers
        .filter_map(|number| {
            let status = status(number).ok()?;
            let (name, rest) = status.rsplit_once(") ")?;
            let parent = rest.split(' ').nth(1)?.parse().ok()?;
            Some((number, parent, name.ends_with("(vortice")))
        })
        .collect();
    let mut found = Vec::new();
    let mut parents = vec![of];
    while let Some(parent) = parents.pop() {
        for (number, _, is_ours) in all.iter().filter(|one| one.1 == parent) {
            if *is_ours { found.push(*number) } else { parents.push(*number) }
        }
    }
    found.sort_unstable();
    found
}

fn send(signal: &str, number: u32) {
    assert!(
        Command::new("kill").args(["-s", signal, &number.to_string()]).status().unwrap().success()
    );
}

#[test]
fn a_killed_rank_ends_the_run_and_leaves_its_last_checkpoint() {
    for victim in [0, 2] {
        let folder = tempfile::tempdir().unwrap();
        let (child, processes) =
            endless(folder.path(), &["output.checkpoint-steps=5"], "checkpoint.h5");
        let begin = Instant::now();
        send("KILL", processes[victim]);
        let ended = child.wait_with_output().unwrap();
        let seconds = begin.elapsed().as_secs_f64();
        assert!(seconds < 10.0, "{seconds} s");
        println!("rank {victim} killed: the run ended after {seconds:.1} s");
        assert!(!ended.status.success());
        // The launcher tells it, OpenMPI's on standard error and MPICH's on standard output.
        let said = text(&[ended.stdout, ended.stderr].concat()).to_lowercase();
        assert!(said.contains("killed"), "{said}");
        // The launcher kills what is left and does not wait until the system has taken it away.
        let is_left =
            || processes.iter().any(|process| Path::new(&format!("/proc/{process}/exe")).exists());
        while is_left() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!is_left());
        let checkpoint = folder.path().join("out/checkpoint.h5");
        let step = state(&checkpoint, "cavity", &ENDLESS).numbers["step"];
        assert!(step > 0.0 && step % 5.0 == 0.0, "{step}");
        // And it goes on, on any number of ranks.
        let limit = format!("run.max-steps={}", step + 3.0);
        let sets = [&ENDLESS[..], &[&limit]].concat();
        let arguments =
            ["--quiet", "--restart", "out/checkpoint.h5", "--ranks", "2", "--out", "rest"];
        ends_with(&vortice(folder.path(), 1, &run("cavity", &sets, &arguments)), 1);
    }
}

#[test]
fn a_signal_to_one_rank_ends_all_after_their_step() {
    let folder = tempfile::tempdir().unwrap();
    let (child, processes) = endless(folder.path(), &[], "history.csv");
    send("USR1", processes[1]);
    let ended = child.wait_with_output().unwrap();
    ends_with(&ended, 138);
    assert!(text(&ended.stdout).contains("interrupted at t ="), "{}", text(&ended.stdout));
    assert!(text(&ended.stderr).contains("--restart out/checkpoint.h5"), "{}", text(&ended.stderr));
    assert!(
        state(&folder.path().join("out/checkpoint.h5"), "cavity", &ENDLESS).numbers["step"] > 0.0
    );
}

#[test]
fn a_run_that_diverges_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let sets = [&ENDLESS[..], &["fdm.dt=0.5", "output.checkpoint-steps=1"]].concat();
    let ended = vortice(folder.path(), 3, &run("cavity", &sets, &["--quiet", "--out", "out"]));
    ends_with(&ended, 1);
    let said = text(&ended.stderr);
    assert_eq!(said.matches("error: diverged at step").count(), 1, "{said}");
    assert!(said.contains("in cell [") && said.contains("fdm.dt"), "{said}");
    let summary = std::fs::read_to_string(folder.path().join("out/summary.json")).unwrap();
    assert!(summary.contains("\"reason\": \"diverged at step"), "{summary}");
    assert!(state(&folder.path().join("out/checkpoint.h5"), "cavity", &sets).numbers["step"] > 0.0);
}
