//! NVRTC, CUDA's compiler at run time. It needs no GPU.

mod library;
mod source;

use std::ffi::{CString, c_char};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use cudarc::nvrtc::sys;
use rayon::prelude::*;
use vortice_core::{Error, Result};

use crate::driver::cache::{Cache, Key};
use crate::driver::{Definition, Program};

pub(crate) use library::version;

/// Compiles a program for a GPU's architecture (compute capability, major and minor) into the code
/// that [`Driver::load`](crate::Driver::load) gives to the driver. `fused` allows the compiler to
/// contract a multiplication and an addition. Needs no GPU.
///
/// # Errors
/// If NVRTC is not there, does not know the architecture, or does not accept the source; the error
/// then holds its words.
pub fn compile(
    program: &Program,
    definitions: &[Definition],
    architecture: [u32; 2],
    fused: bool,
) -> Result<Vec<u8>> {
    version()?;
    Ok(Job::new(program, definitions, architecture, fused).run(&[])?.0)
}

/// What the compiler says of the registers, spills and shared memory of each kernel; as
/// [`compile`], or from the cache on disk.
///
/// # Errors
/// As [`compile`].
pub fn resources(
    program: &Program,
    definitions: &[Definition],
    architecture: [u32; 2],
    fused: bool,
) -> Result<String> {
    let version = version()?;
    let job = Job::new(program, definitions, architecture, fused);
    let compile = || Ok(job.run(&["--ptxas-options=-v"])?.1.into_bytes());
    let words = Cache::of_user().fetch(&job.key(version), "resources", compile)?;
    Ok(String::from_utf8_lossy(&words).into_owned())
}

/// Whether tests try all combinations, as in the long suite, `./test --long`: else some in turn.
pub fn is_long_suite() -> bool {
    std::env::var_os("VORTICE_LONG_SUITE").is_some()
}

/// For tests without a GPU: all variants of a program compile for the architectures that are used, and no kernel needs memory
/// that a thread has for itself on the first of them. In the long suite all for each; else each for one, every second for the first.
///
/// # Panics
/// If it is not so.
pub fn expect_sound<V: AsRef<[Definition]> + Sync>(program: &Program, variants: &[V]) {
    const IN_TURN: [[u32; 2]; 4] = [[9, 0], [8, 0], [9, 0], [10, 0]];
    variants.par_iter().enumerate().for_each(|(turn, definitions)| {
        let one = &IN_TURN[turn % IN_TURN.len()..][..1];
        for &architecture in if is_long_suite() { &IN_TURN[1..] } else { one } {
            let report = resources(program, definitions.as_ref(), architecture, false);
            let report = report.unwrap_or_else(|error| panic!("{error}; {}", error.remedy()));
            let spills = report.lines().filter(|line| line.contains("spill"));
            let kernels = spills.inspect(|line| {
                let spills = architecture == [9, 0] && !line.contains(" 0 bytes spill stores");
                assert!(!spills, "{:?}: {line}", definitions.as_ref());
            });
            assert_eq!(kernels.count(), program.kernels.len(), "{report}");
        }
    });
}

/// Kernels that are compiled together.
const TOGETHER: usize = 2;

/// As [`compile`], or from the cache on disk: in parts of some kernels each, side by side, since the first run of a program waits
/// for it.
pub(crate) fn compile_once(
    cache: &Cache,
    program: &Program,
    definitions: &[Definition],
    architecture: [u32; 2],
    fused: bool,
) -> Result<Vec<Vec<u8>>> {
    let version = version()?;
    let (begin, is_known) = (Instant::now(), AtomicBool::new(true));
    let part = |kernels| {
        let part = Program { kernels, ..*program };
        let job = Job::new(&part, definitions, architecture, fused);
        let compile = || {
            is_known.store(false, Ordering::Relaxed);
            Ok(job.run(&[])?.0)
        };
        cache.fetch(&job.key(version), "cubin", compile)
    };
    let parts = program.kernels.par_chunks(TOGETHER).map(part).collect();
    if !is_known.into_inner() {
        COMPILING.fetch_add(begin.elapsed().as_micros() as u64, Ordering::Relaxed);
    }
    parts
}

/// Microseconds that this process has spent compiling.
static COMPILING: AtomicU64 = AtomicU64::new(0);

/// Wall-clock time in s that this process has spent compiling kernels for its GPUs, those of several ranks
/// added up; what the cache on disk had takes none.
pub fn seconds_compiling() -> f64 {
    COMPILING.load(Ordering::Relaxed) as f64 * 1e-6
}

/// A program with the options to compile it with.
struct Job<'a> {
    program: &'a Program,
    main: String,
    options: Vec<String>,
}

impl<'a> Job<'a> {
    fn new(
        program: &'a Program,
        definitions: &[Definition],
        architecture: [u32; 2],
        fused: bool,
    ) -> Self {
        let [major, minor] = architecture;
        let mut options = vec![
            format!("--gpu-architecture=sm_{major}{minor}"),
            "--std=c++17".to_owned(),
            format!("--fmad={fused}"),
        ];
        options.extend(definitions.iter().map(|(name, value)| format!("-D{name}={value}")));
        Self { program, main: source::main(program), options }
    }

    /// Everything that the result depends on.
    fn key(&self, [major, minor]: [u32; 2]) -> Key {
        let mut key = Key::new();
        key.add("NVRTC", &format!("{major}.{minor}"));
        key.add("main", &self.main);
        for (name, text) in self.program.kernels.iter().chain(self.program.headers) {
            key.add(name, text);
        }
        self.options.iter().for_each(|option| key.add("option", option));
        key
    }

