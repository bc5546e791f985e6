//! Ranks as threads of one process: decomposition without MPI.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::communicator::{Communicator, Message, wrong_length};
use crate::error::{Error, Result};

type Packet = (u32, Vec<u8>);

/// Tag of collective calls; halo tags are small.
const COLLECTIVE: u32 = u32::MAX;

/// One of several ranks that are threads of this process.
pub struct Threads {
    rank: usize,
    to: Vec<Sender<Packet>>,
    from: Vec<Receiver<Packet>>,
    /// Packets that came before they were asked for.
    early: RefCell<Vec<VecDeque<Packet>>>,
}

impl Threads {
    /// Runs `program` on `size` ranks, each a thread, and returns what they returned, by rank.
    ///
    /// # Errors
    /// The first error of a rank, preferring a cause to its consequence on other ranks.
    ///
    /// # Panics
    /// If a rank panics.
    pub fn run<T: Send>(
        size: usize,
        program: impl Fn(Threads) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let outcomes: Vec<Result<T>> = std::thread::scope(|scope| {
            let program = &program;
            let ranks: Vec<_> = Self::group(size)
                .into_iter()
                .map(|rank| scope.spawn(move || program(rank)))
                .collect();
            ranks.into_iter().map(|rank| rank.join().expect("a rank panicked")).collect()
        });
        let is_cause = |outcome: &Result<T>| {
            !matches!(outcome, Ok(_) | Err(Error::OtherRank { .. } | Error::Ranks { .. }))
        };
        let mut outcomes = outcomes;
        if let Some(cause) = outcomes.iter().position(is_cause) {
            outcomes.swap_remove(cause)?;
        }
        outcomes.into_iter().collect()
    }

    /// The connected ranks of a group, one for each thread to own.
    pub fn group(size: usize) -> Vec<Threads> {
        let mut senders: Vec<Vec<Sender<Packet>>> = (0..size).map(|_| Vec::new()).collect();
        let mut receivers = Vec::new();
        for _ in 0..size {
            let (mut from, mut ends) = (Vec::new(), Vec::new());
            for _ in 0..size {
                let (sender, receiver) = channel();
                ends.push(sender);
                from.push(receiver);
            }
            senders.iter_mut().zip(ends).for_each(|(list, end)| list.push(end));
            receivers.push(from);
        }
        let early = || RefCell::new((0..size).map(|_| VecDeque::new()).collect());
        let ranks = senders.into_iter().zip(receivers).enumerate();
        ranks.map(|(rank, (to, from))| Threads { rank, to, from, early: early() }).collect()
    }

    fn send(&self, peer: usize, tag: u32, bytes: &[u8]) -> Result<()> {
        self.to[peer].send((tag, bytes.to_vec())).map_err(|_| Error::OtherRank { rank: peer })
    }

    fn receive(&self, peer: usize, tag: u32) -> Result<Vec<u8>> {
        let early = &mut self.early.borrow_mut()[peer];
        if let Some(at) = early.iter().position(|packet| packet.0 == tag) {
            return Ok(early.remove(at).expect("just found").1);
        }
        loop {
            let packet = self.from[peer].recv().map_err(|_| Error::OtherRank { rank: peer })?;
            if packet.0 == tag {
                return Ok(packet.1);
            }
            early.push_back(packet);
        }
    }
}

impl Communicator for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        for message in messages.iter() {
            self.send(message.peer, message.send_tag, message.send)?;
        }
        for message in messages {
            let bytes = self.receive(message.peer, message.receive_tag)?;
            if bytes.len() != message.receive.len() {
                return Err(wrong_length(message.peer));
            }
            message.receive.copy_from_slice(&bytes);
        }
        Ok(())
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        for peer in 0..self.size() {
            self.send(peer, COLLECTIVE, bytes)?;
        }
        (0..self.size()).map(|peer| self.receive(peer, COLLECTIVE)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collectives_agree_on_all_ranks() {
        let answers = Threads::run(4, |ranks| {
            let mut largest = [-(ranks.rank() as f64), 1.0];
            ranks.max(&mut largest)?;
            let sum = ranks.sum(ranks.rank() as f64)?;
            let exact = ranks.sum_exact(1 << ranks.rank())?;
            let word = ranks.broadcast(vec![ranks.rank() as u8 + 7])?;
            Ok((largest, sum, exact, word))
        });
        for (largest, sum, exact, word) in answers.unwrap() {
            assert_eq!((largest, sum, exact, word), ([3.0, 1.0], 6.0, 15, vec![7]));
        }
    }

    #[test]
    fn not_a_number_survives_the_maximum() {
        let answers = Threads::run(3, |ranks| {
            let mut x = [if ranks.rank() == 1 { f64::NAN } else { 1.0 }];
            ranks.max(&mut x).map(|()| x[0])
        });
        assert!(answers.unwrap().iter().all(|x| x.is_nan()));
    }

    #[test]
    fn one_failing_rank_stops_the_others_with_its_own_error() {
        let failed = Threads::run(3, |ranks| {
            let mine = if ranks.rank() == 1 {
                Err(Error::case("a.key", "wrong", "mend it"))
            } else {
                Ok(())
            };
            (&ranks as &dyn Communicator).agree(mine)
        });
        assert!(matches!(failed, Err(Error::Case { .. })));
    }

    #[test]
    fn a_rank_that_leaves_does_not_hang_the_others() {
        let left = Threads::run(2, |ranks| match ranks.rank() {
            0 => Err(Error::case("a.key", "wrong", "mend it")),
            _ => ranks.sum(1.0).map(|_| ()),
        });
        assert!(matches!(left, Err(Error::Case { .. })));
    }
}
