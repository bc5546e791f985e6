//! From the start of MPI to its end.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator as _;
use vortice_core::{Communicator, Error, Result, lock};

use crate::gather::all_gather;
use crate::launch::Launch;
use crate::notices::Notices;
use crate::ranks::Mpi;
use crate::waiting::Waiting;
use crate::wire::PIECE;

/// How long a rank with an error waits for the others before it ends them.
const FAREWELL: Duration = Duration::from_secs(1);

/// The exit code of a run that a panic or a lost rank ends.
const LOST: u8 = 3;

/// The processes of one run, from the start of MPI to its end, which are on the same thread.
pub struct Session {
    universe: Universe,
    ranks: Arc<Mpi>,
    /// MPI ends on the thread that started it.
    stays: PhantomData<*const ()>,
}

/// How a rank ended, as far as the others need to know.
struct Ending {
    code: u8,
    /// Whether it has an error of its own.
    is_cause: bool,
    words: Vec<u8>,
}

impl Session {
    /// Starts MPI if this process was started as one of several; collective. A panic of one of them
    /// ends all.
    ///
    /// # Errors
    /// If MPI does not start, or the launcher belongs to another one.
    pub fn join() -> Result<Option<Self>> {
        Launch::found().map(|launch| Self::start(launch, PIECE)).transpose()
    }

    pub(crate) fn start(launch: Launch, piece: usize) -> Result<Self> {
        let started = mpi::initialize_with_threading(Threading::Serialized);
        let (universe, _) = started
            .filter(|(_, level)| *level >= Threading::Serialized)
            .ok_or_else(|| Error::Ranks {
                problem: "MPI cannot be started in a program with threads".into(),
                remedy: "build the program with an MPI that has at least MPI_THREAD_SERIALIZED"
                    .into(),
            })?;
        let world = universe.world();
        if world.size() as usize != launch.size {
            return Err(launch.of_another_mpi(world.size() as usize));
        }
        end_all_on_panic(world.rank(), world.size());
        let ranks = Arc::new(Mpi::new(&world, piece));
        Ok(Self { universe, ranks, stays: PhantomData })
    }

    /// This process and the others.
    pub fn ranks(&self) -> Arc<dyn Communicator> {
        self.ranks.clone()
    }

    /// Ends all processes together and returns the exit code of the run: that of the first rank
    /// with an error of its own, or of rank 0. `tell` is given the error that this rank is to tell,
    /// with its number unless all ranks have the same; a rank that stopped because of another has
    /// nothing to tell.
    ///
    /// A rank that does not arrive within a second after an error is ended with all others.
    pub fn end(self, outcome: &Result<u8>, tell: impl FnOnce(&Error, Option<usize>)) -> u8 {
        let mine = Ending::of(outcome);
        if outcome.is_err() {
            self.ranks.give_up();
        }
        let deadline = mine.is_cause.then(|| Instant::now() + FAREWELL);
        let endings = self.gather(&mine, deadline);
        let rank = self.ranks.rank();
        match (outcome, &endings) {
            (Err(error), Some(endings)) if tells(endings, rank) => {
                let alone = endings.iter().any(|ending| ending.words != mine.words);
                tell(error, alone.then_some(rank));
            }
            (Err(error), None) => {
                tell(error, Some(rank));
                self.universe.world().abort(mine.code.into());
            }
            _ => {}
        }
        let first = endings
            .unwrap_or_default()
            .into_iter()
            .reduce(|first, next| if next.is_cause && !first.is_cause { next } else { first });
        drop(self.universe);
        first.map_or(LOST, |ending| ending.code)
    }

    /// How all ranks ended; nothing if it is too late.
    fn gather(&self, mine: &Ending, deadline: Option<Instant>) -> Option<Vec<Ending>> {
        let notices = Notices::until(deadline);
        let endings = &lock(&self.ranks.wires).endings;
        let all = all_gather(endings, &mine.bytes(), &mut Waiting::new(&notices));
        all.ok()?.iter().map(|bytes| Ending::from_bytes(bytes)).collect()
    }
}

/// Whether a rank tells its error: it is its own, or no rank has one of its own, and none before
/// it tells the same.
fn tells(endings: &[Ending], rank: usize) -> bool {
    let mine = &endings[rank];
    let nobody = !endings.iter().any(|ending| ending.is_cause);
    let told =
        |other: &Ending| other.is_cause == mine.is_cause && (nobody || other.words == mine.words);
    (mine.is_cause || nobody) && !endings[..rank].iter().any(told)
}

impl Ending {
    fn of(outcome: &Result<u8>) -> Self {
        match outcome {
            Ok(code) => Self { code: *code, is_cause: false, words: Vec::new() },
            Err(error) => Self {
                code: error.exit_code(),
                is_cause: !matches!(error, Error::OtherRank { .. }),
                words: without_numbers(&error.to_string()).into_bytes(),
            },
        }
    }

    fn bytes(&self) -> Vec<u8> {
        [&[self.code, self.is_cause.into()], &self.words[..]].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let [code, is_cause, words @ ..] = bytes else { return None };
        Some(Self { code: *code, is_cause: *is_cause == 1, words: words.to_vec() })
    }
}

/// An error by which it is compared with those of other ranks: each looks for itself at the memory that is
/// free, say, and sees another number of the same thing.
fn without_numbers(words: &str) -> String {
    words.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// A panic is a fault of the program; without this the other ranks would wait for the one that has
/// it.
fn end_all_on_panic(rank: i32, size: i32) {
    let usual = std::panic::take_hook();
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        eprintln!("error: rank {rank} of {size} panicked, which ends all ranks");
        if std::thread::current().id() == main {
            SimpleCommunicator::world().abort(LOST.into());
        }
        // Another thread may be speaking to MPI; the launcher ends the others.
        std::process::abort();
    }));
}
