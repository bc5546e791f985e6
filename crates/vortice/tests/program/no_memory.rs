//! What the system gives no memory for: the program ends with an error, and the last checkpoint stays.

#![allow(clippy::print_stdout)] // tests print what they have tried

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use vortice_output::Stored;

use crate::faults::preloaded;
use crate::{ends_with, program, stderr, tiny, vortice};

/// The exit code with which HDF5 ends the program itself where it gets no memory for its own lists.
const HDF5_ENDS: i32 = 255;

/// The numbers of the signals SIGSEGV and SIGABRT.
const SEGMENTATION: i32 = 11;
const ABORT: i32 = 6;

/// What is said before the program is aborted.
const BY_LIBRARY: [&str; 5] = [
    "overflowed its stack",
    "Fatal glibc error: ",
    // HDF5's interface copies a text to where it got no memory; without checks of the development build that is a SIGSEGV.
    "unsafe precondition(s) violated: ptr::copy_nonoverlapping",
    // The standard library asks the system itself for the handle of a thread; what we ask for is told as an error.
    "memory allocation of ",
    // HDF5 1.10 gives its own lists back twice where it gets no memory any more (`H5FL_garbage_coll`).
    "free(): double free detected",
];

/// How a run ended whose call for memory failed.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Well,
    Told,
    /// HDF5 1.10 takes a call of its own from a list that it has got no memory for (`H5CX_pop`), which the system or
    /// the watch over the stack ends; the C library ends the program where a thread gets no place for what it is to
    /// give back.
    ByLibrary,
}

impl End {
    fn of(ended: &Output, said: &str) -> Option<Self> {
        match (ended.status.code(), ended.status.signal()) {
            (Some(0), _) => Some(Self::Well),
            (Some(3), _) => Some(Self::Told),
            (Some(HDF5_ENDS), _) | (_, Some(SEGMENTATION)) => Some(Self::ByLibrary),
            (_, Some(ABORT)) if BY_LIBRARY.iter().any(|words| said.contains(words)) => {
                Some(Self::ByLibrary)
            }
            _ => None,
        }
    }
}

/// A run that goes on from a good checkpoint in the same folder, and how often it asks for memory.
struct Run {
    folder: tempfile::TempDir,
    shim: PathBuf,
    good: Vec<u8>,
    sets: [&'static str; 2],
    method: String,
    calls: u64,
}

impl Run {
    fn of(method: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shim = preloaded(folder.path(), "memory");
        let [begin, on] =
            [["grid.cells=[8,8,1]", "run.until=0.05"], ["grid.cells=[8,8,1]", "run.until=0.06"]];
        let begin = tiny(&begin, &["--quiet", "--method", method, "--out", "good"]);
        ends_with(&vortice(folder.path(), &begin), 0);
        let good = std::fs::read(folder.path().join("good/checkpoint.h5")).unwrap();
        let mut run = Self { folder, shim, good, sets: on, method: method.into(), calls: 0 };
        let count = run.path("count");
        ends_with(&run.go(&[("FAIL_COUNT", count.to_str().unwrap())]), 0);
        run.calls = std::fs::read_to_string(count).unwrap().trim().parse().unwrap();
        run
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    fn go(&self, settings: &[(&str, &str)]) -> Output {
        std::fs::write(self.path("good/checkpoint.h5"), &self.good).unwrap();
        let words = ["--quiet", "--method", &self.method, "--threads", "2", "--restart"];
        let words = [&words[..], &["good/checkpoint.h5", "--out", "good"]].concat();
        let mut program = program(self.folder.path());
        program.args(tiny(&self.sets, &words)).env("LD_PRELOAD", &self.shim);
        program.envs(settings.iter().copied()).output().unwrap()
    }

    /// Lets a call fail, and looks at what is left.
    fn fail(&self, call: u64, ever: bool) -> End {
        let (number, mark) = (call.to_string(), self.path("mark"));
        let mut settings =
            vec![("FAIL_CALL", number.as_str()), ("FAIL_MARK", mark.to_str().unwrap())];
        settings.extend(ever.then_some(("FAIL_EVER", "1")));
        let ended = self.go(&settings);
        let said = stderr(&ended);
        let end = End::of(&ended, &said)
            .unwrap_or_else(|| panic!("{} {call}, {ever}: {:?} {said}", self.method, ended.status));
        assert!(end != End::Told || said.contains("error"), "call {call}: {said}");
        // The good one, or the next one.
        Stored::read(self.path("good/checkpoint.h5"))
            .unwrap_or_else(|error| panic!("call {call}: {error}"));
        assert!(!self.path("good/.vortice-lock").exists() || end != End::Well, "call {call}");
        end
    }

    /// So many of its calls fail, each in a run of its own; tells how many ended one.
    fn fail_at(&self, many: u64) {
        let ends = (0..many).map(|n| {
            let call = 1 + n * self.calls / many + n % 7;
            self.fail(call.min(self.calls), n % 3 == 2)
        });
        let ends: Vec<_> = ends.collect();
        let count = |end| ends.iter().filter(|one| **one == end).count() as u64;
        let (told, by_library) = (count(End::Told), count(End::ByLibrary));
        let (method, calls) = (&self.method, self.calls);
        println!(
            "{method}: of {many} calls of {calls} {told} ended the run with 3, {by_library} in a library"
        );
        assert!(told > many / 3 && by_library <= many / 4, "{told} and {by_library} of {many}");
    }
}

#[test]
fn memory_that_is_not_there_ends_a_run_and_the_last_checkpoint_stays() {
    for method in ["fdm", "fvm", "lbm"] {
        Run::of(method).fail_at(12);
    }
}

#[test]
#[ignore = "long suite"]
fn no_call_for_memory_that_fails_loses_anything() {
    for method in ["fdm", "fvm", "lbm"] {
        Run::of(method).fail_at(1500);
    }
}
