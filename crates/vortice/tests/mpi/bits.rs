//! The same bits on any number of processes or threads, for every method.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use vortice_gpu::Gpu;

use crate::{ends_with, program, run, state, vortice};

/// Flows between walls, in three dimensions, through periodic ends, and around a step to an
/// outflow.
const FLOWS: [(&str, &str); 5] = [
    ("cavity", "grid.cells=[14,12,1]"),
    // Of `fvm` with coarser grids, which three parts cut between pairs of cells.
    ("cavity", "grid.cells=[64,40,1]"),
    ("cavity-3d", "grid.cells=[8,10,8]"),
    ("taylor-green", "grid.cells=[16,12,1]"),
    ("step-griebel", "grid.cells=[80,8,1]"),
];

/// The files that hold numbers and neither times nor ranks: history and profiles.
fn tables(folder: &Path) -> [String; 2] {
    ["history.csv", "profiles.csv"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap())
}

fn every_flow_is_the_same(method: &str) {
    for (case, cells) in FLOWS {
        let folder = tempfile::tempdir().unwrap();
        let method = format!("run.method={method:?}");
        // Some end before they converge, which is not what is asked here.
        let sets = [cells, &method, "run.max-steps=12"];
        let results = |name: &str, processes: usize, more: &[&str]| {
            let arguments = [&["--quiet", "--threads", "1", "--out", name], more].concat();
            let ran = vortice(folder.path(), processes, &run(case, &sets, &arguments));
            ends_with(&ran, 1);
            let out = folder.path().join(name);
            (state(&out.join("checkpoint.h5"), case, &sets), tables(&out))
        };
        let one = results("one", 1, &[]);
        assert!(!one.0.fields.is_empty());
        // Two processes cut one direction only, which two of the flows show.
        if case.starts_with("cavity") {
            assert!(results("two", 2, &[]) == one, "{case}, {method}, 2 processes");
        }
        assert!(results("three", 3, &[]) == one, "{case}, {method}, 3 processes");
        assert!(results("threads", 1, &["--ranks", "3"]) == one, "{case}, {method}, 3 threads");
    }
}

#[test]
fn finite_differences_do_not_depend_on_the_processes() {
    every_flow_is_the_same("fdm");
}

#[test]
fn finite_volumes_do_not_depend_on_the_processes() {
    every_flow_is_the_same("fvm");
}

#[test]
fn the_lattice_does_not_depend_on_the_processes() {
    every_flow_is_the_same("lbm");
}

#[test]
fn a_run_goes_on_with_other_ranks() {
    for method in ["fdm", "fvm", "lbm"] {
        let folder = tempfile::tempdir().unwrap();
        let method = format!("run.method={method:?}");
        let part = |steps: &str, out: &str, processes: usize, more: &[&str]| {
            let sets = ["grid.cells=[14,12,1]", &method, steps];
            let arguments = [&["--quiet", "--threads", "1", "--out", out], more].concat();
            ends_with(&vortice(folder.path(), processes, &run("cavity", &sets, &arguments)), 1);
            state(&folder.path().join(out).join("checkpoint.h5"), "cavity", &sets)
        };
        let long = part("run.max-steps=16", "long", 1, &[]);
        part("run.max-steps=7", "processes", 3, &[]);
        let rest = ["--restart", "processes/checkpoint.h5", "--ranks", "2"];
        assert!(
            part("run.max-steps=16", "threads", 1, &rest) == long,
            "{method}: 3 processes, 2 threads"
        );
        part("run.max-steps=7", "group", 1, &["--ranks", "1x3x1"]);
        let rest = ["--restart", "group/checkpoint.h5", "--ranks", "2x1x1"];
        assert!(
            part("run.max-steps=16", "again", 2, &rest) == long,
            "{method}: 3 threads, 2 processes"
        );
    }
}

/// Flows with cells for eight processes, and what cuts them across each axis.
const FLOWS_OF_GPUS: [(&str, &str); 3] = [
    ("cavity-3d", "grid.cells=[48,48,48]"),
    ("cavity", "grid.cells=[70,70,1]"),
    ("step-gartling", "grid.cells=[240,16,1]"),
];

/// One at a time has the GPUs.
static GPUS: Mutex<()> = Mutex::new(());

/// As many processes as there are GPUs, and half of them, against one on the processor.
#[allow(clippy::print_stdout)] // tells what was compared
fn every_flow_is_the_same_on_gpus(method: &str) {
    let _one = GPUS.lock().unwrap_or_else(PoisonError::into_inner);
    let gpus = Gpu::count().unwrap_or(0);
    if gpus < 2 {
        println!("there are {gpus} GPUs, and two are needed");
        return;
    }
    let method = format!("run.method={method:?}");
    for (case, cells) in FLOWS_OF_GPUS {
        let folder = tempfile::tempdir().unwrap();
        let result = |out: &str, processes: usize, transport: &str, device: &str| {
            let transport = format!("ranks.transport={transport:?}");
            let sets = [cells, &method, "run.max-steps=40", &transport];
            let arguments = ["--quiet", "--threads", "1", "--device", device, "--out", out];
            let mut command = program(folder.path(), processes);
            command.env_remove("CUDA_VISIBLE_DEVICES");
            let ran = command.args(run(case, &sets, &arguments)).output().unwrap();
            ends_with(&ran, 1);
            state(&folder.path().join(out).join("checkpoint.h5"), case, &sets)
        };
        let one = result("one", 1, "auto", "cpu");
        for processes in [gpus / 2, gpus].into_iter().filter(|&processes| processes > 1) {
            for transport in ["auto", "nccl", "host"] {
                let out = format!("{transport}-{processes}");
                let same = result(&out, processes, transport, "cuda") == one;
                assert!(same, "{case}, {method}, {processes} processes, {transport}");
            }
            println!("{case}, {method}, {processes} processes: auto, nccl and host agree");
        }
    }
}

#[test]
#[ignore = "long suite"]
fn finite_differences_are_the_same_on_gpus() {
    every_flow_is_the_same_on_gpus("fdm");
}

#[test]
#[ignore = "long suite"]
fn finite_volumes_are_the_same_on_gpus() {
    every_flow_is_the_same_on_gpus("fvm");
}

#[test]
#[ignore = "long suite"]
fn the_lattice_is_the_same_on_gpus() {
    every_flow_is_the_same_on_gpus("lbm");
}
