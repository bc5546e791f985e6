//! Finite differences: a full step and one SOR iteration, beside the memory's bandwidth and the same
//! sweep as a plain C loop. `cargo bench -p vortice-benches --bench fdm [-- table-row]`
#![allow(clippy::print_stdout)] // this is its output

use std::time::Instant;

use vortice_benches::{CLoop, cavity, triad};
use vortice_core::{Case, Context, Solver};

const SIZES: [[usize; 3]; 5] =
    [[128, 128, 1], [512, 512, 1], [1024, 1024, 1], [64, 64, 64], [128, 128, 128]];

/// Rounds of measurements. In each round everything is measured once, so that what disturbs the
/// machine for a while disturbs all alike; the shortest time of each counts.
const ROUNDS: usize = 15;

/// Iterations of the steps whose difference is the time of the iterations alone.
const FEW: u32 = 5;
const MANY: u32 = 105;

fn solver(case: &Case, threads: usize) -> Box<dyn Solver> {
    let context = Context { threads, ..Context::alone() };
    (vortice_fdm::METHOD.build)(case, &context).expect("a solver")
}

/// A solver whose steps have a fixed number of SOR iterations.
struct Stepper {
    solver: Box<dyn Solver>,
    steps: usize,
}

impl Stepper {
    fn new(cells: [usize; 3], precision: &str, threads: usize, iterations: u32) -> Self {
        let fdm = format!("stop = {{ iterations = {iterations} }}\nover-relaxation = 1.7");
        let case = cavity(cells, precision, "until = 1e9", &fdm);
        let n: usize = cells.iter().product();
        let steps = (5_000_000 / n / (iterations as usize + 10)).clamp(1, 20);
        Self { solver: solver(&case, threads), steps }
    }

    /// Seconds of a step.
    fn seconds(&mut self) -> f64 {
        let begin = Instant::now();
        for _ in 0..self.steps {
            self.solver.step(1e9).expect("a step");
        }
        begin.elapsed().as_secs_f64() / self.steps as f64
    }
}

/// Shortest times in s: an iteration of the C loop, a step with few and with many iterations on one
/// thread and on all.
fn shortest(cells: [usize; 3], precision: &str, cores: usize) -> [f64; 5] {
    let n: usize = cells.iter().product();
    let iterations = (5_000_000 / n).clamp(5, 100) as i32;
    let (mut c32, mut c64) = (CLoop::<f32>::new(cells), CLoop::<f64>::new(cells));
    let steppers = [(1, FEW), (1, MANY), (cores, FEW), (cores, MANY)];
    let mut steppers = steppers.map(|(threads, n)| Stepper::new(cells, precision, threads, n));
    let mut best = [f64::INFINITY; 5];
    for round in 0..=ROUNDS {
        let begin = Instant::now();
        if precision == "f32" {
            c32.relax(1.7, iterations)
        } else {
            c64.relax(1.7, iterations)
        }
        let c = begin.elapsed().as_secs_f64() / f64::from(iterations);
        let [a, b, d, e] = steppers.each_mut().map(Stepper::seconds);
        // The first round warms up.
        if round > 0 {
            best = std::array::from_fn(|i| best[i].min([c, a, b, d, e][i]));
        }
    }
    best
}

fn sizes() {
    let cores = Context::alone().threads;
    let (one, all) = (triad(1), triad(cores));
    println!("triad: {:.1} GB/s on 1 thread, {:.1} GB/s on {cores}\n", one / 1e9, all / 1e9);
    println!(
        "Million cell updates per second. SOR: one iteration, both colours. C: the plain C loop on"
    );
    println!(
        "one thread. GB/s: what one iteration on one thread would move if nothing stayed in a"
    );
    println!(
        "cache (5 numbers a cell: the pressure of both colours, right-hand side, diagonal, and the"
    );
    println!("new pressure), to be held against the triad.\n");
    println!(
        "| grid | type | C SOR | SOR, 1 thread | ratio to C | GB/s | SOR, {cores} threads | step with {FEW} SOR, 1 thread | {cores} threads |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for precision in ["f32", "f64"] {
        for cells in SIZES {
            let n: usize = cells.iter().product();
            let [c, few, many, few_all, many_all] = shortest(cells, precision, cores);
            let iteration = |few: f64, many: f64| (many - few) / f64::from(MANY - FEW);
            let (alone, team) = (iteration(few, many), iteration(few_all, many_all));
            let bytes = if precision == "f32" { 20.0 } else { 40.0 } * n as f64;
            let rate = |seconds: f64| n as f64 / seconds / 1e6;
            let [x, y, z] = cells;
            println!(
                "| {x} x {y} x {z} | {precision} | {:.0} | {:.0} | {:.2} | {:.1} | {:.0} | {:.1} | {:.1} |",
                rate(c),
                rate(alone),
                c / alone,
                bytes / alone / 1e9,
                rate(team),
                rate(few),
                rate(few_all),
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
