//! Finite differences on a GPU: the workloads of Menenguci et al. (2011), microseconds per SOR
//! iteration for each kernel beside the floor, and start-up times.
//! `cargo bench -p vortice-benches --bench cuda [-- workloads|iterations|start] [auto|resident|tiled|plain]`
#![allow(clippy::print_stdout)] // this is its output

use std::time::Instant;

use vortice_benches::{Bandwidth, cavity, step};
use vortice_core::{Case, Context, Device, Quantity, Result, Solver};

/// Cells of a side, steps in all, and seconds: on the Tesla C1060 of the paper, and the bar here. The first two have a quarter
/// and half of the steps of the third.
const CAVITIES: [(usize, u64, &str, &str); 6] = [
    (32, 3_276, "", ""),
    (64, 6_553, "", ""),
    (128, 13_105, "9.16", "0.5"),
    (256, 26_418, "38.37", "0.8"),
    (512, 54_094, "259", "1.8"),
    (1024, 217_171, "3609.5", "10"),
];

/// SOR iterations of the paper's step, its seconds, and the bar here.
const STEP: (u64, f64, f64) = (148_515, 24.43, 1.0);

const PLANE: [usize; 6] = [128, 256, 512, 1024, 2048, 4096];
const CUBES: [usize; 4] = [64, 128, 256, 512];

/// Iterations of the steps whose difference is the time of the iterations alone.
const FEW: u32 = 5;
const MANY: u32 = 105;

/// Measurements of each; the shorter counts.
const ROUNDS: usize = 2;

fn solver(case: &Case) -> Result<Box<dyn Solver>> {
    (vortice_fdm::METHOD.build)(case, &Context::alone())
}

/// A whole run: seconds in all, seconds of the set-up in that, steps, and iterations.
fn whole_run(case: &Case, end: f64, most_iterations: u64) -> Result<(f64, f64, u64, u64)> {
    // Compiles the kernels.
    drop(solver(case)?);
    let begin = Instant::now();
    let mut solver = solver(case)?;
    let ready = begin.elapsed().as_secs_f64();
    let mut iterations = 0;
    while solver.now().time < end && iterations < most_iterations {
        iterations += solver.step(end)?.iterations;
    }
    solver.field(Quantity::Velocity)?;
    Ok((begin.elapsed().as_secs_f64(), ready, solver.now().number, iterations))
}

