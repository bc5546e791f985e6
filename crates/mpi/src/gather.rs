//! Verbs of all ranks, made of messages so that a wait can end when a rank fails.

use vortice_core::{Error, Result};

use crate::waiting::Waiting;
use crate::wire::Wire;

/// What every rank contributed, by rank, after as many rounds as the number of ranks has binary
/// digits: Bruck et al. (1997), IEEE Transactions on Parallel and Distributed Systems 8, 1143-1156.
///
/// # Errors
/// If a rank gave up.
pub(crate) fn all_gather(
    wire: &Wire,
    mine: &[u8],
    waiting: &mut Waiting<'_>,
) -> Result<Vec<Vec<u8>>> {
    let (rank, size) = (wire.rank(), wire.size());
    // Those of this rank and the ones after it.
    let mut shares = vec![mine.to_vec()];
    while shares.len() < size {
        let distance = shares.len();
        let n = distance.min(size - distance);
        let message = pack(&shares[..n]);
        let (before, after) = ((rank + size - distance) % size, (rank + distance) % size);
        let mut received = Vec::new();
        wire.together(waiting, |scope, pending, waiting| {
            wire.send(scope, before, 0, &message, pending);
            received = wire.take(after, 0, waiting)?;
            Ok(())
        })?;
        shares.extend(unpack(&received, n).ok_or_else(|| Error::another_length(after))?);
    }
    shares.rotate_right(rank);
    Ok(shares)
}

/// What rank 0 has, on every rank: along a tree, each rank telling those whose number has one more
/// binary digit.
///
/// # Errors
/// If a rank gave up.
pub(crate) fn broadcast(wire: &Wire, bytes: Vec<u8>, waiting: &mut Waiting<'_>) -> Result<Vec<u8>> {
    let rank = wire.rank();
    let above = rank.checked_ilog2().map_or(1, |digit| 2 << digit);
    let bytes = if rank == 0 { bytes } else { wire.take(rank - above / 2, 0, waiting)? };
    let distances = std::iter::successors(Some(above), |distance| Some(2 * distance));
    wire.together(waiting, |scope, pending, _| {
        for peer in distances.map(|distance| rank + distance).take_while(|&peer| peer < wire.size())
        {
            wire.send(scope, peer, 0, &bytes, pending);
        }
        Ok(())
    })?;
    Ok(bytes)
}

/// Their lengths, then their bytes.
fn pack(shares: &[Vec<u8>]) -> Vec<u8> {
    let mut message: Vec<u8> =
        shares.iter().flat_map(|share| (share.len() as u64).to_ne_bytes()).collect();
    shares.iter().for_each(|share| message.extend_from_slice(share));
    message
}

/// The shares of a message; nothing if it does not hold so many.
fn unpack(message: &[u8], n: usize) -> Option<Vec<Vec<u8>>> {
    let (lengths, mut rest) = message.split_at_checked(8 * n)?;
    let mut shares = Vec::with_capacity(n);
    for length in lengths.chunks_exact(8) {
        let length = u64::from_ne_bytes(length.try_into().ok()?);
        let (share, after) = rest.split_at_checked(length as usize)?;
        shares.push(share.to_vec());
        rest = after;
    }
    rest.is_empty().then_some(shares)
}
