//! Foreseeing that memory will not do, instead of meeting it.

use crate::case::{Case, OutputTimes};
use crate::communicator::Communicator;
use crate::error::{Error, Result};
use crate::extent::Extent;
use crate::format::bytes;
use crate::quantity::Quantity;
use crate::sight::Sight;
use crate::solver::Report;

/// Numbers a cell that a slab has on its way to a file: what the solver shows, with the cells around it, and what is
/// derived of it, and values that wait for the thread that writes. Each rank makes one while the one before is written.
const SLAB: f64 = 9.0;

/// Numbers of a velocity.
const VELOCITY: f64 = 3.0;

/// Copies of a box of cells while the first rank gathers what others have of it.
const GATHERED: f64 = 3.0;

/// Bytes of the program itself with what its threads do not give back at once, and of what it needs to speak to a GPU.
const PROGRAM: [f64; 2] = [0.085e9, 0.25e9];

/// Bytes of memory that the ranks of a case need together on the processors, at the most: what computes, what is averaged
/// over time, and what is on its way to a file, or at the end of a run of velocity and pressure.
///
/// A state goes to the file a component at a time, each rank its share. Of velocity and pressure the first rank keeps what
/// [`Sight`] names: little of a flow in space, of others all. What is recorded goes to the file slab by slab, by all ranks,
/// and each sweeps over its own part slab by slab; what slabs of one of these leave makes room for those of the other.
/// What a GPU's solver begins with is given away before anything is shown; what has shown slabs of its flow stays, beside
/// those of a checkpoint or as much again.
pub fn host_memory(case: &Case, report: &Report, ranks: usize) -> f64 {
    needed_by(case, report, [1.0, 1.0], ranks)
}

/// Bytes of a state that all ranks together have in memory on its way to a checkpoint: a component of a field at a
/// time, as it is saved, and room that is kept for the next; of a GPU also those that come with it, of several
/// ranks what they send each other and write.
fn saved_at_once(case: &Case, report: &Report, ranks: usize) -> f64 {
    let component = (case.run.precision.bytes() * case.grid.n_cells()) as f64;
    let on_gpu = if case.run.device.are_gpus() { report.fetched } else { 0.0 };
    let shared = if ranks > 1 { 1.0 } else { 0.0 };
    if case.output.has_checkpoints() { component * (2.0 + on_gpu + shared) } else { 0.0 }
}

/// Bytes of what a rank sweeps over together, with so many numbers a cell: a slab that is looked at and the next one, and
/// the velocity of the slab before.
fn swept(case: &Case, components: f64, ranks: usize) -> f64 {
    let slab = Extent::swept(case.grid.cells()) as f64;
    let slab = slab.min(case.grid.n_cells() as f64 / ranks as f64);
    8.0 * (2.0 * components + VELOCITY) * slab
}

/// The same of some ranks, by their share of the grid and, zero or one, of the first rank.
fn needed_by(case: &Case, report: &Report, [share, first]: [f64; 2], ranks: usize) -> f64 {
    let number = size_of::<f64>() as f64;
    let whole = number * case.grid.n_cells() as f64;
    let flow = case.computed();
    let components = flow.map(Quantity::components).sum::<usize>() as f64;
    let recorded = case.output.fields != OutputTimes::Never;
    let slab = if recorded { Extent::looked_at(case.grid.cells()) as f64 } else { 0.0 };
    let slab = number * SLAB * slab;
    // Of the whole each rank has its own part, which the first gathers. Of parts the first has all, of which the others
    // send it a box at a time.
    let sight = Sight::of(case, []);
    let seen = components * number * sight.n_cells(case.grid.n_cells()) as f64;
    let [flow, parts, gathered] = match &sight {
        Sight::Whole => [seen, 0.0, seen],
        Sight::Parts(boxes) => {
            let largest = boxes.iter().map(Extent::n_cells).max().unwrap_or(0) as f64;
            [0.0, seen, GATHERED * VELOCITY * number * largest]
        }
    };
    let [averaged, saved] = [case.statistics_bytes(), saved_at_once(case, report, ranks)];
    let copies = if ranks > 1 { gathered } else { 0.0 };
    // All ranks sweep at the same time; several write slabs, if there are several.
    let slabs = case.grid.n_cells().div_ceil(Extent::looked_at(case.grid.cells()).max(1));
    let [swept, slabs] = [(swept(case, components, ranks), ranks), (slab, slabs.min(2 * ranks))]
        .map(|(bytes, ranks)| first.max(share * ranks as f64) * bytes);
    let slabs = swept.max(slabs);
    // The stream function of a plane flow is found on the whole of it.
    let plane = if case.grid.is_plane() { 4.0 * whole } else { 0.0 };
    let solver = share * report.memory;
    let are_gpus = case.run.device.are_gpus();
    let kept = if are_gpus { slabs } else { 0.0 };
    let shown = (share * flow.max(saved)).max(kept) + first * parts;
    let shown = share * (averaged + report.kept) + shown + slabs + first * (plane + copies);
    if are_gpus {
        return PROGRAM[1] + solver.max(shown);
    }
    PROGRAM[0] + solver + shown
}

