//! Ranks as threads of one process: decomposition without MPI.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::sync::{Mutex, OnceLock};

use crate::communicator::{Communicator, Message};
use crate::error::{Error, Result};
use crate::lock::lock;

/// What arrives at a rank.
enum Packet {
    /// A message of a rank, with its tag.
    Bytes(usize, u32, Vec<u8>),
    /// A rank gave up, or met one that did.
    Failed(usize),
    /// A rank sends nothing more.
    Ended(usize),
}

/// Tag of collective calls; halo tags are small.
const COLLECTIVE: u32 = u32::MAX;

/// How often a rank leaves its core to others before it sleeps until something arrives: to be woken takes longer, for both.
const PATIENCE: usize = 50;

/// One of several ranks that are threads of this process.
pub struct Threads {
    rank: usize,
    to: Vec<Sender<Packet>>,
    inbox: Mutex<Inbox>,
    /// The rank that failed, once one has.
    failed: OnceLock<usize>,
    gave_up: AtomicBool,
}

/// What came to a rank.
struct Inbox {
    /// What all ranks send to this one: whichever it waits for, it hears of a failure.
    arrived: Receiver<Packet>,
    peers: Vec<Peer>,
}

/// What is known of another rank.
#[derive(Default)]
struct Peer {
    /// Messages that came before they were asked for.
    early: VecDeque<(u32, Vec<u8>)>,
    ended: bool,
}

impl Threads {
    /// Runs `program` on `size` ranks, each a thread, and returns what they returned, by rank.
    ///
    /// # Errors
    /// The first error of a rank, preferring a cause to its consequence on other ranks; or that the
    /// system does not give so many threads.
    ///
    /// # Panics
    /// If a rank panics.
    pub fn run<T: Send>(
        size: usize,
        program: impl Fn(Threads) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let mut outcomes: Vec<Result<T>> = std::thread::scope(|scope| {
            let program = &program;
            let (mut ranks, mut refusal) = (Vec::new(), None);
            for rank in Self::group(size) {
                let builder = std::thread::Builder::new();
                match builder.spawn_scoped(scope, move || program(rank)) {
                    Ok(rank) => ranks.push(rank),
                    Err(error) => {
                        refusal = Some(refused(size, ranks.len(), &error));
                        // Those that have started hear that the others have left.
                        break;
                    }
                }
            }
            let outcomes = ranks.into_iter().map(|rank| rank.join().expect("a rank panicked"));
            let outcomes: Vec<Result<T>> = outcomes.collect();
            refusal.map_or(outcomes, |error| vec![Err(error)])
        });
        // What ranks say of each other may be a consequence of what one says of itself.
        let is_cause = |outcome: &Result<T>| {
            !matches!(outcome, Ok(_) | Err(Error::OtherRank { .. } | Error::Ranks { .. }))
        };
        let of_ranks = |outcome: &Result<T>| matches!(outcome, Err(Error::Ranks { .. }));
        let first = outcomes.iter().position(is_cause);
        if let Some(cause) = first.or_else(|| outcomes.iter().position(of_ranks)) {
            outcomes.swap_remove(cause)?;
        }
        outcomes.into_iter().collect()
    }

    /// The connected ranks of a group, one for each thread to own.
    pub fn group(size: usize) -> Vec<Threads> {
        let (to, arrived): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
        let ranks = arrived.into_iter().enumerate().map(|(rank, arrived)| Threads {
            rank,
            to: to.clone(),
            inbox: Mutex::new(Inbox {
                arrived,
                peers: (0..size).map(|_| Peer::default()).collect(),
            }),
            failed: OnceLock::new(),
            gave_up: AtomicBool::new(false),
        });
        ranks.collect()
    }

    fn send(&self, peer: usize, tag: u32, bytes: &[u8]) -> Result<()> {
        self.intact()?;
        // A rank that has left does not take it: the ranks that wait for it will hear why.
        let _ = self.to[peer].send(Packet::Bytes(self.rank, tag, bytes.to_vec()));
        Ok(())
    }

    fn receive(&self, peer: usize, tag: u32) -> Result<Vec<u8>> {
        self.intact()?;
        let Inbox { arrived, peers } = &mut *lock(&self.inbox);
        let early = &mut peers[peer].early;
        if let Some(at) = early.iter().position(|message| message.0 == tag) {
            return Ok(early.remove(at).expect("just found").1);
        }
        while !peers[peer].ended {
            match next(arrived).map_err(|_| self.breaks(peer))? {
                Packet::Bytes(from, with, bytes) if (from, with) == (peer, tag) => {
                    return Ok(bytes);
                }
                Packet::Bytes(from, with, bytes) => peers[from].early.push_back((with, bytes)),
                Packet::Failed(rank) => return Err(self.breaks(rank)),
                Packet::Ended(rank) => peers[rank].ended = true,
            }
        }
        Err(self.breaks(peer))
    }

    fn intact(&self) -> Result<()> {
        self.failed.get().map_or(Ok(()), |&rank| Err(Error::OtherRank { rank }))
    }

    /// From now on every verb returns this error.
    fn breaks(&self, rank: usize) -> Error {
        Error::OtherRank { rank: *self.failed.get_or_init(|| rank) }
    }

