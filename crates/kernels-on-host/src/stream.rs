//! Work of the device: done at once, or written down while a capture is under way.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::rc::Rc;

use vortice_core::{Error, Result};
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
    pub(crate) memory: RefCell<Memory>,
    captured: RefCell<Option<Vec<Work>>>,
    launches: RefCell<BTreeMap<String, u64>>,
    draws: Cell<u64>,
    order: Order,
    properties: Properties,
}

impl Stream {
    pub(crate) fn new(order: Order, properties: Properties) -> Self {
        Self {
            memory: RefCell::default(),
            captured: RefCell::default(),
            launches: RefCell::default(),
            draws: Cell::new(0),
            order,
            properties,
        }
    }

    /// Launches so far by kernel, those of replays included.
    pub(crate) fn launches(&self) -> BTreeMap<String, u64> {
        self.launches.borrow().clone()
    }

    /// Does the work, or writes it down if a capture is under way.
    pub(crate) fn take(&self, work: Work) -> Result<()> {
        if let Work::Launch { kernel, shape, .. } = &work {
            launch::check(kernel, shape, &self.properties)?;
        }
        if let Some(captured) = self.captured.borrow_mut().as_mut() {
            captured.push(work);
            return Ok(());
        }
        self.carry_out(&work)
    }

    fn carry_out(&self, work: &Work) -> Result<()> {
        match work {
            Work::Copy { from, to, bytes } => self.memory.borrow_mut().copy(*from, *to, *bytes),
            Work::Clear { at, bytes } => self.memory.borrow_mut().clear(*at, *bytes),
            Work::Launch { kernel, shape, values } => self.launch(kernel, shape, values),
        }
    }

    #[allow(unsafe_code)]
    fn launch(&self, kernel: &Kernel, shape: &Launch, values: &Values) -> Result<()> {
        for (i, _) in kernel.parameters().iter().enumerate().filter(|(_, p)| p.address) {
            let at = values.address(i);
            let mine = at == 0 || self.memory.borrow().expect(at, 0).is_ok();
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
        *self.launches.borrow_mut().entry(kernel.name().into()).or_default() += 1;
        self.draws.set(self.draws.get() + 1);
        // SAFETY: the caller of the unsafe `Kernels::launch` vouched for the arguments, of which
        // these are copies; that the memory still exists was just looked up.
        unsafe { launch::run(kernel, shape, self.order, self.draws.get(), &values.pointers()) }
    }

    /// From now on work is written down.
    pub(crate) fn begin_capture(&self) -> Result<()> {
        self.expect_no_capture("a capture")?;
        *self.captured.borrow_mut() = Some(Vec::new());
        Ok(())
    }

    /// What was written down.
    pub(crate) fn end_capture(self: &Rc<Self>) -> Result<Rc<dyn Replay>> {
        let work = self.captured.take().ok_or_else(|| Error::Device {
            problem: "a capture ends that did not begin".into(),
            remedy: "begin it before".into(),
        })?;
        Ok(Rc::new(Recording { stream: Rc::clone(self), work }))
    }

    /// Refuses what cannot be captured while a capture is under way.
    pub(crate) fn expect_no_capture(&self, what: &str) -> Result<()> {
        if self.captured.borrow().is_none() {
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
    stream: Rc<Stream>,
    work: Vec<Work>,
}

impl Replay for Recording {
    fn launch(&self) -> Result<()> {
        self.stream.expect_no_capture("a replay")?;
        self.work.iter().try_for_each(|work| self.stream.carry_out(work))
    }
}
