//! The processor as a device.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use vortice_core::{Error, Result};
use vortice_gpu::{
    Address, Definition, Driver, Event, Kernels, Mailbox, Program, Properties, Replay,
};

use crate::kernels::Loaded;
use crate::launch::Order;
use crate::stream::{Stream, Work};
use crate::table;

/// The processor as a device: kernels run where they are launched, one thread after the other.
///
/// Settings come before the first use. Device memory is ordinary memory, and an address a pointer.
pub struct Host {
    properties: Properties,
    order: Order,
    poisoned: bool,
    /// Different for all devices of a process.
    number: u64,
    stream: OnceLock<Arc<Stream>>,
    /// Bytes that were copied from it.
    downloaded: AtomicU64,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// A device with 4 multiprocessors, 64 GiB of memory and as much shared memory as an H200 has.
    pub fn new() -> Self {
        let properties = Properties {
            name: "host".into(),
            memory: 64 << 30,
            multiprocessors: 4,
            shared_memory: 232_448,
            threads: 1024,
            architecture: [0, 0],
            cooperative: true,
            nominal_bandwidth: None,
            ecc: false,
        };
        static MADE: AtomicU64 = AtomicU64::new(0);
        Self {
            properties,
            order: Order::default(),
            poisoned: false,
            number: 1 + MADE.fetch_add(1, Ordering::Relaxed),
            stream: OnceLock::new(),
            downloaded: AtomicU64::new(0),
        }
    }

    /// With so many multiprocessors, each of which runs one block: more blocks cannot wait for each
    /// other.
    #[must_use]
    pub fn multiprocessors(mut self, count: usize) -> Self {
        self.properties.multiprocessors = count;
        self
    }

    /// With so many bytes of memory; [`Driver::allocate`] fails beyond.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.properties.memory = bytes;
        self
    }

    /// With so many bytes of shared memory for a block.
    #[must_use]
    pub fn shared_memory(mut self, bytes: usize) -> Self {
        self.properties.shared_memory = bytes;
        self
    }

    /// With at most so many threads in a block.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.properties.threads = count;
        self
    }

    /// With threads and blocks in this order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// With memory that begins as not-a-number (and as wild integers) instead of zeros: a result
    /// that depends on the zeros changes.
    #[must_use]
    pub fn poisoned(mut self) -> Self {
        self.poisoned = true;
        self
    }

    /// Launches so far by the kernel's name, those of replays included.
    pub fn launches(&self) -> BTreeMap<String, u64> {
        self.stream().done().launches.clone()
    }

    /// Bytes that were copied from the device so far.
    pub fn downloaded(&self) -> u64 {
        self.downloaded.load(Ordering::Relaxed)
    }

    fn stream(&self) -> &Arc<Stream> {
        self.stream.get_or_init(|| Arc::new(Stream::new(self.order, self.properties.clone())))
    }
}

impl Driver for Host {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> Result<usize> {
        Ok(self.properties.memory.saturating_sub(self.stream().done().memory.used()))
    }

    fn allocate(&self, bytes: usize) -> Result<Address> {
        self.stream().expect_no_capture("an allocation")?;
        let free = self.free_memory()?;
        if bytes > free {
            return Err(Error::Device {
                problem: format!("{bytes} bytes are asked for and {free} are free"),
                remedy: "use a smaller grid, or give the host more with Host::memory".into(),
            });
        }
        self.stream().done().memory.allocate(bytes, self.poisoned)
    }

    fn release(&self, at: Address) {
        self.stream().done().memory.release(at);
    }

    fn upload(&self, to: Address, bytes: &[u8]) -> Result<()> {
        self.stream().expect_no_capture("an upload")?;
        self.stream().done().memory.write(to, bytes)
    }

    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<()> {
        self.stream().expect_no_capture("a download")?;
        self.downloaded.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.stream().done().memory.read(from, bytes)
    }

    fn mailbox(&self, bytes: usize) -> Result<Option<Box<dyn Mailbox>>> {
        Ok(Some(Box::new(Letter { stream: Arc::clone(self.stream()), bytes: vec![0; bytes] })))
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        self.stream().take(Work::Copy { from, to, bytes })
    }

    fn clear(&self, at: Address, bytes: usize) -> Result<()> {
        self.stream().take(Work::Clear { at, bytes })
    }

    fn load(&self, program: &Program, definitions: &[Definition]) -> Result<Arc<dyn Kernels>> {
        let kernels = table::find(program, definitions)?;
        Ok(Arc::new(Loaded { stream: Arc::clone(self.stream()), program: program.name, kernels }))
    }

    fn wait(&self) -> Result<()> {
        self.stream().expect_no_capture("waiting")
    }

    fn begin_capture(&self) -> Result<()> {
        self.stream().begin_capture()
    }

    fn end_capture(&self) -> Result<Box<dyn Replay>> {
        self.stream().end_capture()
    }

    fn identity(&self) -> Result<[u8; 16]> {
        let mut number = [0; 16];
        number[..8].copy_from_slice(&self.number.to_ne_bytes());
        Ok(number)
    }

    fn reach(&self, _: [u8; 16]) -> Result<()> {
        // An address is a pointer, for all threads of this process.
        Ok(())
    }

    fn event(&self) -> Result<Box<dyn Event>> {
        self.stream().expect_no_capture("an event")?;
        Ok(Box::new(HostEvent(Instant::now())))
    }
}

/// A mark: work is done when it is asked for, so the time of the call is that of the stream.
struct HostEvent(Instant);

impl Event for HostEvent {
    fn seconds_since(&self, earlier: &dyn Event) -> Result<f64> {
        let earlier = earlier.as_any().downcast_ref::<Self>().ok_or_else(|| Error::Device {
            problem: "an event of the host is compared with one of another device".into(),
            remedy: "take both from the same device".into(),
        })?;
        let ahead = self.0.saturating_duration_since(earlier.0).as_secs_f64();
        let behind = earlier.0.saturating_duration_since(self.0).as_secs_f64();
        Ok(ahead - behind)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Bytes as they were when they were sent.
struct Letter {
    stream: Arc<Stream>,
    bytes: Vec<u8>,
}

impl Mailbox for Letter {
    fn send(&mut self, from: Address) -> Result<()> {
        self.stream.done().memory.read(from, &mut self.bytes)
    }

    fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
        bytes.copy_from_slice(&self.bytes);
        Ok(())
    }
}
