//! How runs end early, and how they go on.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use vortice_core::{Context, State};

use crate::{TINY, ends_with, program, stderr, stdout, summary, tiny, vortice};

/// The complete state in the checkpoint of a run of the tiny cavity.
fn state(folder: &Path, more: &[&str]) -> State {
    let sets: Vec<String> = TINY.iter().chain(more).map(|set| (*set).to_string()).collect();
    let case = vortice::open_case("cavity", &sets).unwrap();
    let path = folder.join("checkpoint.h5");
    vortice_output::read_checkpoint(path, &case, &Context::alone()).unwrap()
}

#[test]
fn a_run_that_stops_and_goes_on_equals_one_long_run() {
    let (euler, other) = ("fdm.time-scheme=euler", "fdm.time-scheme=adams-bashforth");
    for [precision, scheme] in
        [["run.precision=f64", euler], ["run.precision=f32", euler], ["run.precision=f64", other]]
    {
        let folder = tempfile::tempdir().unwrap();
        let run = |limit: &str, out: &str, more: &[&str]| {
            let arguments = [&["--quiet", "--out", out], more].concat();
            let sets = ["run.until=steady", precision, scheme, limit];
            ends_with(&vortice(folder.path(), &tiny(&sets, &arguments)), 1);
        };
        run("run.max-steps=30", "long", &[]);
        run("run.max-steps=13", "part", &[]);
        run("run.max-steps=30", "rest", &["--restart", "part/checkpoint.h5", "--ranks", "3"]);
        let long = state(&folder.path().join("long"), &[precision, scheme]);
        assert_eq!(long.fields.contains_key("rate-x"), scheme == other);
        assert_eq!(state(&folder.path().join("rest"), &[precision, scheme]), long);
        assert_eq!(summary(&folder.path().join("rest"))["steps"], 30);
    }
}

#[test]
fn a_run_goes_on_beside_the_first_part_or_where_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = |limit: &str, more: &[&str]| {
        let sets = ["run.until=steady", limit];
        ends_with(&vortice(folder.path(), &tiny(&sets, more)), 1);
    };
    let steps = |results: &str| summary(&folder.path().join(results))["steps"].clone();
    let restart = ["--quiet", "--restart", "out/cavity/checkpoint.h5"];
    run("run.max-steps=5", &["--quiet"]);
    run("run.max-steps=9", &restart);
    assert_eq!((steps("out/cavity"), steps("out/cavity-from-5")), (5.into(), 9.into()));
    run("run.max-steps=9", &[&restart[..], &["--out", "out/cavity"]].concat());
    assert_eq!(steps("out/cavity"), 9);
}

#[test]
fn a_run_goes_on_with_another_case_only_if_that_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    ends_with(&vortice(folder.path(), &tiny(&[], &["--quiet"])), 0);
    let sets = ["fluid.viscosity=0.02", "boundary.x-low=symmetry", "run.until=0.2"];
    let restart = ["--restart", "out/cavity/checkpoint.h5", "--out", "next"];
    let refused = vortice(folder.path(), &tiny(&sets, &restart));
    ends_with(&refused, 2);
    let said = stderr(&refused);
    for part in
        ["is 0.02", "has 0.01", "boundary.x-low is \"symmetry\", \"wall\" in the checkpoint"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("until") && !folder.path().join("next").exists(), "{said}");
    // A key that the checkpoint does not have is to be left out.
    let refused = vortice(folder.path(), &tiny(&["fdm.gamma=0.25"], &restart));
    ends_with(&refused, 2);
    let said = stderr(&refused);
    assert!(said.contains("restart without fdm.gamma, or with --restart-changed"), "{said}");
    let meant =
        vortice(folder.path(), &tiny(&sets, &[&restart[..], &["--restart-changed"]].concat()));
    ends_with(&meant, 0);
    let said = stderr(&meant);
    assert!(said.contains("warning: fluid.viscosity is 0.02, 0.01 in the checkpoint"), "{said}");
    // A default that is written out is the same case, and so is another order of work.
    let sets = ["fdm.gamma=0.0", "fdm.kernel=plain", "run.until=0.2"];
    let restart = ["--restart", "out/cavity/checkpoint.h5", "--out", "same"];
    ends_with(&vortice(folder.path(), &tiny(&sets, &restart)), 0);
    // From the state of the new case it goes on as from any other.
    let sets = ["fluid.viscosity=0.02", "boundary.x-low=symmetry", "run.until=0.3"];
    let restart = ["--restart", "next/checkpoint.h5", "--ranks", "2"];
    ends_with(&vortice(folder.path(), &tiny(&sets, &restart)), 0);
}

