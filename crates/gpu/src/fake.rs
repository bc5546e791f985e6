//! A device for the tests of this crate: its memory is the host's, its kernels are Rust functions.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use vortice_core::{Error, Result, lock};

use crate::driver::{Address, Driver, Event, Kernels, Launch, Properties, Replay};
use crate::driver::{Definition, Program};

/// A kernel of the fake device: copies the arguments of a launch and returns what is to be done.
pub(crate) type Function = fn(Launch, &[*const c_void]) -> Work;

/// What is done to the memory.
pub(crate) type Work = Box<dyn Fn(&mut Blocks) + Send + Sync>;

/// Allocated memory by address.
#[derive(Default)]
pub(crate) struct Blocks(BTreeMap<Address, Vec<u8>>);

/// An argument of a launch.
///
/// # Safety
/// The argument must be a `T`.
#[allow(unsafe_code)]
pub(crate) unsafe fn argument<T: Copy>(arguments: &[*const c_void], place: usize) -> T {
    // SAFETY: promised by the caller.
    unsafe { *arguments[place].cast::<T>() }
}

/// A device in the host's memory.
pub(crate) struct Fake {
    properties: Properties,
    shared: Arc<Shared>,
}

struct Shared {
    functions: Vec<(&'static str, Function)>,
    blocks: Mutex<Blocks>,
    captured: Mutex<Option<Vec<Work>>>,
    events: AtomicU32,
}

struct FakeKernels(Arc<Shared>);
struct FakeReplay(Arc<Shared>, Vec<Work>);
struct FakeEvent(u32);

impl Blocks {
    /// The bytes from an address to the end of its allocation.
    pub(crate) fn at(&mut self, at: Address) -> &mut [u8] {
        let (start, block) = self.0.range_mut(..=at).next_back().expect("an allocated address");
        let from = usize::try_from(at - start).expect("an offset");
        assert!(from < block.len(), "{at:#x} lies in no allocation");
        &mut block[from..]
    }
}

impl Fake {
    pub(crate) fn named(name: &str) -> Self {
        Self::with(name, &[])
    }

    pub(crate) fn with(name: &str, functions: &[(&'static str, Function)]) -> Self {
        let properties = Properties {
            name: name.into(),
            memory: 1 << 20,
            multiprocessors: 4,
            shared_memory: 1 << 16,
            threads: 1024,
            architecture: [0, 0],
            cooperative: false,
            nominal_bandwidth: None,
            ecc: false,
        };
        let shared = Shared {
            functions: functions.to_vec(),
            blocks: Mutex::default(),
            captured: Mutex::default(),
            events: AtomicU32::new(0),
        };
        Self { properties, shared: Arc::new(shared) }
    }

    /// Counts the allocations that are not given back, also after the device has been handed on.
    pub(crate) fn allocations(&self) -> impl Fn() -> usize + use<> {
        let shared = Arc::clone(&self.shared);
        move || lock(&shared.blocks).0.len()
    }

    fn used(&self) -> usize {
        lock(&self.shared.blocks).0.values().map(Vec::len).sum()
    }
}

impl Shared {
    fn act(&self, work: Work) {
        match lock(&self.captured).as_mut() {
            Some(list) => list.push(work),
            None => work(&mut lock(&self.blocks)),
        }
    }
}

impl Driver for Fake {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> Result<usize> {
        Ok(self.properties.memory - self.used())
    }

    fn allocate(&self, bytes: usize) -> Result<Address> {
        let mut blocks = lock(&self.shared.blocks);
        // Room between allocations, so that reaching beyond an end is seen.
        let last = blocks.0.last_key_value().map_or(0, |(at, block)| at + block.len() as Address);
        blocks.0.insert(last + 64, vec![0; bytes]);
        Ok(last + 64)
    }

    fn release(&self, at: Address) {
        lock(&self.shared.blocks).0.remove(&at).expect("released once");
    }

    fn upload(&self, to: Address, bytes: &[u8]) -> Result<()> {
        lock(&self.shared.blocks).at(to)[..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<()> {
        bytes.copy_from_slice(&lock(&self.shared.blocks).at(from)[..bytes.len()]);
        Ok(())
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        self.shared.act(Box::new(move |blocks| {
            let copied = blocks.at(from)[..bytes].to_vec();
            blocks.at(to)[..bytes].copy_from_slice(&copied);
        }));
        Ok(())
    }

    fn clear(&self, at: Address, bytes: usize) -> Result<()> {
        self.shared.act(Box::new(move |blocks| blocks.at(at)[..bytes].fill(0)));
        Ok(())
    }

    fn load(&self, _: &Program, _: &[Definition]) -> Result<Arc<dyn Kernels>> {
        Ok(Arc::new(FakeKernels(Arc::clone(&self.shared))))
    }

    fn wait(&self) -> Result<()> {
        Ok(())
    }

    fn begin_capture(&self) -> Result<()> {
        *lock(&self.shared.captured) = Some(Vec::new());
        Ok(())
    }

    fn end_capture(&self) -> Result<Box<dyn Replay>> {
        let work = lock(&self.shared.captured).take().expect("a capture was begun");
        Ok(Box::new(FakeReplay(Arc::clone(&self.shared), work)))
    }

    fn identity(&self) -> Result<[u8; 16]> {
        // Its memory has addresses of its own, which no other device could write to.
        Err(Error::Device { problem: "a fake has no number".into(), remedy: String::new() })
    }

    fn reach(&self, _: [u8; 16]) -> Result<()> {
        Err(Error::Device { problem: "a fake reaches nobody".into(), remedy: String::new() })
    }

    fn event(&self) -> Result<Box<dyn Event>> {
        Ok(Box::new(FakeEvent(1 + self.shared.events.fetch_add(1, Ordering::Relaxed))))
    }
}

impl Kernels for FakeKernels {
    fn find(&self, name: &str) -> Result<usize> {
        self.0.functions.iter().position(|(known, _)| *known == name).ok_or(Error::Device {
            problem: format!("no kernel {name}"),
            remedy: "give it to the fake".into(),
        })
    }

    #[allow(unsafe_code)]
    unsafe fn launch(&self, at: usize, shape: Launch, arguments: &[*const c_void]) -> Result<()> {
        self.0.act(self.0.functions[at].1(shape, arguments));
        Ok(())
    }

    fn blocks_at_once(&self, _: usize, threads: u32, _: u32) -> Result<usize> {
        Ok(2048 / threads as usize)
    }
}

impl Replay for FakeReplay {
    fn launch(&self) -> Result<()> {
        let mut blocks = lock(&self.0.blocks);
        self.1.iter().for_each(|work| work(&mut blocks));
        Ok(())
    }
}

impl Event for FakeEvent {
    fn seconds_since(&self, earlier: &dyn Event) -> Result<f64> {
        let earlier = earlier.as_any().downcast_ref::<Self>().expect("an event of this device");
        Ok(f64::from(self.0 - earlier.0))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
