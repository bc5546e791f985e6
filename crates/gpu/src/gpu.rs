//! One GPU at work: what methods see of it.

use std::sync::{Arc, Mutex};

use bytemuck::Pod;
use vortice_core::{Communicator, Result, Transport, lock};

use crate::buffer::Buffer;
use crate::driver::{Definition, Driver, Event, Program, Properties};
use crate::graph::Graph;
use crate::halo::kernels::{Kernels, Modules};
use crate::kernel::Module;
use crate::links::Links;
use crate::stream::Stream;

/// One GPU and its stream, in which everything happens in the order of the calls.
#[derive(Clone)]
pub struct Gpu {
    pub(crate) stream: Arc<Stream>,
    /// How it reaches the GPUs of other ranks, if there are any.
    pub(crate) links: Option<Arc<Links>>,
    halo_kernels: Arc<Mutex<Modules>>,
}

impl Gpu {
    /// The GPU of a driver.
    pub fn with(driver: Arc<dyn Driver>) -> Self {
        let stream = Arc::new(Stream::new(driver));
        Self { stream, links: None, halo_kernels: Arc::default() }
    }

    /// The same GPU, which knows how to reach those of other ranks.
    #[must_use]
    pub fn linked(mut self, links: Arc<Links>) -> Self {
        self.links = Some(links);
        self
    }

    /// Finds out which ways there are between the GPUs of ranks; collective, for ranks with a GPU and
    /// without.
    ///
    /// # Errors
    /// If the transport that is asked for is not there, on all ranks alike; or a rank has stopped.
    pub fn agree_on_links(
        gpu: Option<&Self>,
        ranks: Arc<dyn Communicator>,
        transport: Transport,
    ) -> Result<Arc<Links>> {
        Links::agree(gpu.map(|gpu| &gpu.stream), ranks, transport)
    }

    /// How it reaches the GPUs of other ranks; none if its rank is alone.
    pub fn links(&self) -> Option<&Links> {
        self.links.as_deref()
    }

    /// What the GPU is.
    pub fn properties(&self) -> &Properties {
        self.stream.driver.properties()
    }

    /// Free memory in bytes.
    pub fn free_memory(&self) -> Result<usize> {
        self.stream.driver.free_memory()
    }

    /// An array of zeros.
    pub fn zeros<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        Buffer::zeros(&self.stream, len)
    }

    /// An array of zeros that other processes can open without opening anything else.
    pub(crate) fn zeros_apart<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        // CUDA shares memory in pieces of this size.
        const PIECE: usize = 2 << 20;
        let whole = (len * size_of::<T>()).next_multiple_of(PIECE).max(PIECE) / size_of::<T>();
        let other_processes = self.links.as_ref().is_some_and(|links| links.leave_the_program());
        let mut apart = self.zeros(if other_processes { whole } else { len.max(1) })?;
        // A test's device gives memory that is anything but zeros.
        apart.clear()?;
        Ok(apart)
    }

    /// An array with these values.
    ///
    /// # Errors
    /// As [`Gpu::zeros`].
    pub fn upload<T: Pod>(&self, values: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.zeros(values.len())?;
        buffer.write(values)?;
        Ok(buffer)
    }

    /// Compiles a program with these constants, or finds it compiled.
    ///
    /// # Errors
    /// If it does not compile or cannot be loaded.
    pub fn load(&self, program: &Program, definitions: &[Definition]) -> Result<Module> {
        self.stream.not_captured("loading a program")?;
        Module::load(&self.stream, program, definitions)
    }

    /// The kernels that move halos of values of so many bytes.
    pub(crate) fn halo_kernels(&self, bytes: usize) -> Result<Arc<Kernels>> {
        let load = |program: &Program, definitions: &[Definition]| self.load(program, definitions);
        lock(&self.halo_kernels).get(bytes, load)
    }

    /// Writes down the launches, copies and clears of `work` instead of doing them. What they use
    /// lives as long as the graph.
    ///
    /// # Errors
    /// If `work` fails, or does something else with the device.
    pub fn capture(&self, work: impl FnOnce() -> Result<()>) -> Result<Graph> {
        let links = self.links.iter().map(|links| Arc::clone(links) as _);
        self.stream.begin_capture(links.collect())?;
        let done = work();
        let kept = self.stream.end_capture();
        // The capture is ended even if the work failed: the stream is needed again.
        let replay = self.stream.driver.end_capture();
        done?;
        Ok(Graph::new(replay?, kept))
    }

    /// Waits until all work is done.
    pub fn wait(&self) -> Result<()> {
        self.stream.not_captured("waiting")?;
        self.stream.driver.wait()
    }

    /// Does `work` in a second stream, behind all work so far, beside what comes after this call and
    /// before [`Gpu::join_fork`]. Only launches, copies and clears may be done there. Can be captured.
    ///
    /// # Errors
    /// If `work` fails, or the device does.
    pub fn fork(&self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let driver = &self.stream.driver;
        driver.fork_stream()?;
        let done = work();
        // Whatever happened: the first stream is needed again.
        driver.leave_fork()?;
        done
    }

    /// What comes now waits for what was done in the second stream.
    pub fn join_fork(&self) -> Result<()> {
        self.stream.driver.join_stream()
    }

    /// An event in the stream, whose time can be compared with another's.
    pub fn event(&self) -> Result<Box<dyn Event>> {
        self.stream.not_captured("an event")?;
        self.stream.driver.event()
    }
}
