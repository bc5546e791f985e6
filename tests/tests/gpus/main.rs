//! Several GPUs, and GPUs beside processors: the bits of one rank on the processor, by every method,
//! layout and transport. Run with `cargo test -p vortice-tests --test gpus -- --ignored --nocapture`.
//! Where there are fewer than two GPUs, this is said.
#![allow(clippy::print_stdout)] // tests print what they compared

#[path = "../../../crates/core/tests/states/mod.rs"]
mod states;

use std::sync::Arc;

use states::{difference, whole};
use vortice_core::{Case, Communicator, Context, Device, Result, State, Threads};
use vortice_gpu::Gpu;

/// Names of cases, and what is changed in them so that they are small.
const FLOWS: [(&str, &[&str]); 6] = [
    ("cavity", &["grid.cells=[70,70,1]", "grid.size=[1.0,1.0,0.0142857]"]),
    ("cavity-3d", &["grid.cells=[64,40,48]", "grid.size=[1.6,1.0,1.2]"]),
    ("cavity-3d", &["grid.cells=[288,24,20]", "grid.size=[14.4,1.2,1.0]"]),
    ("taylor-green", &["grid.cells=[64,64,1]"]),
    ("step-gartling", &["grid.cells=[240,16,1]"]),
    ("heated-cavity-ra1e5", &["grid.cells=[66,66,1]"]),
];
/// Of a lattice one rank would put 16 steps off here, and the other 64, if they did not agree.
const UNEVEN: (&str, &[&str]) =
    ("cavity", &["grid.cells=[512,511,1]", "grid.size=[1.0,0.998046875,0.001953125]"]);
const LAYOUTS: [[usize; 3]; 10] = [
    [1, 2, 1],
    [2, 1, 1],
    [1, 1, 2],
    [1, 3, 1],
    [2, 2, 1],
    [1, 2, 2],
    [1, 8, 1],
    [2, 4, 1],
    [1, 2, 4],
    [2, 2, 2],
];
const STEPS: usize = 70;

/// Which device each rank has.
type Place = fn(usize) -> Device;

fn gpus(_: usize) -> Device {
    Device::AnyCuda
}

fn every_second(rank: usize) -> Device {
    if rank.is_multiple_of(2) { Device::AnyCuda } else { Device::Cpu }
}

fn processors(_: usize) -> Device {
    Device::Cpu
}

fn case(name: &str, method: &str, changes: &[&str], more: &[&str]) -> Case {
    let mut sets: Vec<String> = changes.iter().chain(more).map(|set| (*set).to_string()).collect();
    sets.push(format!("run.method={method:?}"));
    vortice::open_case(name, &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// The state of the whole grid after some steps.
fn state(case: &Case, layout: [usize; 3], place: Place) -> Result<State> {
    let method = vortice::registry::method(&case.run.method)?;
    let states = Threads::run(layout.iter().product(), |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context =
            Context { layout: Some(layout), threads: 1, ..Context::new(Arc::clone(&ranks)) };
        let case = case.clone().device(place(ranks.rank()));
        let mut solver = ranks.agree((method.build)(&case, &context))?;
        for _ in 0..STEPS {
            ranks.agree(solver.step(f64::INFINITY))?;
        }
        let state = ranks.agree(solver.state())?;
        whole(&state, &*ranks, &context.decomposition(&case)?)
    });
    states.map(|mut all| all.swap_remove(0))
}

/// Compares with one rank on the processor; returns how many pairs there were.
fn compare(method: &str, transport: &str, place: Place, gpus: usize) -> usize {
    let mut compared = 0;
    let uneven = Some(UNEVEN).filter(|_| method == "lbm");
    for (name, changes) in FLOWS.into_iter().chain(uneven) {
        let transport = format!("ranks.transport={transport:?}");
        let case = case(name, method, changes, &[&transport]);
        let alone = state(&case, [1; 3], processors).expect("one rank");
        for layout in LAYOUTS {
            let ranks: usize = layout.iter().product();
            let fits = (0..3).all(|d| layout[d] == 1 || case.grid.cells()[d] > 1);
            if !fits || ranks > gpus {
                continue;
            }
            let found = state(&case, layout, place).unwrap_or_else(|error| panic!("{error}"));
            let different = difference(name, &alone, &found);
            assert!(different.is_none(), "{method} {layout:?}: {}", different.unwrap_or_default());
            compared += 1;
        }
    }
    println!("{method}, {transport}: {compared} pairs of runs agree");
    compared
}

fn expect_same(method: &str, transport: &str, place: Place) {
    match Gpu::count().unwrap_or(0) {
        count @ 0..2 => println!("{transport}: there are {count} GPUs, and two are needed"),
        count => assert!(compare(method, transport, place, count) > 0),
    }
}

/// Tests of a transport, one for each method: a machine of several GPUs may be there for minutes only.
macro_rules! by_every_method {
    ($($name:ident: $transport:literal, $place:ident;)*) => {$(
        mod $name {
            #[test]
            #[ignore = "long suite"]
            fn lattice_boltzmann() {
                crate::expect_same("lbm", $transport, crate::$place);
            }

            #[test]
            #[ignore = "long suite"]
            fn finite_differences() {
                crate::expect_same("fdm", $transport, crate::$place);
            }

            #[test]
            #[ignore = "long suite"]
            fn finite_volumes() {
                crate::expect_same("fvm", $transport, crate::$place);
            }
        }
    )*};
}

by_every_method! {
    that_write_into_each_others_memory: "peer", gpus;
    that_talk_through_nccl: "nccl", gpus;
    that_talk_through_the_host: "host", gpus;
    beside_processors: "auto", every_second;
}