/// Refuses a case whose ranks on some machine need more memory than it has free; all ranks find the same
/// numbers. Where the system does not tell what is free, nothing is refused. Collective.
///
/// # Errors
/// If the memory will not do.
pub fn check_host_memory(case: &Case, report: &Report, ranks: &dyn Communicator) -> Result<()> {
    let here = ranks.local_size() as f64 / ranks.size() as f64;
    let first = f64::from(u8::from(ranks.rank() == 0));
    let needed = needed_by(case, report, [here, first], ranks.size());
    let [mut needed, mut free] = [needed, available_memory().unwrap_or(f64::INFINITY)];
    // What is free changes while ranks look, one after the other.
    for other in ranks.all_gather(&[needed, free].map(f64::to_le_bytes).concat())? {
        let number = |n: usize| f64::from_le_bytes(std::array::from_fn(|i| other[8 * n + i]));
        if number(0) / number(1) > needed / free {
            [needed, free] = [number(0), number(1)];
        }
    }
    compare_memory(case, needed, free)
}

/// Refuses a case that needs more bytes of this machine's memory than are free. Where the system does
/// not tell what is free, nothing is refused.
///
/// # Errors
/// If the memory will not do; the error tells both numbers.
pub fn check_memory(case: &Case, needed: f64) -> Result<()> {
    available_memory().map_or(Ok(()), |free| compare_memory(case, needed, free))
}

fn compare_memory(case: &Case, needed: f64, free: f64) -> Result<()> {
    let remedy = "take fewer cells, or `run.precision = \"f32\"`, or a larger machine";
    compare(case, "memory", needed, free, remedy)
}

/// Refuses a case whose ranks on a GPU need more of its memory than is free, both in bytes.
///
/// # Errors
/// If the memory will not do; the error tells both numbers and calls the GPU by `name`.
pub fn check_device_memory(case: &Case, name: &str, needed: f64, free: f64) -> Result<()> {
    let remedy = "take fewer cells, or `run.precision = \"f32\"`, or more GPUs with one rank on each \
                  (`--ranks`), or the processor (`--device cpu`)";
    compare(case, &format!("memory on the GPU {name}"), needed, free, remedy)
}

fn compare(case: &Case, memory: &str, needed: f64, free: f64, remedy: &str) -> Result<()> {
    if needed <= free {
        return Ok(());
    }
    let [x, y, z] = case.grid.cells();
    let [needed, free] = [needed, free].map(bytes);
    let problem =
        format!("{x} x {y} x {z} cells need {needed} of {memory}, of which {free} are free");
    Err(Error::case("grid.cells", problem, remedy))
}

