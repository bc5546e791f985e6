//! Finite differences: a full step and one SOR iteration, beside the memory's bandwidth and the same
//! sweep as a plain C loop. `cargo bench -p vortice-benches --bench fdm [-- table-row]`
#![allow(clippy::print_stdout)] // this is its output

use std::time::Instant;

use vortice_benches::{CLoop, time, triad};
use vortice_core::{Case, Context, Solver};

const SIZES: [[usize; 3]; 5] =
    [[128, 128, 1], [512, 512, 1], [1024, 1024, 1], [64, 64, 64], [128, 128, 128]];

/// Runs of each measurement.
const REPEATS: usize = 7;

fn cavity(cells: [usize; 3], precision: &str, run: &str, fdm: &str) -> Case {
    let [n, m, l] = cells;
    let z = if l == 1 { "\"periodic\"" } else { "\"wall\"" };
    let text = format!(
        "title = \"cavity\"\n\
         grid = {{ cells = [{n}, {m}, {l}], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 1e-3 }}\n\
         run = {{ method = \"fdm\", precision = \"{precision}\", {run} }}\n\
         [boundary]\nx-low = \"wall\"\nx-high = \"wall\"\ny-low = \"wall\"\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = {z}\nz-high = {z}\n\
         [fdm]\n{fdm}"
    );
    Case::parse(&text, "bench").expect("a case")
}

fn solver(case: &Case, threads: usize) -> Box<dyn Solver> {
    let context = Context { threads, ..Context::alone() };
    (vortice_fdm::METHOD.build)(case, &context).expect("a solver")
}

/// Seconds of one step with `iterations` SOR iterations.
fn step_seconds(cells: [usize; 3], precision: &str, threads: usize, iterations: u32) -> f64 {
    let fdm = format!("stop = {{ iterations = {iterations} }}\nover-relaxation = 1.7");
    let case = cavity(cells, precision, "until = 1e9", &fdm);
    let mut solver = solver(&case, threads);
    let n: usize = cells.iter().product();
    let steps = (2_000_000 / n / iterations as usize).clamp(1, 50);
    let mut advance = || {
        for _ in 0..steps {
            solver.step(1e9).expect("a step");
        }
    };
    advance();
    time(REPEATS, advance).best / steps as f64
}

/// Seconds of one SOR iteration: the difference between steps with few and with many.
fn iteration_seconds(cells: [usize; 3], precision: &str, threads: usize) -> f64 {
    let (few, many) = (10, 40);
    let seconds = |iterations| step_seconds(cells, precision, threads, iterations);
    (seconds(many) - seconds(few)) / f64::from(many - few)
}

fn c_seconds(cells: [usize; 3], precision: &str) -> f64 {
    let n: usize = cells.iter().product();
    let iterations = (20_000_000 / n).clamp(10, 200) as i32;
    let timing = if precision == "f32" {
        let mut c = CLoop::<f32>::new(cells);
        time(REPEATS, || c.relax(1.7, iterations))
    } else {
        let mut c = CLoop::<f64>::new(cells);
        time(REPEATS, || c.relax(1.7, iterations))
    };
    timing.best / f64::from(iterations)
}

fn sizes() {
    let cores = Context::alone().threads;
    let (one, all) = (triad(1), triad(cores));
    println!("triad: {:.1} GB/s on 1 thread, {:.1} GB/s on {cores}\n", one / 1e9, all / 1e9);
    println!(
        "million cell updates per second; SOR: both colours; C: the plain C loop, one thread;"
    );
    println!("GB/s: bytes of one SOR iteration if nothing stays in a cache (5 numbers a cell)\n");
    println!(
        "| grid | type | C SOR | SOR, 1 thread | ratio to C | GB/s | SOR, {cores} threads | step with 5 SOR, {cores} threads |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for precision in ["f32", "f64"] {
        for cells in SIZES {
            let n: usize = cells.iter().product();
            let rate = |seconds: f64| n as f64 / seconds / 1e6;
            let c = c_seconds(cells, precision);
            let alone = iteration_seconds(cells, precision, 1);
            let team = iteration_seconds(cells, precision, cores);
            let step = step_seconds(cells, precision, cores, 5);
            let bytes = if precision == "f32" { 20.0 } else { 40.0 } * n as f64;
            let [x, y, z] = cells;
            println!(
                "| {x} x {y} x {z} | {precision} | {:.0} | {:.0} | {:.2} | {:.1} | {:.0} | {:.1} |",
                rate(c),
                rate(alone),
                c / alone,
                bytes / alone / 1e9,
                rate(team),
                rate(step),
            );
        }
    }
}

/// The 128 x 128 row of Menenguci et al. (2011): t = 26 s in 13,105 steps, 100 SOR iterations in each
/// of the first 100 steps and 5 in each later one.
fn table_row() {
    let dt = 26.0 / 13_105.0;
    let fdm = format!(
        "dt = {dt:?}\nover-relaxation = 1.7\nstop = {{ iterations = {{ first = 100, steps = 100, then = 5 }} }}"
    );
    let run = "until = 26.0";
    for precision in ["f32", "f64"] {
        let case = cavity([128, 128, 1], precision, run, &fdm);
        let mut solver = solver(&case, Context::alone().threads);
        let (begin, mut iterations) = (Instant::now(), 0);
        while solver.now().time < 26.0 {
            iterations += solver.step(26.0).expect("a step").iterations;
        }
        let (steps, seconds) = (solver.now().number, begin.elapsed().as_secs_f64());
        println!(
            "cavity 128 x 128, Re 1000, t = 26 s, {precision}: {steps} steps, {iterations} SOR iterations, {seconds:.2} s"
        );
    }
}

fn main() {
    let only_row = std::env::args().any(|argument| argument == "table-row");
    if !only_row {
        sizes();
        println!();
    }
    table_row();
}
