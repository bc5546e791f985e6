//! The finite volume engine for CUDA gives the bits of the processor's engine: its kernels, multigrid
//! levels, lists, graphs and halo exchange, on the host twin.

use std::sync::Arc;

use crate::agreement::{
    SHARED, expect_agreement, expect_same, expect_same_on_ranks, expect_same_steps, on_gpu, replace,
};
use crate::flows::{Flow, advance, alone, build};
use kernels_on_host::{Host, Order, is_long, tried};
use vortice_core::{Case, State, Values};
use vortice_gpu::{Gpu, replace_devices};

const STEADY: &str = "look-every = 3\n";

/// Beginnings, one iteration, and as many as make graphs, with looks between them.
#[test]
fn every_steady_flow_has_the_bits_of_the_processor() {
    for (number, flow) in Flow::all().into_iter().enumerate() {
        let orders = [Order::Ascending, Order::Descending, Order::Shuffled(7)];
        for turn in tried(&[0, 1, 2], number) {
            replace(orders[*turn], SHARED[*turn]);
            let coupling = ["simple", "simplec"][number % 2];
            let case = flow.on_one_grid(true, &format!("{STEADY}coupling = '{coupling}'\n"));
            expect_agreement(flow.name, &case, &[0, 1, 2, 4]);
        }
    }
}

#[test]
fn every_flow_in_time_has_the_bits_of_the_processor() {
    let flows = [Flow::all(), Flow::changing()].concat();
    for (number, flow) in flows.into_iter().enumerate() {
        replace(Order::Shuffled(number as u64), SHARED[number % 3]);
        let table = [
            "outer-iterations = 2\nmomentum = { sweeps = 3 }\n",
            "outer-iterations = 3\ntime-scheme = 'euler'\ncoupling = 'simple'\n\
             pressure = { cycles = 2 }\nmomentum = { sweeps = 2 }\n",
        ][number % 2];
        expect_agreement(flow.name, &flow.case(false, table), &[0, 1, 3]);
    }
}

#[test]
fn every_scheme_has_the_bits_of_the_processor() {
    let mut compared = 0;
    let flows = Flow::all().into_iter().filter(|flow| !flow.name.starts_with("large"));
    for (number, flow) in flows.enumerate() {
        for scheme in tried(&[["upwind", "central"], ["quick", "van-leer"]], number).concat() {
            replace(Order::Shuffled(compared), SHARED[compared as usize % 3]);
            let more = ["", "blend = 0.7\n", "rhie-chow = false\n"][compared as usize % 3];
            let case = flow.on_one_grid(true, &format!("{STEADY}{more}convection = '{scheme}'\n"));
            expect_agreement(&format!("{}, {scheme}", flow.name), &case, &[3]);
            compared += 1;
        }
    }
    println!("{compared} pairs of runs agree");
}

/// Several blocks sweep over regions of flows that are larger than one, and of levels that one block does not do.
#[test]
fn regions_have_the_bits_of_the_processor() {
    let flows = Flow::in_plane().into_iter().filter(Flow::is_large);
    for (number, flow) in flows.enumerate() {
        replace(Order::Shuffled(number as u64), SHARED[0]);
        let table = "pressure = { cycles = 2 }\nmomentum = { sweeps = 9 }\n";
        expect_agreement(flow.name, &flow.case(false, table), &[1, 2]);
    }
}

/// The full approximation scheme: cycles with two and with three grids, on one device and on two.
#[test]
fn coarser_grids_have_the_bits_of_the_processor() {
    let table = "multigrid = true\nmomentum = { sweeps = 2 }\n";
    for (number, flow) in Flow::halved().into_iter().enumerate() {
        replace(Order::Shuffled(number as u64), SHARED[number % 2]);
        let case = flow.case(true, table);
        expect_agreement(flow.name, &case, &[1, 3]);
        if flow.is_plane() {
            expect_same_on_ranks(&flow, &case, [2, 1, 1], number);
        }
    }
}

/// What a run's residual can be, and a beginning on coarser grids.
#[test]
fn residuals_have_the_bits_of_the_processor() {
    replace(Order::Shuffled(2), SHARED[0]);
    let flow = &Flow::in_plane()[0];
    let lines = ["measure = 'drop'\nlook-every = 2\n", "look-every = 13\n", "look-every = 1\n"];
    for table in lines {
        expect_agreement(flow.name, &flow.case(true, table), &[26, 30]);
    }
    let vortices = &Flow::in_plane()[4];
    let case = vortices.case(true, "look-every = 5\n").with(&["run.steady=0.05".into()]);
    expect_agreement("begun on coarser grids", &case.expect("a tolerance"), &[5]);
}