/// Free memory in bytes: what Linux says, and what a container's limit leaves; nothing where the
/// system does not tell.
pub fn available_memory() -> Option<f64> {
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
    use crate::case::Device;

    fn case() -> Case {
        let text = include_str!("../../../cases/cavity.toml");
        Case::parse(text, "cavity").expect("a built-in case")
    }

    #[test]
    fn free_memory_is_found_in_what_linux_says() {
        let text = "MemTotal:       24000000 kB\nMemFree: 100 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(free_of_system(text), Some(20_000_000.0 * 1024.0));
        assert_eq!(free_of_system("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn a_case_without_room_is_told_with_both_numbers() {
        assert!(compare_memory(&case(), 4e9, 4e9).is_ok());
        let said = compare_memory(&case(), 12.34e9, 8e9).unwrap_err().to_string();
        for part in ["grid.cells", "128 x 128 x 1", "12.3 GB", "8.00 GB"] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn a_gpu_without_room_is_told_with_both_numbers() {
        assert!(check_device_memory(&case(), "Tiny", 4e9, 4e9).is_ok());
        let error = check_device_memory(&case(), "Tiny", 12.34e9, 8e9).unwrap_err();
        let said = error.to_string();
        for part in ["grid.cells", "128 x 128 x 1", "12.3 GB of memory on the GPU Tiny", "8.00 GB"]
        {
            assert!(said.contains(part), "{said}");
        }
        for part in ["fewer cells", "f32", "more GPUs", "--device cpu"] {
            assert!(error.remedy().contains(part), "{}", error.remedy());
        }
    }

    #[test]
    fn the_processor_holds_what_a_gpu_does_not() {
        let report = Report { memory: 1e6, device_memory: 9e9, saved: 5e6, ..Report::default() };
        let needed = |case: &Case, ranks| host_memory(case, &report, ranks);
        let (cells, cpu) = (128.0 * 128.0, case().device(Device::Cpu));
        // Slabs, which a small grid is as a whole, and the stream function of a plane flow.
        let swept = |ranks: f64| 8.0 * 11.0 * cells / ranks;
        let way = 8.0 * 4.0 * cells;
        let slab = 8.0 * SLAB * cells;
        // Velocity and pressure at the end, of several ranks once more as a whole.
        let one = 32.0 * cells + swept(1.0).max(slab) + way;
        assert_eq!(needed(&cpu, 1), PROGRAM[0] + 1e6 + one);
        let on_gpu = case().device(Device::Cuda(1));
        let fetched = Report { fetched: 2.0, ..report.clone() };
        let slabs = swept(1.0).max(slab);
        let of_gpu = (32.0 * cells).max(slabs) + slabs + way;
        assert_eq!(host_memory(&on_gpu, &fetched, 1), PROGRAM[1] + of_gpu);
        let slabs = (4.0 * swept(4.0)).max(slab);
        assert_eq!(needed(&cpu, 4), PROGRAM[0] + 1e6 + 64.0 * cells + slabs + way);
        let lean = ["output.fields=\"none\"".into(), "output.checkpoint=\"none\"".into()];
        let lean = cpu.with(&lean).expect("a case");
        // Velocity and pressure.
        assert_eq!(needed(&lean, 1), PROGRAM[0] + 1e6 + 32.0 * cells + swept(1.0) + way);
    }

    #[test]
    fn of_a_flow_in_space_only_what_is_seen_at_its_end_is_kept() {
        let text = include_str!("../../../cases/cavity-3d.toml");
        let cube = Case::parse(text, "cavity-3d").expect("a built-in case").device(Device::Cpu);
        let sets =
            ["grid.cells=[200,200,200]", "output.fields=\"none\"", "output.checkpoint=\"none\""];
        let lean = cube.with(&sets.map(String::from)).expect("a case");
        let report = Report { memory: 1e6, saved: 5e6, ..Report::default() };
        let layer = 200.0 * 200.0;
        // Of each of the six faces three layers, and the two beside the plane in the middle.
        let seen = 32.0 * (6.0 * 3.0 + 2.0) * layer;
        // Two slabs of 13 layers, and the velocity of a third.
        let slab = 8.0 * 11.0 * 13.0 * layer;
        assert_eq!(host_memory(&lean, &report, 1), PROGRAM[0] + 1e6 + seen + slab);
        // Each rank looks at slabs, and other ranks send the first their parts of a box.
        let gathered = 24.0 * GATHERED * 3.0 * layer;
        let all = PROGRAM[0] + 1e6 + seen + 4.0 * slab + gathered;
        assert_eq!(host_memory(&lean, &report, 4), all);
        // A rank that is not the first keeps nothing.
        assert_eq!(needed_by(&lean, &report, [0.25, 0.0], 4), PROGRAM[0] + 0.25e6 + slab);
        let exact = lean.with(&["references=[\"exact-couette\"]".into()]).expect("a case");
        let whole = 32.0 * 200.0 * layer;
        assert_eq!(host_memory(&exact, &report, 1), PROGRAM[0] + 1e6 + whole + slab);
    }
}
