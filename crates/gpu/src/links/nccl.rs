//! Messages between GPUs through NCCL.

use std::sync::Arc;

use vortice_core::{Communicator, Result};

use super::location::RankLocation;
use crate::buffer::Buffer;
use crate::driver::{Address, DeviceMessage, NcclComm};
use crate::stream::Stream;

/// Bytes that tell a group of GPUs from others.
pub(crate) const IDENTITY: usize = 128;

/// Joins the GPUs of all ranks; collective. `Err` says why it cannot be done, on all ranks alike.
pub(super) fn connect(
    stream: Option<&Arc<Stream>>,
    ranks: &dyn Communicator,
    locations: &[RankLocation],
) -> Result<Result<Option<Arc<dyn NcclComm>>, String>> {
    let with_gpu: Vec<usize> =
        (0..locations.len()).filter(|&rank| locations[rank].has_gpu()).collect();
    let me = ranks.rank();
    // All look whether the library is there before any waits for the others.
    let found = stream.map_or(Ok([0; IDENTITY]), |stream| stream.driver.new_group());
    let word = found.as_ref().map_or_else(ToString::to_string, |_| String::new());
    if let Some(problem) = first_problem(ranks, &word)? {
        return Ok(Err(problem));
    }
    let identities = ranks.all_gather(&found.unwrap_or([0; IDENTITY]))?;
    let identity = with_gpu.first().map(|&first| &identities[first]);
    let joined = match (stream, identity) {
        (Some(stream), Some(identity)) => {
            let number = with_gpu.iter().position(|&rank| rank == me).unwrap_or(0);
            let identity: [u8; IDENTITY] =
                std::array::from_fn(|at| identity.get(at).copied().unwrap_or(0));
            let size = with_gpu.len();
            let joined = stream.driver.join_group(&identity, number, size);
            joined.and_then(|group| greet(stream, &*group, number, size).map(|()| Some(group)))
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
fn greet(stream: &Arc<Stream>, group: &dyn NcclComm, number: usize, size: usize) -> Result<()> {
    let bytes = Buffer::<u8>::zeros(stream, 2 * size)?;
    let others = (0..size).filter(|&peer| peer != number);
    let message_at = |at| move |peer| DeviceMessage { peer, at: at + peer as Address, bytes: 1 };
    let sent: Vec<DeviceMessage> = others.clone().map(message_at(bytes.address())).collect();
    let received: Vec<DeviceMessage> =
        others.map(message_at(bytes.address() + size as Address)).collect();
    group.exchange(&sent, &received)?;
    stream.driver.wait()
}

/// What the first rank that has a problem says.
fn first_problem(ranks: &dyn Communicator, mine: &str) -> Result<Option<String>> {
    let words = ranks.all_gather(mine.as_bytes())?;
    let first = words.iter().find(|word| !word.is_empty());
    Ok(first.map(|word| String::from_utf8_lossy(word).into_owned()))
}
