//! What machines usually do: bandwidths and latencies that predictions are made with.

use vortice_core::format::{percent, significant};
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

/// GPUs of a node, and how those of other nodes are reached: a fat tree of 400 Gb/s for each GPU.
const NODE: usize = 8;
const BETWEEN_NODES: Link = Link { name: "between nodes", bandwidth: 50e9, latency: 5e-6 };

/// Measured by the bench `ranks exchange` and by steps on two GPUs: benches/results/2026-11-26-eight-h200.md.
const PEER: Link = Link { name: "by peer memory", bandwidth: 350e9, latency: 5e-6 };
const NCCL: Link = Link { name: "by NCCL", bandwidth: 350e9, latency: 25e-6 };
const HOST: Link = Link { name: "through the host", bandwidth: 10e9, latency: 40e-6 };
const COPY: Link = Link { name: "by copies in memory", bandwidth: 4e9, latency: 10e-6 };

/// What was measured of ranks like those of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// Bytes per second from and to the memory of one rank alone, as its traffic is counted.
    pub(super) memory: f64,
    /// By which share computing takes longer beside other ranks.
    pub(super) slower: f64,
    /// Seconds of a message.
    pub(super) latency: f64,
}

/// The devices of so many ranks.
#[derive(Clone)]
pub(super) struct Machine {
    devices: Devices,
    transport: Transport,
    ranks: usize,
    measured: Option<Measured>,
}

impl Machine {
    /// That a case asks for.
    pub(super) fn of(case: &Case, ranks: usize) -> Self {
        let (devices, transport) = (case.run.device.clone(), case.ranks.transport);
        Self { devices, transport, ranks, measured: None }
    }

    /// The same, by what was measured.
    pub(super) fn measured(self, measured: Measured) -> Self {
        Self { measured: Some(measured), ..self }
    }

    /// How many there are.
    pub(super) fn ranks(&self) -> usize {
        self.ranks
    }

    /// Whether all ranks have GPUs.
    pub(super) fn is_of_gpus(&self) -> bool {
        self.devices.are_alike() && self.devices.name_a_gpu()
    }

    /// By which share computing takes longer beside other ranks.
    pub(super) fn slower(&self) -> f64 {
        self.measured.map_or(0.0, |measured| measured.slower)
    }

    /// Bytes per second from and to the memory of a rank, of a GPU's so much as a method reaches.
    pub(super) fn memory_of(&self, rank: usize, reached: f64) -> f64 {
        if let Some(measured) = self.measured {
            return measured.memory;
        }
        if self.devices.of(rank).is_gpu() {
            return GPU_MEMORY * reached;
        }
        THREAD_MEMORY * self.devices.threads(rank, self.ranks, Context::alone().threads) as f64
    }

    /// What memory is taken to do, for people.
    pub(super) fn memory_words(&self, reached: f64) -> String {
        if let Some(Measured { memory, slower, .. }) = self.measured {
            let memory = significant(memory / 1e9);
            return format!(
                "{memory} GB/s of memory as measured, {} less beside others",
                percent(slower)
            );
        }
        let gpu = format!("{} GB/s of memory for a GPU", significant(GPU_MEMORY * reached / 1e9));
        let thread = format!("{} GB/s of memory for a thread", significant(THREAD_MEMORY / 1e9));
        match (self.devices.are_alike(), self.devices.name_a_gpu()) {
            (true, true) => gpu,
            (true, false) => thread,
            (false, _) => format!("{gpu}, {thread}"),
        }
    }

    /// How messages travel between the slowest pair of ranks.
    pub(super) fn link(&self) -> Link {
        let link = self.usual_link();
        let latency = self.measured.map_or(link.latency, |measured| measured.latency);
        Link { latency, ..link }
    }

    /// The same of so many GPUs of a cluster.
    pub(super) fn link_of_cluster(&self, ranks: usize) -> Link {
        let link = self.link();
        if ranks <= NODE {
            return link;
        }
        Link { latency: link.latency + BETWEEN_NODES.latency, ..BETWEEN_NODES }
    }

    /// What a cluster is taken to be, for people.
    pub(super) fn cluster_words() -> String {
        let Link { bandwidth, latency, .. } = BETWEEN_NODES;
        format!(
            "{NODE} GPUs a node, a fat tree with {} GB/s for each GPU and {} us more a message between nodes",
            significant(bandwidth / 1e9),
            significant(latency * 1e6)
        )
    }

    fn usual_link(&self) -> Link {
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
        Machine { devices: words.parse().expect("devices"), transport, ranks: 2, measured: None }
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
        assert_eq!(both.memory_of(0, 0.5), 0.5 * GPU_MEMORY);
        assert!(both.memory_of(1, 0.5) >= THREAD_MEMORY && both.memory_of(1, 0.5) < GPU_MEMORY);
        assert_eq!(
            both.memory_words(1.0),
            "4000 GB/s of memory for a GPU, 8 GB/s of memory for a thread"
        );
    }
}
