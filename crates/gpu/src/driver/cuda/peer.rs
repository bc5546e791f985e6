//! Memory of other GPUs: of this process, or opened from another.

use cudarc::driver::sys::{self, CUresult};
use vortice_core::{Error, Result};

use super::error::check;
use super::presence;
use super::session::Session;
use crate::driver::{Address, IpcHandle};

/// A number that no other GPU has.
#[allow(unsafe_code)]
pub(super) fn identity(device: sys::CUdevice) -> Result<[u8; 16]> {
    let mut number = sys::CUuuid { bytes: [0; 16] };
    // SAFETY: the device exists; sixteen bytes are written to a local.
    check(unsafe { sys::cuDeviceGetUuid_v2(&mut number, device) }, "asking for the GPU's number")?;
    Ok(number.bytes.map(|byte| byte as u8))
}

/// Lets the GPU of a session write into the memory of another of this process.
#[allow(unsafe_code)]
pub(super) fn reach(session: &Session, other: [u8; 16]) -> Result<()> {
    let other = find(other)?;
    let mut can = 0;
    // SAFETY: both devices exist; a number is written to a local.
    let code = unsafe { sys::cuDeviceCanAccessPeer(&mut can, session.device(), other) };
    check(code, "asking whether GPUs reach each other")?;
    if can == 0 {
        return Err(Error::Device {
            problem: "the GPU does not reach the memory of another one".into(),
            remedy: "set ranks.transport = \"auto\"".into(),
        });
    }
    let mut context = std::ptr::null_mut();
    // SAFETY: the device exists; its primary context is retained by the rank that uses it, which has
    // not ended, and again here for as long as the process lives.
    check(unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, other) }, "opening a GPU")?;
    session.enter()?;
    // SAFETY: the context exists, and another one is current.
    match unsafe { sys::cuCtxEnablePeerAccess(context, 0) } {
        CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => Ok(()),
        code => check(code, "reaching the memory of another GPU"),
    }
}

/// The GPU of a number.
#[allow(unsafe_code)]
fn find(wanted: [u8; 16]) -> Result<sys::CUdevice> {
    for number in 0..presence::count()? {
        let device = presence::Device::find(number)?;
        if identity(device.0)? == wanted {
            return Ok(device.0);
        }
    }
    Err(Error::Device {
        problem: "a GPU of another rank is not visible here".into(),
        remedy: "let CUDA_VISIBLE_DEVICES name the GPUs of all ranks of a machine".into(),
    })
}

/// What another process needs to open memory; the session has been entered.
#[allow(unsafe_code)]
pub(super) fn ipc_handle(at: Address) -> Result<IpcHandle> {
    let mut handle = sys::CUipcMemHandle { reserved: [0; 64] };
    // SAFETY: the memory is allocated; a handle is written to a local.
    check(unsafe { sys::cuIpcGetMemHandle(&mut handle, at) }, "sharing memory of the GPU")?;
    Ok(bytemuck::cast(handle.reserved))
}

/// Opens memory of another process; the session has been entered.
#[allow(unsafe_code)]
pub(super) fn open_ipc(export: &IpcHandle) -> Result<Address> {
    let handle = sys::CUipcMemHandle { reserved: bytemuck::cast(*export) };
    let flags = sys::CUipcMem_flags::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS as u32;
    let mut at = 0;
    // SAFETY: the handle came from a process on this machine; an address is written to a local.
    let code = unsafe { sys::cuIpcOpenMemHandle_v2(&mut at, handle, flags) };
    check(code, "opening the memory of another process' GPU")?;
    Ok(at)
}

/// Closes what was opened; the session has been entered.
#[allow(unsafe_code)]
pub(super) fn close(at: Address) {
    // SAFETY: it was opened once and is not used again.
    let _ = unsafe { sys::cuIpcCloseMemHandle(at) };
}
