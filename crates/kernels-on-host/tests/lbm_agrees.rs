//! The lattice Boltzmann engine for CUDA gives the bits of the processor's engine: its kernels, lists
//! of links, graphs, looks and halo exchange, on the host twin.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::agreement::fields::expect_same_fields;
use crate::lbm_flows::{Flow, NUMBERS, alone, bits, build, expect_same, heated, run};
use kernels_on_host::{Host, Order, is_long, tried};
use vortice_core::{Case, Communicator, Context, Device, Solver, State, Step, Threads, Values};
use vortice_gpu::{Gpu, replace_devices};

/// From now on this thread's GPUs are twins on the host, with memory that begins as not-a-number
/// and threads in no order that could be relied upon.
pub(crate) fn replace(order: Order) {
    replace_devices(move |_| Ok(Gpu::with(Arc::new(Host::new().poisoned().order(order)))));
}

pub(crate) fn on_gpu(case: &Case) -> Case {
    case.clone().device(Device::Cuda(0))
}

pub(crate) fn advance(solver: &mut dyn Solver, steps: usize) -> Vec<Step> {
    (0..steps).map(|_| solver.step(f64::INFINITY).expect("a step")).collect()
}

/// Steps on both devices and compares everything that can be seen after them.
pub(crate) fn expect_same_steps(
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
    assert_eq!(on_cpu.findings().unwrap(), on_gpu.findings().unwrap(), "{name}");
}

/// A flow with these lines in its table `[lbm]`.
fn with(flow: &Flow, precision: &'static str, table: &str) -> Case {
    flow.precision(precision).with_lbm(table).case()
}

/// Every variant of the kernels that the host has, for a flow in the plane or in space.
fn all_variants(is_plane: bool) -> Vec<(&'static str, String)> {
    let lattices = ["d2q9", "d3q15", "d3q19", "d3q27"].into_iter().skip(usize::from(!is_plane));
    let mut variants = Vec::new();
    for lattice in lattices {
        for collision in ["srt", "trt", "mrt", "regularised"] {
            for (precision, storage) in NUMBERS {
                if storage == "precision" || lattice == "d3q19" {
                    let table = format!(
                        "lattice = '{lattice}'\ncollision = '{collision}'\nstorage = '{storage}'\n"
                    );
                    variants.push((precision, table));
                }
            }
        }
    }
    variants
}

/// These in the long suite; else one of so many, from another one on in each turn.
fn variants(
    is_plane: bool,
    turn: usize,
    every: usize,
) -> impl Iterator<Item = (&'static str, String)> {
    let every = if is_long() { 1 } else { every };
    all_variants(is_plane).into_iter().skip(turn % every).step_by(every)
}

/// Beginnings, odd and even numbers of steps, looks between them.
#[test]
fn every_flow_has_the_bits_of_the_processor() {
    for (number, flow) in Flow::all().into_iter().enumerate() {
        for &order in tried(&[Order::Ascending, Order::Descending, Order::Shuffled(7)], number) {
            replace(order);
            let case = with(&flow, "f64", "relaxation-time = 0.6\n");
            let mut on_cpu = build(&case, &alone());
            let mut on_gpu = build(&on_gpu(&case), &alone());
            for steps in [0, 1, 4, 23, 40] {
                expect_same_steps(flow.name, &mut *on_cpu, &mut *on_gpu, steps);
            }
        }
    }
}

/// A flow's case with another word in its text.
fn altered(name: &str, from: &str, to: &str) -> Case {
    let flow = Flow::all().into_iter().find(|flow| flow.name == name).expect("a flow");
    let text = with(&flow, "f32", "relaxation-time = 0.6\n").source;
    assert!(text.contains(from), "{name} has no `{from}`");
    Case::parse(&text.replace(from, to), name).expect("a case")
}

