//! The engine for CUDA gives the bits of the processor's engine: its kernels, launchers, lists of
//! boundary values, graphs and halo exchange, on the host twin.

use std::sync::Arc;

use crate::agreement::fields::expect_same_fields;
use crate::carried;
use crate::fdm_flows::{
    self, annulus, backwards, case, cavity, convective, heated_cavity, past, pulse, rolls,
    row_of_circles, step, taylor_green,
};
use kernels_on_host::{Host, Order, tried, watched};
use vortice_core::{
    Case, Communicator, Context, Device, Result, Solver, State, Step, Threads, Values,
};
use vortice_gpu::{Gpu, replace_devices};

/// From now on this thread's GPUs are twins on the host, with memory that begins as not-a-number
/// and threads in no order that could be relied upon. So little shared memory makes small tiles.
pub(crate) fn replace(order: Order) {
    replace_devices(move |_| Ok(Gpu::with(Arc::new(host(order)))));
}

fn host(order: Order) -> Host {
    Host::new().shared_memory(80_000).poisoned().order(order)
}

/// The flow of a text, with this kernel.
fn with(text: &str, kernel: &str) -> Case {
    let text = if text.contains("[fdm]") { text.to_owned() } else { format!("{text}[fdm]\n") };
    case(&format!("{text}kernel = \"{kernel}\"\n"))
}

pub(crate) fn plain(text: &str) -> Case {
    with(text, "plain")
}

/// A solver on the processor, and one for each kernel of a device that can do the flow launch by
/// launch.
fn solvers(text: &str) -> Vec<(Box<dyn Solver>, Box<dyn Solver>)> {
    let case = plain(text);
    let by_sor = !text.contains("pressure =");
    let tiled = by_sor && case.grid.is_plane() && !case.boundaries.periodic()[0];
    let kernels = ["plain", "tiled"].into_iter().take(1 + usize::from(tiled));
    let both = kernels.map(|kernel| {
        let on_cpu = build(&case, Device::Cpu, &alone()).expect("a solver");
        (on_cpu, build(&with(text, kernel), Device::Cuda(0), &alone()).expect("a solver"))
    });
    both.collect()
}

pub(crate) fn build(case: &Case, device: Device, context: &Context) -> Result<Box<dyn Solver>> {
    (vortice_fdm::METHOD.build)(&case.clone().device(device), context)
}

pub(crate) fn alone() -> Context {
    Context { threads: 1, ..Context::alone() }
}

fn advance(solver: &mut dyn Solver, steps: usize) -> Result<Vec<Step>> {
    (0..steps).map(|_| solver.step(f64::INFINITY)).collect()
}

/// All of a state as bits, halos and values beyond walls included.
fn bits(state: &State) -> Vec<(String, Vec<u64>)> {
    let field = |values: &Values| match values {
        Values::F32(field) => field.values.iter().map(|x| u64::from(x.to_bits())).collect(),
        Values::F64(field) => field.values.iter().map(|x| x.to_bits()).collect(),
    };
    let numbers = state.numbers.iter().map(|(name, x)| (name.clone(), vec![x.to_bits()]));
    numbers.chain(state.fields.iter().map(|(name, values)| (name.clone(), field(values)))).collect()
}

/// Where two states differ first.
fn difference(name: &str, one: &State, other: &State) -> Option<String> {
    let (one, other) = (bits(one), bits(other));
    for ((field, a), (_, b)) in one.iter().zip(&other) {
        if let Some(at) = (0..a.len().max(b.len())).find(|&at| a.get(at) != b.get(at)) {
            let differ = a.iter().zip(b).filter(|(a, b)| a != b).count();
            let (x, y) = (f64::from_bits(a[at]), f64::from_bits(b[at]));
            return Some(format!(
                "{name}: {field} differs at {at}, {x:e} and {y:e}, and at {differ} places in all"
            ));
        }
    }
    let compared: usize = one.iter().map(|(_, values)| values.len()).sum();
    println!("{name}: {compared} values compared, 0 differ");
    (one.len() != other.len()).then(|| format!("{name}: other fields"))
}

pub(crate) fn expect_same(name: &str, one: &State, other: &State) {
    let different = difference(name, one, other);
    assert!(different.is_none(), "{}", different.unwrap_or_default());
}

