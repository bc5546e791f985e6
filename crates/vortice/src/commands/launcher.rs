//! Who computes: ranks that are threads of this process, or processes of which this is one.

use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, Decomposition, Device, Error, Method, Report, Result, balanced,
    check_host_memory, check_memory, check_threads, host_memory,
};

use crate::arguments::Ranks;
use vortice_study::results::RankLocations;
use vortice_study::{DevicePlacement, on_ranks, together};

/// The ranks of a run.
pub(super) struct Launcher {
    /// This process among others; nothing if there are no others.
    processes: Option<Arc<dyn Communicator>>,
    ranks: Ranks,
    /// Threads of each rank, if the user insists.
    threads: Option<usize>,
}

impl Launcher {
    /// Ranks that are threads of this process.
    pub(super) fn of_threads(ranks: Ranks, threads: Option<u16>) -> Self {
        Self { processes: None, ranks, threads: threads.map(usize::from) }
    }

    /// This process as one of several.
    ///
    /// # Errors
    /// If the user asks for another number of ranks than there are processes.
    pub(super) fn of_processes(
        ranks: Option<Ranks>,
        threads: Option<u16>,
        processes: Arc<dyn Communicator>,
    ) -> Result<Self> {
        let size = processes.size();
        let ranks = ranks.unwrap_or(Ranks { size, layout: None });
        if ranks.size != size {
            return Err(Error::Command {
                argument: "--ranks".into(),
                problem: format!("asks for {}, but {size} processes were started", words(ranks)),
                remedy: format!("leave `--ranks` out, or start {} processes", ranks.size),
            });
        }
        Ok(Self { processes: Some(processes), ranks, threads: threads.map(usize::from) })
    }

    /// Threads of a run that is all on one rank, of which this program drives the steps.
    ///
    /// # Errors
    /// If there are several ranks: `argument` asks for what is done on one.
    pub(super) fn threads_of_one(&self, argument: &str) -> Result<usize> {
        if self.ranks.size > 1 {
            return Err(Error::Command {
                argument: argument.into(),
                problem: format!("is for runs on one rank, not on {}", words(self.ranks)),
                remedy: "leave `--ranks` and `mpiexec` out".into(),
            });
        }
        check_threads(1, self.threads.unwrap_or(1))?;
        Ok(self.threads.unwrap_or_else(|| Context::alone().threads))
    }

    /// Whether this process prints and writes files.
    pub(super) fn is_first(&self) -> bool {
        self.processes.as_ref().is_none_or(|processes| processes.rank() == 0)
    }

    /// The same outcome on all processes.
    pub(super) fn agree<T>(&self, mine: Result<T>) -> Result<T> {
        match &self.processes {
            Some(processes) => processes.agree(mine),
            None => mine,
        }
    }