/// What the flows do not have: cells that are cut into cubes, and a force where there is an outlet.
#[test]
fn cut_cells_and_forced_outlets_have_the_bits_of_the_processor() {
    let force = ("force = [0.0, 0.0, 0.0]", "force = [0.4, 0.1, 0.0]");
    let cases = [
        altered("step", "size = [4.625, 1.125, 0.125]", "size = [4.625, 2.25, 0.125]"),
        altered("obstacle", "size = [1.5, 1.0, 0.875]", "size = [1.5, 2.0, 1.75]"),
        altered("step", force.0, force.1),
        altered("duct", force.0, force.1),
    ];
    replace(Order::Shuffled(5));
    for case in cases {
        let mut on_cpu = build(&case, &alone());
        let mut on_gpu = build(&on_gpu(&case), &alone());
        expect_same_steps(&case.title, &mut *on_cpu, &mut *on_gpu, 35);
    }
}

#[test]
fn every_variant_has_the_bits_of_the_processor() {
    replace(Order::Shuffled(3));
    let (mut compared, mut seen) = (0, BTreeSet::new());
    for (turn, flow) in Flow::all().into_iter().enumerate() {
        for (precision, table) in variants(flow.is_plane(), turn, 3) {
            let threads = format!("threads = {}\n", [32, 128, 512][compared % 3]);
            let case = with(&flow, precision, &(table.clone() + &threads));
            let name = format!("{}, {precision}, {table}{threads}", flow.name);
            let mut on_cpu = build(&case, &alone());
            let mut on_gpu = build(&on_gpu(&case), &alone());
            expect_same_steps(&name, &mut *on_cpu, &mut *on_gpu, [5, 6][compared % 2]);
            compared += 1;
            seen.insert((precision, table));
        }
    }
    assert_eq!(seen.len(), all_variants(true).len());
    println!("{compared} pairs of runs agree");
}

/// Threads of two cells each, whose rows other ranks may not share.
#[test]
fn two_cells_a_thread_have_the_bits_of_the_processor() {
    let flows = Flow::of_pairs().into_iter().cycle().take(8);
    for (number, flow) in flows.enumerate() {
        replace(Order::Shuffled(number as u64));
        let (precision, storage) = NUMBERS[number % 3];
        let table = format!("relaxation-time = 0.6\nstorage = '{storage}'\n");
        let case = with(&flow, precision, &table);
        let (mut on_cpu, mut device) = (build(&case, &alone()), build(&on_gpu(&case), &alone()));
        for steps in [1, 6, 9] {
            expect_same_steps(flow.name, &mut *on_cpu, &mut *device, steps);
        }
        let layout = if flow.is_plane() { [1, 2, 1] } else { [1, 1, 2] };
        expect_same_on_ranks(flow.name, &case, layout);
    }
}

/// Noise in all cells and whatever else a state holds.
fn noisy(mut state: State) -> State {
    let mut seed = 1_u64;
    let mut noise = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        1e-2 * ((seed >> 40) as f64 / f64::from(1 << 24) - 0.5)
    };
    for values in state.fields.values_mut() {
        match values {
            Values::F32(field) => {
                field.values.iter_mut().for_each(|x| *x = noise() as f32);
            }
            Values::F64(field) => field.values.iter_mut().for_each(|x| *x = noise()),
        }
    }
    state
}

#[test]
fn random_states_have_the_bits_of_the_processor() {
    replace(Order::Descending);
    for flow in Flow::all() {
        for (precision, storage) in NUMBERS {
            let case = with(&flow, precision, &format!("storage = '{storage}'\n"));
            let name = format!("{}, {precision}, {storage}, noise", flow.name);
            let mut on_cpu = build(&case, &alone());
            let mut on_gpu = build(&on_gpu(&case), &alone());
            let state = noisy(on_cpu.state().expect("a state"));
            // What is lost shall have been something.
            advance(&mut *on_gpu, 3);
            on_cpu.restore(&state).expect("the same case");
            on_gpu.restore(&state).expect("the same case");
            expect_same(&name, &on_cpu.state().unwrap(), &on_gpu.state().unwrap());
            expect_same_steps(&name, &mut *on_cpu, &mut *on_gpu, 3);
        }
    }
}

/// The step whose residual says that the flow is not finite.
fn noticed(solver: &mut dyn Solver) -> u64 {
    let steps = (0..10_000).map(|_| solver.step(f64::INFINITY).expect("a step"));
    steps.into_iter().find(|step| step.residual.is_nan()).expect("it diverges").number
}

