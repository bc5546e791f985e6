//! Compiled programs on the device, and launches of their kernels.

use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex};

use cudarc::driver::sys::{self, CUfunction_attribute};
use vortice_core::{Result, lock};

use super::error::check;
use super::session::Session;
use crate::driver::launched::note;
use crate::driver::{Kernels, Launch, Launched};

/// So few blocks run at the same time on any GPU; asking for it takes longer.
const ALWAYS_TOGETHER: u64 = 8;

/// A compiled program on the device, in one module or several.
pub(super) struct Loaded {
    session: Arc<Session>,
    modules: Vec<sys::CUmodule>,
    name: &'static str,
    functions: Mutex<Vec<Function>>,
}

// SAFETY: a module and its functions belong to the context of the session, not to a thread; what is noted
// of the functions has a lock.
#[allow(unsafe_code)]
unsafe impl Send for Loaded {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Loaded {}

struct Function {
    name: String,
    function: sys::CUfunction,
    /// Dynamic shared memory in bytes that it may have so far.
    allowed: u32,
    /// Whether a launch has been noted.
    noted: bool,
}

impl Loaded {
    /// Loads the code of its parts; the session has been entered.
    #[allow(unsafe_code)]
    pub(super) fn load(
        session: &Arc<Session>,
        name: &'static str,
        parts: &[Vec<u8>],
    ) -> Result<Self> {
        let (session, functions) = (Arc::clone(session), Mutex::default());
        let mut all = Self { session, modules: Vec::new(), name, functions };
        for code in parts {
            let mut module = std::ptr::null_mut();
            // SAFETY: `code` is a whole compiled program, which holds its own length; it is copied.
            let loaded = unsafe { sys::cuModuleLoadData(&mut module, code.as_ptr().cast()) };
            check(loaded, &format!("loading the program `{name}`"))?;
            all.modules.push(module);
        }
        Ok(all)
    }

    /// The function of a kernel, which one of the modules has.
    #[allow(unsafe_code)]
    fn look_for(&self, name: &str) -> Result<sys::CUfunction> {
        let text = CString::new(name).unwrap_or_default();
        let mut function = std::ptr::null_mut();
        let mut code = sys::CUresult::CUDA_ERROR_NOT_FOUND;
        for &module in &self.modules {
            // SAFETY: the module and the name exist; a pointer is written to a local.
            code = unsafe { sys::cuModuleGetFunction(&mut function, module, text.as_ptr()) };
            if code != sys::CUresult::CUDA_ERROR_NOT_FOUND {
                break;
            }
        }
        check(code, &format!("looking for the kernel `{name}` of `{}`", self.name))?;
        Ok(function)
    }

    /// A function, allowed so much dynamic shared memory.
    #[allow(unsafe_code)]
    fn function(&self, kernel: usize, shared: u32) -> Result<sys::CUfunction> {
        let function = &mut lock(&self.functions)[kernel];
        if shared > function.allowed {
            let what = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = i32::try_from(shared).unwrap_or(i32::MAX);
            // SAFETY: the function exists.
            let code = unsafe { sys::cuFuncSetAttribute(function.function, what, bytes) };
            check(code, &format!("allowing `{}` {shared} bytes of shared memory", function.name))?;
            function.allowed = shared;
        }
        Ok(function.function)
    }

