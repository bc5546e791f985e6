//! Heat: exact flows, order of convergence, conservation, and the same bits on any ranks and after a restart.

use crate::carried;
use std::sync::Arc;

use crate::common::{alone, build};
use vortice_core::{Case, Context, FaceFluxes, Field, Quantity, Solver, Threads, Values};

fn case(text: &str) -> Case {
    Case::parse(text, "test").unwrap_or_else(|error| panic!("{text}\n{error}: {}", error.remedy()))
}

fn solver(case: &Case) -> Box<dyn Solver> {
    build(case, &alone())
}

fn step(solver: &mut dyn Solver, steps: u64) {
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
}

fn run_until(solver: &mut dyn Solver, end: f64) {
    while solver.now().time < (1.0 - 1e-9) * end {
        step(solver, 1);
    }
}

fn field(solver: &mut dyn Solver, quantity: Quantity) -> Field {
    solver.field(quantity).expect("a field")
}

fn wall_heat(solver: &mut dyn Solver) -> FaceFluxes {
    solver.surface_fluxes().expect("heat").heat.expect("the method tells it")
}

/// A box of 1 m x 1 m whose ends are these.
fn unit_box(n: [usize; 2], heat: &str, ends: [&str; 4], more: &str) -> String {
    let [x_low, x_high, y_low, y_high] = ends;
    format!(
        "title = \"box\"\ngrid = {{ cells = [{}, {}, 1], size = [1.0, {}, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\nheat = {{ {heat} }}\n{more}\n\
         [boundary]\nx-low = {x_low}\nx-high = {x_high}\ny-low = {y_low}\ny-high = {y_high}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"lbm\"\nuntil = 1e9\n",
        n[0],
        n[1],
        n[1] as f64 / n[0] as f64
    )
}

const WALL: &str = "\"wall\"";
const PERIODIC: [&str; 4] = ["\"periodic\""; 4];

/// Temperature at each cell less that of a formula, the largest magnitude.
fn largest_error(field: &Field, case: &Case, exact: impl Fn([f64; 3]) -> f64) -> f64 {
    let errors = field.own_cells().map(|c| (field[c] - exact(case.grid.centre(c))).abs());
    errors.fold(0.0, f64::max)
}

#[test]
fn conduction_between_walls_is_exact() {
    // Between 310 and 300 K, and from a flux of 2 K m/s with alpha = 0.5 to 300 K: T = 300 + 4 (1 - x).
    let (hot, cold) = ("{ wall = { temperature = 310.0 } }", "{ wall = { temperature = 300.0 } }");
    let flux = "{ wall = { heat-flux = 2.0 } }";
    for (low, drop) in [(hot, 10.0), (flux, 4.0)] {
        for lattice in ["d2q9", "d3q19"] {
            let more = format!("[lbm]\nlattice = \"{lattice}\"");
            let text = unit_box([12, 4], "diffusivity = 0.5", [low, cold, WALL, WALL], &more);
            let case = case(&text);
            let mut solver = solver(&case);
            run_until(&mut *solver, 40.0);
            let field = field(&mut *solver, Quantity::Temperature);
            let error = largest_error(&field, &case, |[x, ..]| 300.0 + drop * (1.0 - x));
            println!("conduction, {lattice}, drop {drop} K: error {error:.1e} K");
            assert!(error < 1e-10, "{error}");
            // What flows in flows out: alpha times the drop over 1 m.
            let [[came, went], ..] = wall_heat(&mut *solver);
            println!("  heat {came} and {went} K m/s");
            assert!((went + 0.5 * drop).abs() < 1e-9 && (came + went).abs() < 1e-9 || low == flux);
        }
    }
}

/// The relative error of a warm spot that a uniform flow carries across a periodic box while it spreads, for 1 s.
fn spot(n: usize) -> f64 {
    let (alpha, width) = (2e-3, 0.1);
    // The Mach number falls with the spacing: errors of compressibility do so with its square.
    let more = format!(
        "initial = {{ velocity = [1.0, 1.0, 0.0], \
         temperature = \"exp(-((x - 0.5)^2 + (y - 0.5)^2)/{})\" }}\n\
         [lbm]\nmach = {}\nlattice = \"d2q9\"",
        2.0 * width * width,
        3.2 / n as f64
    );
    let heat = format!("diffusivity = {alpha}, reference = 0.0");
    let text =
        unit_box([n, n], &heat, PERIODIC, &more).replace("viscosity = 0.71", "viscosity = 5e-3");
    let case = case(&text);
    let mut solver = solver(&case);
    run_until(&mut *solver, 1.0);
    let field = field(&mut *solver, Quantity::Temperature);
    let end = solver.now().time;
    let spread = width * width + 2.0 * alpha * end;
    let exact = |[x, y, _]: [f64; 3]| {
        // With its images beyond the ends.
        let line = |x: f64| -> f64 {
            let from = x - 0.5 - end;
            (-3..=3).map(|i| (-(from - f64::from(i)).powi(2) / (2.0 * spread)).exp()).sum()
        };
        width * width / spread * line(x) * line(y)
    };
    let squares = |value: &dyn Fn([isize; 3]) -> f64| {
        field.own_cells().map(|cell| value(cell).powi(2)).sum::<f64>()
    };
    let error = squares(&|cell| field[cell] - exact(case.grid.centre(cell)));
    let whole = squares(&|cell| exact(case.grid.centre(cell)));
    (error / whole).sqrt()
}

