//! Where a case runs: on GPUs, on the processor, or on both.

use vortice_core::{Case, Context, Decomposition, Device, Report, Result, check_device_memory};
use vortice_gpu::Gpu;

use crate::registry::on_possible_devices;

/// The GPUs of a run, and which rank has which. They stay open as long as this lives, so that a
/// solver finds them awake.
pub struct DevicePlacement {
    gpus: Vec<Gpu>,
    placements: Vec<RankPlacement>,
}

/// Where a rank computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RankPlacement {
    rank: usize,
    /// Which of the GPUs; none on the processor.
    gpu: Option<usize>,
    /// Threads on the processor, if the user does not say.
    threads: usize,
}

impl DevicePlacement {
    /// What the case asks for, for ranks that are threads of this process.
    ///
    /// # Errors
    /// If it names a GPU that cannot be used, or its table `[gpu]` is wrong.
    pub fn of(case: &Case, ranks: usize) -> Result<Self> {
        let ranks: Vec<_> = (0..ranks).map(|rank| (rank, rank)).collect();
        Self::of_ranks(case, &ranks, ranks.len(), Context::alone().threads)
    }

    /// What the case asks for, for this rank only, which is a process of its own; asks no other.
    ///
    /// # Errors
    /// As [`DevicePlacement::of`].
    pub fn of_rank(case: &Case, context: &Context) -> Result<Self> {
        let ranks = &*context.ranks;
        let mine = [(ranks.rank(), ranks.local_rank())];
        Self::of_ranks(case, &mine, ranks.local_size(), ranks.local_cores())
    }

    /// The GPUs and placements of ranks, each with its number on this machine, of `local_size` there
    /// that share so many cores.
    fn of_ranks(
        case: &Case,
        ranks: &[(usize, usize)],
        local_size: usize,
        cores: usize,
    ) -> Result<Self> {
        let case = &on_possible_devices(case);
        let (mut gpus, mut numbers, mut placements) = (Vec::new(), Vec::new(), Vec::new());
        for &(rank, local) in ranks {
            let threads = case.run.device.threads(local, local_size, cores);
            let number = Gpu::number_of_rank(case, local, local_size)?;
            let known = numbers.iter().position(|known| Some(*known) == number);
            let gpu = match (known, number) {
                (None, Some(number)) => Gpu::of_rank(case, local, local_size)?.map(|gpu| {
                    gpus.push(gpu);
                    numbers.push(number);
                    gpus.len() - 1
                }),
                (None, None) => {
                    // A table `[gpu]` that is wrong is told on the processor too.
                    Gpu::of_rank(case, local, local_size)?;
                    None
                }
                (known, _) => known,
            };
            placements.push(RankPlacement { rank, gpu, threads });
        }
        if case.run.device.are_open() && placements.iter().any(|placed| placed.gpu.is_none()) {
            gpus.clear();
            placements.iter_mut().for_each(|placed| placed.gpu = None);
        }
        Ok(Self { gpus, placements })
    }

    /// The same case with `auto` settled, so that all ranks run where was said.
    pub fn settle(&self, case: Case) -> Case {
        match (case.run.device.are_open(), self.gpus.is_empty()) {
            (true, true) => case.device(Device::Cpu),
            (true, false) => case.device(Device::AnyCuda),
            _ => case,
        }
    }

