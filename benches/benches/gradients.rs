//! Times of the linear systems of finite volumes: an iteration of conjugate gradients with a multigrid
//! cycle and with Jacobi's preconditioner beside what it must read and write, iterations to 1e-8, and
//! the whole SIMPLE iteration; on one rank or several, each with a GPU of its own.
//! `cargo bench -p vortice-benches --bench gradients -- [poisson|simple] [cuda] [ranks=N] [cells=512x512x512]`
#![allow(clippy::print_stdout)] // this is its output

use std::sync::Arc;
use std::time::Instant;

use vortice_benches::{Bandwidth, cavity_by};
use vortice_core::{Case, Communicator, Context, Device, Result, Solver, Threads};

/// Seconds that are timed, if a step is not longer.
const STRETCH: f64 = 0.4;

/// Iterations of Jacobi's kind that are timed in each step.
const MANY: u32 = 100;

fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect()
}

/// What follows `key=` among the arguments.
fn after(key: &str) -> Option<String> {
    words().iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('=').map(String::from))
}

fn device() -> Device {
    if words().iter().any(|word| word == "cuda") { Device::AnyCuda } else { Device::Cpu }
}

fn ranks() -> usize {
    after("ranks").and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The boxes that are asked for, or all.
fn boxes() -> Vec<[usize; 3]> {
    let read = |word: String| {
        let n: Vec<usize> = word.split('x').filter_map(|n| n.parse().ok()).collect();
        <[usize; 3]>::try_from(n).ok()
    };
    let planes = [256, 1024, 4096].map(|n| [n, n, 1]);
    let cubes = [128, 256, 512].map(|n| [n, n, n]);
    after("cells").and_then(read).map_or([planes, cubes].concat(), |cells| vec![cells])
}

/// What steps of a run took, on average.
#[derive(Clone, Copy)]
struct Taken {
    seconds: f64,
    /// Inner iterations of both systems.
    iterations: f64,
}

/// Times the steps of a case on all ranks.
fn taken(case: &Case) -> Result<Taken> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let on_rank = |rank: Threads| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let threads = (threads / ranks.size()).max(1);
        let context = Context { ranks: Arc::clone(&ranks), layout: None, threads };
        let mut solver = (vortice_fvm::METHOD.build)(case, &context)?;
        // Graphs are captured when a sequence comes again.
        steps(&mut *solver, 3)?;
        let mut one = [steps(&mut *solver, 1)?.seconds];
        ranks.max(&mut one)?;
        steps(&mut *solver, ((STRETCH / one[0]) as usize).clamp(2, 200))
    };
    Ok(Threads::run(ranks(), on_rank)?[0])
}

fn steps(solver: &mut dyn Solver, count: usize) -> Result<Taken> {
    let begin = Instant::now();
    let mut iterations = 0;
    for _ in 0..count {
        iterations += solver.step(f64::INFINITY)?.iterations;
    }
    solver.finish()?;
    let each = |sum: f64| sum / count as f64;
    Ok(Taken { seconds: each(begin.elapsed().as_secs_f64()), iterations: each(iterations as f64) })
}

/// A steady cavity.
fn cavity(cells: [usize; 3], table: &str) -> Case {
    let table = format!("multigrid = false\nsequence = false\nlook-every = 1000\n{table}");
    cavity_by("fvm", cells, "until = \"steady\"", &table).device(device())
}

/// With one momentum sweep in each outer iteration, and so little relaxation that it does no harm.
fn by(cells: [usize; 3], pressure: &str) -> Result<Taken> {
    let careful = "coupling = \"simple\"\nrelax-velocity = 0.5\nrelax-pressure = 0.1\n";
    let solvers = format!("momentum = {{ sweeps = 1 }}\npressure = {{ {pressure} }}\n");
    taken(&cavity(cells, &format!("{careful}{solvers}")))
}

/// Bytes that a cell reads and writes in an iteration, if each array goes through memory once for each
/// launch: those of a cycle, and of conjugate gradients after a cycle and after Jacobi's preconditioner.
fn bytes(cells: [usize; 3]) -> [f64; 2] {
    let d = if cells[2] == 1 { 2.0 } else { 3.0 };
    let levels = 1.0 / (1.0 - 0.5_f64.powf(d));
    // Eight half-sweeps and as much twice between the levels: coefficients, inverse, right-hand side,
    // and the unknown read and written.
    let cycle = (d + 4.0) * 10.0 * levels;
    let (product, apply, step) = (2.0, d + 2.0, 6.0);
    let after_cycle = product + 3.0 + apply + product + step + 1.0;
    let after_jacobi = 3.0 + apply + 3.0 + 2.0 * 3.0 + step;
    [8.0 * (cycle + after_cycle), 8.0 * after_jacobi]
}

