//! Velocities that other ranks have and that faces beside bodies are made of: who sends which to whom.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use vortice_core::{Communicator, Decomposition, Message, Real, Result};

/// A component and the cell of the whole grid at whose low face it lies.
pub(super) type Spot = (usize, [isize; 3]);

/// Tag of these messages; those of halos are 0 and 1.
const TAG: u32 = 2;

/// The faces that a rank reads, and those that others read of it.
#[derive(Default)]
pub(super) struct Needs {
    /// Own ones that are read here or elsewhere.
    own: BTreeSet<Spot>,
    /// Those that another rank has, by rank.
    theirs: BTreeMap<usize, BTreeSet<Spot>>,
    /// Own ones that another rank reads, by rank.
    lent: BTreeMap<usize, BTreeSet<Spot>>,
}

impl Needs {
    /// A row of rank `reader` reads a face of rank `owner`; `rank` is this one.
    pub(super) fn add(&mut self, rank: usize, reader: usize, owner: usize, spot: Spot) {
        if owner == rank {
            self.own.insert(spot);
            if reader != rank {
                self.lent.entry(reader).or_default().insert(spot);
            }
        } else if reader == rank {
            self.theirs.entry(owner).or_default().insert(spot);
        }
    }

    /// All faces that are read here in an order: own ones, and how many these are, then those of others by rank.
    pub(super) fn spots(&self) -> (Vec<Spot>, usize) {
        let theirs = self.theirs.values().flatten();
        (self.own.iter().chain(theirs).copied().collect(), self.own.len())
    }

    /// The messages that bring them, of values in the order of [`Self::spots`].
    pub(super) fn messages(&self) -> Distant {
        let number: BTreeMap<&Spot, usize> = self.own.iter().zip(0..).collect();
        let mut next = self.own.len();
        let peers: BTreeSet<usize> = self.theirs.keys().chain(self.lent.keys()).copied().collect();
        let peer = |rank| {
            let first = next;
            next += self.theirs.get(&rank).map_or(0, BTreeSet::len);
            let lent = self.lent.get(&rank).into_iter().flatten();
            Peer { rank, send: lent.map(|spot| number[spot]).collect(), receive: first..next }
        };
        Distant { peers: peers.into_iter().map(peer).collect() }
    }
}

/// The exchange with ranks that have or read some of the faces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distant {
    peers: Vec<Peer>,
}

#[derive(Clone, Debug)]
struct Peer {
    rank: usize,
    /// Numbers of the values that are sent.
    send: Vec<usize>,
    /// Numbers of those that come.
    receive: Range<usize>,
}

impl Distant {
    /// Fills in the values of other ranks. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn exchange<T: Real>(
        &self,
        ranks: &dyn Communicator,
        values: &mut [T],
    ) -> Result<()> {
        let all: &[T] = values;
        let of_peer = |peer: &Peer| {
            let sent: Vec<T> = peer.send.iter().map(|&number| all[number]).collect();
            (sent, all[peer.receive.clone()].to_vec())
        };
        let mut values_of: Vec<_> = self.peers.iter().map(of_peer).collect();
        let both = self.peers.iter().zip(&mut values_of);
        let messages = both.map(|(peer, (send, receive))| Message {
            peer: peer.rank,
            send_tag: TAG,
            receive_tag: TAG,
            send: bytemuck::cast_slice(send),
            receive: bytemuck::cast_slice_mut(receive),
        });
        let mut messages: Vec<_> = messages.collect();
        ranks.exchange(&mut messages)?;
        drop(messages);
        for (peer, (_, received)) in self.peers.iter().zip(values_of) {
            values[peer.receive.clone()].copy_from_slice(&received);
        }
        Ok(())
    }
}

/// The rank that owns a cell of the grid.
pub(super) fn owner(cut: &Decomposition, cell: [isize; 3]) -> usize {
    let [x, y, z] = [0, 1, 2].map(|d| {
        cut.starts[d].partition_point(|&start| start as isize <= cell[d]).saturating_sub(1)
    });
    x + cut.ranks[0] * (y + cut.ranks[1] * z)
}
