//! Foreseeing that the system will not give so many threads. Most refusals are an error when a thread is
//! asked for, but a thread that starts without memory for its signals ends the program.

use crate::error::{Error, Result};

/// Pieces of memory that a thread maps: its stack, the stack for signals, a guard before each, and its
/// share of the heap.
const MAPPED: u64 = 5;

/// Pieces that the program maps without threads.
const MAPPED_BEFORE: u64 = 2_000;

/// Address space in bytes of a thread's stack, and what goes with it.
const STACK: u64 = 9 << 18;

/// Address space in bytes that the C library reserves for a thread's share of the heap, and for how many
/// threads a core.
const HEAP: u64 = 64 << 20;
const HEAPS_PER_CORE: u64 = 8;

/// Address space in bytes that is left to the flow.
const LEFT: u64 = 64 << 20;

/// So many threads are never refused: they do without what others take.
const FEW: u64 = 4;

/// Refuses ranks of so many threads each where the system cannot give them. Where it does not tell what
/// it can, nothing is refused.
///
/// # Errors
/// If there are too many; the error tells both numbers.
pub fn check_threads(ranks: usize, threads: usize) -> Result<()> {
    available_threads().map_or(Ok(()), |most| compare(ranks, threads, most))
}

fn compare(ranks: usize, threads: usize, most: u64) -> Result<()> {
    // A rank is a thread, and has others that work for it.
    let needed = (ranks as u64).saturating_mul(threads as u64 + 1);
    if needed <= most {
        return Ok(());
    }
    let each =
        if ranks > 1 { format!("{ranks} ranks with {threads}") } else { threads.to_string() };
    Err(Error::Ranks {
        problem: format!("{each} threads are {needed} in all, and the system gives {most} at most"),
        remedy: "ask for fewer with --ranks or --threads; more threads than cores gain nothing"
            .into(),
    })
}

/// Threads that this process may still start, as far as Linux and its container tell.
fn available_threads() -> Option<u64> {
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let mapped = number("/proc/sys/vm/max_map_count");
    let mapped = mapped.map(|pieces| pieces.saturating_sub(MAPPED_BEFORE) / MAPPED);
    let of_container = number("/sys/fs/cgroup/pids.max");
    let used = number("/sys/fs/cgroup/pids.current").unwrap_or(0);
    let of_container = of_container.map(|most| most.saturating_sub(used));
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let of_space =
        || of_address_space(&read("/proc/self/limits")?, &read("/proc/self/status")?, cores);
    let all = [mapped, of_container, of_space(), number("/proc/sys/kernel/threads-max")];
    all.into_iter().flatten().min().map(|most| most.max(FEW))
}

/// Threads that have room in a limited address space (`ulimit -v`), by what Linux says of the limits and
/// of this process; nothing if it is not limited.
fn of_address_space(limits: &str, status: &str, cores: u64) -> Option<u64> {
    let number = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let most = number(limits, "Max address space")?;
    let used = number(status, "VmSize:").unwrap_or(0) * 1024;
    let left = most.saturating_sub(used).saturating_sub(LEFT);
    let with_heap = (left / (STACK + HEAP)).min(HEAPS_PER_CORE * cores);
    let without = (left - with_heap * (STACK + HEAP)) / STACK;
    Some(if with_heap < HEAPS_PER_CORE * cores { with_heap } else { with_heap + without })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_threads_are_told_with_both_numbers() {
        assert!(compare(64, 4, 320).is_ok() && compare(1, 2, 3).is_ok());
        let error = compare(64, 1000, 12_700).unwrap_err().to_string();
        for part in ["64 ranks with 1000 threads", "64064 in all", "12700 at most"] {
            assert!(error.contains(part), "{error}");
        }
        assert!(compare(1, 65_535, 12_700).is_err());
        assert!(check_threads(1, 2).is_ok());
    }

    #[test]
    fn threads_share_a_limited_address_space() {
        let most = |bytes: &str| {
            let limits = format!(
                "Max cpu time              unlimited            unlimited            seconds\n\
                 Max address space         {bytes:20} unlimited            bytes\n"
            );
            of_address_space(&limits, "Name:\tvortice\nVmSize:\t  102400 kB\n", 2)
        };
        assert_eq!(most("unlimited"), None);
        assert_eq!(most("100000"), Some(0));
        // 100 MiB are used and 64 MiB kept, so a gigabyte is room for 12 stacks with a heap.
        assert_eq!(most("1024000000"), Some(12));
        assert_eq!(most("2048000000"), Some(16 + 324));
    }
}
