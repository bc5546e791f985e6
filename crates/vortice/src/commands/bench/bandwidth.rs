//! How fast the memory is that a solver works on.

use std::hint::black_box;
use std::path::Path;
use std::sync::{Barrier, RwLock};
use std::thread;
use std::time::Instant;

use vortice_core::{Error, Result, available_memory};
use vortice_gpu::Gpu;

use vortice_study::DevicePlacement;

/// Bytes of the array, if the caches are not larger and so much memory is free.
const BYTES: f64 = 256.0 * 1024.0 * 1024.0;

/// The array is so many times as large as the last-level caches, so that little of it stays there.
const CACHES: f64 = 4.0;

/// Repetitions; the fastest counts.
const ROUNDS: usize = 5;

/// Bytes read and written per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bandwidth {
    pub(super) measured: f64,
    /// What was measured.
    pub(super) by: &'static str,
    /// By the data sheet, if that is known.
    pub(super) nominal: Option<f64>,
    /// Whether all GPUs' memory corrects errors; nothing without a GPU.
    pub(super) ecc: Option<bool>,
}

impl Bandwidth {
    /// Measures the memory of all devices of a run together, now: GPUs one after the other, and the
    /// processor with so many threads.
    ///
    /// # Errors
    /// If a device fails or threads cannot be started.
    pub(super) fn measure(place: &DevicePlacement, threads: usize) -> Result<Self> {
        let gpus = place.opened();
        let ecc = gpus.iter().map(|gpu| gpu.properties().ecc).reduce(|one, other| one && other);
        let copied: f64 = gpus.iter().map(Gpu::copy_bandwidth).sum::<Result<f64>>()?;
        if threads == 0 {
            let nominal = gpus.iter().map(|gpu| gpu.properties().nominal_bandwidth).sum();
            return Ok(Self { measured: copied, by: "copy", nominal, ecc });
        }
        let measured = copied + in_place(threads, array_bytes())?;
        let by = if gpus.is_empty() { "update in place" } else { "copy and update in place" };
        Ok(Self { measured, by, nominal: None, ecc })
    }
}

/// Bytes of an array that the caches do not hold, or of a quarter of the free memory.
fn array_bytes() -> f64 {
    let caches = last_level_caches(Path::new("/sys/devices/system/cpu/cpu0/cache"));
    let wanted = BYTES.max(CACHES * caches.unwrap_or(0.0));
    available_memory().map_or(wanted, |free| wanted.min(free / 4.0))
}

/// Bytes of all last-level caches of this machine, from what Linux says of the first processor's;
/// nothing where it does not.
fn last_level_caches(folder: &Path) -> Option<f64> {
    let read = |index: u32, name: &str| {
        std::fs::read_to_string(folder.join(format!("index{index}")).join(name)).ok()
    };
    let last = (0..).take_while(|index| read(*index, "size").is_some()).last()?;
    let size = read(last, "size")?;
    let kilobytes: f64 = size.trim().strip_suffix('K')?.parse().ok()?;
    // One bit for each processor that shares it.
    let digits = read(last, "shared_cpu_map")?;
    let shared: u32 = digits.chars().filter_map(|c| c.to_digit(16)).map(u32::count_ones).sum();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    Some(1024.0 * kilobytes * processors.div_ceil(shared.max(1) as usize) as f64)
}

/// Bytes per second that `threads` threads read and write when they update an array in place:
/// nothing is read only because it will be overwritten, so that no solver can be faster.
///
/// # Errors
/// If the threads cannot be started.
fn in_place(threads: usize, bytes: f64) -> Result<f64> {
    let values = (bytes as usize / size_of::<f64>() / threads).max(1);
    let together = Barrier::new(threads);
    // No thread waits for the others before it is known that there are others.
    let complete = RwLock::new(false);
    let seconds = thread::scope(|scope| {
        let mut opening = complete.write().map_err(|_| refused(threads, "a thread failed"))?;
        for _ in 1..threads {
            let other = || {
                if complete.read().is_ok_and(|complete| *complete) {
                    fastest_round(values, &together);
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, other);
            started.map_err(|refusal| refused(threads, &refusal.to_string()))?;
        }
        *opening = true;
        drop(opening);
        Ok(fastest_round(values, &together))
    })?;
    Ok(2.0 * (threads * values * size_of::<f64>()) as f64 / seconds)
}

/// Updates this thread's part of the array again and again; returns the seconds of the fastest round
/// of all threads.
fn fastest_round(values: usize, together: &Barrier) -> f64 {
    // Written by the thread that works on it, so that it lies in that thread's memory.
    let mut array = vec![1.0_f64; values];
    let factor = black_box(-1.0);
    let round = |_| {
        // Before waiting: no thread begins earlier than the clock.
        let begin = Instant::now();
        together.wait();
        array.iter_mut().for_each(|x| *x *= factor);
        black_box(&mut array);
        together.wait();
        begin.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn refused(threads: usize, refusal: &str) -> Error {
    Error::Ranks {
        problem: format!("{threads} threads cannot be started: {refusal}"),
        remedy: "ask for fewer with --threads".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder as Linux has it, with caches of these levels' sizes and sharing processors.
    fn caches(all: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (index, (size, map)) in all.iter().enumerate() {
            let cache = folder.path().join(format!("index{index}"));
            std::fs::create_dir(&cache).unwrap();
            std::fs::write(cache.join("size"), size).unwrap();
            std::fs::write(cache.join("shared_cpu_map"), map).unwrap();
        }
        folder
    }

    #[test]
    fn the_last_cache_counts_once_for_those_who_share_it() {
        let n = thread::available_parallelism().map_or(1, usize::from);
        let own = caches(&[("32K\n", "1\n"), ("1024K\n", "1\n")]);
        assert_eq!(last_level_caches(own.path()), Some(n as f64 * 1024.0 * 1024.0));
        let all = caches(&[("32K\n", "1\n"), ("32768K\n", "ffffffff,ffffffff\n")]);
        assert_eq!(last_level_caches(all.path()), Some(n.div_ceil(64) as f64 * 32768.0 * 1024.0));
        assert_eq!(last_level_caches(caches(&[]).path()), None);
        assert_eq!(last_level_caches(caches(&[("many\n", "1\n")]).path()), None);
    }

    #[test]
    fn bandwidth_is_that_of_a_memory_with_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let found = in_place(threads, 8e6).unwrap();
            // Slower than any memory in use, faster than any cache of so few cores.
            assert!(found > 1e8 && found < 1e13, "{threads} threads: {found:e} B/s");
        }
        assert!(in_place(3, 0.0).unwrap() > 0.0, "an array of one value each");
    }
}