    /// `cpu`, `cuda`, or `cuda+cpu`.
    pub fn device(&self) -> &'static str {
        match (self.gpus.is_empty(), self.on_processor().next()) {
            (true, _) => "cpu",
            (false, None) => "cuda",
            (false, Some(_)) => "cuda+cpu",
        }
    }

    /// What the GPUs are called, `2 x NVIDIA H200` if they are alike; nothing on the processor.
    pub fn gpus(&self) -> Option<String> {
        let names: Vec<&str> = self.gpus.iter().map(|gpu| &*gpu.properties().name).collect();
        together(&names)
    }

    /// Whether no rank has a GPU.
    pub fn is_on_processor(&self) -> bool {
        self.gpus.is_empty()
    }

    /// The GPUs, each once.
    pub fn opened(&self) -> &[Gpu] {
        &self.gpus
    }

    /// Threads of all ranks on the processor together; `each` instead of their share if given.
    pub fn threads(&self, each: Option<usize>) -> usize {
        self.on_processor().map(|placed| each.unwrap_or(placed.threads)).sum()
    }

    /// "the processor, 2 threads", "NVIDIA H200", or "NVIDIA H200 (rank 0), the processor, 7 threads
    /// (rank 1)"; a rank on the processor has `each` threads instead of its share if given.
    pub fn words(&self, each: Option<usize>) -> String {
        words_of(self.gpus(), self.gpus.len(), &self.placements, each)
    }

    /// Bytes that the fullest GPU needs, and bytes free on it; nothing on the processor.
    ///
    /// # Errors
    /// If a GPU does not answer.
    pub fn memory(&self, report: &Report, cut: &Decomposition) -> Result<Option<[f64; 2]>> {
        let needed = shares(&self.placements, self.gpus.len(), cut)
            .into_iter()
            .map(|share| report.device_memory * share);
        let both = self
            .gpus
            .iter()
            .zip(needed)
            .map(|(gpu, needed)| gpu.free_memory().map(|free| [needed, free as f64]));
        let fuller = |one: [f64; 2], other: [f64; 2]| {
            if one[0] * other[1] >= other[0] * one[1] { one } else { other }
        };
        both.reduce(|one, other| Ok(fuller(one?, other?))).transpose()
    }

    /// Refuses a case that needs more of the GPUs' memory than is free.
    ///
    /// # Errors
    /// If the memory will not do, or a GPU does not answer.
    pub fn check_memory(&self, case: &Case, report: &Report, cut: &Decomposition) -> Result<()> {
        match (self.memory(report, cut)?, self.gpus.first()) {
            (Some([needed, free]), Some(gpu)) => {
                check_device_memory(case, &gpu.properties().name, needed, free)
            }
            _ => Ok(()),
        }
    }

    fn on_processor(&self) -> impl Iterator<Item = &RankPlacement> {
        on_processor(&self.placements)
    }
}

fn on_processor(placements: &[RankPlacement]) -> impl Iterator<Item = &RankPlacement> {
    placements.iter().filter(|placed| placed.gpu.is_none())
}

/// The share of the grid on each GPU.
fn shares(placements: &[RankPlacement], gpus: usize, cut: &Decomposition) -> Vec<f64> {
    let mut cells = vec![0; gpus];
    for placed in placements {
        if let Some(gpu) = placed.gpu {
            cells[gpu] += cut.subdomain(placed.rank).n_cells();
        }
    }
    let all: usize = cut.cells.iter().product();
    cells.into_iter().map(|n| n as f64 / all as f64).collect()
}

/// What a person is told of ranks on so many GPUs with these names, and on the processor.
fn words_of(
    names: Option<String>,
    gpus: usize,
    placements: &[RankPlacement],
    each: Option<usize>,
) -> String {
    let ranks_where = |gpu: bool| -> Vec<usize> {
        placements
            .iter()
            .filter(|placed| placed.gpu.is_some() == gpu)
            .map(|placed| placed.rank)
            .collect()
    };
    let (here, there) = (ranks_where(false), ranks_where(true));
    let threads =
        on_processor(placements).next().map_or(1, |placed| each.unwrap_or(placed.threads));
    let processor = format!("the processor, {}", workers(here.len(), threads));
    match names {
        None => processor,
        Some(names) if !here.is_empty() => {
            format!("{names} ({}), {processor} ({})", list(&there), list(&here))
        }
        Some(names) if placements.len() > gpus => format!("{names}, {} ranks", placements.len()),
        Some(names) => names,
    }
}