/// Flows that together meet every boundary, solids, both precisions, odd sizes and all stopping
/// rules, with the layouts of ranks to run them on.
fn flows() -> Vec<(&'static str, String, Vec<[usize; 3]>)> {
    let f32s = "precision = \"f32\"\n";
    let plane = vec![[2, 1, 1], [2, 2, 1]];
    let space = vec![[1, 3, 1], [2, 1, 2]];
    vec![
        (
            "cavity",
            cavity([37, 13, 1], 100.0, "[fdm]\nstop = { residual = 1e-4 }\n"),
            plane.clone(),
        ),
        ("Euler", cavity([37, 13, 1], 100.0, "[fdm]\ntime-scheme = \"euler\"\n"), plane.clone()),
        ("cavity f32", cavity([17, 39, 1], 100.0, f32s), plane.clone()),
        ("donor cell", cavity([16, 16, 1], 400.0, "[fdm]\ngamma = \"auto\"\n"), plane.clone()),
        (
            "rms",
            cavity([16, 11, 1], 400.0, "[fdm]\nstop = { residual-rms = 1e-4 }\n"),
            plane.clone(),
        ),
        ("step", step([72, 12, 1], "[fdm]\nstop = { change = 1e-5 }\n"), plane.clone()),
        ("pulse", pulse([36, 12, 1], "[fdm]\nstop = { change = 1e-5 }\n"), plane.clone()),
        ("pulse f32", pulse([16, 9, 7], f32s), space.clone()),
        (
            "step f32",
            step([33, 12, 1], "precision = \"f32\"\n[fdm]\nstop = { iterations = 77 }\n"),
            plane.clone(),
        ),
        ("outlet on the low side", backwards([32, 9, 1], ""), vec![[8, 1, 1]]),
        ("ranks one cell wide", backwards([8, 9, 1], ""), vec![[8, 1, 1], [1, 9, 1]]),
        ("convective outlet", convective(&step([72, 12, 1], "")), plane.clone()),
        (
            "convective outlet on the low side, f32",
            convective(&backwards([32, 9, 1], f32s)),
            vec![[8, 1, 1], [2, 2, 1]],
        ),
        ("convective outlet in space", convective(&step([16, 8, 6], "")), space.clone()),
        ("outlet with a pressure", pressed([24, 10, 1], ""), plane.clone()),
        ("vortices", taylor_green(16, 0.1, "[fdm]\ngamma = 1.0\n"), plane.clone()),
        ("cube", cavity([9, 8, 11], 100.0, ""), space.clone()),
        (
            "cube by Euler, f32",
            cavity([8, 9, 7], 100.0, &format!("{f32s}[fdm]\ntime-scheme = \"euler\"\n")),
            space.clone(),
        ),
        ("cube, rms, f32", cavity([8, 8, 7], 100.0, RMS_F32), space.clone()),
        ("step in space", step([24, 10, 8], "[fdm]\ngamma = 0.5\n"), space.clone()),
        ("step in space f32", step([24, 10, 8], f32s), space.clone()),
        (
            "multigrid",
            step([24, 12, 1], "[fdm]\npressure = { multigrid-cg = { retol = 1e-8 } }\n"),
            plane.clone(),
        ),
        (
            "cycles, f32",
            taylor_green(16, 0.1, &format!("{f32s}[fdm]\npressure = {{ cycles = 2 }}\n")),
            plane,
        ),
        (
            "cube by Jacobi",
            cavity([8, 9, 10], 100.0, "[fdm]\npressure = { jacobi-cg = { max = 30 } }\n"),
            space,
        ),
    ]
    .into_iter()
    .chain(bodies())
    .chain(heated())
    .collect()
}

/// Flows past bodies whose walls are exact or turn, in a closed box, with an outlet and with periodic sides.
fn bodies() -> Vec<(&'static str, String, Vec<[usize; 3]>)> {
    let ball = "circle = { centre = [0.61, 0.47], radius = 0.21 }, rotation = 3.0";
    let stairs = format!("{ball}, walls = \"stairs\"");
    let sphere = "sphere = { centre = [0.61, 0.47, 0.52], radius = 0.28 }";
    let plane = vec![[2, 1, 1], [2, 2, 1]];
    vec![
        ("annulus", annulus(20, "", "[fdm]\ntime-scheme = \"euler\"\n"), plane.clone()),
        ("circle, f32", past(ball, [36, 18, 1], "precision = \"f32\"\n"), plane.clone()),
        ("turning stairs", past(&stairs, [36, 18, 1], ""), plane),
        ("row of circles", row_of_circles([36, 18], ""), vec![[12, 1, 1]]),
        ("sphere", past(sphere, [24, 12, 12], ""), vec![[1, 3, 1], [2, 1, 2]]),
    ]
}

