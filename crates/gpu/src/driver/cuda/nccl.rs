//! NVIDIA's library for messages between GPUs, loaded when it is wanted.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, OnceLock};

use libloading::os::unix::Library;
use vortice_core::{Error, Result, lock};

use super::session::Session;
use crate::driver::{DeviceMessage, NcclComm};

/// Names under which the library is found, the one with its version first.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];

/// What every function returns: 0 is success.
type Code = c_int;
type Communicator = *mut c_void;

/// NCCL's bytes, `ncclInt8`.
const BYTES: c_int = 0;

#[repr(C)]
#[derive(Clone, Copy)]
struct Name {
    bytes: [u8; 128],
}

/// The functions that are used.
struct Functions {
    get_unique_id: unsafe extern "C" fn(*mut Name) -> Code,
    init_rank: unsafe extern "C" fn(*mut Communicator, c_int, Name, c_int) -> Code,
    destroy: unsafe extern "C" fn(Communicator) -> Code,
    group_start: unsafe extern "C" fn() -> Code,
    group_end: unsafe extern "C" fn() -> Code,
    send:
        unsafe extern "C" fn(*const c_void, usize, c_int, c_int, Communicator, *mut c_void) -> Code,
    receive:
        unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, Communicator, *mut c_void) -> Code,
    error_string: unsafe extern "C" fn(Code) -> *const c_char,
    _library: Library,
}

/// One GPU of a group.
pub(super) struct Group {
    session: Arc<Session>,
    functions: &'static Functions,
    communicator: Mutex<Communicator>,
}

// SAFETY: any thread may use a communicator once the session is entered, though not two at once: hence the
// lock.
#[allow(unsafe_code)]
unsafe impl Send for Group {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Group {}

/// What a new group is called.
#[allow(unsafe_code)]
pub(super) fn new_group() -> Result<[u8; 128]> {
    let functions = functions()?;
    let mut name = Name { bytes: [0; 128] };
    // SAFETY: 128 bytes are written to a local.
    functions.check(unsafe { (functions.get_unique_id)(&mut name) }, "naming a group of GPUs")?;
    Ok(name.bytes)
}

fn functions() -> Result<&'static Functions> {
    static FOUND: OnceLock<Result<Functions>> = OnceLock::new();
    FOUND.get_or_init(load).as_ref().map_err(Clone::clone)
}

#[allow(unsafe_code)]
fn load() -> Result<Functions> {
    let missing = || Error::Device {
        problem: "NCCL was not found (libnccl.so.2)".into(),
        remedy: "install libnccl2, or `pip install nvidia-nccl-cu13` and name its folder in \
                 LD_LIBRARY_PATH"
            .into(),
    };
    // SAFETY: loading NCCL runs its initialisers, which ask nothing of us.
    let library = NAMES.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
    let library = library.ok_or_else(missing)?;
    // SAFETY: the types are those of nccl.h, since 2.7 and for all of version 2.
    unsafe {
        macro_rules! find {
            ($name:literal) => {
                *library.get($name).map_err(|_| missing())?
            };
        }
        Ok(Functions {
            get_unique_id: find!(b"ncclGetUniqueId\0"),
            init_rank: find!(b"ncclCommInitRank\0"),
            destroy: find!(b"ncclCommDestroy\0"),
            group_start: find!(b"ncclGroupStart\0"),
            group_end: find!(b"ncclGroupEnd\0"),
            send: find!(b"ncclSend\0"),
            receive: find!(b"ncclRecv\0"),
            error_string: find!(b"ncclGetErrorString\0"),
            _library: library,
        })
    }
}

impl Functions {
    #[allow(unsafe_code)]
    fn check(&self, code: Code, doing: &str) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: NCCL's texts are static and end with a zero.
        let text = unsafe { CStr::from_ptr((self.error_string)(code)) }.to_string_lossy();
        Err(Error::Device {
            problem: format!("{doing} with NCCL failed: {text}"),
            remedy: "NCCL_DEBUG=INFO says more; ranks.transport = \"host\" does without".into(),
        })
    }
}

impl Group {
    /// Joins a group; all its GPUs do it together. The session has been entered.
    #[allow(unsafe_code)]
    pub(super) fn join(
        session: &Arc<Session>,
        name: &[u8; 128],
        number: usize,
        size: usize,
    ) -> Result<Self> {
        let functions = functions()?;
        let mut communicator = std::ptr::null_mut();
        let (size, number) = (size as c_int, number as c_int);
        // SAFETY: the name came from NCCL; a pointer is written to a local.
        let code = unsafe {
            (functions.init_rank)(&mut communicator, size, Name { bytes: *name }, number)
        };
        functions.check(code, "joining a group of GPUs")?;
        Ok(Self { session: Arc::clone(session), functions, communicator: Mutex::new(communicator) })
    }
}

impl NcclComm for Group {
    #[allow(unsafe_code)]
    fn exchange(&self, sent: &[DeviceMessage], received: &[DeviceMessage]) -> Result<()> {
        self.session.enter()?;
        let (functions, communicator) = (self.functions, lock(&self.communicator));
        let stream = self.session.stream().cast();
        // SAFETY: the places are allocated on this GPU and hold so many bytes.
        unsafe {
            functions.check((functions.group_start)(), "beginning an exchange")?;
            for DeviceMessage { peer, at, bytes } in sent {
                let (from, peer) = (*at as *const c_void, *peer as c_int);
                let code = (functions.send)(from, *bytes, BYTES, peer, *communicator, stream);
                functions.check(code, "sending")?;
            }
            for DeviceMessage { peer, at, bytes } in received {
                let (to, peer) = (*at as *mut c_void, *peer as c_int);
                let code = (functions.receive)(to, *bytes, BYTES, peer, *communicator, stream);
                functions.check(code, "receiving")?;
            }
            functions.check((functions.group_end)(), "an exchange")
        }
    }
}

impl Drop for Group {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.session.enter().and_then(|()| self.session.wait()).is_ok() {
            // SAFETY: it exists and is not used again.
            let _ = unsafe { (self.functions.destroy)(*lock(&self.communicator)) };
        }
    }
}