#[test]
fn a_device_tells_soon_that_a_flow_is_not_finite() {
    replace(Order::Shuffled(9));
    let text = include_str!("../../../cases/cavity.toml");
    let sets = ["run.method=\"lbm\"", "grid.cells=[12,12,1]", "fluid.force=[1e3,0.0,0.0]"];
    let sets = sets.map(String::from);
    let case = Case::parse(text, "cavity").and_then(|case| case.with(&sets)).expect("a case");
    let [on_cpu, on_gpu] = [&case, &on_gpu(&case)].map(|case| noticed(&mut *build(case, &alone())));
    // As many steps as are launched together, and as many again.
    assert!((on_cpu..=on_cpu + 128).contains(&on_gpu), "{on_cpu} and {on_gpu}");
}

#[test]
fn a_run_goes_on_between_processor_and_device() {
    replace(Order::Shuffled(1));
    for flow in Flow::all() {
        let case = with(&flow, "f32", "");
        let through = run(&case, 13);
        let half = run(&on_gpu(&case), 5);
        let mut back = build(&case, &alone());
        back.restore(&half).expect("the same case");
        advance(&mut *back, 8);
        expect_same(flow.name, &through, &back.state().expect("a state"));
        let mut there = build(&on_gpu(&case), &alone());
        there.restore(&run(&case, 7)).expect("the same case");
        advance(&mut *there, 6);
        expect_same(flow.name, &through, &there.state().expect("a state"));
    }
}

/// Heat in every variant that computes it, in any order of threads.
#[test]
fn heat_has_the_bits_of_the_processor() {
    let mut compared = 0;
    for (turn, flow) in heated().into_iter().enumerate() {
        for (precision, table) in variants(flow.is_plane(), turn, 8) {
            if table.contains("f16") {
                continue;
            }
            replace([Order::Ascending, Order::Descending, Order::Shuffled(7)][compared % 3]);
            let case = flow.case(precision, &table);
            let name = format!("{}, {precision}, {table}", flow.name);
            let mut on_cpu = build(&case, &alone());
            let mut on_gpu = build(&on_gpu(&case), &alone());
            for steps in [0, 1, 4 + compared % 2, 16] {
                expect_same_steps(&name, &mut *on_cpu, &mut *on_gpu, steps);
            }
            compared += 1;
        }
    }
    println!("{compared} pairs of runs agree");
}

/// Heat goes on from any state between both, and tells the heat of walls as if nothing had been.
#[test]
fn heat_goes_on_between_processor_and_device() {
    replace(Order::Shuffled(1));
    for (turn, flow) in heated().into_iter().enumerate() {
        for precision in tried(&["f64", "f32"], turn) {
            let case = flow.case(precision, "");
            let mut through = build(&case, &alone());
            advance(&mut *through, 13);
            let (expected, heat) = (through.state().unwrap(), through.surface_fluxes().unwrap());
            let there = on_gpu(&case);
            for (first, second) in [(&there, &case), (&case, &there), (&there, &there)] {
                for &steps in tried(&[4, 7, 0, 13], turn) {
                    let half = run(first, steps);
                    let mut other = build(second, &alone());
                    // What is lost shall have been something.
                    advance(&mut *other, 3);
                    other.restore(&half).expect("the same case");
                    advance(&mut *other, 13 - steps);
                    expect_same(flow.name, &expected, &other.state().unwrap());
                    assert_eq!(other.surface_fluxes().unwrap(), heat, "{}", flow.name);
                }
            }
        }
    }
}

#[test]
fn heat_on_ranks_with_devices_has_the_bits_of_ranks_on_processors() {
    for (number, flow) in heated().into_iter().enumerate() {
        let case = flow.case(["f64", "f32"][number % 2], "");
        for &layout in tried(&flow.layouts(), number / 2) {
            let expected = on_ranks(&case, layout);
            let mixed = |rank| if rank % 2 == 0 { on_gpu(&case) } else { case.clone() };
            let found = [on_ranks(&on_gpu(&case), layout), on_ranks_of(mixed, layout)];
            found.iter().for_each(|found| expect_same_of_all(flow.name, layout, &expected, found));
        }
    }
}

/// Heat that is sent while cells inside are done, as in flows of so many cells.
#[test]
fn heat_that_travels_beside_the_work_has_the_bits_of_the_processor() {
    let cube = heated().into_iter().find(|flow| flow.name == "heated cube").expect("a flow");
    let case = cube.with_cells([32, 32, 24]).case("f32", "");
    for layout in [[1, 2, 1], [2, 1, 1]] {
        expect_same_on_ranks("heated cube", &case, layout);
    }
}

