//! Finite volumes: the workloads of Benitez, D'Elia and Storti (2018), times of multigrid cycles and of
//! iterations of CG beside the floor, and how soon a steady flow is as good as converged.
//! `cargo bench -p vortice-benches --bench volumes -- workloads|transient|cycles|multigrid|steady [...]`
//!   `workloads gradients` solves momentum and pressure by BiCGSTAB and conjugate gradients as the paper does, each until
//!   its residual is a tenth; `workloads quick` is that scheme alone, `workloads 128 256` are those cells a side.
//!   `multigrid [N]` solves cavities at four Reynolds numbers by the full approximation scheme, on up to N cells a side.
//!   `steady N SCHEME [simple|simplec]` prints lines `seconds iterations u_min`, on the processor.
//! The others run on a GPU if the word `cuda` is given.
#![allow(clippy::print_stdout)] // this is its output

use std::time::Instant;

use vortice_benches::cavity_by;
use vortice_core::{Case, Context, Device, Quantity, Result, Solver};

/// Cells of a side, minutes on four Tesla K40 with QUICK in the paper, bar and stretch here in seconds.
const WORKLOADS: [(usize, f64, f64, f64); 3] =
    [(128, 12.0, 2.0, 0.5), (256, 64.0, 6.0, 1.0), (512, 349.0, 20.0, 3.0)];

fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect()
}

fn has_word(wanted: &str) -> bool {
    words().iter().any(|word| word == wanted)
}

fn device() -> Device {
    if has_word("cuda") { Device::Cuda(0) } else { Device::Cpu }
}

fn solver(case: &Case) -> Result<Box<dyn Solver>> {
    let alone = Context::alone();
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok());
    let context = Context { threads: threads.unwrap_or(alone.threads), ..alone };
    (vortice_fvm::METHOD.build)(case, &context)
}

/// The paper's settings: SIMPLE, 0.8 and 0.2, until residuals have dropped to 1e-4; or with coarser grids, which it has not.
fn paper(n: usize, scheme: &str, multigrid: bool) -> Case {
    let solvers = if multigrid {
        "multigrid = true"
    } else if has_word("gradients") {
        "multigrid = false\nmomentum = { bicgstab = { retol = 0.1 } }\npressure = { cg = { retol = 0.1 } }"
    } else {
        "multigrid = false\nmomentum = { sweeps = 4 }\npressure = { cycles = 1 }"
    };
    let table = format!(
        "convection = \"{scheme}\"\ncoupling = \"simple\"\nmeasure = \"drop\"\n{solvers}\n"
    );
    cavity_by("fvm", [n, n, 1], "until = \"steady\", steady = 1e-4", &table).device(device())
}

