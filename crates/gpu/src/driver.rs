//! What a device can do, in bytes and addresses. CUDA is one implementor; the crate
//! `kernels-on-host` is another, which runs the same kernels on the processor for tests.

pub(crate) mod cache;
pub(crate) mod cuda;
mod launched;
pub(crate) mod nvrtc;
mod options;
mod program;

use std::any::Any;
use std::sync::Arc;

use vortice_core::{Error, Result};

pub use launched::{Launched, launched};
pub use options::Options;
pub use program::{Definition, Program, Source, joined, real_name};

/// A place in a device's memory; 0 is none.
pub type Address = u64;

/// What another process needs to open a device's memory.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct IpcHandle([u64; 8]);

impl IpcHandle {
    /// Of no memory.
    pub const NONE: Self = Self([0; 8]);
}

/// What a device is.
#[derive(Clone, Debug, PartialEq)]
pub struct Properties {
    /// Its name, such as "NVIDIA H200".
    pub name: String,
    /// Memory in bytes.
    pub memory: usize,
    /// Multiprocessors: blocks that run at the same time if each fills one.
    pub multiprocessors: usize,
    /// Shared memory that one block can have, in bytes.
    pub shared_memory: usize,
    /// Most threads of a block.
    pub threads: usize,
    /// Compute capability, major and minor.
    pub architecture: [u32; 2],
    /// Whether a launch can wait for all of its blocks.
    pub cooperative: bool,
    /// Bandwidth of the memory in bytes per second by its clock and width, as in a data sheet; none
    /// if the driver does not tell.
    pub nominal_bandwidth: Option<f64>,
    /// Whether the memory corrects errors, which costs some of the bandwidth of memory that is not made for it.
    pub ecc: bool,
}

/// How many threads, and the shared memory of each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Launch {
    /// Blocks in x, y and z.
    pub blocks: [u32; 3],
    /// Threads of a block in x, y and z.
    pub threads: [u32; 3],
    /// Dynamic shared memory of a block in bytes.
    pub shared: u32,
    /// Whether blocks wait for each other: all must run at the same time.
    pub cooperative: bool,
}

impl Launch {
    /// At least `cells` threads in each direction, in blocks of `threads`.
    pub fn over(cells: [usize; 3], threads: [u32; 3]) -> Self {
        let blocks = std::array::from_fn(|d| cells[d].div_ceil(threads[d] as usize).max(1) as u32);
        Self { blocks, threads, shared: 0, cooperative: false }
    }

    /// The same in blocks of so many threads, a power of two from 128 on, that are long in x: rows begin anywhere in
    /// memory, and where two blocks meet they share what is moved together. Of any box of cells, a launch has no more
    /// blocks in y and z than a device takes.
    pub fn rows(cells: [usize; 3], of_block: u32) -> Self {
        const MOST_BLOCKS_ACROSS: usize = 65535;
        let width = [32, 64, 128][usize::from(cells[0] > 32) + usize::from(cells[0] > 64)];
        let mut block = [width, of_block / width, 1];
        while cells[1].div_ceil(block[1] as usize) > MOST_BLOCKS_ACROSS && block[0] > 1 {
            block = [block[0] / 2, block[1] * 2, 1];
        }
        while cells[2].div_ceil(block[2] as usize) > MOST_BLOCKS_ACROSS && block[2] < 64 {
            let from = usize::from(block[1] > block[0]);
            block[from] /= 2;
            block[2] *= 2;
        }
        Self::over(cells, block)
    }
}

/// A device at work: one stream, in which everything happens in the order of the calls.
///
/// Addresses and kernels come from the same driver; the safe types of this crate see to that. Any
/// thread may call it: the stream belongs to the device, not to the thread that opened it.
pub trait Driver: Send + Sync {
    /// What the device is.
    fn properties(&self) -> &Properties;

    /// Free memory in bytes.
    fn free_memory(&self) -> Result<usize>;

    /// Memory of so many bytes, set to zero.
    ///
    /// # Errors
    /// If there is not enough, or the device fails.
    fn allocate(&self, bytes: usize) -> Result<Address>;

    /// Gives memory back.
    fn release(&self, at: Address);

    /// Copies bytes to the device; they may change as soon as this returns.
    fn upload(&self, to: Address, bytes: &[u8]) -> Result<()>;

    /// Waits for all work before and copies bytes from the device.
    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<()>;

    /// A way to fetch a few bytes again and again without waiting for the device; none if it has none.
    fn mailbox(&self, bytes: usize) -> Result<Option<Box<dyn Mailbox>>> {
        let _ = bytes;
        Ok(None)
    }

    /// Copies bytes on the device; the two places do not overlap. Can be captured.
    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()>;

    /// Sets bytes to zero. Can be captured.
    fn clear(&self, at: Address, bytes: usize) -> Result<()>;

