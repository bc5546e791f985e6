//! Which device computes a case.

use std::cell::RefCell;
use std::sync::Arc;

use vortice_core::{Case, Context, Device, Result};

use crate::driver::Options;
use crate::driver::cuda::{self, Cuda};
use crate::gpu::Gpu;

/// How a test opens a device by number.
type Open = dyn Fn(usize) -> Result<Gpu>;

thread_local! {
    static REPLACED: RefCell<Option<Arc<Open>>> = const { RefCell::new(None) };
}

/// From now on a case of this thread that asks for a GPU by name gets it from `open`, which is
/// given its number; for tests. A case that leaves the choice open then runs on the processor.
pub fn replace_devices(open: impl Fn(usize) -> Result<Gpu> + 'static) {
    REPLACED.set(Some(Arc::new(open)));
}

impl Gpu {
    /// Opens a GPU, counted from 0.
    ///
    /// # Errors
    /// [`Error::Device`](vortice_core::Error::Device) in one sentence if the driver, NVRTC or the GPU is missing, too old or in
    /// exclusive use by another process.
    pub fn open(number: usize, options: Options) -> Result<Self> {
        Ok(Self::with(Arc::new(Cuda::open(number, options)?)))
    }

    /// Number of GPUs that CUDA sees, at least one.
    ///
    /// # Errors
    /// [`Error::Device`](vortice_core::Error::Device) in one sentence if there is no driver, an old one, or no GPU.
    pub fn count() -> Result<usize> {
        cuda::count()
    }

    /// The GPU that a case asks for, on this rank; none if the processor serves: it was asked for,
    /// or the choice was left open and there are fewer usable GPUs than ranks. Collective: if one rank
    /// cannot have its GPU, all stop; and the ranks find out together how their GPUs reach each other.
    ///
    /// # Errors
    /// If the case names a GPU that cannot be used, or its `[gpu]` table is wrong, or the transport that
    /// it asks for is not there.
    pub fn for_case(case: &Case, context: &Context) -> Result<Option<Self>> {
        let ranks = &context.ranks;
        let gpu = ranks.agree(Self::of_rank(case, ranks.local_rank(), ranks.local_size()))?;
        if ranks.size() == 1 {
            return Ok(gpu);
        }
        let links = Self::agree_on_links(gpu.as_ref(), ranks.clone(), case.ranks.transport)?;
        Ok(gpu.map(|gpu| gpu.linked(links)))
    }

    /// The GPU of a rank, by its number among the `local_size` ranks of its machine, as
    /// [`Gpu::for_case`]; asks no other rank.
    ///
    /// # Errors
    /// As [`Gpu::for_case`].
    pub fn of_rank(case: &Case, local_rank: usize, local_size: usize) -> Result<Option<Self>> {
        let options: Options = case.options("gpu")?;
        let Some(number) = Self::number_of_rank(case, local_rank, local_size)? else {
            return Ok(None);
        };
        let opened = match REPLACED.with_borrow(Clone::clone) {
            Some(open) => open(number),
            None => Self::open(number, options),
        };
        match opened {
            // There is another choice.
            Err(_) if case.run.device.are_open() => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// The number of the GPU of a rank, as [`Gpu::of_rank`]; it is not opened.
    ///
    /// # Errors
    /// If the case names a GPU that is not there.
    pub fn number_of_rank(
        case: &Case,
        local_rank: usize,
        local_size: usize,
    ) -> Result<Option<usize>> {
        let devices = &case.run.device;
        let replaced = REPLACED.with_borrow(Option::is_some);
        match devices.of(local_rank) {
            Device::Cpu => Ok(None),
            Device::Auto if replaced => Ok(None),
            Device::Auto => {
                let enough = cuda::count().is_ok_and(|count| count >= local_size);
                Ok(enough.then_some(local_rank))
            }
            Device::AnyCuda if replaced => Ok(Some(devices.turn(local_rank))),
            Device::AnyCuda => Ok(Some(devices.turn(local_rank) % cuda::count()?)),
            Device::Cuda(number) if replaced => Ok(Some(number)),
            Device::Cuda(number) => match cuda::count()? {
                count if number >= count => Err(cuda::no_such_gpu(number, count)),
                _ => Ok(Some(number)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use vortice_core::Devices;

    use super::*;
    use crate::fake::Fake;

    fn case(devices: &str) -> Case {
        let text = include_str!("../../../cases/cavity.toml");
        let devices: Devices = devices.parse().expect("devices");
        Case::parse(text, "cavity").expect("a built-in case").device(devices)
    }

    #[test]
    fn a_replaced_device_is_found_only_by_name() {
        replace_devices(|number| Ok(Gpu::with(Arc::new(Fake::named(&format!("fake {number}"))))));
        let context = Context::alone();
        let found = |devices| Gpu::for_case(&case(devices), &context).unwrap();
        assert!(found("cpu").is_none() && found("auto").is_none());
        let gpu = found("cuda:3").expect("asked for by name");
        assert_eq!(gpu.properties().name, "fake 3");
    }

    #[test]
    fn ranks_take_the_devices_of_the_list_in_turn() {
        replace_devices(|number| Ok(Gpu::with(Arc::new(Fake::named(&format!("fake {number}"))))));
        let taken = |devices: &str| {
            let name = |gpu: Gpu| gpu.properties().name.clone();
            let of = |rank| Gpu::of_rank(&case(devices), rank, 4).unwrap().map(name);
            [0, 1, 2, 3].map(|rank| of(rank).unwrap_or("cpu".into()))
        };
        assert_eq!(taken("cuda"), ["fake 0", "fake 1", "fake 2", "fake 3"]);
        assert_eq!(taken("cuda:5,2"), ["fake 5", "fake 2", "fake 5", "fake 2"]);
        assert_eq!(taken("cuda:0,cpu"), ["fake 0", "cpu", "fake 0", "cpu"]);
        assert_eq!(taken("cpu,cuda"), ["cpu", "fake 0", "cpu", "fake 1"]);
        assert_eq!(taken("cuda:1"), ["fake 1", "fake 1", "fake 1", "fake 1"]);
    }

    #[test]
    fn the_table_of_a_case_is_read_and_checked() {
        let mut case = case("cpu");
        case.source.push_str("\n[gpu]\nfused-multiply-add = true\n");
        assert!(case.options::<Options>("gpu").unwrap().fused_multiply_add);
        case.source.push_str("fast = true\n");
        let error = Gpu::for_case(&case, &Context::alone()).err().expect("an unknown key");
        assert!(error.to_string().contains("gpu.fast"), "{error}");
    }
}
