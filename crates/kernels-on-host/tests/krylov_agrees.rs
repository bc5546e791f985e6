//! BiCGSTAB and conjugate gradients on the engine for CUDA give the bits of the processor's: kernels, exact
//! inner products, graphs, looks and reductions over ranks, on the host twin.

use std::sync::Arc;

use crate::agreement::{self, SHARED, expect_agreement, expect_same_on_ranks, replace};
use crate::flows::{self, Flow};
use kernels_on_host::{Host, Order, is_long, tried, watched};
use vortice_gpu::{Gpu, replace_devices};

/// Every solver, loose and tight, and too few iterations for it.
const PRESSURES: [&str; 6] = [
    "multigrid-cg = { retol = 0.1 }",
    "multigrid-cg = { retol = 1e-8 }",
    "jacobi-cg = { retol = 0.5, abstol = 1e-9, max = 25 }",
    "jacobi-cg = { retol = 1e-6, max = 23 }",
    "cg = { retol = 0.5, max = 31 }",
    "cycles = 1",
];
const MOMENTA: [&str; 4] = [
    "bicgstab = { retol = 0.1 }",
    "bicgstab = { retol = 1e-9, max = 13 }",
    "bicgstab = { retol = 0.0, max = 3 }",
    "sweeps = 2",
];

/// A table with one of the solvers of each system.
fn table(number: usize) -> String {
    let (pressure, momentum) =
        (PRESSURES[number % PRESSURES.len()], MOMENTA[number / 2 % MOMENTA.len()]);
    format!("momentum = {{ {momentum} }}\npressure = {{ {pressure} }}\n")
}

/// All pairs of solvers on some flow, and every second flow with some of them; large ones, which take long, with one.
#[test]
fn every_solver_has_the_bits_of_the_processor() {
    for (number, flow) in watched(Flow::all().into_iter().enumerate().collect(), [2, 4]) {
        for &turn in tried(if flow.is_large() { &[0] } else { &[0, 1, 2] }, number) {
            replace(Order::Shuffled(turn as u64), SHARED[turn]);
            let table = table(3 * number + turn);
            let steady = (number + turn) % 2 == 0;
            let more = if steady { "" } else { "outer-iterations = 2\n" };
            let name = format!("{}: {table}", flow.name);
            expect_agreement(&name, &flow.on_one_grid(steady, &format!("{more}{table}")), &[1, 2]);
        }
    }
}

/// A launch takes more than a microsecond, whatever it does.
#[test]
fn an_iteration_takes_few_launches() {
    let launches = |pressure: &str| {
        let host = Arc::new(Host::new());
        let same = host.clone();
        replace_devices(move |_| Ok(Gpu::with(same.clone())));
        let table = format!("momentum = {{ sweeps = 1 }}\npressure = {{ {pressure} }}\n");
        let case = agreement::on_gpu(&Flow::in_plane()[1].on_one_grid(true, &table));
        let mut solver = flows::build(&case, &flows::alone());
        flows::advance(&mut *solver, 1);
        let before: u64 = host.launches().values().sum();
        flows::advance(&mut *solver, 1);
        host.launches().values().sum::<u64>() - before
    };
    let more = |kind: &str, few: u64, many: u64| {
        let with = |n: u64| launches(&format!("{kind} = {{ retol = 0.0, max = {n} }}"));
        (with(many) - with(few)) as f64 / (many - few) as f64
    };
    let (jacobi, plain, cycle) =
        (more("jacobi-cg", 10, 30), more("cg", 10, 30), { more("multigrid-cg", 1, 3) });
    println!("launches an iteration: {jacobi} with Jacobi, {plain} without, {cycle} with a cycle");
    assert_eq!([jacobi, plain, cycle], [7.0, 7.0, 14.0]);
}

/// Devices, and processors and devices in turn, have the bits of processors: every flow on some layouts, every
/// layout with some flows; fewer of both but in the long suite.
fn expect_same_bits_on_ranks(flows: impl Iterator<Item = (usize, Flow)>) {
    for (number, flow) in flows {
        let every = if flow.is_large() { 5 } else { 3 } * if is_long() { 1 } else { 3 };
        for (turn, layout) in
            flow.layouts().into_iter().enumerate().skip(number % every).step_by(every)
        {
            let case = flow.on_one_grid(true, &table(5 * number + turn));
            expect_same_on_ranks(&flow, &case, layout, number + turn);
        }
    }
}

// Two tests, so that two cores have something to do.
#[test]
fn solvers_on_ranks_have_the_bits_of_processors() {
    expect_same_bits_on_ranks(Flow::all().into_iter().enumerate().step_by(2));
}

#[test]
fn solvers_on_ranks_have_the_bits_of_processors_in_every_other_flow() {
    expect_same_bits_on_ranks(Flow::all().into_iter().enumerate().skip(1).step_by(2));
}
