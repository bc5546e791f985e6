//! How the GPUs of several ranks reach each other: who sits where, and which ways there are.

mod location;
mod nccl;

use std::sync::Arc;

use vortice_core::{Communicator, Error, Message, Result, Transport};

use crate::buffer::Buffer;
use crate::driver::{Address, IpcHandle, NcclComm};
use crate::stream::Stream;

use location::RankLocation;

/// How a message gets from one rank to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The sender's GPU writes into the memory of the receiver's.
    Peer,
    /// NCCL takes it from one GPU to the other.
    Nccl,
    /// Through the host: one of the two has no GPU, or the GPUs do not reach each other.
    Host,
}

impl Way {
    /// Its word: `peer`, `nccl` or `host`, as in a case file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Peer => "peer",
            Self::Nccl => "nccl",
            Self::Host => "host",
        }
    }
}

/// How this rank's GPU reaches those of other ranks.
pub struct Links {
    ranks: Arc<dyn Communicator>,
    locations: Vec<RankLocation>,
    /// Which GPUs write into the memory of which others, `[from][to]`.
    reaches: Vec<Vec<bool>>,
    transport: Transport,
    nccl: Option<Arc<dyn NcclComm>>,
}

/// Memory of another rank's GPU that this one's can write into.
pub(crate) struct Reached {
    stream: Arc<Stream>,
    at: Address,
    /// Whether it was opened for this process and is to be closed.
    opened: bool,
}

/// What ranks tell each other about memory that the other may write into.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Offer {
    at: Address,
    export: IpcHandle,
}

impl Offer {
    const NOTHING: Self = Self { at: 0, export: IpcHandle::NONE };
}

/// Bytes of the memory with which it is tried whether GPUs reach each other.
const TRIAL: usize = 256;

impl Links {
    /// Finds out which ways there are between the ranks' GPUs; collective, for ranks with a GPU and
    /// without.
    ///
    /// # Errors
    /// If the transport that is asked for is not there, on all ranks alike; or a rank has stopped.
    pub(crate) fn agree(
        stream: Option<&Arc<Stream>>,
        ranks: Arc<dyn Communicator>,
        transport: Transport,
    ) -> Result<Arc<Self>> {
        let mine = ranks.agree(RankLocation::of(stream.map(|stream| &**stream)))?;
        let locations: Vec<RankLocation> = gathered(&*ranks, &mine)?;
        let reaches = match transport {
            Transport::Auto | Transport::Peer => try_all(stream, &*ranks, &locations)?,
            _ => vec![vec![false; locations.len()]; locations.len()],
        };
        let mut links = Self { ranks, locations, reaches, transport, nccl: None };
        links.expect_peers()?;
        links.nccl = links.make_nccl(stream)?;
        Ok(Arc::new(links))
    }

    /// This rank.
    pub(crate) fn rank(&self) -> usize {
        self.ranks.rank()
    }

    /// How messages to a rank travel, and those from it.
    pub fn way_to(&self, rank: usize) -> Way {
        self.way(self.ranks.rank(), rank)
    }

    /// How messages between two ranks travel; the same in both directions.
    pub fn way(&self, one: usize, other: usize) -> Way {
        if one == other || !self.locations[one].has_gpu() || !self.locations[other].has_gpu() {
            Way::Host
        } else if self.reaches[one][other] && self.reaches[other][one] {
            Way::Peer
        } else if self.nccl.is_some() {
            Way::Nccl
        } else {
            Way::Host
        }
    }

    /// Whether ranks are in several processes.
    pub(crate) fn leave_the_program(&self) -> bool {
        !self.locations.iter().all(|location| location.shares_program(&self.locations[0]))
    }

    /// Whether each rank has a GPU.
    pub fn all_have_gpus(&self) -> bool {
        self.locations.iter().all(RankLocation::has_gpu)
    }

