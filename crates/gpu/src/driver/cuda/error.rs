//! CUDA's errors in words.

use std::ffi::{CStr, c_char};

use cudarc::driver::sys::{self, CUresult};
use vortice_core::{Error, Result};

/// Nothing if CUDA succeeded, else what it says about what was being done.
pub(super) fn check(code: CUresult, doing: &str) -> Result<()> {
    match code {
        CUresult::CUDA_SUCCESS => Ok(()),
        code => Err(Error::Device {
            problem: format!("{doing} failed: {}", words(code)),
            remedy: remedy(code).into(),
        }),
    }
}

/// The name of an error and CUDA's sentence, such as "CUDA_ERROR_NO_DEVICE (no CUDA-capable device
/// is detected)".
pub(super) fn words(code: CUresult) -> String {
    type Ask = unsafe fn(CUresult, *mut *const c_char) -> CUresult;
    let ask = |ask: Ask| text(code, ask);
    let (name, sentence) = (ask(sys::cuGetErrorName), ask(sys::cuGetErrorString));
    match (name, sentence) {
        (Some(name), Some(sentence)) => format!("{name} ({sentence})"),
        (Some(name), None) => name,
        _ => format!("{code:?}"),
    }
}

#[allow(unsafe_code)]
fn text(
    code: CUresult,
    ask: unsafe fn(CUresult, *mut *const c_char) -> CUresult,
) -> Option<String> {
    let mut text = std::ptr::null();
    // SAFETY: an error code comes from the driver's library, which thus is loaded; it writes a pointer to a local.
    let found = unsafe { ask(code, &mut text) } == CUresult::CUDA_SUCCESS && !text.is_null();
    // SAFETY: CUDA's texts are static and end with a zero.
    found.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

fn remedy(code: CUresult) -> &'static str {
    use CUresult as C;
    match code {
        C::CUDA_ERROR_OUT_OF_MEMORY => {
            "use fewer cells, `run.precision = \"f32\"` or more ranks on more GPUs"
        }
        C::CUDA_ERROR_NO_DEVICE => "`nvidia-smi` must list a GPU; or use `--device cpu`",
        C::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH | C::CUDA_ERROR_SYSTEM_NOT_READY => {
            "restart the machine: its driver was updated or has not started; or use `--device cpu`"
        }
        C::CUDA_ERROR_ILLEGAL_ADDRESS
        | C::CUDA_ERROR_MISALIGNED_ADDRESS
        | C::CUDA_ERROR_ILLEGAL_INSTRUCTION
        | C::CUDA_ERROR_INVALID_VALUE
        | C::CUDA_ERROR_ASSERT
        | C::CUDA_ERROR_LAUNCH_FAILED => {
            "this is a mistake in the program: `compute-sanitizer` shows where; `--device cpu` works"
        }
        C::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES | C::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => {
            "this GPU is too small for the kernel: choose another kernel or `--device cpu`"
        }
        C::CUDA_ERROR_LAUNCH_TIMEOUT => "use a GPU that drives no screen",
        C::CUDA_ERROR_ECC_UNCORRECTABLE | C::CUDA_ERROR_HARDWARE_STACK_ERROR => {
            "the GPU is defective or must be reset: `nvidia-smi` says more"
        }
        C::CUDA_ERROR_DEVICE_UNAVAILABLE => {
            "somebody else uses the GPU alone; wait, or use another one"
        }
        _ => "`nvidia-smi` shows whether the GPU is well; `--device cpu` works without it",
    }
}

/// A mistake in how the crate's own pieces are used.
pub(super) fn mistake(problem: &str) -> Error {
    Error::Device { problem: problem.into(), remedy: "this is a mistake in the program".into() }
}