#[test]
fn a_second_run_replaces_all_files_of_the_first_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out/cavity");
    let first = vortice(folder.path(), &tiny(&["output.picture=true"], &[]));
    ends_with(&first, 0);
    assert!(!stderr(&first).contains("replaces"), "{}", stderr(&first));
    let checkpoint = std::fs::read(out.join("checkpoint.h5")).unwrap();
    // One that fails after it has begun leaves nothing of the first run beside its own files.
    let second = vortice(folder.path(), &tiny(&["fdm.dt=0.5", "run.until=1e9"], &[]));
    ends_with(&second, 1);
    let said = stderr(&second);
    for part in ["replaces in out/cavity", "(Lid-driven cavity", "by fdm", "checkpoint-earlier.h5"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!out.join("picture.png").exists() && !out.join("profiles.csv").exists());
    assert_eq!(summary(&out)["converged"], false);
    assert!(std::fs::read(out.join("checkpoint-earlier.h5")).unwrap() == checkpoint);
    // One that goes on in the same folder goes on with what is there.
    std::fs::write(out.join("checkpoint.h5"), &checkpoint).unwrap();
    std::fs::remove_file(out.join("checkpoint-earlier.h5")).unwrap();
    let restart = ["--restart", "out/cavity/checkpoint.h5", "--out", "out/cavity"];
    let third = vortice(folder.path(), &tiny(&["run.until=0.2"], &restart));
    ends_with(&third, 0);
    assert!(stderr(&third).contains("goes on with the files"), "{}", stderr(&third));
    assert!(!out.join("checkpoint-earlier.h5").exists());
}

#[test]
fn the_checkpoint_before_the_last_is_kept_and_named_if_the_last_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out/cavity");
    ends_with(&vortice(folder.path(), &tiny(&["output.checkpoint-steps=1"], &[])), 0);
    let whole = std::fs::read(out.join("checkpoint.h5")).unwrap();
    std::fs::write(out.join("checkpoint.h5"), &whole[..whole.len() / 2]).unwrap();
    let go_on = |from: &'static str| tiny(&["run.until=0.2"], &["--restart", from, "--out", "on"]);
    let refused = vortice(folder.path(), &go_on("out/cavity/checkpoint.h5"));
    ends_with(&refused, 3);
    assert!(stderr(&refused).contains("out/cavity/checkpoint-older.h5"), "{}", stderr(&refused));
    ends_with(&vortice(folder.path(), &go_on("out/cavity/checkpoint-older.h5")), 0);
    // A run that wants none writes none, and the next one leaves nothing of what was there.
    let without = ["output.checkpoint=\"none\""];
    ends_with(&vortice(folder.path(), &tiny(&without, &["--out", "out/cavity"])), 0);
    assert!(!out.join("checkpoint.h5").exists() && !out.join("checkpoint-older.h5").exists());
}

#[test]
fn a_run_that_is_not_converged_says_which_key_to_raise() {
    let folder = tempfile::tempdir().unwrap();
    let run = vortice(folder.path(), &tiny(&["run.until=steady", "run.max-steps=3"], &["--quiet"]));
    ends_with(&run, 1);
    assert!(stderr(&run).contains("raise `run.max-steps`"), "{}", stderr(&run));
    let summary = summary(&folder.path().join("out/cavity"));
    assert_eq!((&summary["converged"], &summary["steps"]), (&false.into(), &3.into()));
    assert_eq!(summary["reason"], "stopped by run.max-steps = 3 (iteration error not known)");

    let steady = ["run.until=steady", "run.steady=1e-3"];
    let run = vortice(folder.path(), &tiny(&steady, &["--quiet", "--out", "steady"]));
    ends_with(&run, 0);
    assert!(stdout(&run).contains("steady (iteration error"), "{}", stdout(&run));
    let summary = super::summary(&folder.path().join("steady"));
    let error = summary["iteration_error"].as_f64().unwrap();
    assert!(error > 1e-4 && error < 1e-3, "{error}");
}

#[test]
fn a_run_that_diverges_names_the_cell_and_keeps_the_last_good_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["fdm.dt=0.5", "run.until=1e9", "output.checkpoint-steps=1"];
    for ranks in ["1", "2"] {
        let run = vortice(folder.path(), &tiny(&sets, &["--quiet", "--ranks", ranks]));
        ends_with(&run, 1);
        for word in ["diverged at step", "in cell [", "fdm.dt = \"auto\"", "grid.cells"] {
            assert!(stderr(&run).contains(word), "{word}: {}", stderr(&run));
        }
        let out = folder.path().join("out/cavity");
        let summary = summary(&out);
        assert_eq!(summary["converged"], false);
        assert!(summary["reason"].as_str().unwrap().starts_with("diverged"));
        let last = state(&out, &sets).numbers["step"] as u64;
        assert_eq!(last + 1, summary["steps"].as_u64().unwrap());
    }
}

/// A run that would take for ever, once it has begun to write.
fn endless(folder: &Path, ranks: &str) -> Child {
    endless_with(folder, ranks, "--default-signal=HUP")
}