#[test]
fn a_carried_spot_converges_with_second_order() {
    let errors = [32, 64, 128].map(spot);
    let order = (errors[1] / errors[2]).log2();
    println!("spot: {errors:.4?}, order {order:.2}");
    assert!(order > 1.9 && errors[0] < 0.2 && errors[1] < 0.05);
}

/// The temperature along a pipe of so many metres, with `n` cells a metre, as a warm layer crosses the end of a pipe of 1 m.
fn layer(n: usize, metres: usize) -> Vec<f64> {
    let ends = [
        "{ inflow = { velocity = [1.0, 0.0, 0.0], temperature = 0.0 } }",
        "\"outflow\"",
        "\"symmetry\"",
        "\"symmetry\"",
    ];
    let heat = "diffusivity = 0.01, reference = 0.0";
    let more = "scale = { length = 1.0 }\n\
                initial = { velocity = [1.0, 0.0, 0.0], temperature = \"exp(-50*(x - 0.7)^2)\" }";
    let text = unit_box([n, 4], heat, ends, more)
        .replace(
            &format!("cells = [{n}, 4, 1], size = [1.0, "),
            &format!("cells = [{}, 4, 1], size = [{metres}.0, ", n * metres),
        )
        .replace("viscosity = 0.71", "viscosity = 0.05");
    let mut solver = solver(&case(&text));
    run_until(&mut *solver, 0.3);
    let field = field(&mut *solver, Quantity::Temperature);
    (0..n as isize).map(|i| field[[i, 1, 0]]).collect()
}

#[test]
fn warm_fluid_leaves_through_an_outlet() {
    // What leaves conducts nothing back: an error that falls with the spacing.
    let errors = [32, 64].map(|n| {
        let [here, long] = [1, 2].map(|metres| layer(n, metres));
        let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>();
        let error = squares(&mut here.iter().zip(&long).map(|(x, y)| x - y));
        (error / squares(&mut long.into_iter())).sqrt()
    });
    println!("a warm layer leaves: {errors:.4?}");
    assert!(errors[0] < 0.005 && errors[1] < 0.6 * errors[0]);
}

/// A box that is heated and stirred, without a way out for heat.
fn stirred(more: &str) -> String {
    unit_box(
        [16, 12],
        "prandtl = 0.71, expansion = 1.0, gravity = [0.0, -7100.0, 0.0], reference = 0.4",
        [WALL, "\"symmetry\"", WALL, "{ wall = { velocity = [20.0, 0.0, 0.0] } }"],
        &format!("initial = {{ temperature = \"x + y^2\" }}\n{more}"),
    )
}

#[test]
fn a_closed_box_keeps_its_heat() {
    let case = case(&stirred(""));
    let mut solver = solver(&case);
    let mean = |field: &Field| {
        field.own_cells().map(|cell| field[cell]).sum::<f64>() / case.grid.n_cells() as f64
    };
    let before = field(&mut *solver, Quantity::Temperature);
    step(&mut *solver, 400);
    let after = field(&mut *solver, Quantity::Temperature);
    let moved = largest_error(&after, &case, |[x, y, _]| x + y * y);
    let change = mean(&after) - mean(&before);
    println!("heat of a closed box: changes by {change:.1e}, in cells by {moved}");
    assert!(moved > 0.1 && change.abs() < 1e-12);
}

