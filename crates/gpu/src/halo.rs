//! Halo exchange of arrays that lie on a device.

mod boxes;
mod by_host;
mod by_nccl;
mod by_peer;
mod packed;
mod pass;
mod sides;

use bytemuck::Pod;
use vortice_core::{Communicator, Halo, Result};

use crate::argument::Argument;
use crate::buffer::Buffer;
use crate::gpu::Gpu;
use crate::kernel::{Kernel, Module};

pub(crate) use by_peer::ByPeer;
use pass::Pass;

/// The kernels of the exchange, for a method's [`Program`](crate::Program).
pub const HALO_KERNELS: &[(&str, &str)] = &[
    ("halo/collect.cu", include_str!("../../../kernels/halo/collect.cu")),
    ("halo/pack.cu", include_str!("../../../kernels/halo/pack.cu")),
    ("halo/post.cu", include_str!("../../../kernels/halo/post.cu")),
    ("halo/trade.cu", include_str!("../../../kernels/halo/trade.cu")),
    ("halo/unpack.cu", include_str!("../../../kernels/halo/unpack.cu")),
    ("halo/wrap.cu", include_str!("../../../kernels/halo/wrap.cu")),
];

/// The headers of [`HALO_KERNELS`]; they include `device.cuh`.
pub const HALO_HEADERS: &[(&str, &str)] = &[
    ("halo/boxes.cuh", include_str!("../../../kernels/halo/boxes.cuh")),
    ("halo/sides.cuh", include_str!("../../../kernels/halo/sides.cuh")),
];

/// Most arrays of one exchange.
const MOST_ARRAYS: usize = 3;
/// The arrays in the parameters of the kernels.
const NAMES: [&str; MOST_ARRAYS] = ["first", "second", "third"];

/// The exchange of [`Halo`] for arrays on a device, with the same messages: the neighbours may be
/// processors or devices.
pub struct DeviceHalo {
    gpu: Gpu,
    kernels: Kernels,
    passes: Vec<Pass>,
    /// Values that an array must have at least.
    extent: usize,
    stays_on_device: bool,
}

pub(crate) struct Kernels {
    collect: Kernel,
    pack: Kernel,
    post: Kernel,
    trade: Kernel,
    unpack: Kernel,
    wrap: Kernel,
}

impl Kernels {
    pub(crate) fn of(module: &Module) -> Result<Self> {
        Ok(Self {
            collect: module.kernel("collect")?,
            pack: module.kernel("pack")?,
            post: module.kernel("post")?,
            trade: module.kernel("trade")?,
            unpack: module.kernel("unpack")?,
            wrap: module.kernel("wrap")?,
        })
    }
}

impl DeviceHalo {
    /// The exchange of a halo; `module` contains [`HALO_KERNELS`]. Ranks whose GPUs have links make
    /// theirs at the same time.
    ///
    /// # Errors
    /// If the device fails, or the places have more than 32 bits.
    pub fn new(gpu: &Gpu, module: &Module, halo: &Halo) -> Result<Self> {
        let kernels = Kernels::of(module)?;
        let passes = halo.passes().iter().filter(|sides| sides.iter().any(Option::is_some));
        let passes = passes.map(|sides| Pass::new(gpu, sides)).collect::<Result<Vec<_>>>()?;
        let all = gpu.links.as_ref().is_none_or(|links| links.are_on_devices());
        let stays_on_device = all && passes.iter().all(Pass::stays_on_device);
        let places = halo.passes().iter().flatten().flatten();
        let places = places.flat_map(|side| side.send.iter().chain(&side.receive));
        let extent = places.max().map_or(0, |last| last + 1);
        Ok(Self { gpu: gpu.clone(), kernels, passes, extent, stays_on_device })
    }

    /// Whether there is nothing to exchange: no neighbours, no periodic direction.
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty()
    }

    /// Whether the host has no part in it, so that the exchange can be captured in a graph: nothing
    /// leaves the device, or no rank of all sends anything through the host. Ranks that may put their
    /// work off must all be able to.
    pub fn stays_on_device(&self) -> bool {
        self.stays_on_device
    }

    /// Fills the halos of all arrays, at most three, from the neighbours' own values. `T` is what
    /// the module was compiled to store: `f32`, `f64`, or `u16` for `half16`.
    ///
    /// # Errors
    /// If the device fails or a neighbour has stopped.
    ///
    /// # Panics
    /// If there are more than three arrays, or one is shorter than the halo's shape.
    pub fn exchange<T: Pod>(
        &self,
        ranks: &dyn Communicator,
        arrays: &mut [&mut Buffer<T>],
    ) -> Result<()> {
        assert!(arrays.len() <= MOST_ARRAYS, "at most {MOST_ARRAYS} arrays at once");
        assert!(
            arrays.iter().all(|array| array.len() >= self.extent),
            "an array is shorter than the halo's {} values",
            self.extent
        );
        if arrays.is_empty() {
            return Ok(());
        }
        let mut arrays = Arrays::new(&self.gpu, arrays)?;
        self.passes.iter().try_for_each(|pass| pass.exchange(&self.kernels, ranks, &mut arrays))
    }
}

/// The arrays of an exchange, and empty ones for the parameters that are left.
pub(crate) struct Arrays<'a, 'b, T> {
    given: &'a mut [&'b mut Buffer<T>],
    none: [Buffer<T>; MOST_ARRAYS - 1],
}

impl<'a, 'b, T: Pod> Arrays<'a, 'b, T> {
    pub(crate) fn new(gpu: &Gpu, given: &'a mut [&'b mut Buffer<T>]) -> Result<Self> {
        Ok(Self { given, none: [gpu.zeros(0)?, gpu.zeros(0)?] })
    }

    fn count(&self) -> usize {
        self.given.len()
    }

    fn inputs(&self) -> [Argument<'_>; MOST_ARRAYS] {
        let given = self.given.iter().map(|array| &**array);
        let all: Vec<&Buffer<T>> = given.chain(&self.none).collect();
        std::array::from_fn(|place| all[place].input(NAMES[place]))
    }

    fn outputs(&mut self) -> [Argument<'_>; MOST_ARRAYS] {
        let given = self.given.iter_mut().map(|array| &mut **array);
        let mut all = given.chain(&mut self.none);
        NAMES.map(|name| all.next().expect("one array is given, two are empty").output(name))
    }
}

#[cfg(test)]
mod tests;