    /// Whether no message between any two ranks goes through the host.
    pub fn are_on_devices(&self) -> bool {
        self.pairs().all(|[one, other]| self.way(one, other) != Way::Host)
    }

    /// The slowest way between two ranks.
    pub fn slowest(&self) -> Way {
        let used = |way| self.pairs().any(|[one, other]| self.way(one, other) == way);
        [Way::Host, Way::Nccl].into_iter().find(|way| used(*way)).unwrap_or(Way::Peer)
    }

    /// What sends through NCCL, if it is used.
    pub(crate) fn nccl(&self) -> Option<Arc<dyn NcclComm>> {
        self.nccl.clone()
    }

    /// The number of a rank's GPU among those of all ranks.
    pub(crate) fn number_of_gpu(&self, rank: usize) -> usize {
        self.locations[..rank].iter().filter(|location| location.has_gpu()).count()
    }

    /// Memory of the GPUs of the neighbours beyond the low and the high side, in exchange for this
    /// rank's; the neighbours call it at the same time.
    ///
    /// # Errors
    /// If a neighbour has stopped, or its memory cannot be opened.
    pub(crate) fn trade(
        &self,
        stream: &Arc<Stream>,
        neighbours: [Option<usize>; 2],
        mine: [[Address; 2]; 2],
    ) -> Result<[Option<[Reached; 2]>; 2]> {
        let mut offers = [[Offer::NOTHING; 2]; 2];
        for side in 0..2 {
            let Some(neighbour) = neighbours[side] else { continue };
            for (offered, at) in offers[side].iter_mut().zip(mine[side]) {
                *offered = offer(stream, at, self.is_within(neighbour))?;
            }
        }
        let mut found = [[Offer::NOTHING; 2]; 2];
        let mut messages = Vec::new();
        for (side, receive) in found.iter_mut().enumerate() {
            let Some(peer) = neighbours[side] else { continue };
            // As in halos: what leaves by this side arrives at the neighbour's other side.
            let (send_tag, receive_tag) = (side as u32, 1 - side as u32);
            let send = bytemuck::cast_slice(&offers[side]);
            let receive = bytemuck::cast_slice_mut(receive);
            messages.push(Message { peer, send_tag, receive_tag, send, receive });
        }
        self.ranks.exchange(&mut messages)?;
        let open = |side: usize| -> Result<Option<[Reached; 2]>> {
            let Some(neighbour) = neighbours[side] else { return Ok(None) };
            let [one, other] = &found[side];
            let open = |offer| {
                Reached::open(stream, &self.locations[neighbour], self.is_within(neighbour), offer)
            };
            Ok(Some([open(one)?, open(other)?]))
        };
        Ok([open(0)?, open(1)?])
    }

    /// Whether a rank is a thread of this process.
    fn is_within(&self, rank: usize) -> bool {
        self.locations[rank].shares_program(&self.locations[self.ranks.rank()])
    }

    fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let n = self.locations.len();
        (0..n).flat_map(move |one| (one + 1..n).map(move |other| [one, other]))
    }

    fn pairs_of_gpus(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.pairs().filter(|pair| pair.iter().all(|&rank| self.locations[rank].has_gpu()))
    }

    /// Refuses `peer` where GPUs do not reach each other.
    fn expect_peers(&self) -> Result<()> {
        if self.transport != Transport::Peer {
            return Ok(());
        }
        match self.pairs_of_gpus().find(|[one, other]| self.way(*one, *other) != Way::Peer) {
            None => Ok(()),
            Some([one, other]) => Err(not_there(
                Transport::Peer,
                format!("the GPUs of ranks {one} and {other} do not reach each other's memory"),
            )),
        }
    }

    /// NCCL, if it is needed and there.
    fn make_nccl(&self, stream: Option<&Arc<Stream>>) -> Result<Option<Arc<dyn NcclComm>>> {
        let apart =
            |[one, other]: [usize; 2]| !self.locations[one].shares_gpu(&self.locations[other]);
        let gap = self.pairs_of_gpus().any(|[one, other]| self.way(one, other) == Way::Host);
        let usable = self.pairs_of_gpus().all(apart);
        let (wanted, forced) = match self.transport {
            Transport::Auto => (gap && usable, false),
            Transport::Nccl => (gap, true),
            Transport::Peer | Transport::Host => (false, false),
        };
        if !wanted {
            return Ok(None);
        }
        if !usable {
            return Err(not_there(Transport::Nccl, "two ranks share a GPU".into()));
        }
        let made = nccl::connect(stream, &*self.ranks, &self.locations)?;
        match made {
            Err(problem) if forced => Err(not_there(Transport::Nccl, problem)),
            made => Ok(made.ok().flatten()),
        }
    }
}

