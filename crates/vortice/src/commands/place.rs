//! Where a case runs: on GPUs, or on the processor.

use std::rc::Rc;

use vortice_core::{Case, Context, Device, Report, Result, Threads, check_device_memory};
use vortice_gpu::Gpu;

/// The GPUs of a run; none if the processor computes. They stay open as long as this lives, so that
/// a solver finds them awake.
pub(super) struct Place {
    gpus: Vec<Gpu>,
    ranks: usize,
}

impl Place {
    /// What the case asks for.
    ///
    /// # Errors
    /// If it names a GPU that cannot be used, or its table `[gpu]` is wrong.
    pub(super) fn of(case: &Case, ranks: usize) -> Result<Self> {
        let first = Gpu::for_case(case, &Context::alone())?;
        let gpus = match first {
            None => Vec::new(),
            Some(gpu) if ranks == 1 => vec![gpu],
            Some(_) => of_ranks(case, ranks)?,
        };
        Ok(Self { gpus, ranks })
    }

    /// What the case asks for, on this rank alone.
    ///
    /// # Errors
    /// As [`Place::of`].
    pub(super) fn of_rank(case: &Case, context: &Context) -> Result<Self> {
        let gpus = Gpu::for_case(case, context)?.into_iter().collect();
        Ok(Self { gpus, ranks: 1 })
    }

    /// The same case with `auto` settled, so that all ranks run where was said.
    pub(super) fn settle(&self, case: Case) -> Case {
        match (case.run.device, self.gpus.is_empty()) {
            (Device::Auto, true) => case.device(Device::Cpu),
            (Device::Auto, false) => case.device(Device::Cuda(0)),
            _ => case,
        }
    }

    /// `cpu` or `cuda`.
    pub(super) fn device(&self) -> &'static str {
        if self.gpus.is_empty() { "cpu" } else { "cuda" }
    }

    /// What the GPUs are called, `2 x NVIDIA H200` if they are alike; nothing on the processor.
    pub(super) fn gpus(&self) -> Option<String> {
        let names: Vec<&str> = self.gpus.iter().map(|gpu| &*gpu.properties().name).collect();
        together(&names)
    }

    /// "the processor, 2 threads" or "NVIDIA H200".
    pub(super) fn words(&self, threads: usize) -> String {
        match self.gpus() {
            Some(gpus) if self.ranks > self.gpus.len() => format!("{gpus}, {} ranks", self.ranks),
            Some(gpus) => gpus,
            None => format!("the processor, {}", workers(self.ranks, threads)),
        }
    }

    /// Bytes that the fullest GPU needs, and bytes free on the GPU that has least; nothing on the
    /// processor.
    ///
    /// # Errors
    /// If a GPU does not answer.
    pub(super) fn memory(&self, report: &Report) -> Result<Option<[f64; 2]>> {
        let Some(n) = Some(self.gpus.len()).filter(|n| *n > 0) else { return Ok(None) };
        let needed = report.device_memory * share(self.ranks, n);
        let free = self.gpus.iter().map(|gpu| gpu.free_memory().map(|bytes| bytes as f64));
        let least = free.reduce(|a, b| Ok(a?.min(b?))).unwrap_or(Ok(0.0))?;
        Ok(Some([needed, least]))
    }

    /// Refuses a case that needs more of the GPUs' memory than is free.
    ///
    /// # Errors
    /// If the memory will not do, or a GPU does not answer.
    pub(super) fn check_memory(&self, case: &Case, report: &Report) -> Result<()> {
        match (self.memory(report)?, self.gpus.first()) {
            (Some([needed, free]), Some(gpu)) => {
                check_device_memory(case, &gpu.properties().name, needed, free)
            }
            _ => Ok(()),
        }
    }
}

/// The different GPUs of several ranks, which take them in turn; none if one rank has none.
fn of_ranks(case: &Case, ranks: usize) -> Result<Vec<Gpu>> {
    let there = Gpu::count()?;
    let group = Threads::group(ranks).into_iter().take(there);
    let open = |rank| Gpu::for_case(case, &Context::new(Rc::new(rank)));
    let gpus: Option<Vec<Gpu>> = group.map(open).collect::<Result<_>>()?;
    Ok(gpus.unwrap_or_default())
}

/// The share of the grid on the fullest of some GPUs.
fn share(ranks: usize, gpus: usize) -> f64 {
    ranks.div_ceil(gpus) as f64 / ranks as f64
}

/// Names, with a number if all are alike; nothing if there are none.
pub(super) fn together(names: &[&str]) -> Option<String> {
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
    use super::*;

    fn cavity(device: Device) -> Case {
        vortice::open_case("cavity", &[]).expect("a built-in case").device(device)
    }

    #[test]
    fn the_processor_is_told_with_its_ranks_and_threads() {
        let place = |ranks| Place::of(&cavity(Device::Cpu), ranks).expect("there is a processor");
        assert_eq!(place(1).words(1), "the processor, 1 thread");
        assert_eq!(place(1).words(8), "the processor, 8 threads");
        assert_eq!(place(3).words(2), "the processor, 3 ranks with 2 threads each");
        assert_eq!((place(1).device(), place(1).gpus()), ("cpu", None));
        let report = Report { device_memory: f64::MAX, ..Report::default() };
        assert!(place(1).check_memory(&cavity(Device::Cpu), &report).is_ok());
    }

    #[test]
    fn auto_is_settled_once_for_all_ranks() {
        let place = Place { gpus: Vec::new(), ranks: 2 };
        assert_eq!(place.settle(cavity(Device::Auto)).run.device, Device::Cpu);
        assert_eq!(place.settle(cavity(Device::Cuda(1))).run.device, Device::Cuda(1));
    }

    #[test]
    fn gpus_that_are_alike_are_counted() {
        assert_eq!(together(&[]), None);
        assert_eq!(together(&["A"]).as_deref(), Some("A"));
        assert_eq!(together(&["A", "A"]).as_deref(), Some("2 x A"));
        assert_eq!(together(&["A", "B"]).as_deref(), Some("A, B"));
    }

    #[test]
    fn the_fullest_gpu_has_the_most_ranks() {
        for (ranks, gpus, expected) in [(1, 1, 1.0), (4, 1, 1.0), (4, 4, 0.25), (5, 4, 0.4)] {
            assert_eq!(share(ranks, gpus), expected);
        }
    }
}
