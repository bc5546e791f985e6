//! `Mpi`: one rank of several that are processes.

use std::hash::{DefaultHasher, Hash, Hasher};

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives};
use vortice_core::{Communicator, Error, Message, Result};

use crate::gather;
use crate::notices::Notices;
use crate::waiting::Waiting;
use crate::wire::Wire;

/// One of several ranks that are processes of an MPI.
///
/// Messages between neighbours, verbs of all ranks and notices of failure have communicators of their own. Only the thread
/// that joined the session speaks.
pub struct Mpi {
    messages: Wire,
    verbs: Wire,
    notices: Notices,
    local_rank: usize,
    sharing: usize,
}

impl Mpi {
    /// The rank of this process; collective.
    pub(crate) fn new(world: &SimpleCommunicator, piece: usize) -> Self {
        let neighbours = world.split_shared(world.rank());
        Self {
            messages: Wire::new(world, piece),
            verbs: Wire::new(world, piece),
            notices: Notices::on(world.duplicate()),
            local_rank: neighbours.rank() as usize,
            sharing: sharing(&neighbours),
        }
    }
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.messages.rank()
    }

    fn size(&self) -> usize {
        self.messages.size()
    }

    fn local_rank(&self) -> usize {
        self.local_rank
    }

    fn sharing(&self) -> usize {
        self.sharing
    }

    fn give_up(&self) {
        self.notices.give_up();
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        self.notices.intact()?;
        let wire = &self.messages;
        wire.together(&mut Waiting::new(&self.notices), |scope, pending, waiting| {
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
        self.notices.intact()?;
        gather::all_gather(&self.verbs, bytes, &mut Waiting::new(&self.notices))
    }

    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        self.notices.intact()?;
        gather::broadcast(&self.verbs, bytes, &mut Waiting::new(&self.notices))
    }
}

fn tag(tag: u32) -> Result<i32> {
    // The largest that every MPI has.
    i32::try_from(tag).ok().filter(|tag| *tag < 32_768).ok_or_else(|| Error::Ranks {
        problem: format!("a message has the tag {tag}, and MPI's tags are below 32768"),
        remedy: "report this; it is a fault of the program".into(),
    })
}

/// How many ranks of this machine may use the same cores as this one: all of them, or those that the launcher bound to the
/// same.
fn sharing(neighbours: &SimpleCommunicator) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut mine = DefaultHasher::new();
    status.lines().find(|line| line.starts_with("Cpus_allowed:")).hash(&mut mine);
    let mine = mine.finish();
    let mut all = vec![0_u64; neighbours.size() as usize];
    neighbours.all_gather_into(&mine, &mut all[..]);
    all.iter().filter(|other| **other == mine).count()
}