/// Flows with heat, with all kinds of ends, both schemes and both precisions.
fn heated() -> Vec<(&'static str, String, Vec<[usize; 3]>)> {
    let f32s = "precision = \"f32\"\n";
    let central = "[fdm]\nscalar-convection = \"central\"\n";
    let channel = |layers, across, more: &str| {
        carried::channel(layers, across, &format!("method = \"fdm\"\nuntil = 1e9\n{more}"))
    };
    let plane = vec![[2, 1, 1], [3, 2, 1]];
    let space = vec![[1, 3, 1], [2, 1, 2]];
    vec![
        ("heated cavity", heated_cavity([19, 14, 1], central), plane.clone()),
        ("heated cavity f32", heated_cavity([16, 13, 1], f32s), plane.clone()),
        ("heated channel", channel(1, "periodic", ""), plane.clone()),
        (
            "dyed channel by formulas, f32",
            carried::by_formulas(&carried::with_scalars(&channel(1, "periodic", f32s))),
            plane.clone(),
        ),
        ("dye", carried::with_dye_instead(&channel(1, "periodic", "")), plane.clone()),
        (
            "heated channel by Euler, f32",
            channel(1, "periodic", &format!("{f32s}{central}time-scheme = \"euler\"\n")),
            plane.clone(),
        ),
        (
            "heated channel with bodies",
            carried::with_bodies(&channel(1, "periodic", ""), "exact"),
            plane.clone(),
        ),
        (
            "dyed channel with stairs, f32",
            carried::with_bodies(&carried::with_scalars(&channel(1, "periodic", f32s)), "stairs"),
            plane.clone(),
        ),
        (
            "dyed channel in space with bodies",
            carried::with_bodies(&carried::with_scalars(&channel(4, "symmetry", "")), "exact"),
            space.clone(),
        ),
        ("rolls", rolls([18, 9, 1], ""), vec![[1, 3, 1], [3, 1, 1]]),
        ("heated cube", heated_cavity([9, 8, 10], ""), space.clone()),
        ("heated channel in space", channel(4, "periodic", central), space.clone()),
        ("rolls in space, f32", rolls([12, 8, 6], &format!("{f32s}{central}")), space.clone()),
        ("heated outlet in space", convective(&channel(4, "symmetry", f32s)), space),
    ]
}

/// So long that the threads which note what they find do several cells one after the other.
#[test]
fn long_flows_have_the_bits_of_the_processor() {
    for stop in tried(&["residual = 1e9", "change = 1e9"], 0) {
        replace(Order::Shuffled(3));
        let text = cavity([2, 3, 8300], 100.0, &format!("[fdm]\nstop = {{ {stop} }}\n"));
        for (mut on_cpu, mut on_gpu) in solvers(&text) {
            expect_same_steps(stop, &mut *on_cpu, &mut *on_gpu, 2);
        }
    }
}

const RMS_F32: &str = "precision = \"f32\"\n[fdm]\nstop = { residual-rms = 1e-3 }\n";

/// The step with an outlet above the channel as well, both at a pressure: their corner cell has two.
fn pressed(cells: [usize; 3], more: &str) -> String {
    let outflow = "{ outflow = { pressure = 0.25 } }";
    step(cells, more)
        .replace("x-high = \"outflow\"", &format!("x-high = {outflow}"))
        .replace("y-high = \"wall\"", &format!("y-high = {outflow}"))
}

/// Steps on both devices and compares everything that can be seen after them.
pub(crate) fn expect_same_steps(
    name: &str,
    on_cpu: &mut dyn Solver,
    on_gpu: &mut dyn Solver,
    steps: usize,
) {
    let expected = advance(on_cpu, steps).expect("steps");
    assert_eq!(advance(on_gpu, steps).expect("steps"), expected, "{name}");
    expect_same(name, &on_cpu.state().unwrap(), &on_gpu.state().unwrap());
    expect_same_fields(name, on_cpu, on_gpu);
}

#[test]
fn every_flow_has_the_bits_of_the_processor() {
    for (number, (name, text, _)) in flows().into_iter().enumerate() {
        for order in tried(&[Order::Shuffled(7), Order::Descending, Order::Ascending], number) {
            replace(*order);
            for (mut on_cpu, mut on_gpu) in solvers(&text) {
                expect_same(name, &on_cpu.state().unwrap(), &on_gpu.state().unwrap());
                expect_same_steps(name, &mut *on_cpu, &mut *on_gpu, 5);
            }
        }
    }
}

#[test]
#[cfg_attr(feature = "sanitize", ignore = "the kernels of every flow")]
fn a_run_goes_on_between_processor_and_device() {
    replace(Order::Shuffled(1));
    for (name, text, _) in flows() {
        for (mut straight, mut on_gpu) in solvers(&text) {
            advance(&mut *straight, 2).expect("steps");
            // What is lost by going on elsewhere shall have been something.
            advance(&mut *on_gpu, 1).expect("a step");
            on_gpu.restore(&straight.state().unwrap()).expect("the same case");
            expect_same_steps(name, &mut *straight, &mut *on_gpu, 3);
            let mut back = build(&plain(&text), Device::Cpu, &alone()).expect("a solver");
            back.restore(&on_gpu.state().unwrap()).expect("the same case");
            advance(&mut *on_gpu, 2).expect("steps");
            expect_same(name, &on_gpu.state().unwrap(), &after(&mut *back, 2));
        }
    }
}