/// A transport that was asked for by name is not there.
fn not_there(transport: Transport, problem: String) -> Error {
    Error::Device {
        problem: format!("`ranks.transport = \"{}\"`: {problem}", transport.name()),
        remedy: "set ranks.transport = \"auto\", which takes the fastest way that is there".into(),
    }
}

/// What every rank has, by rank.
fn gathered<T: bytemuck::Pod>(ranks: &dyn Communicator, mine: &T) -> Result<Vec<T>> {
    let all = ranks.all_gather(bytemuck::bytes_of(mine))?;
    Ok(all.iter().map(|bytes| bytemuck::pod_read_unaligned(bytes)).collect())
}

/// Which GPUs open the memory of which others: it is tried.
fn try_all(
    stream: Option<&Arc<Stream>>,
    ranks: &dyn Communicator,
    locations: &[RankLocation],
) -> Result<Vec<Vec<bool>>> {
    let trial;
    let mine = match stream {
        Some(stream) => {
            let memory = Buffer::<u8>::zeros(stream, TRIAL)?;
            let at = memory.address();
            trial = Some(memory);
            // What cannot be exported may still be reached within the process.
            let export = stream.driver.ipc_handle(at).unwrap_or(IpcHandle::NONE);
            Offer { at, export }
        }
        None => {
            trial = None;
            Offer::NOTHING
        }
    };
    let offers: Vec<Offer> = gathered(ranks, &mine)?;
    let me = ranks.rank();
    let opens = |rank: usize| {
        let (location, own) = (&locations[rank], &locations[me]);
        let Some(stream) = stream else { return false };
        let candidate = rank != me && location.shares_machine(own) && !location.shares_gpu(own);
        let within = location.shares_program(own);
        candidate
            && location.has_gpu()
            && Reached::open(stream, location, within, &offers[rank]).is_ok()
    };
    let row: Vec<u8> = (0..locations.len()).map(|rank| u8::from(opens(rank))).collect();
    let rows = ranks.all_gather(&row)?;
    // Only now: until here the others may have had it open.
    drop(trial);
    Ok(rows.into_iter().map(|row| row.into_iter().map(|byte| byte == 1).collect()).collect())
}

fn offer(stream: &Stream, at: Address, within: bool) -> Result<Offer> {
    let export = if within { IpcHandle::NONE } else { stream.driver.ipc_handle(at)? };
    Ok(Offer { at, export })
}

impl Reached {
    fn open(
        stream: &Arc<Stream>,
        location: &RankLocation,
        within: bool,
        offer: &Offer,
    ) -> Result<Self> {
        let driver = &stream.driver;
        let at = if within {
            if location.device != driver.identity()? {
                driver.reach(location.device)?;
            }
            offer.at
        } else {
            driver.open_ipc(&offer.export)?
        };
        Ok(Self { stream: stream.clone(), at, opened: !within })
    }

    pub(crate) fn at(&self) -> Address {
        self.at
    }
}

impl Drop for Reached {
    fn drop(&mut self) {
        if self.opened {
            self.stream.driver.close(self.at);
        }
    }
}