/// Those of some kernels that the command line names, or all if it names none.
fn wanted_kernels<const N: usize>(all: [&'static str; N]) -> Vec<&'static str> {
    let words: Vec<String> = std::env::args().collect();
    let named: Vec<&str> =
        all.into_iter().filter(|kernel| words.iter().any(|word| word == kernel)).collect();
    if named.is_empty() { all.to_vec() } else { named }
}

fn workloads() -> Result<()> {
    println!(
        "Workloads of Menenguci et al. (2011), whole runs without compilation, seconds. Set-up: until the\n\
         first step can begin, CUDA's own start included; it is part of the whole.\n"
    );
    println!("| flow | kernel | type | steps | iterations | Tesla C1060 | bar | whole | set-up |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for kernel in wanted_kernels(["auto", "tiled", "plain"]) {
        for (n, steps, then, bar) in CAVITIES {
            if kernel != "auto" && n > 512 {
                continue;
            }
            for precision in ["f32", "f64"] {
                let fdm = format!(
                    "dt = {:?}\nover-relaxation = 1.7\nkernel = \"{kernel}\"\n\
                     stop = {{ iterations = {{ first = 100, steps = 100, then = 5 }} }}",
                    26.0 / steps as f64
                );
                let case =
                    cavity([n, n, 1], precision, "until = 26.0", &fdm).device(Device::Cuda(0));
                let (seconds, ready, done, iterations) = whole_run(&case, 26.0, u64::MAX)?;
                println!(
                    "| cavity {n} x {n} | {kernel} | {precision} | {done} | {iterations} | {then} | {bar} | {seconds:.3} | {ready:.3} |"
                );
            }
        }
        for precision in ["f32", "f64"] {
            let case = step(precision, &format!("kernel = \"{kernel}\"")).device(Device::Cuda(0));
            let (most, then, bar) = STEP;
            let (seconds, ready, done, iterations) = whole_run(&case, f64::INFINITY, most)?;
            println!(
                "| step 512 x 128 | {kernel} | {precision} | {done} | {iterations} | {then} | {bar} | {seconds:.3} | {ready:.3} |"
            );
        }
    }
    println!();
    Ok(())
}

/// Seconds of a step with few and of one with many iterations, the best of two rounds; nothing if
/// the kernel cannot do the grid.
fn seconds_of_steps(cells: [usize; 3], precision: &str, kernel: &str) -> Option<[f64; 2]> {
    let n: usize = cells.iter().product();
    // A resident kernel does 1, 2, 4 ... 256 steps in its first launches, then always 256.
    let (warming, steps) = match kernel {
        "resident" => (511, 1024),
        _ => (4, (20_000_000 / n).clamp(4, 512)),
    };
    let few = warming + ROUNDS * steps;
    let fdm = format!(
        "dt = 1e-6\nover-relaxation = 1.7\nkernel = \"{kernel}\"\n\
         stop = {{ iterations = {{ first = {FEW}, steps = {few}, then = {MANY} }} }}"
    );
    let case = cavity(cells, precision, "until = 1e9", &fdm).device(Device::Cuda(0));
    let mut solver = solver(&case).ok()?;
    let mut seconds = |steps: usize| {
        let begin = Instant::now();
        (0..steps).try_for_each(|_| solver.step(1e9).map(|_| ())).ok()?;
        Some(begin.elapsed().as_secs_f64() / steps as f64)
    };
    seconds(warming)?;
    let mut best = [f64::INFINITY; 2];
    for best in &mut best {
        for _ in 0..ROUNDS {
            *best = best.min(seconds(steps)?);
        }
    }
    Some(best)
}

fn iterations() -> Result<()> {
    let bandwidth = Bandwidth::measure()?;
    println!("{bandwidth}\n");
    println!(
        "Microseconds per SOR iteration (both colours). Floor: what an iteration moves if caches\n\
         hold nothing, 4 numbers and a byte a cell, at the bandwidth of the copy kernel; kernels that do\n\
         several iterations in one pass, and grids that the caches hold, are faster than that. Share: floor over\n\
         measured. Step: a whole time step with {FEW} iterations.\n"
    );
    println!("| grid | type | kernel | floor | iteration | share | step |");
    println!("|---|---|---|---|---|---|---|");
    let planes = PLANE.map(|n| [n, n, 1]);
    for cells in planes.into_iter().chain(CUBES.map(|n| [n; 3])) {
        for precision in ["f32", "f64"] {
            let n: usize = cells.iter().product();
            let bytes = if precision == "f32" { 17.0 } else { 33.0 } * n as f64;
            let floor = bytes / bandwidth.kernel * 1e6;
            for kernel in wanted_kernels(["plain", "tiled", "resident"]) {
                if kernel != "plain" && cells[2] > 1 {
                    continue;
                }
                let Some([few, many]) = seconds_of_steps(cells, precision, kernel) else {
                    continue;
                };
                let each = (many - few) / f64::from(MANY - FEW) * 1e6;
                let [x, y, z] = cells;
                println!(
                    "| {x} x {y} x {z} | {precision} | {kernel} | {floor:.2} | {each:.2} | {:.0} % | {:.1} |",
                    100.0 * floor / each,
                    few * 1e6
                );
            }
        }
    }
    println!();
    Ok(())
}

fn start() -> Result<()> {
    let case = cavity([64, 64, 1], "f64", "until = 1e9", "").device(Device::Cuda(0));
    let begin = Instant::now();
    solver(&case)?.step(1e9)?;
    println!("solver and first step of a 64 x 64 cavity: {:.3} s\n", begin.elapsed().as_secs_f64());
    Ok(())
}

/// What is measured.
type Part = fn() -> Result<()>;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |word: &str| wanted.is_empty() || wanted.iter().any(|one| one == word);
    let parts: [(&str, Part); 3] =
        [("start", start), ("workloads", workloads), ("iterations", iterations)];
    for (name, part) in parts {
        if let Some(Err(error)) = is_wanted(name).then(part) {
            println!("{name}: {error}: {}", error.remedy());
        }
    }
}