/// "rank 1", "ranks 0, 2".
fn list(ranks: &[usize]) -> String {
    let numbers: Vec<String> = ranks.iter().map(ToString::to_string).collect();
    format!("rank{} {}", if ranks.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

/// Names, with a number if all are alike; nothing if there are none.
pub fn together(names: &[&str]) -> Option<String> {
    let first = names.first()?;
    let alike = names.iter().all(|name| name == first);
    Some(match names.len() {
        1 => (*first).to_string(),
        n if alike => format!("{n} x {first}"),
        _ => names.join(", "),
    })
}

fn workers(ranks: usize, threads: usize) -> String {
    let threads = format!("{threads} thread{}", if threads == 1 { "" } else { "s" });
    if ranks == 1 { threads } else { format!("{ranks} ranks with {threads} each") }
}

#[cfg(test)]
mod tests {
    use vortice_core::{Balance, Devices};

    use super::*;

    fn cavity(device: &str) -> Case {
        let devices: Devices = device.parse().expect("devices");
        crate::open_case("cavity", &[]).expect("a built-in case").device(devices)
    }

    /// Placements on so many GPUs that are not opened.
    fn placements(gpus: &[Option<usize>]) -> Vec<RankPlacement> {
        let placed =
            |(rank, gpu): (usize, &Option<usize>)| RankPlacement { rank, gpu: *gpu, threads: 1 };
        gpus.iter().enumerate().map(placed).collect()
    }

    #[test]
    fn the_processor_is_told_with_its_ranks_and_threads() {
        let place =
            |ranks| DevicePlacement::of(&cavity("cpu"), ranks).expect("there is a processor");
        assert_eq!(place(1).words(Some(1)), "the processor, 1 thread");
        assert_eq!(place(1).words(Some(8)), "the processor, 8 threads");
        assert_eq!(place(3).words(Some(2)), "the processor, 3 ranks with 2 threads each");
        assert_eq!((place(1).device(), place(1).gpus()), ("cpu", None));
        assert_eq!((place(3).threads(Some(2)), place(1).threads(Some(2))), (6, 2));
        let report = Report { device_memory: f64::MAX, ..Report::default() };
        let cut = cavity("cpu").decomposition(None, 1).expect("one rank");
        assert!(place(1).check_memory(&cavity("cpu"), &report, &cut).is_ok());
    }

    #[test]
    fn one_rank_of_many_knows_its_own_seat() {
        let place =
            DevicePlacement::of_rank(&cavity("cpu"), &Context::alone()).expect("a processor");
        assert_eq!(place.placements.len(), 1);
        assert!(place.words(None).starts_with("the processor, "));
    }

    #[test]
    fn auto_is_settled_once_for_all_ranks() {
        let place = DevicePlacement { gpus: Vec::new(), placements: placements(&[None, None]) };
        assert_eq!(place.settle(cavity("auto")).run.device, Device::Cpu);
        assert_eq!(place.settle(cavity("cuda:1")).run.device, Device::Cuda(1));
        assert_eq!(place.settle(cavity("cuda:0,cpu")).run.device, cavity("cuda:0,cpu").run.device);
    }

    #[test]
    fn gpus_that_are_alike_are_counted() {
        assert_eq!(together(&[]), None);
        assert_eq!(together(&["A"]).as_deref(), Some("A"));
        assert_eq!(together(&["A", "A"]).as_deref(), Some("2 x A"));
        assert_eq!(together(&["A", "B"]).as_deref(), Some("A, B"));
        assert_eq!((list(&[1]), list(&[0, 2])), ("rank 1".into(), "ranks 0, 2".into()));
    }

    #[test]
    fn ranks_on_both_are_told_apart() {
        let words = |placements: &[RankPlacement], gpus| {
            words_of(Some("A".into()), gpus, placements, Some(3))
        };
        assert_eq!(
            words(&placements(&[Some(0), None]), 1),
            "A (rank 0), the processor, 3 threads (rank 1)"
        );
        assert_eq!(
            words(&placements(&[None, Some(0), None]), 1),
            "A (rank 1), the processor, 2 ranks with 3 threads each (ranks 0, 2)"
        );
        assert_eq!(words(&placements(&[Some(0); 4]), 1), "A, 4 ranks");
        assert_eq!(words(&placements(&[Some(0), Some(1)]), 2), "A");
    }

    #[test]
    fn the_fullest_gpu_has_the_most_cells() {
        let cut = |ranks| cavity("cuda").decomposition(None, ranks).expect("they fit");
        assert_eq!(shares(&placements(&[Some(0)]), 1, &cut(1)), [1.0]);
        assert_eq!(shares(&placements(&[Some(0); 4]), 1, &cut(4)), [1.0]);
        assert_eq!(
            shares(&placements(&[Some(0), Some(1), Some(0), None]), 2, &cut(4)),
            [0.5, 0.25]
        );
        let case = cavity("cuda:0,cpu").balance(Balance::Weights(vec![7.0, 1.0]));
        let cut = case.decomposition(None, 2).expect("they fit");
        assert_eq!(shares(&placements(&[Some(0), None]), 1, &cut), [0.875]);
    }
}