fn workloads() -> Result<()> {
    println!(
        "Workloads of Benitez et al. (2018): cavity, Re 1000, SIMPLE 0.8/0.2, residuals dropped to 1e-4. Whole\n\
         runs without compilation.\n"
    );
    println!(
        "| cells | scheme | outer | inner | paper, min | bar, s | stretch, s | whole, s | ms per outer |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let sizes: Vec<usize> = words().iter().filter_map(|word| word.parse().ok()).collect();
    let wanted = WORKLOADS.into_iter().filter(|row| sizes.is_empty() || sizes.contains(&row.0));
    for (n, minutes, bar, stretch) in wanted {
        let schemes = [("upwind", false), ("central", false), ("quick", false), ("quick", true)];
        for (scheme, multigrid) in schemes {
            let is_other = has_word("quick") && scheme != "quick";
            if is_other || (has_word("gradients") && multigrid) {
                continue;
            }
            let case = paper(n, scheme, multigrid);
            drop(solver(&case)?);
            let begin = Instant::now();
            let mut solver = solver(&case)?;
            let mut inner = 0;
            let outer = loop {
                let step = solver.step(f64::INFINITY)?;
                inner += step.iterations;
                let stops = step.residual < 1e-4 || step.residual.is_nan();
                if stops || step.number >= 200_000 {
                    break step.number;
                }
            };
            solver.field(Quantity::Velocity)?;
            let seconds = begin.elapsed().as_secs_f64();
            let scheme = if multigrid { "quick, multigrid" } else { scheme };
            println!(
                "| {n} x {n} | {scheme} | {outer} | {inner} | {minutes} | {bar} | {stretch} | {seconds:.3} | {:.4} |",
                1e3 * seconds / outer as f64
            );
        }
    }
    println!();
    Ok(())
}

/// 1600 steps of 0.01 s on 256 x 256 cells.
fn transient() -> Result<()> {
    for table in ["outer-iterations = 2\n", "outer-iterations = 4\n"] {
        let table = format!(
            "convection = \"quick\"\ndt = 0.01\nmomentum = {{ sweeps = 4 }}\n\
             pressure = {{ cycles = 2 }}\n{table}"
        );
        let case = cavity_by("fvm", [256, 256, 1], "until = 16.0", &table).device(device());
        drop(solver(&case)?);
        let begin = Instant::now();
        let mut solver = solver(&case)?;
        while solver.now().time < 16.0 {
            solver.step(16.0)?;
        }
        solver.field(Quantity::Velocity)?;
        let (seconds, steps) = (begin.elapsed().as_secs_f64(), solver.now().number);
        println!(
            "transient, {}: {steps} steps, {seconds:.2} s for 16 s of flow",
            table.replace('\n', ", ")
        );
    }
    Ok(())
}

/// Seconds of an outer iteration.
fn seconds_of_an_iteration(cells: [usize; 3], table: &str) -> Result<f64> {
    let table = format!("multigrid = false\nsequence = false\nlook-every = 20\n{table}");
    let case = cavity_by("fvm", cells, "until = \"steady\"", &table).device(device());
    let mut solver = solver(&case)?;
    let n: usize = cells.iter().product();
    let steps = (20_000_000 / n).clamp(4, 400);
    let mut best = f64::INFINITY;
    for round in 0..3 {
        let begin = Instant::now();
        for _ in 0..if round == 0 { 4 } else { steps } {
            solver.step(f64::INFINITY)?;
        }
        solver.finish()?;
        let steps = if round == 0 { 4 } else { steps };
        if round > 0 {
            best = best.min(begin.elapsed().as_secs_f64() / steps as f64);
        }
    }
    Ok(best)
}

fn cycles() -> Result<()> {
    println!(
        "Microseconds of a multigrid V(2,2) cycle, of an iteration of CG, of a momentum sweep and of an outer\n\
         iteration with 10 sweeps and one cycle: differences between outer iterations with more and fewer of them.\n"
    );
    println!(
        "| cells | V-cycle | GB/s of a cycle, nothing cached | CG iteration | momentum sweep | outer iteration |"
    );
    println!("|---|---|---|---|---|---|");
    let planes = [256, 512, 1024, 2048, 4096].map(|n| [n, n, 1]);
    let cubes = [64, 128, 256, 512].map(|n| [n, n, n]);
    for cells in planes.into_iter().chain(cubes) {
        let seconds = |table: &str| seconds_of_an_iteration(cells, table);
        let row = (|| -> Result<[f64; 3]> {
            let base = seconds("momentum = { sweeps = 10 }\npressure = { cycles = 1 }\n")?;
            let more_cycles = seconds("momentum = { sweeps = 10 }\npressure = { cycles = 11 }\n")?;
            let more_sweeps = seconds("momentum = { sweeps = 20 }\npressure = { cycles = 1 }\n")?;
            let tenth = |more: f64| (more - base) / 10.0;
            Ok([tenth(more_cycles), tenth(more_sweeps), base])
        })();
        let cg =
            |n: u32| seconds(&format!("pressure = {{ cg = {{ retol = 0.0, max = {n} }} }}\n")).ok();
        let cg = cg(10).zip(cg(60)).map(|(few, many)| (many - few) / 50.0);
        let cg = cg.map_or("none".to_string(), |seconds| format!("{:.1}", 1e6 * seconds));
        // A cycle reads coefficients, inverse and right-hand side and reads and writes the unknown in
        // each of eight half-sweeps, and as much twice between the levels.
        let directions = if cells[2] == 1 { 2.0 } else { 3.0 };
        let levels = 1.0 / (1.0 - 0.5_f64.powf(directions));
        let bytes = 8.0 * (directions + 4.0) * 10.0 * levels;
        match row {
            Ok(times) => {
                let [cycle, sweep, outer] = times.map(|t| 1e6 * t);
                let n: usize = cells.iter().product();
                let moved = bytes * n as f64 / cycle / 1e3;
                println!(
                    "| {cells:?} | {cycle:.1} | {moved:.0} | {cg} | {sweep:.1} | {outer:.1} |"
                );
            }
            Err(error) => println!("| {cells:?} | {error} |"),
        }
    }
    println!();
    Ok(())
}

/// u_min on the vertical centre line: between two columns of cells, the smallest of all rows.
fn u_min(solver: &mut dyn Solver, n: usize) -> Result<f64> {
    let velocity = solver.field(Quantity::Velocity)?;
    let at = |i: usize, j: usize| velocity.at(0, [i as isize, j as isize, 0]);
    let middle = n / 2;
    Ok((0..n).map(|j| 0.5 * (at(middle - 1, j) + at(middle, j))).fold(f64::INFINITY, f64::min))
}

fn steady() -> Result<()> {
    let words = words();
    let n: usize = words.get(1).and_then(|n| n.parse().ok()).unwrap_or(128);
    let scheme = words.get(2).map_or("quick", String::as_str);
    let coupling = words.get(3).map_or("simplec", String::as_str).to_lowercase();
    // SIMPLE's lower relaxation makes the momentum equations easier.
    let sweeps = if coupling == "simple" { 4 } else { 20 };
    let table = format!(
        "convection = \"{scheme}\"\ncoupling = \"{coupling}\"\nlook-every = 5\n\
         momentum = {{ sweeps = {sweeps} }}\n"
    );
    let case = cavity_by("fvm", [n, n, 1], "until = \"steady\", steady = 1e-6", &table);
    let begin = Instant::now();
    let mut solver = solver(&case.device(Device::Cpu))?;
    loop {
        let step = solver.step(f64::INFINITY)?;
        if step.number.is_multiple_of(5) || step.number == 1 {
            let seconds = begin.elapsed().as_secs_f64();
            println!("{seconds:.4} {} {:.6}", step.number, u_min(&mut *solver, n)?);
        }
        if step.residual < 1e-6 || step.residual.is_nan() || step.number > 20_000 {
            return Ok(());
        }
    }
}

/// From rest to an iteration error of 1e-8, by the full approximation scheme with what it does where nothing is said.
fn multigrid() -> Result<()> {
    let most = words().iter().find_map(|word| word.parse().ok()).unwrap_or(1024);
    println!(
        "Cavity from rest to an iteration error of 1e-8, `fvm.multigrid`, QUICK: cycles, seconds without compilation and\n\
         set-up, u_min.\n"
    );
    println!("| cells | Re | cycles | s | ms a cycle | u_min |\n|---|--:|--:|--:|--:|--:|");
    let sizes = (6..).map(|power| 1_usize << power).take_while(|n| *n <= most);
    for (n, re) in sizes.flat_map(|n| [1000, 5000, 7500, 10_000].map(|re| (n, re))) {
        let table = "multigrid = true\n";
        let case = cavity_by("fvm", [n, n, 1], "until = \"steady\", steady = 1e-8", table);
        let viscosity = format!("fluid.viscosity={}", 1.0 / f64::from(re));
        let case = case.device(device()).with(&[viscosity])?;
        solver(&case)?.step(f64::INFINITY)?;
        let mut solver = solver(&case)?;
        let begin = Instant::now();
        let step = loop {
            let step = solver.step(f64::INFINITY)?;
            if step.steady(1e-8).is_some() || step.residual.is_nan() || step.number >= 1000 {
                break step;
            }
        };
        let (seconds, cycles) = (begin.elapsed().as_secs_f64(), step.number);
        let (each, u_min) = (1e3 * seconds / cycles as f64, u_min(&mut *solver, n)?);
        println!("| {n} x {n} | {re} | {cycles} | {seconds:.3} | {each:.2} | {u_min:.6} |");
    }
    println!();
    Ok(())
}

fn main() -> Result<()> {
    match words().first().map(String::as_str) {
        Some("steady") => steady(),
        Some("transient") => transient(),
        Some("cycles") => cycles(),
        Some("multigrid") => multigrid(),
        _ => workloads(),
    }
}
