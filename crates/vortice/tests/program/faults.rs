//! What disks refuse: every write that fails is told, and never is a wrong checkpoint sealed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use vortice_output::Stored;

use crate::{ends_with, program, stderr, tiny, vortice};

const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// How long a disk refuses.
#[derive(Clone, Copy, PartialEq)]
enum Refuses {
    Once,
    Ever,
}

/// A library to be loaded before all others, whose source stands in `faults/`.
pub(crate) fn preloaded(folder: &Path, name: &str) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/faults");
    let library = folder.join(name).with_extension("so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library);
    compiler.arg(sources.join(name).with_extension("c")).arg("-ldl");
    assert!(compiler.status().expect("a C compiler, which building needs as well").success());
    library
}

/// A disk that refuses a call, or all from it on.
struct Disk {
    shim: PathBuf,
    mark: PathBuf,
}

impl Disk {
    fn new(folder: &Path) -> Self {
        Self { shim: preloaded(folder, "disk"), mark: folder.join("refused") }
    }

    /// Runs the program while the call of this number fails that writes to a file with such a path;
    /// nothing if there are not so many.
    fn run(
        &self,
        folder: &Path,
        arguments: &[&str],
        part: &str,
        nth: u64,
        (errno, how): (i32, Refuses),
    ) -> Option<Output> {
        let _ = std::fs::remove_file(&self.mark);
        let mut program = program(folder);
        if how == Refuses::Ever {
            program.env("FAIL_EVER", "1");
        }
        let ended = program
            .args(arguments)
            .env("LD_PRELOAD", &self.shim)
            .env("FAIL_PATH", part)
            .env("FAIL_CALL", nth.to_string())
            .env("FAIL_ERRNO", errno.to_string())
            .env("FAIL_MARK", &self.mark)
            .output()
            .unwrap();
        if self.mark.exists() { Some(ended) } else { None }
    }
}

/// Goes on from a good checkpoint, in the same folder, while each call that writes the next one fails.
fn every_refusal_is_told(method: &str, errno: i32, how: Refuses) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let method = ["--quiet", "--method", method];
    let sets = ["grid.cells=[8,8,1]", "run.until=0.05"];
    ends_with(
        &vortice(folder.path(), &tiny(&sets, &[&method[..], &["--out", "good"]].concat())),
        0,
    );
    let good = std::fs::read(at("good/checkpoint.h5")).unwrap();
    let sets = ["grid.cells=[8,8,1]", "run.until=0.06"];
    let on = |out| [&method[..], &["--restart", "good/checkpoint.h5", "--out", out]].concat();
    ends_with(&vortice(folder.path(), &tiny(&sets, &on("straight"))), 0);
    let straight = Stored::read(at("straight/checkpoint.h5")).unwrap();

    let (disk, restart) = (Disk::new(folder.path()), on("good"));
    let mut told = 0;
    for nth in 1.. {
        std::fs::write(at("good/checkpoint.h5"), &good).unwrap();
        let arguments = tiny(&sets, &restart);
        let ended = disk.run(folder.path(), &arguments, "/good/checkpoint", nth, (errno, how));
        let Some(ended) = ended else { break };
        if ended.status.success() {
            // A refusal that did no harm need not be told.
            assert_eq!(Stored::read(at("good/checkpoint.h5")).unwrap(), straight, "call {nth}");
            continue;
        }
        ends_with(&ended, 3);
        let said = stderr(&ended);
        assert!(said.contains("checkpoint.h5: cannot be written"), "call {nth}: {said}");
        assert!(std::fs::read(at("good/checkpoint.h5")).unwrap() == good, "call {nth}: {said}");
        assert!(!at("good/checkpoint.h5.tmp").exists(), "call {nth}");
        assert!(!at("good/.vortice-lock").exists(), "call {nth}");
        told += 1;
    }
    assert!(told > 20, "{told}");
}

#[test]
fn a_disk_that_fails_is_told_and_the_last_checkpoint_of_fdm_stays() {
    every_refusal_is_told("fdm", EIO, Refuses::Once);
}

#[test]
fn a_disk_that_fails_is_told_and_the_last_checkpoint_of_fvm_stays() {
    every_refusal_is_told("fvm", EIO, Refuses::Once);
}

#[test]
fn a_disk_that_is_full_is_told_and_the_last_checkpoint_of_lbm_stays() {
    every_refusal_is_told("lbm", ENOSPC, Refuses::Once);
}

#[test]
fn a_disk_that_takes_nothing_any_more_is_told_and_the_last_checkpoint_stays() {
    every_refusal_is_told("fdm", EIO, Refuses::Ever);
}

#[test]
#[ignore = "long suite"]
fn every_file_of_a_run_is_written_or_the_refusal_is_told() {
    for errno in [EIO, ENOSPC] {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::new(folder.path());
        let sets = ["grid.cells=[8,8,1]", "run.until=0.05", "output.picture=true"];
        let arguments = tiny(&sets, &["--quiet"]);
        ends_with(&vortice(folder.path(), &[&arguments[..], &["--out", "whole"]].concat()), 0);
        let mut told = 0;
        for nth in 1.. {
            let Some(ended) =
                disk.run(folder.path(), &arguments, "/out/", nth, (errno, Refuses::Once))
            else {
                break;
            };
            if ended.status.success() {
                for name in
                    ["history.csv", "profiles.csv", "energy.csv", "picture.png", "fields.vtkhdf"]
                {
                    let read =
                        |from: &str| std::fs::read(folder.path().join(from).join(name)).unwrap();
                    assert!(read("out/cavity") == read("whole"), "call {nth}: {name}");
                }
                continue;
            }
            ends_with(&ended, 3);
            assert!(stderr(&ended).contains("error: "), "call {nth}: {}", stderr(&ended));
            told += 1;
        }
        println!("{told} refusals told");
        assert!(told > 60, "{told}");
    }
}