    /// Notes a kernel that is launched for the first time.
    #[allow(unsafe_code)]
    fn note(&self, kernel: usize, function: sys::CUfunction, shape: Launch) -> Result<()> {
        let ask = |attribute| -> Result<u32> {
            let mut value = 0;
            // SAFETY: the function exists; a number is written to a local.
            let code = unsafe { sys::cuFuncGetAttribute(&mut value, attribute, function) };
            check(code, "asking what a kernel needs")?;
            Ok(value.unsigned_abs())
        };
        let all = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        let mut most = 0;
        // SAFETY: the device exists; a number is written to a local.
        let code = unsafe { sys::cuDeviceGetAttribute(&mut most, all, self.session.device()) };
        check(code, "asking how many threads a multiprocessor has")?;
        let threads: u32 = shape.threads.iter().product();
        let blocks = self.blocks_at_once(kernel, threads, shape.shared)?;
        note(Launched {
            kernel: lock(&self.functions)[kernel].name.clone(),
            program: self.name.into(),
            threads: shape.threads,
            registers: ask(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            spilled: ask(CUfunction_attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            occupancy: blocks as f64 * f64::from(threads) / f64::from(most.max(1)),
        });
        Ok(())
    }

    /// What was being done, for an error.
    fn doing(&self, kernel: usize, shape: Launch) -> String {
        let name = &lock(&self.functions)[kernel].name;
        let Launch { blocks, threads, shared, .. } = shape;
        format!(
            "launching `{name}` of `{}` on {blocks:?} blocks of {threads:?} threads and {shared} \
             bytes of shared memory",
            self.name
        )
    }
}

impl Kernels for Loaded {
    #[allow(unsafe_code)]
    fn find(&self, name: &str) -> Result<usize> {
        if let Some(known) = lock(&self.functions).iter().position(|f| f.name == name) {
            return Ok(known);
        }
        self.session.enter()?;
        let function = self.look_for(name)?;
        // Otherwise it is loaded by its first launch, which can then not be captured, and waits
        // for other ranks' kernels.
        // SAFETY: the function exists.
        check(unsafe { sys::cuFuncLoad(function) }, &format!("loading the kernel `{name}`"))?;
        let mut functions = lock(&self.functions);
        functions.push(Function { name: name.to_owned(), function, allowed: 0, noted: false });
        Ok(functions.len() - 1)
    }

    #[allow(unsafe_code)]
    unsafe fn launch(
        &self,
        kernel: usize,
        shape: Launch,
        arguments: &[*const c_void],
    ) -> Result<()> {
        self.session.enter()?;
        let function = self.function(kernel, shape.shared)?;
        if !std::mem::replace(&mut lock(&self.functions)[kernel].noted, true) {
            self.note(kernel, function, shape)?;
        }
        let ([bx, by, bz], [tx, ty, tz]) = (shape.blocks, shape.threads);
        let blocks = u64::from(bx) * u64::from(by) * u64::from(bz);
        // CUDA reads the values only, in spite of its type.
        let values = arguments.as_ptr().cast::<*mut c_void>().cast_mut();
        let (shared, stream, none) = (shape.shared, self.session.stream(), std::ptr::null_mut());
        // SAFETY: the function and the stream exist; the caller promises that the arguments are
        // those of the kernel. They are copied.
        let code = unsafe {
            if shape.cooperative && blocks > ALWAYS_TOGETHER {
                sys::cuLaunchCooperativeKernel(
                    function, bx, by, bz, tx, ty, tz, shared, stream, values,
                )
            } else {
                sys::cuLaunchKernel(function, bx, by, bz, tx, ty, tz, shared, stream, values, none)
            }
        };
        match code {
            sys::CUresult::CUDA_SUCCESS => Ok(()),
            code => check(code, &self.doing(kernel, shape)),
        }
    }

    #[allow(unsafe_code)]
    fn blocks_at_once(&self, kernel: usize, threads: u32, shared: u32) -> Result<usize> {
        self.session.enter()?;
        let function = self.function(kernel, shared)?;
        let threads = i32::try_from(threads).unwrap_or(i32::MAX);
        let mut blocks = 0;
        // SAFETY: the function exists; a number is written to a local.
        let code = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                function,
                threads,
                shared as usize,
            )
        };
        check(code, "asking how many blocks run at once")?;
        Ok(usize::try_from(blocks).unwrap_or(0))
    }
}

impl Drop for Loaded {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // A kernel may still be running.
        if self.session.enter().and_then(|()| self.session.wait()).is_ok() {
            for &module in &self.modules {
                // SAFETY: the module exists and is not used again.
                let _ = unsafe { sys::cuModuleUnload(module) };
            }
        }
    }
}