/// A launch takes more than a microsecond, whatever it does: one more would be felt on small grids.
#[test]
fn an_iteration_takes_few_launches() {
    let host = Arc::new(Host::new());
    let same = host.clone();
    replace_devices(move |_| Ok(Gpu::with(same.clone())));
    let text = include_str!("../../../cases/cavity.toml");
    let case = Case::parse(text, "cavity").expect("a built-in case");
    let lines = [
        "grid.cells=[128,128,1]",
        "run.method='fvm'",
        "fvm={multigrid=false,sequence=false,momentum={sweeps=10}}",
    ];
    let case = case.with(&lines.map(String::from)).expect("another size");
    let mut solver = build(&on_gpu(&case), &alone());
    advance(&mut *solver, 10);
    let before: u64 = host.launches().values().sum();
    advance(&mut *solver, 20);
    let launches = host.launches();
    println!("{launches:?}");
    // And one at each look, every ten iterations: how much the flow has changed.
    assert_eq!(launches.values().sum::<u64>() - before, 20 * 12 + 2);
}

/// Noise in all cells.
fn noisy(mut state: State) -> State {
    let mut seed = 1_u64;
    let mut noise = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        0.2 * ((seed >> 40) as f64 / f64::from(1 << 24) - 0.5)
    };
    for values in state.fields.values_mut() {
        if let Values::F64(field) = values {
            field.values.iter_mut().for_each(|x| *x += noise());
        }
    }
    state
}

#[test]
fn random_states_have_the_bits_of_the_processor() {
    replace(Order::Descending, SHARED[1]);
    for flow in Flow::all() {
        for steady in [true, false] {
            let case = flow.on_one_grid(steady, "look-every = 1\n");
            let mut on_cpu = build(&case, &alone());
            let mut on_gpu = build(&on_gpu(&case), &alone());
            // What is lost shall have been something.
            advance(&mut *on_gpu, 1);
            let state = noisy(on_cpu.state().expect("a state"));
            on_cpu.restore(&state).expect("the same case");
            on_gpu.restore(&state).expect("the same case");
            let name = format!("{}, noise", flow.name);
            expect_same(&name, &on_cpu.state().unwrap(), &on_gpu.state().unwrap());
            expect_same_steps(&name, &mut *on_cpu, &mut *on_gpu, 2);
        }
    }
}

#[test]
fn a_run_goes_on_between_processor_and_device() {
    replace(Order::Shuffled(1), SHARED[0]);
    let after = |case: &Case, from: Option<&State>, steps: usize| {
        let mut solver = build(case, &alone());
        if let Some(state) = from {
            solver.restore(state).expect("the same case");
        }
        advance(&mut *solver, steps);
        solver.state().expect("a state")
    };
    let small = Flow::all().into_iter().filter(|flow| !flow.name.starts_with("large"));
    for (number, flow) in small.enumerate() {
        for &steady in tried(&[true, false], number) {
            let case = flow.on_one_grid(steady, "look-every = 2\n");
            let there = on_gpu(&case);
            let (two, three) = (after(&case, None, 2), after(&case, None, 3));
            let back = after(&case, Some(&after(&there, None, 2)), 3);
            expect_same(flow.name, &after(&case, Some(&two), 3), &back);
            let forth = after(&there, Some(&three), 2);
            expect_same(flow.name, &after(&case, Some(&three), 2), &forth);
        }
    }
}

/// Devices, and processors and devices in turn, have the bits of processors.
#[test]
fn ranks_on_devices_have_the_bits_of_ranks_on_processors() {
    let every = if is_long() { 2 } else { 6 };
    for (number, flow) in Flow::all().into_iter().enumerate() {
        // Layouts in turn.
        let layouts = flow.layouts().into_iter().enumerate();
        for (turn, layout) in layouts.skip(number % every).step_by(every) {
            let steady = (number + turn) % 2 == 0;
            let case = flow.on_one_grid(steady, "look-every = 2\nmomentum = { sweeps = 2 }\n");
            expect_same_on_ranks(&flow, &case, layout, number + turn);
        }
    }
}

/// So many cells that coarse levels are cut, too, where parts begin with odd cells.
#[test]
fn cut_coarse_levels_have_the_bits_of_the_processor() {
    for flow in Flow::huge() {
        let case = flow.on_one_grid(true, "momentum = { sweeps = 1 }\n");
        for (turn, layout) in flow.layouts().into_iter().enumerate().skip(1).take(3) {
            expect_same_on_ranks(&flow, &case, layout, turn);
        }
    }
}
