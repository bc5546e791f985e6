//! Which device computes. All but the last of these tests see no GPU, on any machine.

use std::path::Path;
use std::process::Command;

use crate::{ends_with, stderr, stdout, summary, tiny, vortice};

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn what_is_missing_is_an_answer_and_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["devices"][..], &["devices", "--quick"]] {
        let devices = vortice(folder.path(), arguments);
        ends_with(&devices, 0);
        let said = stdout(&devices);
        for word in ["cpu ", "driver ", "NVRTC ", "GPU     none: ", "`--device auto` takes cpu"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert_eq!(stderr(&devices), "");
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn a_gpu_that_is_not_there_is_told_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&["--device", "cuda"][..], &["--device", "cuda:7"], &["--set", "run.device=cuda"]]
    {
        for ranks in ["1", "3"] {
            let run = vortice(folder.path(), &tiny(&[], &[more, &["--ranks", ranks]].concat()));
            ends_with(&run, 3);
            let said = stderr(&run);
            assert!(said.starts_with("error: device: "), "{said}");
            assert!(said.contains("CUDA") && said.contains("--device cpu"), "{said}");
            assert_eq!(stdout(&run), "");
            assert!(is_empty(folder.path()));
        }
    }
}

#[test]
fn auto_runs_on_the_processor_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["--device", "auto", "--threads", "1"][..], "cells) on the processor, 1 thread\n"),
        (&["--ranks", "3", "--threads", "2"], "on the processor, 3 ranks with 2 threads each\n"),
        (&["--set", "gpu.fused-multiply-add=true", "--threads", "1"], "on the processor, 1 thread"),
    ] {
        let run = vortice(folder.path(), &tiny(&[], arguments));
        ends_with(&run, 0);
        assert!(stderr(&run).contains(words), "{}", stderr(&run));
        let summary = summary(&folder.path().join("out/cavity"));
        assert_eq!((&summary["device"], &summary["gpu"]), (&"cpu".into(), &().into()));
    }
}

#[test]
fn a_kernel_for_another_device_is_told_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    for device in ["cpu", "auto"] {
        for kernel in ["fdm.kernel=tiled", "fdm.kernel=resident"] {
            let run = vortice(folder.path(), &tiny(&[kernel], &["--device", device]));
            ends_with(&run, 2);
            let said = stderr(&run);
            assert!(said.contains("fdm.kernel: ") && said.contains("for a GPU only"), "{said}");
            assert!(said.contains("fdm.kernel = \"auto\""), "{said}");
            assert!(is_empty(folder.path()));
        }
    }
    let run = vortice(folder.path(), &tiny(&["fdm.kernel=fused"], &["--device", "cpu"]));
    ends_with(&run, 0);
}

#[test]
fn check_tells_the_device_and_why_it_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let device = |set: &str| {
        let check = vortice(folder.path(), &["check", "cavity", "--set", set]);
        ends_with(&check, 0);
        let line =
            stdout(&check).lines().find(|line| line.starts_with("device ")).map(String::from);
        line.expect("a line about the device")
    };
    assert!(device("run.device=auto").contains("the processor, "));
    let missing = device("run.device=cuda");
    assert!(missing.contains("cannot be used: ") && missing.contains("--device cpu"), "{missing}");
}

#[test]
fn check_tells_how_ranks_would_share_the_grid() {
    let folder = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str]| {
        let all = [&["check", "cavity-3d", "--method", "lbm"], arguments].concat();
        let check = vortice(folder.path(), &all);
        ends_with(&check, 0);
        stdout(&check)
    };
    let said = check(&["--ranks", "8", "--device", "cuda"]);
    for part in [
        "ranks                      8 as ",
        "cells per rank             32768\n",
        "sent per rank and step ",
        "efficiency ",
        "350 GB/s and 5 us",
        "warning: 8 ranks hardly pay: ",
        " *",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let one = check(&[]);
    assert!(!one.contains("predicted") && !one.contains("ranks "), "{one}");
    // What a measurement would find is foreseen.
    let both = check(&["--ranks", "2", "--device", "cuda:0,cpu"]);
    assert!(both.contains("cells per rank             8192 to 253952\n"), "{both}");
}

#[test]
fn where_there_is_a_gpu_the_program_finds_it_and_computes_the_same() {
    let found = vortice_gpu::survey();
    let usable = found.gpus.is_ok_and(|gpus| gpus.first().is_some_and(|first| first.gpu.is_ok()));
    if !usable {
        println!("skipped: there is no GPU here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |out: &str, device: &str| {
        let arguments = tiny(&[], &["--out", out, "--device", device]);
        let program = env!("CARGO_BIN_EXE_vortice");
        let run =
            Command::new(program).current_dir(folder.path()).args(arguments).output().unwrap();
        ends_with(&run, 0);
        let profiles = std::fs::read(folder.path().join(out).join("profiles.csv")).unwrap();
        (stderr(&run), summary(&folder.path().join(out)), profiles)
    };
    let (_, on_cpu, expected) = run("cpu", "cpu");
    for device in ["cuda", "auto"] {
        let (said, on_gpu, profiles) = run(device, device);
        assert_eq!((&on_cpu["device"], &on_gpu["device"]), (&"cpu".into(), &"cuda".into()));
        let name = on_gpu["gpu"].as_str().expect("the name of the GPU");
        assert!(said.contains(&format!("cells) on {name}\n")), "{said}");
        assert_eq!(on_cpu["iterations"], on_gpu["iterations"]);
        assert!(profiles == expected, "{device}: other profiles than on the processor");
    }
}