    /// Tells the others; those that have left need not know.
    fn tell(&self, packet: impl Fn() -> Packet) {
        let others = self.to.iter().enumerate().filter(|(rank, _)| *rank != self.rank);
        others.for_each(|(_, to)| drop(to.send(packet())));
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.tell(|| Packet::Ended(self.rank));
    }
}

impl Communicator for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn give_up(&self) {
        if !self.gave_up.swap(true, Ordering::Relaxed) {
            let rank = *self.failed.get_or_init(|| self.rank);
            self.tell(|| Packet::Failed(rank));
        }
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        for message in messages.iter() {
            self.send(message.peer, message.send_tag, message.send)?;
        }
        for message in messages {
            let bytes = self.receive(message.peer, message.receive_tag)?;
            if bytes.len() != message.receive.len() {
                return Err(Error::another_length(message.peer));
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

/// What arrives next at a rank.
fn next(arrived: &Receiver<Packet>) -> std::result::Result<Packet, RecvError> {
    for _ in 0..PATIENCE {
        match arrived.try_recv() {
            Err(TryRecvError::Empty) => std::thread::yield_now(),
            there => return there.map_err(|_| RecvError),
        }
    }
    arrived.recv()
}

fn refused(size: usize, started: usize, error: &std::io::Error) -> Error {
    Error::Ranks {
        problem: format!("only {started} of {size} ranks can be started as threads: {error}"),
        remedy: "ask for fewer ranks, or allow more threads (`ulimit -u`)".into(),
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

    /// What a rank does while another fails.
    fn waits_in(verb: usize, ranks: &dyn Communicator) -> Result<()> {
        let peer = (ranks.rank() + 1) % ranks.size();
        let (send, receive) = (&[1_u8], &mut [0_u8]);
        let message = Message { peer, send_tag: 7, receive_tag: 7, send, receive };
        match verb {
            0 => ranks.exchange(&mut [message]),
            1 => ranks.all_gather(&[3]).map(|_| ()),
            2 => ranks.max(&mut [1.0]),
            3 => ranks.sum_exact(1).map(|_| ()),
            _ => ranks.agree(Ok(())),
        }
    }

    fn cause() -> Error {
        Error::case("a.key", "wrong", "mend it")
    }

    #[test]
    fn a_rank_that_gives_up_stops_the_others_wherever_they_wait() {
        for (verb, failing) in (0..5).flat_map(|verb| (0..4).map(move |rank| (verb, rank))) {
            let failed = Threads::run(4, |ranks| -> Result<()> {
                let ranks: &dyn Communicator = &ranks;
                ranks.agree(Ok(()))?;
                if ranks.rank() == failing {
                    return ranks.agree(Err(cause()));
                }
                // Ranks may still speak to each other for a while, but not for ever.
                let error = (0..).find_map(|_| waits_in(verb, ranks).err()).expect("it stops");
                let told = matches!(error, Error::OtherRank { rank } if rank == failing);
                assert!(told, "verb {verb}, rank {}: {error}", ranks.rank());
                // What failed stays failed, and no rank waits for it.
                for verb in 0..5 {
                    assert!(matches!(waits_in(verb, ranks), Err(Error::OtherRank { .. })));
                }
                ranks.agree(Err(error))
            });
            assert!(matches!(failed, Err(Error::Case { .. })), "{failed:?}");
        }
    }

    #[test]
    fn an_error_found_while_others_fail_is_kept() {
        let kept = Threads::run(3, |ranks| -> Result<()> {
            let ranks: &dyn Communicator = &ranks;
            match ranks.rank() {
                0 => ranks.agree(Err(cause())),
                // Its own error comes after the other's, within what the other's error ended.
                1 => ranks.agree(ranks.agree(Ok(())).map_err(|_| Error::another_length(2))),
                _ => ranks.agree(ranks.max(&mut [1.0])),
            }
        });
        assert!(matches!(kept, Err(Error::Case { .. })), "{kept:?}");
    }

    #[test]
    fn a_wrong_length_wins_over_its_consequences() {
        let failed = Threads::run(3, |ranks| {
            let (send, mut receive) = (vec![0; 1 + ranks.rank() / 2], [0; 2]);
            let [before, after] = [2, 1].map(|step| (ranks.rank() + step) % 3);
            let (low, high) = receive.split_at_mut(1);
            let message =
                |peer, send, receive| Message { peer, send_tag: 1, receive_tag: 1, send, receive };
            let mut messages = [message(before, &send[..], low), message(after, &send[..], high)];
            (&ranks as &dyn Communicator).agree(ranks.exchange(&mut messages))
        });
        assert!(matches!(failed, Err(Error::Ranks { .. })), "{failed:?}");
    }

    #[test]
    fn ranks_that_are_done_may_leave_before_the_others() {
        let answers = Threads::run(4, |ranks| {
            if ranks.rank() % 2 == 0 {
                return Ok(0);
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
            let (send, mut receive, peer) = ([ranks.rank() as u8], [0], 4 - ranks.rank());
            let message =
                Message { peer, send_tag: 1, receive_tag: 1, send: &send, receive: &mut receive };
            ranks.exchange(&mut [message]).map(|()| receive[0])
        });
        assert_eq!(answers.unwrap(), [0, 3, 0, 1]);
    }
}
