//! The program as several processes that `mpiexec` starts. Built with the feature `mpi` only; the
//! variable `VORTICE_MPIEXEC` names another `mpiexec`.

mod bits;
mod ending;
mod wrong;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use vortice_core::{Context, State};

/// OpenMPI's time in s between the signals that end processes.
const DELAY: &str = "OMPI_MCA_odls_base_sigkill_timeout";

/// The program in a folder, alone or as several processes, without colours and GPUs.
fn program(folder: &Path, processes: usize) -> Command {
    let program = env!("CARGO_BIN_EXE_vortice");
    let mut command = if processes > 1 {
        let mpiexec = std::env::var("VORTICE_MPIEXEC").unwrap_or("mpiexec".into());
        let mut command = Command::new(mpiexec);
        command.args(["-n", &processes.to_string(), program]);
        command
    } else {
        Command::new(program)
    };
    // OpenMPI minds more processes than cores, and root; MPICH does not.
    for allowed in
        ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"]
    {
        command.env(format!("OMPI_{allowed}"), "1");
    }
    // It waits a second after any exit code but 0.
    command.env(DELAY, "0");
    // Processes of one machine need none of its networks, which it looks for else: a third of a start.
    command.env("OMPI_MCA_pml", "ob1");
    command.env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    command.current_dir(folder).env("NO_COLOR", "1").env("CUDA_VISIBLE_DEVICES", "");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
fn vortice(folder: &Path, processes: usize, arguments: &[&str]) -> Output {
    let output = program(folder, processes).args(arguments).output();
    output.expect("mpiexec is on the path; ./setup --tests installs it")
}

/// `run` of a case with changes and more arguments.
fn run<'a>(case: &'a str, sets: &[&'a str], arguments: &[&'a str]) -> Vec<&'a str> {
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    ["run", case].into_iter().chain(sets).chain(arguments.iter().copied()).collect()
}

/// The complete state in the checkpoint of a run.
fn state(checkpoint: &Path, case: &str, sets: &[&str]) -> State {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let case = vortice::open_case(case, &sets).unwrap();
    vortice_output::read_checkpoint(checkpoint, &case, &Context::alone()).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asserts an exit code and shows both outputs otherwise.
#[track_caller]
fn ends_with(output: &Output, code: i32) {
    let said = format!("{}\n{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}");
}
