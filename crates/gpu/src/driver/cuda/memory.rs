//! The device's memory. The session has been entered by the caller.

use cudarc::driver::sys::{self, CUresult};
use vortice_core::format::bytes;
use vortice_core::{Error, Result};

use super::error::check;
use super::session::Session;
use crate::driver::Address;

/// Free bytes.
#[allow(unsafe_code)]
pub(super) fn free() -> Result<usize> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: two numbers are written to locals.
    check(unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) }, "asking for free memory")?;
    Ok(free)
}

/// Memory of so many bytes, with whatever is in it.
#[allow(unsafe_code)]
pub(super) fn allocate(bytes: usize) -> Result<Address> {
    let mut at = 0;
    // SAFETY: an address is written to a local.
    match unsafe { sys::cuMemAlloc_v2(&mut at, bytes) } {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(out_of_memory(bytes, free()?)),
        code => check(code, "allocating memory").map(|()| at),
    }
}

fn out_of_memory(needed: usize, free: usize) -> Error {
    Error::Device {
        problem: format!(
            "the GPU has no {needed} bytes ({}) in one piece for an array: {free} bytes ({}) \
             are free",
            bytes(needed as f64),
            bytes(free as f64)
        ),
        remedy:
            "use fewer cells, `run.precision = \"f32\"` or more ranks on more GPUs; others may \
                 be using this one"
                .into(),
    }
}

/// Gives memory back. That CUDA refuses means that the context is broken, which others report.
#[allow(unsafe_code)]
pub(super) fn release(at: Address) {
    // SAFETY: the address came from `allocate`; its owner is gone.
    let _ = unsafe { sys::cuMemFree_v2(at) };
}

#[allow(unsafe_code)]
pub(super) fn copy(session: &Session, from: Address, to: Address, bytes: usize) -> Result<()> {
    // SAFETY: both places are allocated and hold so many bytes.
    let code = unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, bytes, session.stream()) };
    check(code, "copying on the GPU")
}

#[allow(unsafe_code)]
pub(super) fn clear(session: &Session, at: Address, bytes: usize) -> Result<()> {
    // SAFETY: the place is allocated and holds so many bytes.
    let code = unsafe { sys::cuMemsetD8Async(at, 0, bytes, session.stream()) };
    check(code, "clearing memory of the GPU")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_is_needed_and_what_is_free() {
        let error = out_of_memory(12_000_000_000, 1_500_000_000);
        let text = error.to_string();
        assert!(text.contains("12000000000 bytes (12.0 GB)"), "{text}");
        assert!(text.contains("1500000000 bytes (1.50 GB)") && error.remedy().contains("f32"));
    }
}
