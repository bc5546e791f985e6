//! What machines usually do: bandwidths and latencies that predictions are made with.

use vortice_core::format::significant;
use vortice_core::{Case, Context, Devices, Transport};

/// Bytes per second from and to the memory of a GPU: an NVIDIA H200's when it copies.
const GPU_MEMORY: f64 = 4e12;

/// Bytes per second from and to memory for each thread of a processor.
const THREAD_MEMORY: f64 = 8e9;

/// How messages travel, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) name: &'static str,
    /// Bytes per second.
    pub(super) bandwidth: f64,
    /// Seconds.
    pub(super) latency: f64,
}

const PEER: Link = Link { name: "by peer memory", bandwidth: 350e9, latency: 5e-6 };
const NCCL: Link = Link { name: "by NCCL", bandwidth: 350e9, latency: 25e-6 };
const HOST: Link = Link { name: "through the host", bandwidth: 10e9, latency: 40e-6 };
const COPY: Link = Link { name: "by copies in memory", bandwidth: 4e9, latency: 10e-6 };

/// The devices of so many ranks.
pub(super) struct Machine {
    devices: Devices,
    transport: Transport,
    ranks: usize,
}

impl Machine {
    /// That a case asks for.
    pub(super) fn of(case: &Case, ranks: usize) -> Self {
        Self { devices: case.run.device.clone(), transport: case.ranks.transport, ranks }
    }

    /// Bytes per second from and to the memory of a rank.
    pub(super) fn memory_of(&self, rank: usize) -> f64 {
        if self.devices.of(rank).is_gpu() {
            return GPU_MEMORY;
        }
        THREAD_MEMORY * self.devices.threads(rank, self.ranks, Context::alone().threads) as f64
    }

    /// What memory is taken to do, for people.
    pub(super) fn memory_words(&self) -> String {
        let gpu = format!("{} GB/s of memory for a GPU", significant(GPU_MEMORY / 1e9));
        let thread = format!("{} GB/s of memory for a thread", significant(THREAD_MEMORY / 1e9));
        match (self.devices.are_alike(), self.devices.name_a_gpu()) {
            (true, true) => gpu,
            (true, false) => thread,
            (false, _) => format!("{gpu}, {thread}"),
        }
    }

    /// How messages travel between the slowest pair of ranks.
    pub(super) fn link(&self) -> Link {
        match (self.devices.are_alike(), self.devices.name_a_gpu(), self.transport) {
            (_, false, _) => COPY,
            (false, true, _) | (true, _, Transport::Host) => HOST,
            (true, _, Transport::Nccl) => NCCL,
            (true, _, Transport::Auto | Transport::Peer) => PEER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(words: &str, transport: Transport) -> Machine {
        Machine { devices: words.parse().expect("devices"), transport, ranks: 2 }
    }

    #[test]
    fn links_are_those_of_the_devices() {
        let link = |words| machine(words, Transport::Auto).link();
        assert_eq!((link("cpu"), link("cuda"), link("cuda:0,cpu")), (COPY, PEER, HOST));
        assert_eq!(machine("cuda:0,1", Transport::Nccl).link(), NCCL);
        assert_eq!(machine("cuda", Transport::Host).link(), HOST);
    }

    #[test]
    fn memory_is_that_of_the_devices() {
        let both = machine("cuda:0,cpu", Transport::Auto);
        assert_eq!(both.memory_of(0), GPU_MEMORY);
        assert!(both.memory_of(1) >= THREAD_MEMORY && both.memory_of(1) < GPU_MEMORY);
        assert_eq!(
            both.memory_words(),
            "4000 GB/s of memory for a GPU, 8 GB/s of memory for a thread"
        );
    }
}
