//! Runs that go on where an earlier part of them was written, and folders that have one writer.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vortice_output::FolderLock;

use crate::{ends_with, program, stderr, tiny, vortice};

const SETS: [&str; 6] = [
    "run.until=steady",
    "output.fields-steps=4",
    "output.checkpoint-steps=7",
    "output.history=2",
    "output.planes={ middle = { at = \"y = 0.5\", fields-steps = 2 } }",
    "references=[]",
];

/// A run of the tiny cavity up to a step, with some fields.
fn run(folder: &Path, method: &str, steps: u32, more: &[&str]) {
    let limit = format!("run.max-steps={steps}");
    let sets = [&SETS[..], &[&limit]].concat();
    let arguments = [&["--quiet", "--method", method, "--out", "out"], more].concat();
    ends_with(&vortice(folder, &tiny(&sets, &arguments)), 1);
}

/// The times of a companion of fields, as it writes them.
fn times(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let times = text.lines().filter(|line| line.contains("<Time"));
    times.map(|line| line.trim().to_string()).collect()
}

#[test]
fn a_run_that_goes_on_in_its_folder_has_the_files_of_one_that_did_not_end() {
    for (method, ranks) in [("fdm", "1"), ("lbm", "2"), ("fvm", "1")] {
        let [long, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        run(long.path(), method, 20, &[]);
        // The second part begins before the first has ended, which leaves steps 8 to 11 to be made again, from between two lines and fields.
        run(parts.path(), method, 11, &[]);
        let at = |name: &str| parts.path().join("out").join(name);
        let history = std::fs::read_to_string(at("history.csv")).unwrap();
        std::fs::write(at("history.csv"), format!("{history}13,0.")).unwrap();
        run(parts.path(), method, 20, &["--restart", "out/checkpoint-older.h5", "--ranks", ranks]);
        let read = |folder: &Path, name: &str| {
            std::fs::read_to_string(folder.join("out").join(name)).unwrap()
        };
        for name in ["history.csv", "energy.csv"] {
            assert_eq!(read(parts.path(), name), read(long.path(), name), "{method}: {name}");
        }
        for (name, count) in [("fields.xmf", 6), ("fields-middle.xmf", 11)] {
            let [one, other] =
                [long.path(), parts.path()].map(|folder| times(&folder.join("out").join(name)));
            assert_eq!((one.len(), &one), (count, &other), "{method}: {name}");
        }
    }
}

#[test]
fn fields_of_another_kind_are_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "fdm", 8, &[]);
    let more = ["--restart", "out/checkpoint.h5", "--set", "output.precision=\"f32\""];
    run(folder.path(), "fdm", 12, &more);
    let path = folder.path().join("out/fields.xmf");
    assert_eq!(times(&path).len(), 2, "the steps 8 and 12 alone");
    let lines = std::fs::read_to_string(folder.path().join("out/history.csv")).unwrap();
    assert!(lines.contains("\n0,") && lines.contains("\n12,"), "{lines}");
}

#[test]
fn a_second_run_is_told_who_writes_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let lock = FolderLock::take(&folder.path().join("out")).unwrap();
    let arguments = tiny(&[], &["--quiet", "--out", "out"]);
    let refused = vortice(folder.path(), &arguments);
    ends_with(&refused, 3);
    let writer = format!("process {}", std::process::id());
    assert!(stderr(&refused).contains(&writer), "{}", stderr(&refused));
    drop(lock);
    ends_with(&vortice(folder.path(), &arguments), 0);
    assert!(!folder.path().join("out/.vortice-lock").exists());

    let study = ["compare", "cavity-re100", "--grids", "8", "--methods", "fdm", "--out", "study"];
    std::fs::create_dir_all(folder.path().join("study/runs")).unwrap();
    let _lock = FolderLock::take(&folder.path().join("study/runs")).unwrap();
    let refused = vortice(folder.path(), &study);
    ends_with(&refused, 3);
    assert!(stderr(&refused).contains(&writer), "{}", stderr(&refused));
}

#[test]
fn the_lock_of_a_run_that_was_killed_hinders_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let endless = tiny(&["run.until=1e9"], &["--quiet", "--out", "out"]);
    let mut child = program(folder.path()).args(&endless).spawn().unwrap();
    while !folder.path().join("out/history.csv").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let refused = vortice(folder.path(), &endless);
    ends_with(&refused, 3);
    assert!(stderr(&refused).contains(&format!("process {}", child.id())), "{}", stderr(&refused));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(folder.path().join("out/.vortice-lock").exists(), "nothing was cleared");
    ends_with(&vortice(folder.path(), &tiny(&[], &["--quiet", "--out", "out"])), 0);
}

#[test]
fn links_in_place_of_new_files_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("out")).unwrap();
    std::fs::write(at("precious"), "precious").unwrap();
    for name in ["fields.vtkhdf", "fields.xmf", "history.csv", "energy.csv", "checkpoint.h5"] {
        std::os::unix::fs::symlink(at("precious"), at(&format!("out/{name}.tmp"))).unwrap();
    }
    ends_with(&vortice(folder.path(), &tiny(&[], &["--quiet", "--out", "out"])), 0);
    assert_eq!(std::fs::read_to_string(at("precious")).unwrap(), "precious");
}

#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        Command::new("mkfifo").arg(folder.path().join("pipe.toml")).status().unwrap().success()
    );
    for case in ["pipe.toml", "/dev/zero"] {
        let refused = vortice(folder.path(), &["check", case]);
        ends_with(&refused, 3);
        assert!(stderr(&refused).contains("pipe or a device"), "{}", stderr(&refused));
        let refused = vortice(folder.path(), &tiny(&[], &["--quiet", "--restart", case]));
        ends_with(&refused, 3);
        assert!(stderr(&refused).contains("pipe or a device"), "{}", stderr(&refused));
    }
}
