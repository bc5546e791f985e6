//! What ranks say to each other: a few calls a step, in bytes.

use crate::error::{Error, Result};

/// One message each way between this rank and a peer.
pub struct Message<'a> {
    /// The other rank; may be this one.
    pub peer: usize,
    /// Tag of what is sent.
    pub send_tag: u32,
    /// Tag of what is received.
    pub receive_tag: u32,
    /// Bytes to send.
    pub send: &'a [u8],
    /// Where the received bytes go; as long as what the peer sends.
    pub receive: &'a mut [u8],
}

/// A group of ranks that run the same program, each on its part of the grid.
///
/// The two required verbs that move bytes are collective: every rank calls them in the same order.
/// Once a rank has given up, every verb of every rank fails at once with [`Error::OtherRank`].
///
/// Any thread of a rank may call them, and a simulation that goes to another thread takes them along;
/// that all ranks call them in the same order is then the program's to see to.
pub trait Communicator: Send + Sync {
    /// This rank, counted from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// This rank among those of the same machine, counted from 0.
    fn local_rank(&self) -> usize {
        self.rank()
    }

    /// Number of ranks of the same machine.
    fn local_size(&self) -> usize {
        self.size()
    }

    /// Cores of this machine that its ranks may use together.
    fn local_cores(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    /// Tells the other ranks that this one will not go on, and does not wait for them: those that
    /// wait for anybody stop waiting.
    fn give_up(&self) {}

    /// Sends and receives all messages; they complete together.
    ///
    /// # Errors
    /// If a peer has stopped or sent another length.
    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()>;

    /// What every rank contributed, in the order of ranks, on every rank.
    ///
    /// # Errors
    /// If a peer has stopped.
    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>>;

    /// Largest magnitude over all ranks, element by element; not a number if any is.
    ///
    /// # Errors
    /// If a peer has stopped.
    fn max(&self, values: &mut [f64]) -> Result<()> {
        if self.size() > 1 {
            for theirs in self.all_gather(bytemuck::cast_slice(values))? {
                for (mine, other) in values.iter_mut().zip(numbers(&theirs)) {
                    *mine = crate::real::Real::max_magnitude(*mine, other);
                }
            }
        }
        Ok(())
    }

    /// Sum over all ranks, in the order of ranks.
    ///
    /// # Errors
    /// If a peer has stopped.
    fn sum(&self, value: f64) -> Result<f64> {
        if self.size() == 1 {
            return Ok(value);
        }
        let all = self.all_gather(bytemuck::bytes_of(&value))?;
        Ok(all.iter().map(|bytes| numbers(bytes).next().unwrap_or(0.0)).sum())
    }

    /// Exact sum over all ranks: the same for every decomposition.
    ///
    /// # Errors
    /// If a peer has stopped.
    fn sum_exact(&self, value: i128) -> Result<i128> {
        let mut values = [value];
        self.sums_exact(&mut values)?;
        Ok(values[0])
    }

    /// The same of several values by one message: as many on each rank.
    ///
    /// # Errors
    /// If a peer has stopped.
    fn sums_exact(&self, values: &mut [i128]) -> Result<()> {
        if self.size() == 1 {
            return Ok(());
        }
        let all = self.all_gather(bytemuck::cast_slice(values))?;
        values.fill(0);
        for theirs in &all {
            let theirs = theirs.chunks_exact(size_of::<i128>()).map(bytemuck::pod_read_unaligned);
            values.iter_mut().zip(theirs).for_each(|(sum, more): (&mut i128, i128)| *sum += more);
        }
        Ok(())
    }

    /// What rank 0 has, on every rank.
    ///
    /// # Errors
    /// If a peer has stopped.
    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        if self.size() == 1 {
            return Ok(bytes);
        }
        let mine: &[u8] = if self.rank() == 0 { &bytes } else { &[] };
        Ok(self.all_gather(mine)?.swap_remove(0))
    }
}

/// The numbers in a message.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned)
}

impl dyn Communicator + '_ {
    /// The same outcome on every rank: if one has failed, the others stop too, so that none waits
    /// for ever. A rank that failed gives up: it keeps its own error and does not wait.
    ///
    /// # Errors
    /// This rank's error, or [`Error::OtherRank`].
    pub fn agree<T>(&self, mine: Result<T>) -> Result<T> {
        match mine {
            mine if self.size() == 1 => mine,
            Ok(value) => self.all_gather(&[]).map(|_| value),
            Err(error) => {
                self.give_up();
                Err(error)
            }
        }
    }
}

/// One rank alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solo;

impl Communicator for Solo {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        deliver_to_self(messages)
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(vec![bytes.to_vec()])
    }
}

/// One rank without the others, that keeps its place on its machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    pub(crate) local_rank: usize,
    pub(crate) local_size: usize,
}

impl Communicator for Apart {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn local_rank(&self) -> usize {
        self.local_rank
    }

    fn local_size(&self) -> usize {
        self.local_size
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        deliver_to_self(messages)
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(vec![bytes.to_vec()])
    }
}

/// Matches messages that a rank sends to itself across a periodic face.
fn deliver_to_self(messages: &mut [Message<'_>]) -> Result<()> {
    let sent: Vec<(u32, &[u8])> = messages.iter().map(|m| (m.send_tag, m.send)).collect();
    for message in messages.iter_mut() {
        let found = sent.iter().find(|(tag, _)| *tag == message.receive_tag);
        match found {
            Some((_, bytes)) if bytes.len() == message.receive.len() => {
                message.receive.copy_from_slice(bytes);
            }
            _ => return Err(Error::another_length(0)),
        }
    }
    Ok(())
}