/// Bytes per second that the memories of all ranks copy.
fn bandwidth() -> Option<f64> {
    let measured = (device() != Device::Cpu).then(Bandwidth::measure)?.ok()?;
    println!("{measured}\n");
    Some(measured.copy.max(measured.kernel) * ranks() as f64)
}

/// Milliseconds of an iteration, its gigabytes per second and the share of the bandwidth.
fn speed(seconds: f64, bytes: f64, cells: [usize; 3], most: Option<f64>) -> String {
    let rate = bytes * cells.iter().product::<usize>() as f64 / seconds;
    let share = most.map_or("".into(), |most| format!(" | {:.0} %", 100.0 * rate / most));
    format!("{:.4} | {bytes:.0} | {:.0}{share}", 1e3 * seconds, rate / 1e9)
}

/// One row: the difference of outer iterations with more and fewer inner ones.
fn row(cells: [usize; 3], most: Option<f64>) -> Result<String> {
    let [cycle, jacobi] = bytes(cells);
    let one = by(cells, "multigrid-cg = { retol = 0.0, max = 1 }")?;
    let tight = by(cells, "multigrid-cg = { retol = 1e-8 }")?;
    let many = by(cells, &format!("jacobi-cg = {{ retol = 0.0, max = {MANY} }}"))?;
    let more = tight.iterations - one.iterations;
    let of_cycle = (tight.seconds - one.seconds) / more;
    let of_jacobi = (many.seconds - one.seconds + of_cycle) / f64::from(MANY);
    Ok(format!(
        "{:.1} | {:.3} | {} | {}",
        more + 1.0,
        1e3 * (of_cycle * (more + 1.0)),
        speed(of_cycle, cycle, cells, most),
        speed(of_jacobi, jacobi, cells, most)
    ))
}

fn poisson() {
    let most = bandwidth();
    let share = if most.is_some() { " | share" } else { "" };
    println!(
        "Pressure correction of a cavity at rest on {} ranks: iterations of conjugate gradients to 1e-8 of the\n\
         right-hand side, with a V(2,2) cycle (MG) and with Jacobi's preconditioner (J).\n\n\
         | cells | MG: iterations to 1e-8 | ms to 1e-8 | ms per iteration | bytes per cell | GB/s{share} | \
         J: ms per iteration | bytes per cell | GB/s{share} |",
        ranks()
    );
    println!(
        "|---|---|---|---|---|---|---|---|---|{}",
        if most.is_some() { "---|---|" } else { "" }
    );
    for cells in boxes() {
        match row(cells, most) {
            Ok(row) => println!("| {cells:?} | {row} |"),
            Err(error) => println!("| {cells:?} | {error} |"),
        }
    }
    println!();
}

/// The whole outer iteration, with ten sweeps.
fn simple() {
    println!("SIMPLEC on {} ranks, ten momentum sweeps: ms of an outer iteration.\n", ranks());
    println!("| cells | one V-cycle | CG with V-cycles to 0.1 | inner iterations |");
    println!("|---|---|---|---|");
    for cells in boxes() {
        let by = |pressure: &str| {
            taken(&cavity(
                cells,
                &format!("momentum = {{ sweeps = 10 }}\npressure = {{ {pressure} }}\n"),
            ))
        };
        let both =
            by("cycles = 1").and_then(|one| Ok((one, by("multigrid-cg = { retol = 0.1 }")?)));
        match both {
            Ok((one, gradients)) => println!(
                "| {cells:?} | {:.3} | {:.3} | {:.1} |",
                1e3 * one.seconds,
                1e3 * gradients.seconds,
                gradients.iterations - 10.0
            ),
            Err(error) => println!("| {cells:?} | {error} |"),
        }
    }
    println!();
}

fn main() {
    let asked = |part: &str| words().iter().any(|word| word == part);
    let all = !asked("poisson") && !asked("simple");
    if all || asked("poisson") {
        poisson();
    }
    if all || asked("simple") {
        simple();
    }
}