    /// Does something on the first process; the others wait whether it succeeds.
    pub(super) fn first<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
        self.agree(self.is_first().then(work).transpose())
    }

    /// Refuses a case whose ranks need more memory of their machines than is free.
    ///
    /// # Errors
    /// If the memory will not do; on all processes alike.
    pub(super) fn check_memory(&self, case: &Case, report: &Report) -> Result<()> {
        match &self.processes {
            Some(processes) => processes.agree(check_host_memory(case, report, &**processes)),
            None => check_memory(case, host_memory(case, report, self.ranks.size)),
        }
    }

    /// How the grid is cut.
    ///
    /// # Errors
    /// If the ranks do not fit it.
    pub(super) fn decomposition(&self, case: &Case) -> Result<Decomposition> {
        case.decomposition(self.ranks.layout, self.ranks.size)
    }

    /// Where the ranks of this process compute. Processes that may choose are all on GPUs, or all on
    /// the processor.
    ///
    /// # Errors
    /// If a rank cannot have its device; then on all processes.
    pub(super) fn place(&self, case: &Case) -> Result<DevicePlacement> {
        let Some(processes) = &self.processes else {
            return DevicePlacement::of(case, self.ranks.size);
        };
        let context = Context::new(Arc::clone(processes));
        let mine = DevicePlacement::of_rank(case, &context);
        // Each has an error of its own before one gives up: what all lack is then told of none.
        let all = processes.all_gather(&[]);
        let mine = self.agree(mine)?;
        all?;
        let mut without = [f64::from(u8::from(mine.opened().is_empty()))];
        processes.max(&mut without)?;
        if case.run.device.are_open() && without != [0.0] {
            return self
                .agree(DevicePlacement::of_rank(&case.clone().device(Device::Cpu), &context));
        }
        Ok(mine)
    }

    /// The case with its balance settled: who gets how many cells.
    ///
    /// # Errors
    /// If there is not one weight a rank, or a rank cannot be measured.
    pub(super) fn balance(&self, method: &Method, case: &Case) -> Result<Case> {
        self.run(case, |context| balanced(method, case, context))
    }

    /// Runs a program on every rank; what it returned on rank 0, or on the rank that this process
    /// is.
    ///
    /// # Errors
    /// The error of the program, a cause rather than its consequence.
    pub(super) fn run<T: Send>(
        &self,
        case: &Case,
        program: impl Fn(&Context) -> Result<T> + Sync,
    ) -> Result<T> {
        let (layout, threads) = (self.ranks.layout, self.threads);
        let Some(processes) = &self.processes else {
            return on_ranks(case, self.ranks.size, layout, threads, program);
        };
        check_threads(1, threads.unwrap_or(1))?;
        let context = Context::new(Arc::clone(processes)).sharing(&case.run.device);
        program(&Context { layout, threads: threads.unwrap_or(context.threads), ..context })
    }

    /// Where all ranks compute.
    ///
    /// # Errors
    /// If a process has stopped.
    pub(super) fn locations(&self, place: &DevicePlacement) -> Result<RankLocations> {
        let (words, device) = (place.words(self.threads), place.device().to_string());
        let Some(processes) = &self.processes else {
            return Ok(RankLocations { words, device, gpus: place.gpus() });
        };
        let all = |mine: String| -> Result<Vec<String>> {
            let all = processes.all_gather(mine.as_bytes())?;
            Ok(all.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect())
        };
        let (words, devices) = (all(words)?, all(device)?);
        let gpus = all(place.gpus().unwrap_or_default())?;
        let gpus: Vec<&str> =
            gpus.iter().map(String::as_str).filter(|gpu| !gpu.is_empty()).collect();
        let device = alike(&devices).map_or("cuda+cpu".into(), String::clone);
        Ok(RankLocations { words: of_each(&words), device, gpus: together(&gpus) })
    }
}

/// What all say, if all say the same.
fn alike(all: &[String]) -> Option<&String> {
    all.first().filter(|first| all.iter().all(|other| other == *first))
}

/// "4 processes, each on the processor, 2 threads", or what each has if they differ.
fn of_each(places: &[String]) -> String {
    match alike(places) {
        Some(place) => format!("{} processes, each on {place}", places.len()),
        None => {
            let ranks = places.iter().enumerate();
            let all: Vec<String> =
                ranks.map(|(rank, place)| format!("{place} (rank {rank})")).collect();
            all.join(", ")
        }
    }
}

/// "4 ranks", or "4 ranks (2x2x1)".
fn words(ranks: Ranks) -> String {
    let n = if ranks.size == 1 { "1 rank".into() } else { format!("{} ranks", ranks.size) };
    ranks.layout.map_or(n.clone(), |[x, y, z]| format!("{n} ({x}x{y}x{z})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_alike_are_told_once() {
        let of =
            |places: &[&str]| of_each(&places.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(
            of(&["the processor, 1 thread"; 3]),
            "3 processes, each on the processor, 1 thread"
        );
        assert_eq!(of(&["A", "B"]), "A (rank 0), B (rank 1)");
    }

    #[test]
    fn ranks_are_told_with_their_layout() {
        assert_eq!(words(Ranks { size: 1, layout: None }), "1 rank");
        assert_eq!(words(Ranks { size: 4, layout: Some([2, 2, 1]) }), "4 ranks (2x2x1)");
    }
}
