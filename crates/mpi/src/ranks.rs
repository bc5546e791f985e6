//! `Mpi`: one rank of several that are processes.

use std::sync::Mutex;

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives};
use vortice_core::{Communicator, Error, Message, Result, lock};

use crate::gather;
use crate::notices::Notices;
use crate::waiting::Waiting;
use crate::wire::Wire;

/// One of several ranks that are processes of an MPI.
///
/// Any thread of the process may speak, and the others wait as long: MPI is asked for
/// `MPI_THREAD_SERIALIZED`.
pub struct Mpi {
    pub(crate) wires: Mutex<Wires>,
    rank: usize,
    size: usize,
    local_rank: usize,
    local_size: usize,
    local_cores: usize,
}

/// Messages between neighbours, verbs of all ranks, notices of failure and the ends of all have
/// communicators of their own.
pub(crate) struct Wires {
    messages: Wire,
    verbs: Wire,
    notices: Notices,
    pub(crate) endings: Wire,
}

// SAFETY: MPI was started so that any thread may use what it gave, one at a time; the lock in `Mpi` sees to
// that, since nothing else speaks between the start and the end of the session.
#[allow(unsafe_code)]
unsafe impl Send for Wires {}

impl Mpi {
    /// The rank of this process; collective.
    pub(crate) fn new(world: &SimpleCommunicator, piece: usize) -> Self {
        let neighbours = world.split_shared(world.rank());
        let wires = Wires {
            messages: Wire::new(world, piece),
            verbs: Wire::new(world, piece),
            notices: Notices::on(world.duplicate()),
            endings: Wire::new(world, piece),
        };
        Self {
            wires: Mutex::new(wires),
            rank: world.rank() as usize,
            size: world.size() as usize,
            local_rank: neighbours.rank() as usize,
            local_size: neighbours.size() as usize,
            local_cores: cores(&neighbours),
        }
    }
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn local_rank(&self) -> usize {
        self.local_rank
    }

    fn local_size(&self) -> usize {
        self.local_size
    }

    fn local_cores(&self) -> usize {
        self.local_cores
    }

    fn give_up(&self) {
        lock(&self.wires).notices.give_up();
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        let Wires { messages: wire, notices, .. } = &*lock(&self.wires);
        notices.intact()?;
        wire.together(&mut Waiting::new(notices), |scope, pending, waiting| {
            for message in messages.iter() {
                wire.send(scope, message.peer, tag(message.send_tag)?, message.send, pending);
            }
            for Message { peer, receive_tag, receive, .. } in messages {
                wire.receive(scope, *peer, tag(*receive_tag)?, receive, pending, waiting)?;
            }
            Ok(())
        })
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        let Wires { verbs, notices, .. } = &*lock(&self.wires);
        notices.intact()?;
        gather::all_gather(verbs, bytes, &mut Waiting::new(notices))
    }

    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        let Wires { verbs, notices, .. } = &*lock(&self.wires);
        notices.intact()?;
        gather::broadcast(verbs, bytes, &mut Waiting::new(notices))
    }
}

fn tag(tag: u32) -> Result<i32> {
    // The largest that every MPI has.
    i32::try_from(tag).ok().filter(|tag| *tag < 32_768).ok_or_else(|| Error::Ranks {
        problem: format!("a message has the tag {tag}, and MPI's tags are below 32768"),
        remedy: "report this; it is a fault of the program".into(),
    })
}

/// A bit for each core that a process may use.
type Cores = [u64; 32];

/// The cores that ranks of one machine may use together: a launcher may have bound each to its own.
fn cores(neighbours: &SimpleCommunicator) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mine = allowed(&status);
    let n = neighbours.size() as usize;
    let mut all = vec![0_u64; n * mine.len()];
    neighbours.all_gather_into(&mine[..], &mut all[..]);
    let together =
        |word: usize| all.iter().skip(word).step_by(mine.len()).fold(0, |all, one| all | one);
    let cores: u32 = (0..mine.len()).map(|word| together(word).count_ones()).sum();
    // Elsewhere than on Linux nothing is bound.
    if cores > 0 {
        cores as usize
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// The line `Cpus_allowed` of what Linux says of a process: 32 cores a word in hexadecimal digits,
/// the first cores last.
fn allowed(status: &str) -> Cores {
    let mut cores = [0; 32];
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed:"));
    let words = line.unwrap_or_default().trim().rsplit(',').enumerate();
    for (at, word) in words.take(2 * cores.len()) {
        cores[at / 2] |= u64::from_str_radix(word, 16).unwrap_or(0) << (32 * (at % 2));
    }
    cores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_cores_are_read() {
        let counted = |line: &str| allowed(line).iter().map(|word| word.count_ones()).sum::<u32>();
        assert_eq!(counted("Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n"), 8);
        assert_eq!(counted("Cpus_allowed:\tf,00000000,00000003\n"), 6);
        assert_eq!(allowed("Cpus_allowed:\t1,00000002,00000003\n")[..2], [0x2_0000_0003, 1]);
        assert_eq!(counted(""), 0);
    }
}