/// The same; `hangup` tells `env` what it does with SIGHUP, whatever the tests were started with.
fn endless_with(folder: &Path, ranks: &str, hangup: &str) -> Child {
    let sets = ["run.until=1e9", "grid.cells=[48,48,1]", "output.picture=true"];
    let plain = program(folder);
    let mut command = Command::new("env");
    command.current_dir(folder).arg(hangup).args(["NO_COLOR=1", "CUDA_VISIBLE_DEVICES="]);
    let child = command
        .arg(plain.get_program())
        .args(tiny(&sets, &["--ranks", ranks]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !folder.join("out/cavity/history.csv").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    child
}

#[test]
fn a_signal_ends_the_run_with_all_its_files() {
    let all = [
        ("INT", 130, "1", 1),
        ("TERM", 143, "1", 1),
        ("INT", 130, "3", 1),
        ("INT", 130, "1", 2),
        ("HUP", 129, "1", 1),
        ("USR2", 140, "1", 1),
        ("XCPU", 152, "1", 1),
    ];
    for (signal, code, ranks, times) in all {
        let folder = tempfile::tempdir().unwrap();
        let child = endless(folder.path(), ranks);
        let number = child.id().to_string();
        for _ in 0..times {
            let sent = Command::new("kill").args(["-s", signal, &number]).status();
            assert!(sent.unwrap().success());
        }
        let ended = child.wait_with_output().unwrap();
        ends_with(&ended, code);
        assert!(stderr(&ended).contains("--restart out/cavity/checkpoint.h5"));
        assert!(stdout(&ended).contains("interrupted at t ="), "{}", stdout(&ended));
        let out = folder.path().join("out/cavity");
        for name in ["fields.vtkhdf", "profiles.csv", "picture.png", "history.csv"] {
            assert!(out.join(name).exists(), "{name}");
        }
        let summary = summary(&out);
        assert_eq!(
            (&summary["converged"], &summary["reason"]),
            (&false.into(), &"interrupted".into())
        );
        let steps = summary["steps"].as_u64().unwrap();
        assert!(steps > 0);
        assert_eq!(state(&out, &["grid.cells=[48,48,1]"]).numbers["step"] as u64, steps);
    }
}

/// Before the first step of a steady flow on a fine grid there are long ones on coarser grids.
#[test]
fn a_signal_ends_a_run_that_is_still_on_coarser_grids() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(folder.path());
    command.args([
        "run",
        "cavity",
        "--method",
        "fvm",
        "--quiet",
        "--cells",
        "512x512",
        "--out",
        "out",
        "--set",
        "fvm.multigrid=false",
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !folder.path().join("out/history.csv").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    ends_with(&ended, 130);
    let out = folder.path().join("out");
    let summary = summary(&out);
    assert_eq!((&summary["steps"], &summary["reason"]), (&0.into(), &"interrupted".into()));
    assert!(stderr(&ended).contains("interrupted before its first step; run it again"));
    assert!(!out.join("checkpoint.h5").exists(), "there is nothing to go on from");
}

#[test]
fn a_run_ends_with_all_its_files_before_its_time_is_up() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["run.until=1e9", "output.fields-steps=100"];
    let begin = Instant::now();
    let limited = [&sets[..], &["run.wall-limit=4.0"]].concat();
    let ended = vortice(folder.path(), &tiny(&limited, &["--out", "out", "--ranks", "2"]));
    let seconds = begin.elapsed().as_secs_f64();
    ends_with(&ended, 1);
    assert!(stderr(&ended).contains("--restart out/checkpoint.h5"), "{}", stderr(&ended));
    let limited = summary(&folder.path().join("out"));
    assert_eq!(limited["reason"], "stopped by run.wall-limit");
    let seconds_of = |key: &str| limited["seconds"][key].as_f64().unwrap();
    assert!((0.0..seconds_of("steps")).contains(&seconds_of("messages")), "{limited}");
    assert!(seconds_of("messages") > 0.0, "two ranks speak in each step");
    assert!((2.0..6.0).contains(&seconds), "{seconds}");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut batch = program(folder.path());
    batch.args(tiny(&[&sets[..], &["run.wall-limit=auto"]].concat(), &["--out", "batch"]));
    let batch = batch.env("SLURM_JOB_END_TIME", (now.as_secs() + 3).to_string()).output().unwrap();
    ends_with(&batch, 1);
    assert_eq!(summary(&folder.path().join("batch"))["reason"], "stopped by run.wall-limit");
    let refused = vortice(folder.path(), &tiny(&["run.wall-limit=0"], &[]));
    ends_with(&refused, 2);
    assert!(stderr(&refused).contains("run.wall-limit"), "{}", stderr(&refused));
}

#[test]
fn a_run_that_was_started_to_outlive_its_terminal_does() {
    let folder = tempfile::tempdir().unwrap();
    let child = endless_with(folder.path(), "1", "--ignore-signal=HUP");
    let number = child.id().to_string();
    for signal in ["HUP", "TERM"] {
        let sent = Command::new("kill").args(["-s", signal, &number]).status();
        assert!(sent.unwrap().success());
        std::thread::sleep(Duration::from_millis(600));
    }
    ends_with(&child.wait_with_output().unwrap(), 143);
}
