//! The arrays of an exchange as arguments of its kernels.

use bytemuck::Pod;
use vortice_core::Result;

use crate::argument::Argument;
use crate::buffer::Buffer;
use crate::gpu::Gpu;

/// Most arrays of one exchange.
pub(super) const MOST_ARRAYS: usize = 3;
/// The arrays in the parameters of the kernels.
const NAMES: [&str; MOST_ARRAYS] = ["first", "second", "third"];

/// The arrays of an exchange, and empty ones for the parameters that are left.
pub(crate) struct Arrays<'a, 'b, T> {
    given: &'a mut [&'b mut Buffer<T>],
    none: [Buffer<T>; MOST_ARRAYS - 1],
}

impl<'a, 'b, T: Pod> Arrays<'a, 'b, T> {
    pub(crate) fn new(gpu: &Gpu, given: &'a mut [&'b mut Buffer<T>]) -> Result<Self> {
        Ok(Self { given, none: [gpu.zeros(0)?, gpu.zeros(0)?] })
    }

    pub(super) fn count(&self) -> usize {
        self.given.len()
    }

    pub(super) fn inputs(&self) -> [Argument<'_>; MOST_ARRAYS] {
        let given = self.given.iter().map(|array| &**array);
        let all: Vec<&Buffer<T>> = given.chain(&self.none).collect();
        std::array::from_fn(|place| all[place].input(NAMES[place]))
    }

    pub(super) fn outputs(&mut self) -> [Argument<'_>; MOST_ARRAYS] {
        let given = self.given.iter_mut().map(|array| &mut **array);
        let mut all = given.chain(&mut self.none);
        NAMES.map(|name| all.next().expect("one array is given, two are empty").output(name))
    }
}
