//! CUDA: the driver's functions as a [`Driver`].

mod error;
mod event;
mod graph;
mod memory;
mod modules;
mod nccl;
mod peer;
mod pinned;
mod presence;
mod session;

use std::sync::{Arc, Mutex};

use vortice_core::{Result, lock};

use crate::driver::cache::Cache;
use crate::driver::{
    self, Address, Definition, Driver, IpcHandle, Kernels, Mailbox, NcclComm, Options, Program,
    Properties, Replay, nvrtc,
};

use event::Event;
use graph::Graph;
use modules::Loaded;
use pinned::{Landing, PinnedMailbox, Staging};
pub(crate) use presence::{Device, count, driver_version, no_such_gpu};
use session::Session;

/// One GPU through CUDA's driver.
pub(crate) struct Cuda {
    session: Arc<Session>,
    properties: Properties,
    options: Options,
    staging: Mutex<Staging>,
    landing: Mutex<Landing>,
    /// Memory that was given back during a capture, which must not be disturbed; nothing if there is none.
    late: Mutex<Option<Vec<Address>>>,
}

impl Cuda {
    /// Opens a GPU, counted from 0.
    pub(crate) fn open(number: usize, options: Options) -> Result<Self> {
        let device = Device::find(number)?;
        // Without the compiler a GPU is of no use; better said now than after a long set-up.
        nvrtc::version()?;
        let properties = device.properties()?;
        let session = Arc::new(Session::open(&device)?);
        Ok(Self {
            staging: Mutex::new(Staging::new(&session)?),
            landing: Mutex::new(Landing::new(&session)?),
            session,
            properties,
            options,
            late: Mutex::default(),
        })
    }
}

impl Driver for Cuda {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> Result<usize> {
        self.session.enter()?;
        memory::free()
    }

    fn allocate(&self, bytes: usize) -> Result<Address> {
        self.session.enter()?;
        let at = memory::allocate(bytes)?;
        memory::clear(&self.session, at, bytes)?;
        Ok(at)
    }

    fn release(&self, at: Address) {
        match &mut *lock(&self.late) {
            Some(late) => late.push(at),
            None if self.session.enter().is_ok() => memory::release(at),
            None => {}
        }
    }

    fn upload(&self, to: Address, bytes: &[u8]) -> Result<()> {
        self.session.enter()?;
        lock(&self.staging).upload(to, bytes)
    }

    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<()> {
        self.session.enter()?;
        lock(&self.landing).download(from, bytes)
    }

    fn mailbox(&self, bytes: usize) -> Result<Option<Box<dyn Mailbox>>> {
        Ok(Some(Box::new(PinnedMailbox::new(&self.session, bytes)?)))
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        self.session.enter()?;
        memory::copy(&self.session, from, to, bytes)
    }

    fn clear(&self, at: Address, bytes: usize) -> Result<()> {
        self.session.enter()?;
        memory::clear(&self.session, at, bytes)
    }

    fn load(&self, program: &Program, definitions: &[Definition]) -> Result<Arc<dyn Kernels>> {
        let (architecture, fused) = (self.properties.architecture, self.options.fused_multiply_add);
        let cache = Cache::of_user();
        let code = nvrtc::compile_once(&cache, program, definitions, architecture, fused)?;
        self.session.enter()?;
        Ok(Arc::new(Loaded::load(&self.session, program.name, &code)?))
    }

    fn wait(&self) -> Result<()> {
        self.session.enter()?;
        self.session.wait()
    }

    fn begin_capture(&self) -> Result<()> {
        self.session.enter()?;
        graph::begin(&self.session)?;
        *lock(&self.late) = Some(Vec::new());
        Ok(())
    }

    fn end_capture(&self) -> Result<Box<dyn Replay>> {
        self.session.enter()?;
        let graph = Graph::end(&self.session);
        let late = lock(&self.late).take();
        late.into_iter().flatten().for_each(memory::release);
        Ok(Box::new(graph?))
    }

    fn event(&self) -> Result<Box<dyn driver::Event>> {
        self.session.enter()?;
        Ok(Box::new(Event::record(&self.session)?))
    }

    fn fork_stream(&self) -> Result<()> {
        self.session.enter()?;
        self.session.fork_stream()
    }

    fn leave_fork(&self) -> Result<()> {
        self.session.leave_fork();
        Ok(())
    }

    fn join_stream(&self) -> Result<()> {
        self.session.enter()?;
        self.session.join_stream()
    }

    fn identity(&self) -> Result<[u8; 16]> {
        peer::identity(self.session.device())
    }

    fn reach(&self, other: [u8; 16]) -> Result<()> {
        peer::reach(&self.session, other)
    }

    fn ipc_handle(&self, at: Address) -> Result<IpcHandle> {
        self.session.enter()?;
        peer::ipc_handle(at)
    }

    fn open_ipc(&self, export: &IpcHandle) -> Result<Address> {
        self.session.enter()?;
        peer::open_ipc(export)
    }

    fn close(&self, at: Address) {
        // What is still written there must have arrived; that it cannot be closed is no harm.
        if self.session.enter().and_then(|()| self.session.wait()).is_ok() {
            peer::close(at);
        }
    }

    fn new_group(&self) -> Result<[u8; 128]> {
        nccl::new_group()
    }

    fn join_group(
        &self,
        name: &[u8; 128],
        number: usize,
        size: usize,
    ) -> Result<Arc<dyn NcclComm>> {
        self.session.enter()?;
        Ok(Arc::new(nccl::Group::join(&self.session, name, number, size)?))
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // Staged bytes may still be on their way; what cannot be waited for is lost anyway.
        let _ = self.session.enter().and_then(|()| self.session.wait());
    }
}
