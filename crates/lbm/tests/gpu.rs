//! On a real GPU: the same bits as the processor's, after many steps. Run with
//! `cargo test -p vortice-lbm --test gpu -- --ignored --nocapture`. Where there is none, this is said.
#![allow(clippy::print_stdout)] // tests print what they compared

mod common;

use common::{Flow, NUMBERS, build, difference, heated};
use vortice_core::{Case, Context, Device, FieldLater, Quantity, State};
use vortice_gpu::Gpu;

const STEPS: usize = 1000;

/// How numbers are calculated with and stored, and collisions to do with them.
const SCHEMES: [(&str, &str, &[&str]); 3] = [
    ("f64", "precision", &["srt", "trt", "mrt", "regularised"]),
    ("f32", "precision", &["srt", "trt", "mrt", "regularised"]),
    ("f32", "f16", &["trt"]),
];

/// A flow in a box of cubes: `faces` are the tables of its boundaries, `more` further keys.
fn case(title: &str, cells: [usize; 3], faces: [&str; 6], more: &str, table: &str) -> Case {
    let [x, y, z] = cells.map(|n| n as f64 / 32.0);
    let names = ["x-low", "x-high", "y-low", "y-high", "z-low", "z-high"];
    let faces: Vec<String> =
        names.iter().zip(faces).map(|(name, face)| format!("{name} = {face}\n")).collect();
    let text = format!(
        "title = '{title}'\ngrid = {{ cells = {cells:?}, size = [{x}, {y}, {z}] }}\n\
         fluid = {{ density = 1.0, viscosity = 0.01 }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n{more}\n[boundary]\n{}{table}",
        faces.concat()
    );
    Case::parse(&text, title).unwrap_or_else(|error| panic!("{text}\n{error}: {}", error.remedy()))
}

/// What is left after some steps: the state, velocity and pressure.
fn after(case: &Case, device: Device, steps: usize) -> (State, [Vec<u64>; 2]) {
    let mut solver = build(&case.clone().device(device), &Context::alone());
    for _ in 0..steps / 2 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let rows = || 0..case.grid.cells()[1] * case.grid.cells()[2];
    let (then, later) = (solver.rows(Quantity::Velocity, rows()), solver.velocity_later(rows()));
    for _ in steps / 2..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    let received = later.and_then(FieldLater::receive).expect("a velocity");
    assert!(received == then.expect("a velocity"), "{}: not of when it was asked for", case.title);
    let fields = [Quantity::Velocity, Quantity::Pressure].map(|quantity| {
        let field = solver.field(quantity).expect("a field");
        // What is not finite has no bits that all processors agree on.
        assert!(field.values.iter().all(|x| x.is_finite()), "{}: not finite", case.title);
        field.values.iter().map(|x| x.to_bits()).collect()
    });
    (solver.state().expect("a state"), fields)
}

/// Compares a GPU with the processor; `make` gives the case with some lines for `run` and `[lbm]`.
fn agree(name: &str, steps: usize, make: impl Fn(&'static str, &str) -> Case) {
    if let Err(error) = Gpu::count() {
        println!("{name}: no GPU was used: {error}");
        return;
    }
    for (precision, storage, collisions) in SCHEMES {
        for collision in collisions {
            let case =
                make(precision, &format!("collision = '{collision}'\nstorage = '{storage}'\n"));
            agree_one(
                &format!("{name}, {precision}, {collision}, storage {storage}"),
                steps,
                &case,
            );
        }
    }
}

/// The same for one case.
fn agree_one(name: &str, steps: usize, case: &Case) {
    let (state, fields) = after(case, Device::Cpu, steps);
    let (other, other_fields) = after(case, Device::Cuda(0), steps);
    let different = difference(name, &state, &other);
    assert!(different.is_none(), "{}", different.unwrap_or_default());
    assert!(fields == other_fields, "{name}: velocity or pressure differs");
    println!("{name}: the same bits after {steps} steps");
}

/// Compares a GPU with the processor, for one case with heat.
fn agree_with_heat(name: &str, steps: usize, case: &Case) {
    if let Err(error) = Gpu::count() {
        println!("{name}: no GPU was used: {error}");
        return;
    }
    let after = |device| {
        let mut solver = build(&case.clone().device(device), &Context::alone());
        for _ in 0..steps {
            solver.step(f64::INFINITY).expect("a step");
        }
        let field = solver.field(Quantity::Temperature).expect("a field");
        assert!(field.values.iter().all(|x| x.is_finite()), "{name}: not finite");
        let heat = solver.surface_fluxes().expect("what faces let in").heat.expect("heat");
        (solver.state().expect("a state"), field.values, heat)
    };
    let (state, temperature, heat) = after(Device::Cpu);
    let (other, other_temperature, other_heat) = after(Device::Cuda(0));
    let different = difference(name, &state, &other);
    assert!(different.is_none(), "{}", different.unwrap_or_default());
    assert!(temperature == other_temperature, "{name}: the temperature differs");
    assert_eq!(heat, other_heat, "{name}: the heat of walls differs");
    println!("{name}: the same bits after {steps} steps");
}

/// As [`agree`], for a box with these boundaries.
fn agree_in_box(name: &str, cells: [usize; 3], faces: [&str; 6], more: &str) {
    agree(name, STEPS, |precision, table| {
        let run = format!("run = {{ method = 'lbm', until = 1e9, precision = '{precision}' }}\n");
        case(name, cells, faces, &format!("{run}{more}"), &format!("[lbm]\n{table}"))
    });
}

const LID: &str = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
const INFLOW: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0] } }";
const WALL: &str = "'wall'";
const PERIODIC: &str = "'periodic'";