    /// The code, and what the compiler said.
    fn run(&self, more: &[&str]) -> Result<(Vec<u8>, String)> {
        let files = self.program.kernels.iter().chain(self.program.headers);
        let (names, texts): (Vec<_>, Vec<_>) =
            files.map(|(n, t)| (c_string(n), c_string(t))).unzip();
        let main_name = c_string(&format!("{}.cu", self.program.name));
        let unit = Unit::new(&c_string(&self.main), &main_name, &names, &texts)?;
        let options = self.options.iter().map(String::as_str).chain(more.iter().copied());
        let options: Vec<CString> = options.map(c_string).collect();
        let outcome = unit.compile(&options);
        let log = unit.log();
        outcome.map_err(|code| self.refused(code, &log))?;
        Ok((unit.cubin()?, log))
    }

    fn refused(&self, code: sys::nvrtcResult, log: &str) -> Error {
        let name = self.program.name;
        let (problem, remedy) = match code {
            sys::nvrtcResult::NVRTC_ERROR_INVALID_OPTION => (
                format!("NVRTC refuses the options {}:\n{log}", self.options.join(" ")),
                "install a version of NVRTC that knows this GPU",
            ),
            sys::nvrtcResult::NVRTC_ERROR_COMPILATION => (
                format!("the CUDA program `{name}` does not compile:\n{log}"),
                "this is a mistake in the program, or NVRTC is too old for it: it wants 13.0",
            ),
            sys::nvrtcResult::NVRTC_ERROR_BUILTIN_OPERATION_FAILURE => (
                format!("NVRTC could not compile `{name}`: a part of it is missing ({code:?})"),
                "install NVRTC with its library nvrtc-builtins, or name the folder of both in \
                 VORTICE_NVRTC",
            ),
            _ => (
                format!("NVRTC could not compile `{name}` ({code:?}):\n{log}"),
                "install NVRTC 13.0, or name its folder in VORTICE_NVRTC",
            ),
        };
        Error::Device { problem: problem.trim_end().to_owned(), remedy: remedy.into() }
    }
}

/// A text for C; what follows a zero byte is cut off.
fn c_string(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().take_while(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// NVRTC's program, destroyed when dropped.
struct Unit(sys::nvrtcProgram);

impl Unit {
    #[allow(unsafe_code)]
    fn new(main: &CString, name: &CString, names: &[CString], texts: &[CString]) -> Result<Self> {
        let [names, texts] =
            [names, texts].map(|list| list.iter().map(|s| s.as_ptr()).collect::<Vec<_>>());
        let count = i32::try_from(names.len()).unwrap_or(i32::MAX);
        let mut program = std::ptr::null_mut();
        // SAFETY: the strings and the two arrays of `count` pointers outlive the call, which
        // copies them; a job is made only after the library was found.
        let code = unsafe {
            let (texts, names) = (texts.as_ptr(), names.as_ptr());
            sys::nvrtcCreateProgram(&mut program, main.as_ptr(), name.as_ptr(), count, texts, names)
        };
        failed(code, "creating a program")?;
        Ok(Self(program))
    }

    #[allow(unsafe_code)]
    fn compile(&self, options: &[CString]) -> Result<(), sys::nvrtcResult> {
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = i32::try_from(options.len()).unwrap_or(i32::MAX);
        // SAFETY: the program exists; the options outlive the call.
        match unsafe { sys::nvrtcCompileProgram(self.0, count, options.as_ptr()) } {
            sys::nvrtcResult::NVRTC_SUCCESS => Ok(()),
            code => Err(code),
        }
    }

    /// What the compiler said.
    #[allow(unsafe_code)]
    fn log(&self) -> String {
        let mut bytes = 0;
        // SAFETY: the program exists; the length is written to a local.
        let _ = unsafe { sys::nvrtcGetProgramLogSize(self.0, &mut bytes) };
        let mut log = vec![0u8; bytes];
        if bytes > 0 {
            // SAFETY: the log has as many bytes as NVRTC asked for.
            let _ = unsafe { sys::nvrtcGetProgramLog(self.0, log.as_mut_ptr().cast()) };
        }
        String::from_utf8_lossy(&log).trim_end_matches('\0').trim_end().to_owned()
    }

    #[allow(unsafe_code)]
    fn cubin(&self) -> Result<Vec<u8>> {
        let mut bytes = 0;
        // SAFETY: the program exists; the length is written to a local.
        failed(unsafe { sys::nvrtcGetCUBINSize(self.0, &mut bytes) }, "asking for the code")?;
        let mut code = vec![0u8; bytes];
        // SAFETY: the code has as many bytes as NVRTC asked for.
        failed(
            unsafe { sys::nvrtcGetCUBIN(self.0, code.as_mut_ptr().cast()) },
            "asking for the code",
        )?;
        Ok(code)
    }
}

impl Drop for Unit {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the program exists and is not used again.
        let _ = unsafe { sys::nvrtcDestroyProgram(&mut self.0) };
    }
}

fn failed(code: sys::nvrtcResult, doing: &str) -> Result<()> {
    match code {
        sys::nvrtcResult::NVRTC_SUCCESS => Ok(()),
        code => Err(Error::Device {
            problem: format!("NVRTC failed when {doing}: {code:?}"),
            remedy: "install NVRTC 13.0, or name its folder in VORTICE_NVRTC".into(),
        }),
    }
}

#[cfg(test)]
mod tests;