/// Ranks with devices have the bits of ranks on processors.
fn expect_same_on_ranks(name: &str, case: &Case, layout: [usize; 3]) {
    expect_same_of_all(name, layout, &on_ranks(case, layout), &on_ranks(&on_gpu(case), layout));
}

fn expect_same_of_all(name: &str, layout: [usize; 3], expected: &[State], found: &[State]) {
    assert_eq!(expected.len(), found.len(), "{name}");
    for (rank, (one, other)) in expected.iter().zip(found).enumerate() {
        expect_same(&format!("{name} on {layout:?}, rank {rank}"), one, other);
    }
}

/// States of all ranks after some steps; each has a device of its own, if the case asks for one.
pub(crate) fn on_ranks(case: &Case, layout: [usize; 3]) -> Vec<State> {
    on_ranks_of(|_| case.clone(), layout)
}

/// The same with a case for each rank.
pub(crate) fn on_ranks_of(case: impl Fn(usize) -> Case + Sync, layout: [usize; 3]) -> Vec<State> {
    let states = Threads::run(layout.iter().product(), |rank| {
        let case = &case(rank.rank());
        replace(Order::Shuffled(rank.rank() as u64));
        let context = Context { layout: Some(layout), threads: 1, ranks: Arc::new(rank) };
        let mut solver = build(case, &context);
        advance(&mut *solver, 5);
        let state = solver.state()?;
        let mut again = build(case, &context);
        again.restore(&state)?;
        advance(&mut *again, 4);
        again.state()
    });
    states.expect("a run")
}

#[test]
fn ranks_on_devices_have_the_bits_of_ranks_on_processors() {
    for (number, flow) in Flow::all().into_iter().enumerate() {
        for (turn, (precision, storage)) in
            [("f64", "precision"), ("f32", "f16")].into_iter().enumerate()
        {
            let case = with(&flow, precision, &format!("storage = '{storage}'\n"));
            // Layouts in turn.
            for (_, layout) in tried(&flow.layouts(), number / 2 + turn) {
                expect_same_on_ranks(&format!("{}, {storage},", flow.name), &case, *layout);
            }
        }
    }
}

/// Parts large enough that a step does the cells beside other ranks first, and sends what they leave while it does the
/// others; two cells a thread beside columns, and columns of a box that is a ring in z.
#[test]
fn messages_that_travel_beside_the_work_carry_the_bits_of_the_processor() {
    let ring = [
        "boundary.z-low=\"periodic\"",
        "boundary.z-high=\"periodic\"",
        "boundary.y-high={ wall = { velocity = [1.0, 0.0, 0.0] } }",
    ];
    let two = ["lbm.cells-per-thread=2", "run.precision=\"f32\""];
    cubic_cavity_on_ranks([32, 32, 32], &[], &[[1, 2, 1], [1, 1, 3], [1, 2, 2]]);
    cubic_cavity_on_ranks([288, 8, 8], &[], &[[2, 1, 1], [1, 2, 1], [2, 2, 1]]);
    cubic_cavity_on_ranks([36, 6, 6], &two, &[[2, 1, 1]]);
    cubic_cavity_on_ranks([8, 6, 66], &ring, &[[2, 1, 1], [3, 1, 1], [2, 2, 1]]);
}

fn cubic_cavity_on_ranks(cells: [usize; 3], more: &[&str], layouts: &[[usize; 3]]) {
    let text = include_str!("../../../cases/cavity-3d.toml");
    let size = cells.map(|n| n as f64 / 8.0);
    let box_of = [format!("grid.cells={cells:?}"), format!("grid.size={size:?}")];
    let sets = more.iter().map(ToString::to_string).chain(box_of);
    let sets: Vec<_> = sets.chain(["run.method=\"lbm\"".into()]).collect();
    let case = Case::parse(text, "cavity-3d").and_then(|case| case.with(&sets)).expect("a case");
    for &layout in tried(layouts, 2) {
        expect_same_on_ranks(&format!("{cells:?}"), &case, layout);
    }
}
