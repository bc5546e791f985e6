//! The memory that a run takes, beside what was foreseen.

use std::process::Stdio;
use std::time::Duration;

use crate::{program, stdout, vortice};

/// What a run may take, as a share of what is foreseen: no more than a tenth above it, and not so little that it tells nothing. How much of
/// it is taken at once depends on when threads meet.
const TAKEN: std::ops::Range<f64> = 0.8..1.1;

/// Bytes that `check` foresees.
fn foreseen(said: &str) -> f64 {
    let line = said.lines().find(|line| line.starts_with("memory ")).expect("a line");
    let words: Vec<&str> = line.split_whitespace().collect();
    let unit = match words[2] {
        "MB" => 1e6,
        "GB" => 1e9,
        other => panic!("{other}: {said}"),
    };
    words[1].parse::<f64>().expect("a number") * unit
}

/// The most memory in bytes that a process had.
fn most(id: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

#[test]
fn runs_take_the_memory_that_was_foreseen() {
    println!("{}", expect_foreseen([("lbm", "2"), ("fdm", "1")]));
}

#[test]
#[ignore = "long suite"]
fn runs_on_other_numbers_of_ranks_take_the_memory_that_was_foreseen() {
    println!("{}", expect_foreseen([("lbm", "1"), ("fdm", "2")]));
}

/// Of methods on so many ranks; tells what was taken.
fn expect_foreseen(runs: [(&str, &str); 2]) -> String {
    let mut lines = String::new();
    for (method, ranks) in runs {
        let cells = "128x128x128";
        let mut all = vec!["cavity-3d", "--method", method, "--cells", cells, "--ranks", ranks];
        all.extend(["--device", "cpu", "--set", "run.until=1e9", "--set", "run.max-steps=1"]);
        all.extend(["--set", "references=[]", "--set", "run.precision=\"f64\""]);
        let folder = tempfile::tempdir().expect("a folder");
        let check = [&["check"], &all[..]].concat();
        let expected = foreseen(&stdout(&vortice(folder.path(), &check)));
        let mut run = program(folder.path());
        // Large pages, which ./test asks for, are counted whole.
        run.env_remove("GLIBC_TUNABLES");
        run.arg("run").args(&all).args(["--quiet", "--out", "out"]).stdout(Stdio::null());
        let mut run = run.stderr(Stdio::null()).spawn().expect("the program starts");
        let mut taken = 0.0;
        while run.try_wait().expect("it can be waited for").is_none() {
            taken = most(run.id()).unwrap_or(taken);
            std::thread::sleep(Duration::from_millis(5));
        }
        let told = format!("{method} on {ranks} ranks: {taken:.3e} bytes of {expected:.3e}");
        lines += &format!("{told}, {:.3}\n", taken / expected);
        assert!(TAKEN.contains(&(taken / expected)), "{told}");
    }
    lines
}
