//! What a study was computed on.

use std::path::Path;

use serde::Serialize;
use vortice_core::{Case, Context, Device, Result, available_memory};
use vortice_gpu::Gpu;

use crate::registry::on_possible_devices;

/// The machine, for people who read the numbers later.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// Cores that may be used.
    pub cores: usize,
    /// Memory in bytes that was free.
    pub memory: Option<f64>,
    /// Operating system and architecture.
    pub system: String,
    /// Version of the program.
    pub version: &'static str,
    /// When the study was put together, `2026-01-31 12:00 UTC`.
    pub date: String,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        Self {
            processor: model().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: Context::alone().threads,
            memory: available_memory(),
            system: system(),
            version: crate::VERSION,
            date: chrono::Utc::now().format("%Y-%m-%d %H:%M UTC").to_string(),
        }
    }
}

fn model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn system() -> String {
    let release = std::fs::read_to_string(Path::new("/etc/os-release")).unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    format!("{name}, {}", std::env::consts::ARCH)
}

/// Where the runs of one case are computed: the GPU stays open, so that the next run finds it awake.
pub(super) struct Place {
    gpu: Option<Gpu>,
}

impl Place {
    /// Where a case asks to be computed.
    ///
    /// # Errors
    /// If it names a GPU that cannot be used.
    pub(super) fn of(case: &Case) -> Result<Self> {
        Ok(Self { gpu: Gpu::of_rank(&on_possible_devices(case), 0, 1)? })
    }

    /// The same case with `auto` settled.
    pub(super) fn settle(&self, case: Case) -> Case {
        match (&self.gpu, case.run.device.are_open()) {
            (None, true) => case.device(Device::Cpu),
            (Some(_), true) => case.device(Device::AnyCuda),
            (_, false) => case,
        }
    }

    /// For people: `NVIDIA H200`, `the processor, 2 threads`.
    pub(super) fn words(&self) -> String {
        match (&self.gpu, Context::alone().threads) {
            (Some(gpu), _) => gpu.properties().name.clone(),
            (None, 1) => "the processor, 1 thread".into(),
            (None, threads) => format!("the processor, {threads} threads"),
        }
    }

    pub(super) fn is_gpu(&self) -> bool {
        self.gpu.is_some()
    }
}
