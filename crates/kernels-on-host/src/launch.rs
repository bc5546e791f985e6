//! Runs one kernel. The structure mirrors that of `shim/launch.h`.

use std::ffi::{CStr, c_char, c_void};

use vortice_core::{Error, Result};
use vortice_gpu::{Launch, Properties};

use crate::table::{Call, Kernel};

/// In which order blocks begin, and the threads of a block begin and go on after a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the first to the last, x fastest.
    #[default]
    Ascending,
    /// From the last to the first.
    Descending,
    /// Drawn anew for every block and barrier, from this seed.
    Shuffled(u64),
}

/// Threads of a block that CUDA allows: in all, and in x, y and z.
const MOST_THREADS: u32 = 1024;
const MOST_ALONG: [u32; 3] = [1024, 1024, 64];
/// Blocks that CUDA allows in y and z.
const MOST_BLOCKS_ACROSS: u32 = 65535;

#[repr(C)]
struct Shape {
    blocks: [u32; 3],
    threads: [u32; 3],
    shared: u32,
    cooperative: u32,
    arrangement: u32,
    reserved: u32,
    seed: u64,
}

#[allow(unsafe_code)]
unsafe extern "C" {
    fn host_launch(
        call: Call,
        arguments: *const *const c_void,
        shape: *const Shape,
        message: *mut c_char,
        capacity: usize,
    ) -> bool;
}

/// Refuses what a GPU would refuse.
pub(crate) fn check(kernel: &Kernel, shape: &Launch, device: &Properties) -> Result<()> {
    let threads: u64 = shape.threads.iter().map(|&n| u64::from(n)).product();
    let blocks: u128 = shape.blocks.iter().map(|&n| u128::from(n)).product();
    let long = (0..3).any(|d| shape.threads[d] > MOST_ALONG[d]);
    let far = shape.blocks[1..].iter().any(|&n| n > MOST_BLOCKS_ACROSS);
    let problem = if threads == 0 || threads > u64::from(MOST_THREADS) || long {
        format!("asks for blocks of {:?} threads", shape.threads)
    } else if blocks == 0 || blocks > i32::MAX as u128 || far {
        format!("asks for {:?} blocks", shape.blocks)
    } else if shape.shared as usize > device.shared_memory {
        format!("asks for {} bytes of shared memory of {}", shape.shared, device.shared_memory)
    } else if shape.cooperative && blocks > device.multiprocessors as u128 {
        let at_once = device.multiprocessors;
        format!("asks for {blocks} blocks that wait for each other; {at_once} run at once")
    } else {
        return Ok(());
    };
    Err(Error::Device {
        problem: format!("kernel `{}` {problem}", kernel.name()),
        remedy: "launch it with at least 1 and at most 1024 threads, fewer blocks or less shared \
                 memory"
            .into(),
    })
}

/// Runs a kernel to its end. The shape was checked.
///
/// # Errors
/// If its threads wait for what never comes.
///
/// # Safety
/// The arguments point at values of the kernel's parameters, and what it does with them is sound.
#[allow(unsafe_code)]
pub(crate) unsafe fn run(
    kernel: &Kernel,
    shape: &Launch,
    order: Order,
    draw: u64,
    arguments: &[*const c_void],
) -> Result<()> {
    let (arrangement, seed) = match order {
        Order::Ascending => (0, 0),
        Order::Descending => (1, 0),
        // Far enough apart that neighbouring launches draw differently.
        Order::Shuffled(seed) => (2, seed ^ draw.wrapping_mul(0xd134_2543_de82_ef95)),
    };
    let shape = Shape {
        blocks: shape.blocks,
        threads: shape.threads,
        shared: shape.shared,
        cooperative: shape.cooperative.into(),
        arrangement,
        reserved: 0,
        seed,
    };
    let mut message = [0 as c_char; 400];
    // SAFETY: the caller vouches for kernel and arguments; the message fits.
    let ended = unsafe {
        let (text, capacity) = (message.as_mut_ptr(), message.len());
        host_launch(kernel.call, arguments.as_ptr(), &shape, text, capacity)
    };
    if ended {
        return Ok(());
    }
    // SAFETY: host_launch ends its message with zero.
    let text = unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy();
    Err(Error::Device {
        problem: format!("kernel `{}` {text}", kernel.name()),
        remedy:
            "let all threads of a block come to each barrier and each block_max, and publish every flag \
                 that is awaited; blocks that wait for each other need a cooperative launch"
                .into(),
    })
}
