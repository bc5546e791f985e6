//! Work of the device: done at once, or written down while a capture is under way.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard};

use vortice_core::{Error, Result, lock};
use vortice_gpu::{Address, Launch, Properties, Replay};

use crate::launch::{self, Order};
use crate::memory::{Memory, begins_somewhere};
use crate::table::Kernel;

/// One piece of work that can be captured.
pub(crate) enum Work {
    Copy { from: Address, to: Address, bytes: usize },
    Clear { at: Address, bytes: usize },
    Launch { kernel: &'static Kernel, shape: Launch, values: Values },
}

/// Copies of a kernel's arguments.
pub(crate) struct Values {
    // Units of 16 bytes, so that every type is aligned.
    units: Vec<u128>,
    starts: Vec<usize>,
}

impl Values {
    /// Copies the arguments of a kernel.
    ///
    /// # Safety
    /// Each points at a value of the kernel's parameter.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn copy(kernel: &Kernel, arguments: &[*const c_void]) -> Self {
        let mut values = Self { units: Vec::new(), starts: Vec::new() };
        for (&argument, parameter) in arguments.iter().zip(kernel.parameters()) {
            let start = values.units.len();
            values.starts.push(start);
            values.units.resize(start + parameter.size.div_ceil(size_of::<u128>()), 0);
            // SAFETY: the value has this size, and there is as much room.
            unsafe {
                let to = values.units[start..].as_mut_ptr().cast::<u8>();
                std::ptr::copy_nonoverlapping(argument.cast::<u8>(), to, parameter.size);
            }
        }
        values
    }

    /// The address that an argument holds.
    fn address(&self, argument: usize) -> Address {
        let bytes = self.units[self.starts[argument]].to_ne_bytes();
        Address::from_ne_bytes(bytes[..8].try_into().expect("eight of sixteen"))
    }

    fn pointers(&self) -> Vec<*const c_void> {
        self.starts.iter().map(|&start| self.units[start..].as_ptr().cast()).collect()
    }
}

/// The one stream of a device.
pub(crate) struct Stream {
    /// Held by all work while it is done: several threads take turns.
    done: Mutex<Done>,
    captured: Mutex<Option<Vec<Work>>>,
    order: Order,
    properties: Properties,
}

/// What work changes.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) memory: Memory,
    /// Launches by kernel, those of replays included, and all of them.
    pub(crate) launches: BTreeMap<String, u64>,
    draws: u64,
}

impl Stream {
    pub(crate) fn new(order: Order, properties: Properties) -> Self {
        Self { done: Mutex::default(), captured: Mutex::default(), order, properties }
    }

    /// What work has changed; none is done while this is held.
    pub(crate) fn done(&self) -> MutexGuard<'_, Done> {
        lock(&self.done)
    }

    /// Does the work, or writes it down if a capture is under way.
    pub(crate) fn take(&self, work: Work) -> Result<()> {
        if let Work::Launch { kernel, shape, .. } = &work {
            launch::check(kernel, shape, &self.properties)?;
        }
        if let Some(captured) = &mut *lock(&self.captured) {
            captured.push(work);
            return Ok(());
        }
        self.carry_out(&work)
    }

    fn carry_out(&self, work: &Work) -> Result<()> {
        let done = &mut *self.done();
        match work {
            Work::Copy { from, to, bytes } => done.memory.copy(*from, *to, *bytes),
            Work::Clear { at, bytes } => done.memory.clear(*at, *bytes),
            Work::Launch { kernel, shape, values } => self.launch(done, kernel, shape, values),
        }
    }

    #[allow(unsafe_code)]
    fn launch(
        &self,
        done: &mut Done,
        kernel: &Kernel,
        shape: &Launch,
        values: &Values,
    ) -> Result<()> {
        for (i, _) in kernel.parameters().iter().enumerate().filter(|(_, p)| p.address) {
            let at = values.address(i);
            let mine = at == 0 || done.memory.expect(at, 0).is_ok();
            if !mine && !begins_somewhere(at) {
                return Err(Error::Device {
                    problem: format!(
                        "argument {i} of kernel `{}` is {at:#x}: nothing is allocated there",
                        kernel.name()
                    ),
                    remedy: "keep an array alive until the work that uses it is done".into(),
                });
            }
        }
        *done.launches.entry(kernel.name().into()).or_default() += 1;
        done.draws += 1;
        // SAFETY: the caller of the unsafe `Kernels::launch` vouched for the arguments, of which
        // these are copies; that the memory still exists was just looked up.
        unsafe { launch::run(kernel, shape, self.order, done.draws, &values.pointers()) }
    }

    /// From now on work is written down.
    pub(crate) fn begin_capture(&self) -> Result<()> {
        self.expect_no_capture("a capture")?;
        *lock(&self.captured) = Some(Vec::new());
        Ok(())
    }

    /// What was written down.
    pub(crate) fn end_capture(self: &Arc<Self>) -> Result<Box<dyn Replay>> {
        let work = lock(&self.captured).take().ok_or_else(|| Error::Device {
            problem: "a capture ends that did not begin".into(),
            remedy: "begin it before".into(),
        })?;
        Ok(Box::new(Recording { stream: Arc::clone(self), work }))
    }

    /// Refuses what cannot be captured while a capture is under way.
    pub(crate) fn expect_no_capture(&self, what: &str) -> Result<()> {
        if lock(&self.captured).is_none() {
            return Ok(());
        }
        Err(Error::Device {
            problem: format!("{what} cannot be captured"),
            remedy: "do it before the capture begins or after it ends".into(),
        })
    }
}

/// Work that was captured.
struct Recording {
    stream: Arc<Stream>,
    work: Vec<Work>,
}

impl Replay for Recording {
    fn launch(&self) -> Result<()> {
        self.stream.expect_no_capture("a replay")?;
        self.work.iter().try_for_each(|work| self.stream.carry_out(work))
    }
}
