//! Ranks on GPUs and on processors compute one flow together, with parts that fit their speeds, and
//! find the bits that one rank finds alone. GPUs are twins on the host.

use std::sync::Arc;

use kernels_on_host::{Host, Order};
use vortice_core::{
    Balance, Case, Communicator, Context, Devices, Field, Method, Quantity, Result, Threads,
    balanced, gather,
};
use vortice_gpu::{Gpu, replace_devices};

/// Velocity and pressure of the whole grid.
type Fields = [Option<Field>; 2];

/// Devices, layout and weights of ranks.
type Group = (&'static str, [usize; 3], &'static [f64]);

const GROUPS: [Group; 4] = [
    ("cuda:0,cpu", [1, 2, 1], &[5.0, 1.0]),
    ("cpu,cuda", [2, 1, 1], &[1.0, 3.0]),
    ("cpu,cuda:0,cuda:1", [1, 3, 1], &[1.0, 4.0, 2.0]),
    ("cuda,cpu", [2, 2, 1], &[3.0, 1.0, 5.0, 1.0]),
];

fn cavity(name: &str, method: &Method, sets: &[&str]) -> Case {
    let text = match name {
        "cavity" => include_str!("../../../cases/cavity.toml"),
        _ => include_str!("../../../cases/cavity-3d.toml"),
    };
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let case = Case::parse(text, name).and_then(|case| case.with(&sets));
    case.unwrap_or_else(|error| panic!("{error}: {}", error.remedy())).method(method.name)
}

/// Grids that the weights cut into parts of different and odd widths.
fn plane(method: &Method, more: &[&str]) -> Case {
    let grid = ["grid.cells=[26,31,1]", "grid.size=[0.26,0.31,0.01]", "fluid.viscosity=0.003"];
    cavity("cavity", method, &[&grid, more].concat())
}

fn space(method: &Method, more: &[&str]) -> Case {
    let grid = ["grid.cells=[14,15,8]", "grid.size=[1.4,1.5,0.8]", "fluid.viscosity=0.02"];
    cavity("cavity-3d", method, &[&grid, more].concat())
}

fn replace(seed: u64) {
    replace_devices(move |_| {
        Ok(Gpu::with(Arc::new(Host::new().poisoned().order(Order::Shuffled(seed)))))
    });
}

/// The flow after some steps.
fn after(method: &Method, case: &Case, context: &Context, steps: usize) -> Result<Fields> {
    let mut solver = (method.build)(case, context)?;
    for _ in 0..steps {
        solver.step(f64::INFINITY)?;
    }
    solver.finish()?;
    let (cut, ranks) = (context.decomposition(case)?, &*context.ranks);
    let mut whole = |quantity| gather(ranks, &cut, &solver.field(quantity)?);
    Ok([whole(Quantity::Velocity)?, whole(Quantity::Pressure)?])
}

fn together(
    method: &Method,
    case: &Case,
    (devices, layout, weights): Group,
    steps: usize,
) -> Fields {
    let devices: Devices = devices.parse().expect("devices");
    let case = case.clone().device(devices).balance(Balance::Weights(weights.to_vec()));
    let fields = Threads::run(weights.len(), |rank| {
        replace(rank.rank() as u64);
        let context = Context { layout: Some(layout), threads: 1, ranks: Arc::new(rank) };
        after(method, &case, &context, steps)
    });
    fields.unwrap_or_else(|error| panic!("{error}: {}", error.remedy())).swap_remove(0)
}

fn expect_the_bits_of_one_rank(method: &Method, case: &Case, steps: usize) {
    let alone = Context { threads: 1, ..Context::alone() };
    let alone =
        after(method, &case.clone().device("cpu".parse::<Devices>().unwrap()), &alone, steps);
    let alone = alone.expect("a run on one rank");
    let moves = |field: &Field| field.values.iter().any(|x| *x != 0.0 && x.is_finite());
    assert!(alone.iter().all(|field| field.as_ref().is_some_and(moves)), "nothing flows");
    for group in GROUPS {
        let same = together(method, case, group, steps) == alone;
        assert!(same, "{} on {group:?}, {:?} cells", method.name, case.grid.cells());
    }
}

#[test]
fn lattice_boltzmann_on_both_is_that_of_one_rank() {
    let method = vortice_lbm::METHOD;
    for more in [&[][..], &["run.precision=f32", "lbm.storage=f16"]] {
        expect_the_bits_of_one_rank(&method, &plane(&method, more), 13);
        expect_the_bits_of_one_rank(&method, &space(&method, more), 13);
    }
}

#[test]
fn finite_differences_on_both_are_those_of_one_rank() {
    let method = vortice_fdm::METHOD;
    for more in [&[][..], &["run.precision=f32"], &["fdm.stop={ residual-rms = 1e-4 }"]] {
        expect_the_bits_of_one_rank(&method, &plane(&method, more), 4);
        expect_the_bits_of_one_rank(&method, &space(&method, more), 4);
    }
}

#[test]
fn finite_volumes_on_both_are_those_of_one_rank() {
    let method = vortice_fvm::METHOD;
    for more in [&[][..], &["run.until=1.0"]] {
        expect_the_bits_of_one_rank(&method, &plane(&method, more), 3);
        expect_the_bits_of_one_rank(&method, &space(&method, more), 3);
    }
}

#[test]
fn unlike_ranks_are_measured_and_all_know_the_same_weights() {
    for method in [vortice_lbm::METHOD, vortice_fdm::METHOD, vortice_fvm::METHOD] {
        let case = plane(&method, &["run.device=\"cuda:0,cpu\""]);
        let settled = Threads::run(2, |rank| {
            replace(rank.rank() as u64);
            balanced(&method, &case, &Context::new(Arc::new(rank)).sharing(&case.run.device))
        });
        let settled = settled.unwrap_or_else(|error| panic!("{error}: {}", error.remedy()));
        let Balance::Weights(weights) = &settled[0].ranks.balance else {
            panic!("{}: {:?}", method.name, settled[0].ranks.balance);
        };
        assert!(weights.len() == 2 && weights.iter().all(|speed| *speed > 0.0), "{weights:?}");
        assert_eq!(settled[0].ranks.balance, settled[1].ranks.balance);
        let alike = balanced(
            &method,
            &case.device("cuda:0,1".parse::<Devices>().unwrap()),
            &Context::alone(),
        );
        assert_eq!(alike.expect("nothing to measure").ranks.balance, Balance::Auto);
    }
}
