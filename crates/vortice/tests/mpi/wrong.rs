//! What is wrong is told once, not once a process, with the exit code of a run alone.

use crate::{ends_with, program, run, text, vortice};

/// Arguments, exit code, and words of the one message.
type Row = (&'static [&'static str], i32, &'static [&'static str]);

const ROWS: &[Row] = &[
    (
        &["--ranks", "2x2x1"],
        2,
        &["error: --ranks", "4 ranks (2x2x1)", "3 processes", "leave `--ranks` out"],
    ),
    (&["--ranks", "1"], 2, &["error: --ranks", "1 rank", "3 processes"]),
    (&["--ranks", "many"], 2, &["error: ", "'many'"]),
    (&["--set", "grid.cels=[8,8,1]"], 2, &["error: grid.cels", "did you mean `cells`"]),
    (&["--set", "fdm.safty=0.5"], 2, &["error: fdm.safty", "did you mean `safety`"]),
    (&["--set", "grid.cells=[2000000,20000,1]"], 2, &["error: grid.cells", "GB"]),
    (&["--ranks", "1x1x3"], 3, &["error: ranks: ", "[1, 1, 3]"]),
    (&["--device", "cuda"], 3, &["error: device: ", "--device cpu"]),
    (&["--restart", "none.h5"], 3, &["error: on rank 0: none.h5", "--restart"]),
    (&["--out", "/proc/nowhere"], 3, &["error: on rank 0: /proc/nowhere", "--out"]),
];

#[test]
fn what_is_wrong_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, words) in ROWS {
        let arguments = [&["--quiet"], *arguments].concat();
        let ended = vortice(folder.path(), 3, &run("cavity", &[], &arguments));
        ends_with(&ended, *code);
        let said = text(&ended.stderr);
        assert_eq!(said.matches("error: ").count(), 1, "{arguments:?}: {said}");
        words.iter().for_each(|word| assert!(said.contains(word), "{arguments:?}, {word}: {said}"));
        // MPICH itself writes of an exit code to standard output.
        assert!(!text(&ended.stdout).contains("written") && !said.contains("panicked"), "{said}");
        let written = std::fs::read_dir(folder.path().join("out/cavity"));
        assert!(written.map_or(0, Iterator::count) == 0, "{arguments:?} has written something");
    }
    println!("{} wrong commands", ROWS.len());
}

#[test]
fn all_processes_are_told_of_and_one_writes() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["grid.cells=[12,12,1]", "run.until=0.05"];
    let ended =
        vortice(folder.path(), 3, &run("cavity", &sets, &["--ranks", "1x3x1", "--threads", "2"]));
    ends_with(&ended, 0);
    let said = text(&ended.stderr);
    assert!(said.contains("3 processes, each on the processor, 2 threads"), "{said}");
    assert_eq!(text(&ended.stdout).matches("end time reached").count(), 1);
    let summary = std::fs::read_to_string(folder.path().join("out/cavity/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((&summary["ranks"], &summary["layout"]), (&3.into(), &serde_json::json!([1, 3, 1])));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "files beside the folder");
}

#[test]
fn the_launcher_of_another_mpi_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    // Started as an mpiexec does that this program's MPI does not hear.
    let mut command = program(folder.path(), 1);
    command.envs([("SLURM_PROCID", "0"), ("SLURM_STEP_NUM_TASKS", "3")]);
    let ended = command.args(["run", "cavity", "--quiet"]).output().unwrap();
    ends_with(&ended, 3);
    let said = text(&ended.stderr);
    assert!(said.contains("3 processes were started, but this program's MPI sees 1"), "{said}");
    assert!(said.contains("use the mpiexec of the MPI"), "{said}");
}