pub(crate) fn after(solver: &mut dyn Solver, steps: usize) -> State {
    advance(solver, steps).expect("steps");
    solver.state().expect("a state")
}

/// Noise in all cells: every branch of convection, and pressures that need many iterations.
fn noisy(mut state: State) -> State {
    let mut seed = 1_u64;
    let mut noise = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 40) as f64 / f64::from(1 << 24) - 0.5
    };
    for values in state.fields.values_mut() {
        match values {
            Values::F32(field) => field.values.iter_mut().for_each(|x| *x = noise() as f32),
            Values::F64(field) => field.values.iter_mut().for_each(|x| *x = noise()),
        }
    }
    state
}

#[test]
fn random_states_have_the_bits_of_the_processor() {
    replace(Order::Descending);
    for (number, (name, text, _)) in flows().into_iter().enumerate() {
        for gamma in tried(&["gamma = 0.7", "gamma = 0.0"], number) {
            let text = text.replace("gamma = \"auto\"", "gamma = 1.0").replace("gamma = 1.0", "");
            let text = text.replace("gamma = 0.5", "");
            let text = if text.contains("[fdm]") { text } else { text + "[fdm]\n" };
            let text = format!("{text}dt = 1e-3\nmax-iterations = 40\n{gamma}\n");
            for (mut on_cpu, mut on_gpu) in solvers(&text) {
                let state = noisy(on_cpu.state().expect("a state"));
                on_cpu.restore(&state).expect("the same case");
                on_gpu.restore(&state).expect("the same case");
                expect_same(name, &on_cpu.state().unwrap(), &on_gpu.state().unwrap());
                expect_same_steps(name, &mut *on_cpu, &mut *on_gpu, 3);
            }
        }
    }
}

/// States of all ranks after some steps; each rank computes where `device` says.
pub(crate) fn on_ranks(case: &Case, layout: [usize; 3], device: fn(usize) -> Device) -> Vec<State> {
    let states = Threads::run(layout.iter().product(), |rank| {
        replace(Order::Shuffled(rank.rank() as u64));
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let device = device(ranks.rank());
        let context = Context { layout: Some(layout), threads: 1, ranks };
        let mut solver = build(case, device, &context)?;
        advance(&mut *solver, 3)?;
        let state = solver.state()?;
        let mut again = build(case, device, &context)?;
        again.restore(&state)?;
        advance(&mut *again, 2)?;
        again.state()
    });
    states.expect("a run")
}

/// Where each rank computes.
pub(crate) type Place = (&'static str, fn(usize) -> Device);
pub(crate) const PLACES: [Place; 2] = [
    ("devices", |_| Device::Cuda(0)),
    ("processors and devices in turn", |rank| [Device::Cpu, Device::Cuda(0)][rank % 2]),
];

#[test]
fn ranks_on_devices_have_the_bits_of_ranks_on_processors() {
    for (number, (name, text, layouts)) in watched(flows(), [2, 6]).enumerate() {
        let case = plain(&text);
        for &layout in tried(&layouts, number) {
            let expected = on_ranks(&case, layout, |_| Device::Cpu);
            for &(devices, device) in tried(&PLACES, number / 2) {
                let found = on_ranks(&case, layout, device);
                for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
                    expect_same(
                        &format!("{name} on {layout:?}, rank {rank}, {devices}"),
                        one,
                        other,
                    );
                }
            }
        }
    }
}

/// Parts large enough that a half-sweep does the rows beside other ranks first, and sends them while
/// it does the others.
#[test]
fn messages_that_travel_beside_the_work_carry_the_bits_of_the_processor() {
    let rule = "[fdm]\nover-relaxation = 1.5\n\
                stop = { iterations = { first = 3, steps = 1, then = 3 } }\n";
    for (cells, layouts) in
        [([530, 512, 1], [[1, 2, 1], [2, 1, 1]]), ([66, 64, 64], [[1, 2, 1], [1, 1, 2]])]
    {
        let case = plain(&fdm_flows::cavity(cells, 100.0, rule));
        for &layout in tried(&layouts, cells[2]) {
            let expected = on_ranks(&case, layout, |_| Device::Cpu);
            let found = on_ranks(&case, layout, |_| Device::Cuda(0));
            for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
                expect_same(&format!("{cells:?} on {layout:?}, rank {rank}"), one, other);
            }
        }
    }
}
