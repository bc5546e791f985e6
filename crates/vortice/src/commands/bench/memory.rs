//! Memory that is free on the processor.

use vortice_core::{Case, Error, Report, Result};

/// Refuses a case whose solver needs more memory than is free. Less is asked for than by a run:
/// nothing is gathered for output.
///
/// # Errors
/// If the memory will not do.
pub(super) fn check(case: &Case, report: &Report) -> Result<()> {
    match free() {
        Some(free) => compare(case, report.memory, free),
        None => Ok(()),
    }
}

fn compare(case: &Case, needed: f64, free: f64) -> Result<()> {
    if needed <= free {
        return Ok(());
    }
    let [x, y, z] = case.grid.cells();
    let [needed, free] = [needed, free].map(|bytes| format!("{:.1} GB", bytes / 1e9));
    let problem =
        format!("{x} x {y} x {z} cells need {needed} of memory, of which {free} are free");
    let remedy = "take fewer cells, or `run.precision = \"f32\"`, or a larger machine";
    Err(Error::case("grid.cells", problem, remedy))
}

/// Free memory in bytes, by what Linux says and what a container's limit leaves; nothing where the
/// system does not tell.
pub(super) fn free() -> Option<f64> {
    let read = |path| std::fs::read_to_string(path).ok();
    let number = |path| read(path)?.trim().parse::<f64>().ok();
    let system = read("/proc/meminfo").as_deref().and_then(free_of_system);
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
    fn a_case_without_room_is_told_with_both_numbers() {
        let case = vortice::open_case("cavity", &[]).unwrap();
        assert!(compare(&case, 4e9, 4e9).is_ok());
        let said = compare(&case, 12.34e9, 8e9).unwrap_err().to_string();
        for part in ["grid.cells", "128 x 128 x 1", "12.3 GB", "8.0 GB"] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn free_memory_is_found_in_what_linux_says() {
        let text = "MemTotal:       24000000 kB\nMemFree: 100 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(free_of_system(text), Some(20_000_000.0 * 1024.0));
        assert_eq!(free_of_system("MemTotal: 1 kB\n"), None);
    }
}
