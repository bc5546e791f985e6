//! A loaded program.

use std::ffi::c_void;
use std::sync::Arc;

use vortice_core::{Error, Result};
use vortice_gpu::{Kernels, Launch};

use crate::stream::{Stream, Values, Work};
use crate::table::Kernel;

/// The kernels of a program with one choice of definitions.
pub(crate) struct Loaded {
    pub(crate) stream: Arc<Stream>,
    pub(crate) program: &'static str,
    pub(crate) kernels: Vec<&'static Kernel>,
}

impl Kernels for Loaded {
    fn find(&self, name: &str) -> Result<usize> {
        let found = self.kernels.iter().position(|kernel| kernel.name() == name);
        found.ok_or_else(|| Error::Device {
            problem: format!("the program `{}` has no kernel `{name}`", self.program),
            remedy: "name one of its .cu files, without the ending".into(),
        })
    }

    #[allow(unsafe_code)]
    unsafe fn launch(
        &self,
        kernel: usize,
        shape: Launch,
        arguments: &[*const c_void],
    ) -> Result<()> {
        let kernel = self.kernels[kernel];
        let expected = kernel.parameters().len();
        if arguments.len() != expected {
            let found = arguments.len();
            return Err(Error::Device {
                problem: format!(
                    "kernel `{}` takes {expected} arguments and was given {found}",
                    kernel.name()
                ),
                remedy: "give it the arguments that its source names".into(),
            });
        }
        // SAFETY: the caller vouches for types and sizes; the number was just compared.
        let values = unsafe { Values::copy(kernel, arguments) };
        self.stream.take(Work::Launch { kernel, shape, values })
    }

    fn blocks_at_once(&self, _kernel: usize, _threads: u32, _shared: u32) -> Result<usize> {
        Ok(1)
    }
}
