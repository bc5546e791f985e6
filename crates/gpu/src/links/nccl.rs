//! Messages between GPUs through NCCL.

use std::rc::Rc;

use vortice_core::{Communicator, Result};

use super::seat::Seat;
use crate::driver::Address;
use crate::gpu::Gpu;

/// One message of a device.
#[derive(Clone, Copy, Debug)]
pub struct Parcel {
    /// The other device's number in the group.
    pub peer: usize,
    /// Where the bytes are, or shall be.
    pub at: Address,
    /// How many there are.
    pub bytes: usize,
}

/// Sends and receives in the stream of a GPU.
pub trait Messenger {
    /// Messages to and from other GPUs, which complete together. Can be captured.
    ///
    /// # Errors
    /// If the device or the library fails.
    fn exchange(&self, sent: &[Parcel], received: &[Parcel]) -> Result<()>;
}

/// Bytes that tell a group of GPUs from others.
pub(crate) const IDENTITY: usize = 128;

/// Joins the GPUs of all ranks; collective. `Err` says why it cannot be done, on all ranks alike.
///
/// # Errors
/// If a rank has stopped.
pub(super) fn connect(
    gpu: Option<&Gpu>,
    ranks: &dyn Communicator,
    seats: &[Seat],
) -> Result<Result<Option<Rc<dyn Messenger>>, String>> {
    let with_gpu: Vec<usize> = (0..seats.len()).filter(|&rank| seats[rank].has_gpu()).collect();
    let me = ranks.rank();
    // All look whether the library is there before any waits for the others.
    let found = gpu.map_or(Ok([0; IDENTITY]), |gpu| gpu.stream.driver.new_group());
    let word = found.as_ref().map_or_else(ToString::to_string, |_| String::new());
    if let Some(problem) = first_problem(ranks, &word)? {
        return Ok(Err(problem));
    }
    let identities = ranks.all_gather(&found.unwrap_or([0; IDENTITY]))?;
    let identity = with_gpu.first().map(|&first| &identities[first]);
    let joined = match (gpu, identity) {
        (Some(gpu), Some(identity)) => {
            let number = with_gpu.iter().position(|&rank| rank == me).unwrap_or(0);
            let identity: [u8; IDENTITY] =
                std::array::from_fn(|at| identity.get(at).copied().unwrap_or(0));
            let size = with_gpu.len();
            let joined = gpu.stream.driver.join_group(&identity, number, size);
            joined.and_then(|group| greet(gpu, &*group, number, size).map(|()| Some(group)))
        }
        _ => Ok(None),
    };
    let word = joined.as_ref().map_or_else(ToString::to_string, |_| String::new());
    match first_problem(ranks, &word)? {
        Some(problem) => Ok(Err(problem)),
        None => Ok(Ok(joined.ok().flatten())),
    }
}

/// A byte to and from every other GPU: NCCL connects two of them with their first message, and cannot
/// do it while a graph is captured.
fn greet(gpu: &Gpu, group: &dyn Messenger, number: usize, size: usize) -> Result<()> {
    let bytes = gpu.zeros::<u8>(2 * size)?;
    let others = (0..size).filter(|&peer| peer != number);
    let parcel = |at| move |peer| Parcel { peer, at: at + peer as Address, bytes: 1 };
    let sent: Vec<Parcel> = others.clone().map(parcel(bytes.address())).collect();
    let received: Vec<Parcel> = others.map(parcel(bytes.address() + size as Address)).collect();
    group.exchange(&sent, &received)?;
    gpu.wait()
}

/// What the first rank that has a problem says.
fn first_problem(ranks: &dyn Communicator, mine: &str) -> Result<Option<String>> {
    let words = ranks.all_gather(mine.as_bytes())?;
    let first = words.iter().find(|word| !word.is_empty());
    Ok(first.map(|word| String::from_utf8_lossy(word).into_owned()))
}
