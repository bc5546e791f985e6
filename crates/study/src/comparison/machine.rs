//! What a study was computed on.

use std::path::Path;

use serde::Serialize;
use vortice_core::{Context, available_memory};

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