#[test]
#[ignore = "long suite"]
fn cavity_in_space() {
    let faces = [WALL, WALL, WALL, WALL, WALL, LID];
    agree_in_box("cavity 64 x 48 x 40", [64, 48, 40], faces, "");
}

#[test]
#[ignore = "long suite"]
fn cavity_in_the_plane() {
    let faces = [WALL, WALL, WALL, LID, PERIODIC, PERIODIC];
    agree_in_box("cavity 129 x 97", [129, 97, 1], faces, "");
}

/// Stored moments of cubes with several tiles, between walls and without any, and of a plane.
#[test]
#[ignore = "long suite"]
fn stored_moments() {
    if let Err(error) = Gpu::count() {
        println!("moments: no GPU was used: {error}");
        return;
    }
    let vortices = "initial = { flow = 'taylor-green' }\n";
    for (name, cells, faces, more) in [
        ("cavity 96 x 75 x 40", [96, 75, 40], [WALL, WALL, WALL, WALL, WALL, LID], ""),
        ("cavity 129 x 97", [129, 97, 1], [WALL, WALL, WALL, LID, PERIODIC, PERIODIC], ""),
        ("vortices 64 x 64 x 33", [64, 64, 33], [PERIODIC; 6], vortices),
    ] {
        for precision in ["f64", "f32"] {
            let run = format!(
                "run = {{ method = 'lbm', until = 1e9, precision = '{precision}' }}\n{more}"
            );
            let case = case(name, cells, faces, &run, "[lbm]\nstorage = 'moments'\n");
            agree_one(&format!("{name}, {precision}, moments"), STEPS, &case);
        }
    }
}

/// Threads of two cells each: warps that hand on to each other what lies a place farther.
#[test]
#[ignore = "long suite"]
fn two_cells_a_thread() {
    if let Err(error) = Gpu::count() {
        println!("two cells a thread: no GPU was used: {error}");
        return;
    }
    for flow in Flow::of_pairs() {
        for ((precision, storage), collision) in
            NUMBERS.iter().flat_map(|of| ["trt", "mrt"].map(|collision| (*of, collision)))
        {
            let table = format!(
                "relaxation-time = 0.6\ncollision = '{collision}'\nstorage = '{storage}'\n"
            );
            let case = flow.precision(precision).with_lbm(&table).case();
            let name = format!("{}, {precision}, {storage}, {collision}", flow.name);
            agree_one(&format!("{name}, two cells a thread"), STEPS, &case);
        }
    }
}

/// Cycles over coarser grids, with rounds that are mixed on the device.
#[test]
#[ignore = "long suite"]
fn cycles_over_coarser_grids() {
    if let Err(error) = Gpu::count() {
        println!("cycles: no GPU was used: {error}");
        return;
    }
    for flow in Flow::of_cycles() {
        for precision in ["f64", "f32"] {
            let case = flow.precision(precision).case();
            agree_one(&format!("{}, {precision}, cycles", flow.name), 24, &case);
        }
    }
}

#[test]
#[ignore = "long suite"]
fn step_in_the_plane() {
    let faces = [INFLOW, "'outflow'", WALL, WALL, PERIODIC, PERIODIC];
    let solid = "solid = [{ low = [0.0, 0.0, 0.0], high = [1.0, 0.5, 0.03125] }]\n\
                 initial = { velocity = [0.5, 0.0, 0.0] }\n";
    agree_in_box("step 192 x 32", [192, 32, 1], faces, solid);
}

/// Heat with every end, on all lattices; and a cavity whose warm and cold sides drive the flow.
#[test]
#[ignore = "long suite"]
fn heated_flows() {
    let cavity = include_str!("../../../cases/heated-cavity-ra1e5.toml");
    for (precision, _, collisions) in SCHEMES.into_iter().filter(|scheme| scheme.1 != "f16") {
        for collision in collisions {
            let sets = [
                "run.method=\"lbm\"".into(),
                format!("run.precision=\"{precision}\""),
                format!("lbm.collision=\"{collision}\""),
            ];
            let case = Case::parse(cavity, "cavity").and_then(|case| case.with(&sets));
            let case = case.expect("a case");
            agree_with_heat(&format!("heated cavity, {precision}, {collision}"), STEPS, &case);
        }
        for flow in heated() {
            let lattices = ["d2q9", "d3q15", "d3q19", "d3q27"];
            for lattice in lattices.into_iter().skip(usize::from(!flow.is_plane())) {
                let case = flow.case(precision, &format!("lattice = '{lattice}'\n"));
                agree_with_heat(&format!("{}, {precision}, {lattice}", flow.name), 53, &case);
            }
        }
    }
}

/// Every boundary, forces, solids and exact beginnings, on all lattices.
#[test]
#[ignore = "long suite"]
fn small_flows() {
    for flow in Flow::all() {
        let lattices = ["d2q9", "d3q15", "d3q19", "d3q27"];
        for lattice in lattices.into_iter().skip(usize::from(!flow.is_plane())) {
            agree(&format!("{}, {lattice}", flow.name), 53, |precision, table| {
                let table = format!("lattice = '{lattice}'\nrelaxation-time = 0.6\n{table}");
                flow.precision(precision).with_lbm(&table).case()
            });
        }
    }
}
