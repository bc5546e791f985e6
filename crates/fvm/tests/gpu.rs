//! On a real GPU: the same bits as the processor's, after many iterations. Run with
//! `cargo test -p vortice-fvm --test gpu -- --ignored --nocapture`. Where there is none, this is said.
#![allow(clippy::print_stdout)] // tests print what they compared

mod flows;

use flows::{Flow, advance, alone, build, difference};
use vortice_core::{Case, Device, FieldLater, Quantity, State};
use vortice_gpu::Gpu;

/// What is left after some steps: the state, velocity and pressure.
fn after(case: &Case, device: Device, steps: usize) -> (State, [Vec<u64>; 2]) {
    let mut solver = build(&case.clone().device(device), &alone());
    advance(&mut *solver, steps / 2);
    let rows = || 0..case.grid.cells()[1] * case.grid.cells()[2];
    let (then, later) = (solver.rows(Quantity::Velocity, rows()), solver.velocity_later(rows()));
    let taken = advance(&mut *solver, steps - steps / 2);
    let received = later.and_then(FieldLater::receive).expect("a velocity");
    assert!(received == then.expect("a velocity"), "{}: not of when it was asked for", case.title);
    let mut state = solver.state().expect("a state");
    let residual = taken.last().map_or(0.0, |step| step.residual);
    state.numbers.insert("last-residual".into(), residual);
    let fields = [Quantity::Velocity, Quantity::Pressure].map(|quantity| {
        let field = solver.field(quantity).expect("a field");
        // What is not finite has no bits that all processors agree on.
        assert!(field.values.iter().all(|x| x.is_finite()), "{}: not finite", case.title);
        field.values.iter().map(|x| x.to_bits()).collect()
    });
    (state, fields)
}

/// Compares a GPU with the processor.
fn agree(name: &str, case: &Case, steps: usize) {
    if let Err(error) = Gpu::count() {
        println!("{name}: no GPU was used: {error}");
        return;
    }
    let (state, fields) = after(case, Device::Cpu, steps);
    let (other, other_fields) = after(case, Device::Cuda(0), steps);
    let different = difference(name, &state, &other);
    assert!(different.is_none(), "{}", different.unwrap_or_default());
    assert!(fields == other_fields, "{name}: velocity or pressure differs");
    println!("{name}: the same bits after {steps} steps");
}

#[test]
#[ignore = "long suite"]
fn steady_flows() {
    for flow in Flow::all().into_iter().chain(Flow::huge()) {
        for (scheme, coupling) in [
            ("upwind", "simple"),
            ("central", "simplec"),
            ("quick", "simplec"),
            ("van-leer", "simple"),
        ] {
            let table = format!(
                "look-every = 10\nconvection = '{scheme}'\n\
                 coupling = '{coupling}'\nrelax-velocity = 0.6\n"
            );
            agree(
                &format!("{}, {scheme}, {coupling}", flow.name),
                &flow.on_one_grid(true, &table),
                53,
            );
        }
    }
}

#[test]
#[ignore = "long suite"]
fn flows_in_time() {
    for flow in Flow::all().into_iter().chain(Flow::huge()) {
        for scheme in ["euler", "bdf2"] {
            let case = flow.case(false, &format!("time-scheme = '{scheme}'\n"));
            agree(&format!("{}, {scheme}", flow.name), &case, 9);
        }
    }
}

/// The full approximation scheme.
#[test]
#[ignore = "long suite"]
fn cycles_on_coarser_grids() {
    for flow in Flow::halved() {
        let table = "multigrid = true\n";
        agree(flow.name, &flow.case(true, table), 12);
    }
}

/// BiCGSTAB and conjugate gradients.
#[test]
#[ignore = "long suite"]
fn solvers() {
    let momenta = ["bicgstab = { retol = 0.1 }", "bicgstab = { retol = 1e-8, max = 25 }"];
    let pressures = [
        "multigrid-cg = { retol = 0.1 }",
        "multigrid-cg = { retol = 1e-9 }",
        "jacobi-cg = { retol = 0.1 }",
        "jacobi-cg = { retol = 0.0, max = 33 }",
        "cg = { retol = 0.3 }",
    ];
    for (number, flow) in Flow::all().into_iter().chain(Flow::huge()).enumerate() {
        for (turn, pressure) in pressures.into_iter().enumerate() {
            let momentum = momenta[(number + turn) % 2];
            let steady = (number + turn) % 3 != 0;
            let more = if steady { "" } else { "outer-iterations = 3\n" };
            let table = format!("{more}momentum = {{ {momentum} }}\npressure = {{ {pressure} }}\n");
            agree(
                &format!("{}, {momentum}, {pressure}", flow.name),
                &flow.on_one_grid(steady, &table),
                9,
            );
        }
    }
}

/// The cases of the tutorial, begun on coarser grids.
#[test]
#[ignore = "long suite"]
fn cases_of_the_house() {
    let cases = [
        ("cavity", include_str!("../../../cases/cavity.toml"), 300),
        ("step", include_str!("../../../cases/step-gartling.toml"), 300),
    ];
    for (name, text, steps) in cases {
        let case = Case::parse(text, name).expect("a built-in case");
        agree(name, &case, steps);
        let cycles = case.with(&["fvm.multigrid=true".into()]).expect("an option");
        agree(name, &cycles, 15);
    }
}
