//! A program that was built without MPI, started as one of several processes.

use crate::{ends_with, program, stderr, tiny};

#[test]
fn several_processes_need_mpi_and_one_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (rank, code) in [("0", 3), ("1", 0)] {
        let mut command = program(folder.path());
        command.envs([("OMPI_COMM_WORLD_RANK", rank), ("OMPI_COMM_WORLD_SIZE", "2")]);
        let ended = command.args(tiny(&[], &[])).output().unwrap();
        ends_with(&ended, code);
        let (said, speaks) = (stderr(&ended), rank == "0");
        let words = ["2 processes were started", "--features mpi", "--ranks N"];
        assert!(words.iter().all(|word| said.contains(word)) == speaks, "{said}");
        assert!(speaks || said.is_empty(), "{said}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a file was written");
    }
}

#[test]
fn one_rank_of_a_launcher_is_a_run_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(folder.path());
    command.envs([("PMI_RANK", "0"), ("PMI_SIZE", "1"), ("SLURM_NTASKS", "4")]);
    ends_with(&command.args(tiny(&[], &["--ranks", "2", "--quiet"])).output().unwrap(), 0);
}