    /// Compiles a program, or finds it compiled.
    ///
    /// # Errors
    /// If it does not compile or cannot be loaded.
    fn load(&self, program: &Program, definitions: &[Definition]) -> Result<Arc<dyn Kernels>>;

    /// Waits until all work is done.
    fn wait(&self) -> Result<()>;

    /// From now on work is written down instead of done.
    fn begin_capture(&self) -> Result<()>;

    /// Ends writing down.
    ///
    /// # Errors
    /// If something was asked for that cannot be captured.
    fn end_capture(&self) -> Result<Box<dyn Replay>>;

    /// An event in the stream, whose time can be compared with another's.
    fn event(&self) -> Result<Box<dyn Event>>;

    /// From now on work goes to a second stream, behind all work so far; it is done beside what comes
    /// after [`Driver::leave_fork`]. Can be captured.
    fn fork_stream(&self) -> Result<()> {
        Ok(())
    }

    /// Work goes to the first stream again, and does not wait for the second.
    fn leave_fork(&self) -> Result<()> {
        Ok(())
    }

    /// What comes now waits for the second stream.
    fn join_stream(&self) -> Result<()> {
        Ok(())
    }

    /// A number that no other device has.
    fn identity(&self) -> Result<[u8; 16]>;

    /// Lets this device reach the memory of another one that this process uses, by its number.
    ///
    /// # Errors
    /// If it cannot.
    fn reach(&self, other: [u8; 16]) -> Result<()>;

    /// What another process on this machine needs to open memory of this device.
    ///
    /// # Errors
    /// If the memory cannot be shared.
    fn ipc_handle(&self, at: Address) -> Result<IpcHandle> {
        let _ = at;
        Err(cannot("share memory with other processes"))
    }

    /// Opens memory of another process' device.
    ///
    /// # Errors
    /// If it cannot be reached.
    fn open_ipc(&self, export: &IpcHandle) -> Result<Address> {
        let _ = export;
        Err(cannot("open memory of other processes"))
    }

    /// Closes what was opened.
    fn close(&self, at: Address) {
        let _ = at;
    }

    /// What a new group of devices that talk through NCCL is called.
    ///
    /// # Errors
    /// If there is no NCCL.
    fn new_group(&self) -> Result<[u8; 128]> {
        Err(cannot("use NCCL"))
    }

    /// Joins a group of so many devices under a number; all do it together.
    ///
    /// # Errors
    /// If NCCL refuses.
    fn join_group(
        &self,
        name: &[u8; 128],
        number: usize,
        size: usize,
    ) -> Result<Arc<dyn NcclComm>> {
        let _ = (name, number, size);
        Err(cannot("use NCCL"))
    }
}

fn cannot(what: &str) -> Error {
    Error::Device {
        problem: format!("this device cannot {what}"),
        remedy: "set ranks.transport = \"host\"".into(),
    }
}

/// The kernels of a loaded program.
pub trait Kernels: Any + Send + Sync {
    /// The number of a kernel, for [`Kernels::launch`].
    ///
    /// # Errors
    /// If the program has no such kernel.
    fn find(&self, name: &str) -> Result<usize>;

    /// Launches a kernel. Each argument points at a value: a structure, or an [`Address`].
    /// Can be captured; the values are copied.
    ///
    /// # Safety
    /// The arguments are those of the kernel, in number, order, type and size, and the addresses
    /// cover what it reads and writes.
    #[allow(unsafe_code)]
    unsafe fn launch(
        &self,
        kernel: usize,
        shape: Launch,
        arguments: &[*const std::ffi::c_void],
    ) -> Result<()>;

    /// Blocks of this kernel that one multiprocessor can run at the same time.
    fn blocks_at_once(&self, kernel: usize, threads: u32, shared: u32) -> Result<usize>;
}

/// Captured work.
pub trait Replay: Send {
    /// Does it, in the stream.
    fn launch(&self) -> Result<()>;
}

/// Fetches a few bytes without waiting for the device.
pub trait Mailbox: Send {
    /// Copies bytes from the device, behind all work so far; does not wait.
    fn send(&mut self, from: Address) -> Result<()>;

    /// Waits for what was sent last.
    fn receive(&mut self, bytes: &mut [u8]) -> Result<()>;
}

/// An event in the stream.
pub trait Event: Send {
    /// Seconds from another event to this one; waits for both.
    fn seconds_since(&self, earlier: &dyn Event) -> Result<f64>;

    /// For implementors to find their own kind.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// One message of a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceMessage {
    /// The other device's number in the group.
    pub peer: usize,
    /// Where the bytes are, or shall be.
    pub at: Address,
    /// How many there are.
    pub bytes: usize,
}

/// Sends and receives in the stream of a GPU.
pub trait NcclComm: Send + Sync {
    /// Messages to and from other GPUs, which complete together. Can be captured.
    fn exchange(&self, sent: &[DeviceMessage], received: &[DeviceMessage]) -> Result<()>;
}