#[test]
fn a_fluid_at_rest_under_a_temperature_that_changes_upwards_stays_at_rest() {
    // Ra = 1e4, warm above.
    let heat = "prandtl = 0.71, expansion = 1.0, gravity = [0.0, -7100.0, 0.0]";
    let ends = [WALL, WALL, "{ wall = { temperature = 0.0 } }", "{ wall = { temperature = 1.0 } }"];
    let case = case(&unit_box([16, 16], heat, ends, "initial = { temperature = \"y\" }"));
    let mut solver = solver(&case);
    run_until(&mut *solver, 4.0);
    let mut fastest = |mean_of: u64| {
        let mut sum = field(&mut *solver, Quantity::Velocity);
        for _ in 1..mean_of {
            step(&mut *solver, 1);
            let next = field(&mut *solver, Quantity::Velocity);
            sum.values.iter_mut().zip(next.values).for_each(|(sum, u)| *sum = 0.5 * (*sum + u));
        }
        sum.values.iter().fold(0.0_f64, |most, u| most.max(u.abs())) / case.scale.velocity
    };
    let (one, two) = (fastest(1), fastest(2));
    println!("rest: {one:.1e} of free fall, mean of two steps {two:.1e}");
    assert!(two < 1e-12);
}

/// The square cavity that is hot at x-low and cold at x-high, Pr = 0.71; nu = 0.71, alpha = 1.
fn cavity(n: usize, rayleigh: f64, more: &str) -> String {
    unit_box(
        [n, n],
        &format!("prandtl = 0.71, expansion = 1.0, gravity = [0.0, -{}, 0.0]", 0.71 * rayleigh),
        ["{ wall = { temperature = 0.5 } }", "{ wall = { temperature = -0.5 } }", WALL, WALL],
        more,
    )
    .replace("until = 1e9", "until = \"steady\"")
}

/// Mean Nusselt numbers of the hot and the cold wall, and that of the middle by the whole flow:
/// one plus the mean of `u T`, with the length, the diffusivity and the temperature difference one.
fn nusselt(solver: &mut dyn Solver) -> [f64; 3] {
    let [[hot, cold], ..] = wall_heat(solver);
    let [velocity, temperature] =
        [Quantity::Velocity, Quantity::Temperature].map(|quantity| field(solver, quantity));
    let carried = velocity.own_cells().map(|cell| velocity.at(0, cell) * temperature[cell]);
    [hot, -cold, 1.0 + carried.sum::<f64>() / velocity.shape.len() as f64]
}

#[test]
fn the_heated_cavity_is_as_good_as_its_prototypes() {
    // Errors of Nu against spectral values, of the prototypes: +0.03, +0.43 and +1.68 %.
    for (rayleigh, exact, most) in
        [(1e3, 1.11779, 0.0005), (1e4, 2.244816, 0.0048), (1e5, 4.521636, 0.0185)]
    {
        let case = case(&cavity(32, rayleigh, ""));
        let mut solver = solver(&case);
        while solver.step(f64::INFINITY).expect("a step").iteration_error > 1e-6 {}
        let [hot, cold, middle] = nusselt(&mut *solver);
        let error = hot / exact - 1.0;
        println!(
            "cavity, Ra {rayleigh:.0e}, 32 x 32: Nu {hot:.5}, {cold:.5} and {middle:.5}, {:+.3} %, after {} steps",
            100.0 * error,
            solver.now().number
        );
        assert!(error.abs() < most && (hot - cold).abs() < 1e-4 && (hot - middle).abs() < 2e-4);
        // It looks the same turned by half a turn.
        let field = field(&mut *solver, Quantity::Temperature);
        let turned =
            field.own_cells().map(|[i, j, k]| field[[i, j, k]] + field[[31 - i, 31 - j, k]]);
        assert!(turned.fold(0.0, |most: f64, sum| most.max(sum.abs())) < 1e-5);
    }
}

/// A channel with all kinds of ends, in the plane or in space.
fn channel(layers: usize, precision: &str) -> String {
    let run = format!("method = \"lbm\"\nuntil = 1e9\nprecision = \"{precision}\"");
    carried::channel(layers, "periodic", &run)
}

#[test]
fn any_ranks_threads_and_restarts_give_the_same_bits() {
    for (layers, precision) in [(1, "f64"), (1, "f32"), (4, "f64")] {
        let text = channel(layers, precision);
        let plane = [([2, 1, 1], 1), ([3, 2, 1], 1), ([1, 1, 1], 3)];
        let in_space = [([2, 1, 2], 1), ([3, 2, 1], 2)];
        let layouts = if layers == 1 { &plane[..] } else { &in_space[..] };
        carried::assert_same_bits(&vortice_lbm::METHOD, &text, (20, 9), layouts);
    }
}

