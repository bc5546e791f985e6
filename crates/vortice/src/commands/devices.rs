//! `vortice devices`

use std::fmt::{Display, Write as _};

use vortice_core::format::{bandwidth, bytes};
use vortice_core::{Context, Error, Result};
use vortice_gpu::{Found, Gpu, Properties, Survey, Way, survey, way_between};

use crate::arguments::Devices;
use crate::say;

/// What was found out about one GPU.
struct Line {
    number: usize,
    properties: Result<Properties>,
    /// Free bytes and measured bytes per second, or why the GPU cannot be used.
    measured: Result<(usize, Option<f64>)>,
}

/// Tells what there is to compute on, and why something cannot be used; measures the GPUs' memory
/// unless that is not wanted.
pub(crate) fn execute(options: &Devices) -> Result<()> {
    let quick = options.quick;
    let Survey { driver, nvrtc, gpus } = survey();
    let gpus: Result<Vec<Line>> =
        gpus.map(|all| all.into_iter().map(|found| Line::of(found, quick)).collect());
    let count = gpus.as_ref().map_or(0, Vec::len);
    let between = (count > 1).then(|| way_between(count));
    say::result(&text(Context::alone().threads, &driver, &nvrtc, &gpus, between.as_ref()))
}

impl Line {
    fn of(Found { number, properties, gpu }: Found, quick: bool) -> Self {
        Self { number, properties, measured: gpu.and_then(|gpu| measure(&gpu, quick)) }
    }

    fn words(&self) -> String {
        let gpu = match &self.properties {
            Ok(Properties { name, memory, architecture: [major, minor], .. }) => {
                let memory = bytes(*memory as f64);
                format!("{name}, compute capability {major}.{minor}, {memory}")
            }
            Err(_) => "a GPU".into(),
        };
        match &self.measured {
            Ok((free, measured)) => {
                let free = bytes(*free as f64);
                let speed = measured.map(|speed| format!(", copies {}", bandwidth(speed)));
                let [speed, nominal] = [speed, self.nominal()].map(Option::unwrap_or_default);
                format!("{gpu}, {free} free{speed}{nominal}")
            }
            Err(error) => format!("{gpu}; cannot be used: {}", because(error)),
        }
    }

    /// The bandwidth of the data sheet, if it is known.
    fn nominal(&self) -> Option<String> {
        let nominal = self.properties.as_ref().ok()?.nominal_bandwidth?;
        Some(format!(", nominally {}", bandwidth(nominal)))
    }
}

fn measure(gpu: &Gpu, quick: bool) -> Result<(usize, Option<f64>)> {
    let free = gpu.free_memory()?;
    Ok((free, if quick { None } else { Some(gpu.copy_bandwidth()?) }))
}

fn text(
    threads: usize,
    driver: &Result<String>,
    nvrtc: &Result<String>,
    gpus: &Result<Vec<Line>>,
    between: Option<&Result<Way>>,
) -> String {
    let mut text = String::new();
    let mut line = |name: &str, words: &dyn Display| {
        let _ = writeln!(text, "{name:8}{words}");
    };
    line("cpu", &format!("{threads} thread{}", if threads == 1 { "" } else { "s" }));
    match driver {
        Ok(version) => line("driver", &format!("for CUDA {version}")),
        Err(error) => line("driver", &format!("none: {}", because(error))),
    }
    match nvrtc {
        Ok(version) => line("NVRTC", version),
        Err(error) => line("NVRTC", &format!("none: {}", because(error))),
    }
    match gpus {
        Ok(gpus) => gpus.iter().for_each(|gpu| line(&format!("cuda:{}", gpu.number), &gpu.words())),
        // Without a driver no more can be said.
        Err(_) if driver.is_err() => line("GPU", &"none: no driver"),
        Err(error) => line("GPU", &format!("none: {}", because(error))),
    }
    match between {
        Some(Ok(way)) => line("between", &format!("{}: {}", way.name(), travels(*way))),
        Some(Err(error)) => line("between", &format!("nothing: {}", because(error))),
        None => {}
    }
    let usable = gpus.iter().flatten().any(|gpu| gpu.number == 0 && gpu.measured.is_ok());
    let first = if usable { "cuda:0" } else { "cpu" };
    text + &format!("\n`--device auto` takes {first} for one rank\n")
}

/// How messages travel from GPU to GPU.
fn travels(way: Way) -> &'static str {
    match way {
        Way::Peer => "GPUs write what others need into their memory",
        Way::Nccl => "NCCL takes from GPU to GPU what others need",
        Way::Host => "what other GPUs need goes through the host",
    }
}

/// An error's sentence and its remedy.
fn because(error: &Error) -> String {
    let problem = match error {
        Error::Device { problem, .. } => problem.clone(),
        other => other.to_string(),
    };
    format!("{problem}\n{:8}help: {}", "", error.remedy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(problem: &str) -> Error {
        Error::Device { problem: problem.into(), remedy: "buy one".into() }
    }

    fn line(number: usize, measured: Result<(usize, Option<f64>)>) -> Line {
        let properties = Properties {
            name: "Some GPU".into(),
            memory: 80_000_000_000,
            multiprocessors: 100,
            shared_memory: 200_000,
            threads: 1024,
            architecture: [9, 0],
            cooperative: true,
            nominal_bandwidth: (number == 0).then_some(3.35e12),
            ecc: true,
        };
        Line { number, properties: Ok(properties), measured }
    }

    #[test]
    fn what_is_missing_is_told_with_its_remedy() {
        let missing = error("there is no driver");
        let text = text(1, &Err(missing.clone()), &Ok("13.0".into()), &Err(missing), None);
        let expected = "cpu     1 thread\ndriver  none: there is no driver\n        help: buy one\n\
                        NVRTC   13.0\nGPU     none: no driver\n\n\
                        `--device auto` takes cpu for one rank\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn each_gpu_has_a_line_with_its_numbers_or_its_fault() {
        let gpus = vec![line(0, Ok((79_000_000_000, Some(2.5e12)))), line(1, Err(error("in use")))];
        let text = text(8, &Ok("13.0".into()), &Ok("13.0".into()), &Ok(gpus), Some(&Ok(Way::Peer)));
        for part in [
            "cpu     8 threads\ndriver  for CUDA 13.0\n",
            "cuda:0  Some GPU, compute capability 9.0, 80.0 GB, 79.0 GB free, copies 2500 GB/s, \
             nominally 3350 GB/s\n",
            "cuda:1  Some GPU, compute capability 9.0, 80.0 GB; cannot be used: in use\n",
            "between peer: GPUs write",
            "takes cuda:0",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(
            line(0, Ok((1 << 30, None))).words().ends_with("1.07 GB free, nominally 3350 GB/s")
        );
        assert!(line(1, Ok((1 << 30, None))).words().ends_with("1.07 GB free"));
    }
}
