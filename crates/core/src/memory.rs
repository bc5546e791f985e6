//! Foreseeing that memory will not do, instead of meeting it.

use crate::case::Case;
use crate::error::{Error, Result};

/// Bytes per cell of the fields that rank 0 gathers for output: velocity, vorticity, pressure and
/// stream function in double precision, and the messages that bring them.
const GATHERED: f64 = 120.0;

/// Refuses a case that needs more memory than this machine has free; `solver` is the method's need
/// in bytes. Where the system does not tell what is free, nothing is refused.
///
/// # Errors
/// If the memory will not do.
pub(crate) fn check(case: &Case, solver: f64) -> Result<()> {
    let needed = solver + GATHERED * case.grid.n_cells() as f64;
    match available() {
        Some(free) if needed > free => {
            let [x, y, z] = case.grid.cells();
            let gigabytes = |bytes: f64| format!("{:.1} GB", bytes / 1e9);
            let (needed, free) = (gigabytes(needed), gigabytes(free));
            let problem =
                format!("{x} x {y} x {z} cells need {needed} of memory, of which {free} are free");
            let remedy = "take fewer cells, or `run.precision = \"f32\"`, or a larger machine";
            Err(Error::case("grid.cells", problem, remedy))
        }
        _ => Ok(()),
    }
}

/// Free memory in bytes: what Linux says, and what a container's limit leaves.
fn available() -> Option<f64> {
    let system = std::fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(free_of_system);
    let number = |path| std::fs::read_to_string(path).ok()?.trim().parse::<f64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max");
    let container = limit.map(|all| all - number("/sys/fs/cgroup/memory.current").unwrap_or(0.0));
    [system, container].into_iter().flatten().reduce(f64::min)
}

/// The line `MemAvailable:    123456 kB`.
fn free_of_system(meminfo: &str) -> Option<f64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_found_in_what_linux_says() {
        let text = "MemTotal:       24000000 kB\nMemFree: 100 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(free_of_system(text), Some(20_000_000.0 * 1024.0));
        assert_eq!(free_of_system("MemTotal: 1 kB\n"), None);
    }
}