#[test]
fn any_ranks_tell_the_same_heat_of_walls() {
    let case = case(&stirred("").replacen("\"wall\"", "{ wall = { temperature = 1.0 } }", 1));
    let told = |layout: [usize; 3]| {
        let told = Threads::run(layout.iter().product(), |rank| {
            let context = Context { layout: Some(layout), threads: 1, ranks: Arc::new(rank) };
            let mut solver = (vortice_lbm::METHOD.build)(&case, &context)?;
            step(&mut *solver, 31);
            solver.surface_fluxes()
        });
        told.unwrap_or_else(|error| panic!("{error}")).swap_remove(0).heat.expect("heat")
    };
    let alone = told([1, 1, 1]);
    assert!(alone[0][0] != 0.0 && alone[0][1] == 0.0 && alone[1] == [0.0; 2]);
    assert_eq!([told([2, 1, 1]), told([2, 3, 1])], [alone; 2]);
}

#[test]
fn mirrors_and_depth_change_nothing_but_rounding() {
    // Between mirrors in z a flow in the plane is the same, 3 cells deep.
    let cells = "grid = { cells = [16, 12, 1], size = [1.0, 0.75, 1.0] }";
    let deep =
        stirred("").replace(cells, "grid = { cells = [16, 12, 3], size = [1.0, 0.75, 0.1875] }");
    let deep = deep.replace("z-low = \"periodic\"", "z-low = \"symmetry\"");
    let deep = deep.replace("z-high = \"periodic\"", "z-high = \"symmetry\"");
    let [plane, deep] = [stirred(""), deep].map(|text| {
        let mut solver = solver(&case(&text));
        step(&mut *solver, 60);
        field(&mut *solver, Quantity::Temperature)
    });
    assert_eq!(deep.shape.cells, [16, 12, 3]);
    let apart = deep.own_cells().map(|[i, j, k]| (deep[[i, j, k]] - plane[[i, j, 0]]).abs());
    let apart = apart.fold(0.0, f64::max);
    println!("3 cells deep: {apart:.1e} K apart");
    assert!(apart < 1e-12);
}

/// The temperature alone is no number, and moves nothing.
#[test]
fn a_temperature_that_breaks_is_noticed_within_ten_steps() {
    let walls =
        ["{ wall = { temperature = 1.0 } }", "{ wall = { temperature = 0.0 } }", WALL, WALL];
    let case = case(&unit_box([8, 8], "diffusivity = 1.0", walls, "scale = { length = 1.0 }"));
    let mut solver = solver(&case);
    step(&mut *solver, 4);
    let mut state = solver.state().expect("a state");
    let populations = state.fields.get_mut("heat-populations").expect("a lattice of heat");
    let Values::F64(populations) = populations else { panic!("of another precision") };
    *populations.at_mut(0, [3, 4, 0]) = f64::NAN;
    solver.restore(&state).expect("a state");
    let noticed = (0..10).any(|_| solver.step(f64::INFINITY).expect("a step").residual.is_nan());
    assert!(noticed);
}

#[test]
fn without_expansion_the_flow_keeps_its_bits() {
    // What heat would make of the time step by itself.
    let table = "[lbm]\nrelaxation-time = 0.6\n";
    carried::assert_heat_moves_nothing(&vortice_lbm::METHOD, &channel(1, "f64"), table);
}

#[test]
fn what_cannot_be_computed_is_refused() {
    let two = "[lbm]\nstreaming = \"two-lattice\"\n";
    let case_of_two = case(&unit_box([16, 16], "prandtl = 1.0", [WALL; 4], two));
    let error = (vortice_lbm::METHOD.check)(&case_of_two).expect_err("two lattices");
    assert!(
        error.to_string().starts_with("lbm.streaming: ")
            && error.to_string().contains("in place only"),
        "{error}"
    );
    assert!(!error.remedy().is_empty());
    let text = unit_box([16, 16], "prandtl = 1.0", [WALL; 4], "");
    let text = text.replace("[run]", "[lbm]\nstorage = \"f16\"\n[run]\nprecision = \"f32\"");
    let error = (vortice_lbm::METHOD.check)(&case(&text)).expect_err("16 bits");
    assert!(error.to_string().starts_with("lbm.storage: "), "{error}");
}

#[test]
fn what_enters_a_heated_channel_leaves_it() {
    let run = "method = \"lbm\"\nuntil = \"steady\"\n";
    let text = carried::heated_channel(run, "[lbm]\nmach = 0.2\n");
    let share = carried::heat_left(&vortice_lbm::METHOD, &text, 1e-12, 200_000);
    println!("heat balance: {share:.1e} of what enters");
    assert!(share.abs() < 1e-10, "{share}");
}
