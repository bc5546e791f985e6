//! Titles that are more than words, and systems that give no threads.

use std::process::Command;

use crate::{ends_with, program, stderr, stdout, tiny, vortice};

const TITLE: &str = "title=\"\\u001b[31mred <script>alert(1)</script> a|b\\u0007\"";

#[test]
fn titles_command_no_terminal_and_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let cavity =
        vortice::built_in_cases().iter().find(|(name, _)| *name == "cavity-re100").unwrap();
    std::fs::write(folder.path().join("=1+2.toml"), cavity.1).unwrap();
    let study = ["compare", "=1+2.toml", "--grids", "8", "--methods", "fdm", "--out", "study"];
    let sets = ["--set", TITLE, "--set", "run.steady=1e-2"];
    let compared = vortice(folder.path(), &[&study[..], &sets].concat());
    ends_with(&compared, 0);
    let ran = vortice(folder.path(), &tiny(&[TITLE, "references=[]"], &[]));
    ends_with(&ran, 0);
    let checked = vortice(folder.path(), &["check", "cavity", "--set", TITLE]);
    ends_with(&checked, 0);
    for said in [&compared, &ran, &checked].map(|output| stdout(output) + &stderr(output)) {
        assert!(!said.contains(['\u{1b}', '\u{7}']), "{said:?}");
        assert!(said.contains("\\u{1b}[31mred <script>"), "{said}");
    }
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join("study").join(name)).unwrap();
    let text = read("results.md");
    assert!(text.contains("red &lt;script&gt;alert(1)") && !text.contains("<script"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let table = read("results.csv");
    assert!(table.contains("\n'=1+2,fdm,"), "{table}");
}

/// The program as a user who may have so many threads; nothing where that cannot be arranged.
#[cfg(target_os = "linux")]
fn with_few_threads(
    folder: &std::path::Path,
    most: u32,
    arguments: &[&str],
) -> Option<std::process::Output> {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    /// A user that has no other processes, so that no other threads count.
    const USER: u32 = 54_321;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let plain = program(folder);
    let limited = |script: &str, arguments: &[&str]| {
        let mut shell = Command::new("bash");
        shell.current_dir(folder).envs([("NO_COLOR", "1"), ("CUDA_VISIBLE_DEVICES", "")]);
        shell.args(["-c", script, "bash"]).arg(plain.get_program()).args(arguments);
        shell.uid(USER).gid(USER).output().ok()
    };
    // Only root may become another user, who must be able to reach the program.
    if !limited("exec \"$1\" --version", &[])?.status.success() {
        return None;
    }
    limited(&format!("ulimit -u {most} && exec \"$@\""), arguments)
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (most, more, words) in [
        (20, &["--ranks", "64", "--threads", "1"][..], "of 64 ranks can be started"),
        (20, &["--ranks", "1", "--threads", "64"], "64 threads cannot be started"),
        (20, &["--ranks", "4", "--threads", "1000"], "threads"),
        (1, &["--ranks", "1", "--threads", "1"], "signals"),
    ] {
        for method in ["fdm", "fvm", "lbm"] {
            let sets = ["run.max-steps=3"];
            let arguments = tiny(&sets, &[&["--quiet", "--method", method], more].concat());
            let Some(ended) = with_few_threads(folder.path(), most, &arguments) else {
                println!("skipped: threads cannot be limited here");
                return;
            };
            ends_with(&ended, 3);
            let said = stderr(&ended);
            assert!(
                said.contains(words) && !said.contains("panicked"),
                "{more:?} {method}: {said}"
            );
            assert!(said.contains("help: "), "{said}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ranks_without_room_for_their_stacks_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for kilobytes in [100_000, 300_000, 600_000] {
        let plain = program(folder.path());
        let mut shell = Command::new("bash");
        shell.current_dir(folder.path()).envs([("NO_COLOR", "1"), ("CUDA_VISIBLE_DEVICES", "")]);
        shell.args(["-c", &format!("ulimit -v {kilobytes} && exec \"$@\""), "bash"]);
        shell.arg(plain.get_program()).args(tiny(&[], &["--ranks", "64", "--threads", "2"]));
        let ended = shell.output().unwrap();
        ends_with(&ended, 3);
        assert!(stderr(&ended).contains("64 ranks with 2 threads"), "{}", stderr(&ended));
    }
}

#[test]
fn memory_that_the_system_does_not_give_is_an_error_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let plain = program(folder.path());
    let mut limited = Command::new("bash");
    limited.current_dir(folder.path()).env("CUDA_VISIBLE_DEVICES", "");
    limited.args(["-c", "ulimit -v 500000 && exec \"$@\"", "bash"]).arg(plain.get_program());
    limited.args(["run", "cavity-3d", "--threads", "1", "--method", "lbm", "--quiet"]);
    let ended = limited.args(["--cells", "160x160x160", "--out", "out"]).output().unwrap();
    ends_with(&ended, 3);
    let said = stderr(&ended);
    for part in ["gives no memory for an array of 6", "fewer cells"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_share_of_the_limit_that_comes_to_no_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = vortice(folder.path(), &tiny(&["fdm.safety=1e-300"], &["--quiet"]));
    ends_with(&refused, 2);
    assert!(stderr(&refused).contains("fdm.safety"), "{}", stderr(&refused));
}

#[test]
fn a_folder_whose_name_is_no_text_is_refused_before_anything_is_made() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let mut run = program(folder.path());
    run.args(tiny(&[], &["--quiet", "--out"])).arg(std::ffi::OsStr::from_bytes(b"b\xff"));
    let refused = run.output().unwrap();
    ends_with(&refused, 3);
    assert!(stderr(&refused).contains("not UTF-8"), "{}", stderr(&refused));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
