//! The kernels of the exchange, compiled for values of 2, 4 and 8 bytes.

use std::sync::Arc;

use vortice_core::{Error, Result};

use crate::driver::{Definition, Program};
use crate::kernel::Module;

crate::kernels! {
    /// What moves halos.
    pub(crate) struct Kernels in "halo" { collect, pack, post, trade, unpack, wrap }
}

/// The program of the exchange.
pub(crate) const PROGRAM: Program = Program {
    name: "halo",
    kernels: Kernels::SOURCES,
    headers: crate::sources!["device.cuh", "halo/boxes.cuh", "halo/sides.cuh"],
};

/// What the kernels are compiled with to move values of so many bytes.
///
/// # Errors
/// If there are no such values.
pub(crate) fn definitions(bytes: usize) -> Result<Vec<Definition>> {
    match bytes {
        2 => Ok(vec![("REAL", "float".into()), ("STORED", "half16".into())]),
        4 => Ok(vec![("REAL", "float".into())]),
        8 => Ok(vec![("REAL", "double".into())]),
        _ => Err(Error::Device {
            problem: format!("halos of values of {bytes} bytes"),
            remedy: "this is a mistake in the program: values have 2, 4 or 8 bytes".into(),
        }),
    }
}

/// Those that are loaded, by the bytes of their values.
#[derive(Default)]
pub(crate) struct Modules(Vec<(usize, Arc<Kernels>)>);

impl Modules {
    /// The kernels for values of so many bytes, which `load` loads the first time.
    ///
    /// # Errors
    /// If they cannot be loaded.
    pub(crate) fn get(
        &mut self,
        bytes: usize,
        load: impl FnOnce(&Program, &[Definition]) -> Result<Module>,
    ) -> Result<Arc<Kernels>> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == bytes) {
            return Ok(known.clone());
        }
        let kernels = Arc::new(Kernels::of(&load(&PROGRAM, &definitions(bytes)?)?)?);
        self.0.push((bytes, kernels.clone()));
        Ok(kernels)
    }
}
