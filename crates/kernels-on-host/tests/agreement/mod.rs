//! Comparisons of the finite volume engines for the processor and for CUDA, on the host twin.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

pub mod fields;

use std::sync::Arc;

use kernels_on_host::{Host, Order, tried};
use vortice_core::{Case, Communicator, Context, Device, Solver, State, Threads};
use vortice_gpu::{Gpu, replace_devices};

pub use crate::flows::expect_same;
use crate::flows::{Flow, advance, alone, bits, build};
use fields::expect_same_fields;

/// From now on this thread's GPUs are twins on the host, with memory that begins as not-a-number,
/// threads in no order that could be relied upon and so much shared memory.
pub fn replace(order: Order, shared_memory: usize) {
    replace_devices(move |_| {
        Ok(Gpu::with(Arc::new(Host::new().poisoned().order(order).shared_memory(shared_memory))))
    });
}

/// Shared memory of an H200; for some small levels; for none.
pub const SHARED: [usize; 3] = [232_448, 3000, 100];

pub fn on_gpu(case: &Case) -> Case {
    case.clone().device(Device::Cuda(0))
}

/// Steps on both devices and compares everything that can be seen after them.
pub fn expect_same_steps(
    name: &str,
    on_cpu: &mut dyn Solver,
    on_gpu: &mut dyn Solver,
    steps: usize,
) {
    let expected = advance(on_cpu, steps);
    assert_eq!(advance(on_gpu, steps), expected, "{name}");
    let state = on_cpu.state().expect("a state");
    assert!(bits(&state).iter().any(|(_, bits)| bits.iter().any(|&b| b != 0)), "{name}: nothing");
    expect_same(name, &state, &on_gpu.state().expect("a state"));
    expect_same_fields(name, on_cpu, on_gpu);
}

/// What both devices see of a case.
pub fn expect_agreement(name: &str, case: &Case, steps: &[usize]) {
    let mut on_cpu = build(case, &alone());
    let mut on_gpu = build(&on_gpu(case), &alone());
    for &steps in steps {
        expect_same_steps(name, &mut *on_cpu, &mut *on_gpu, steps);
    }
}

/// States of all ranks after some steps; each has a device of its own, if the case asks for one.
fn on_ranks(case: &Case, layout: [usize; 3], mixed: bool) -> Vec<State> {
    let states = Threads::run(layout.iter().product(), |rank| {
        replace(Order::Shuffled(rank.rank() as u64), SHARED[rank.rank() % 3]);
        let own = if mixed && rank.rank() % 2 == 1 {
            case.clone().device(Device::Cpu)
        } else {
            case.clone()
        };
        let context = Context { layout: Some(layout), threads: 1, ranks: Arc::new(rank) };
        let mut solver = build(&own, &context);
        advance(&mut *solver, 2);
        let state = solver.state()?;
        let mut again = build(&own, &context);
        again.restore(&state)?;
        advance(&mut *again, 1);
        again.state()
    });
    states.expect("a run")
}

/// Devices, and processors and devices in turn, have the bits of processors: one of both in each turn.
pub fn expect_same_on_ranks(flow: &Flow, case: &Case, layout: [usize; 3], turn: usize) {
    let expected = on_ranks(case, layout, false);
    for &mixed in tried(&[false, true], turn) {
        let found = on_ranks(&on_gpu(case), layout, mixed);
        for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
            let name = format!("{} on {layout:?}, rank {rank}, mixed {mixed}", flow.name);
            expect_same(&name, one, other);
        }
    }
}
