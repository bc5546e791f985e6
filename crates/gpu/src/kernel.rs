//! Programs loaded on a device, and their kernels.

use std::ffi::c_void;
use std::sync::Arc;

use vortice_core::{Error, Result};

use crate::argument::Argument;
use crate::driver::{Definition, Kernels, Launch, Program};
use crate::signature::{Signature, Sizes};
use crate::stream::Stream;

/// A program loaded on a device.
#[derive(Clone)]
pub struct Module {
    stream: Arc<Stream>,
    kernels: Arc<dyn Kernels>,
    program: Program,
    /// Bytes of the numbers that the program was compiled for.
    sizes: Sizes,
}

/// A kernel of a loaded program.
#[derive(Clone)]
pub struct Kernel {
    stream: Arc<Stream>,
    kernels: Arc<dyn Kernels>,
    number: usize,
    signature: Arc<Signature>,
}

impl Module {
    pub(crate) fn load(
        stream: &Arc<Stream>,
        program: &Program,
        definitions: &[Definition],
    ) -> Result<Self> {
        let kernels = stream.driver.load(program, definitions)?;
        let sizes = Sizes::of(definitions);
        Ok(Self { stream: Arc::clone(stream), kernels, program: *program, sizes })
    }

    /// The kernel of a name. Look it up once, when the solver is built.
    ///
    /// # Errors
    /// If the program has no such kernel.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let missing = || Error::Device {
            problem: format!("the program `{}` has no kernel `{name}`", self.program.name),
            remedy: "this is a mistake in the program: look into its folder below kernels/".into(),
        };
        let texts = self.program.kernels.iter().map(|(_, text)| *text);
        let signature = Signature::find(texts, name, self.sizes).ok_or_else(missing)?;
        Ok(Kernel {
            stream: Arc::clone(&self.stream),
            kernels: Arc::clone(&self.kernels),
            number: self.kernels.find(name)?,
            signature: Arc::new(signature),
        })
    }
}

impl Kernel {
    /// Launches the kernel; it runs after all work before it. Can be captured.
    ///
    /// The arguments are compared with the parameters in the kernel's source. That the arrays are
    /// long enough for what it reads and writes is the launcher's promise.
    ///
    /// # Errors
    /// If the arguments are not those of the kernel, lie on another device, or the launch is
    /// refused.
    #[allow(unsafe_code)]
    pub fn launch(&self, shape: Launch, arguments: &[Argument<'_>]) -> Result<()> {
        self.signature.check(arguments)?;
        for memory in arguments.iter().filter_map(Argument::memory) {
            if !memory.is_on(&self.stream) {
                return Err(self.signature.error("was given an array of another device"));
            }
        }
        self.stream.keep(|kept| {
            arguments.iter().filter_map(Argument::memory).for_each(|one| kept.push(one.clone()));
            kept.push(self.kernels.clone());
        });
        let pointers: Vec<*const c_void> = arguments.iter().map(Argument::pointer).collect();
        // SAFETY: number, order and sizes were compared with the kernel's source; each pointer
        // leads to a value that `arguments` borrows.
        unsafe { self.kernels.launch(self.number, shape, &pointers) }
    }

    /// Blocks of this kernel that one multiprocessor can run at the same time, with so many threads
    /// and bytes of shared memory each.
    pub fn blocks_at_once(&self, threads: u32, shared: u32) -> Result<usize> {
        self.kernels.blocks_at_once(self.number, threads, shared)
    }
}
