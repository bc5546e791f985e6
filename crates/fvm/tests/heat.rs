//! Heat: rest under steep temperatures, exact conduction, the heated cavity, and the same bits on any ranks and after a
//! restart.

use crate::carried;
use vortice_core::{Case, Context, Field, Quantity, Solver};

const WALL: &str = "\"wall\"";
const TIGHT: &str = "[fvm]\npressure = { multigrid-cg = { retol = 1e-6 } }\n";

fn case(text: &str) -> Case {
    Case::parse(text, "test").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

fn solver(case: &Case) -> Box<dyn Solver> {
    (vortice_fvm::METHOD.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// A box of 1 m x 1 m of fluid with Pr = 0.71, alpha = 1, whose gravity gives this Rayleigh number for 1 K.
fn unit_box(n: usize, rayleigh: f64, ends: [&str; 4], until: &str, more: &str) -> String {
    let [x_low, x_high, y_low, y_high] = ends;
    let buoyancy = match rayleigh {
        0.0 => String::new(),
        _ => format!(", expansion = 1.0, gravity = [0.0, -{}, 0.0]", 0.71 * rayleigh),
    };
    format!(
        "title = \"box\"\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\nheat = {{ prandtl = 0.71{buoyancy} }}\n{more}\n\
         [boundary]\nx-low = {x_low}\nx-high = {x_high}\ny-low = {y_low}\ny-high = {y_high}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"fvm\"\nuntil = {until}\n"
    )
}

fn wall(temperature: f64) -> String {
    format!("{{ wall = {{ temperature = {temperature:?} }} }}")
}

/// Outer iterations until the flow is as near to its end as this.
fn settle(solver: &mut dyn Solver, error: f64) -> u64 {
    while solver.step(f64::INFINITY).expect("a step").iteration_error > error {
        let step = solver.now();
        assert!(step.number < 4000 && !step.residual.is_nan(), "{step:?}");
    }
    solver.now().number
}

fn temperature(solver: &mut dyn Solver) -> Field {
    solver.field(Quantity::Temperature).expect("a temperature")
}

fn fastest(solver: &mut dyn Solver) -> f64 {
    let u = solver.field(Quantity::Velocity).expect("a velocity");
    u.values.iter().fold(0.0_f64, |most, u| most.max(u.abs()))
}

#[test]
fn a_fluid_at_rest_under_linear_and_steep_temperatures_stays_at_rest() {
    // Ra = 1e6 with the warm side above; a cell's own force gave velocities of 3 to 39 in units of alpha / L.
    let (cold, warm) = (wall(0.0), wall(1.0));
    for (until, profile) in
        [("\"steady\"", "y"), ("1e9", "0.5 + 0.5*tanh(10*(y - 0.5))"), ("1e9", "y^3")]
    {
        let more = format!("initial = {{ temperature = \"{profile}\" }}\n{TIGHT}");
        let case = case(&unit_box(16, 1e6, [WALL, WALL, &cold, &warm], until, &more));
        let mut solver = solver(&case);
        let steps = if until == "1e9" { 20 } else { 150 };
        for _ in 0..steps {
            solver.step(f64::INFINITY).expect("a step");
        }
        let share = fastest(&mut *solver) / case.scale.velocity;
        println!("rest under T = {profile}, until {until}: {share:.1e} of free fall");
        assert!(share < 1e-7, "{share}");
    }
}

#[test]
fn conduction_between_walls_is_exact() {
    let flux = "{ wall = { heat-flux = 4.0 } }";
    for (low, drop) in [(wall(310.0), 10.0), (flux.to_owned(), 4.0)] {
        let text = unit_box(8, 0.0, [&low, &wall(300.0), WALL, WALL], "\"steady\"", "");
        let case = case(&text);
        let mut solver = solver(&case);
        let iterations = settle(&mut *solver, 1e-13);
        let field = temperature(&mut *solver);
        let exact = |cell| 300.0 + drop * (1.0 - case.grid.centre(cell)[0]);
        let errors = field.own_cells().map(|cell| (field[cell] - exact(cell)).abs());
        let error = errors.fold(0.0, f64::max);
        println!("conduction, drop {drop} K: error {error:.1e} K after {iterations} iterations");
        assert!(error < 1e-10, "{error}");
    }
}

#[test]
fn the_heated_cavity_is_as_good_as_its_prototypes() {
    // Errors of the prototypes against grid-converged Nusselt numbers.
    let known = [(24, 1e3, 1.1178, 0.0021), (32, 1e5, 4.5217, 0.0333), (32, 1e6, 8.826, 0.1020)];
    for (n, rayleigh, converged, error) in known {
        let more = "[fvm]\nconvection = \"central\"\nscalar-convection = \"central\"\n";
        let (hot, cold) = (wall(0.5), wall(-0.5));
        let case = case(&unit_box(n, rayleigh, [&hot, &cold, WALL, WALL], "\"steady\"", more));
        let mut solver = solver(&case);
        let iterations = settle(&mut *solver, 1e-6);
        let field = temperature(&mut *solver);
        let mean = |i: usize, wall: f64| {
            let cells = (0..n).map(|j| [i as isize, j as isize, 0]);
            cells.map(|cell| 2.0 * (wall - field[cell])).sum::<f64>()
        };
        let [hot, cold] = [mean(0, 0.5), -mean(n - 1, -0.5)];
        println!("cavity, Ra {rayleigh:e}, {n} x {n}: Nu {hot:.5}, {cold:.5} after {iterations}");
        assert!((hot / converged - 1.0).abs() < 1.1 * error && (hot - cold).abs() < 1e-4);
    }
}

#[test]
fn the_steady_temperature_does_not_depend_on_relaxation() {
    let (hot, cold) = (wall(0.5), wall(-0.5));
    let heat = |more: &str| {
        let text = unit_box(16, 1e4, [&hot, &cold, WALL, WALL], "\"steady\"", "");
        let mut solver = solver(&case(&format!("{text}[fvm]\n{more}")));
        let iterations = settle(&mut *solver, 1e-9);
        let field = temperature(&mut *solver);
        let heat = (0..16).map(|j| 2.0 * (0.5 - field[[0, j, 0]])).sum::<f64>();
        println!("{more:?}: {heat} K m/s after {iterations} iterations");
        (heat, iterations)
    };
    let (usual, quick) = (heat(""), heat("relax-scalars = 0.5"));
    assert!((usual.0 / quick.0 - 1.0).abs() < 1e-7 && usual.1 != quick.1, "{usual:?} {quick:?}");
    let text = unit_box(16, 1e4, [&hot, &cold, WALL, WALL], "\"steady\"", "");
    let wrong = case(&format!("{text}[fvm]\nrelax-scalars = 1.5\n"));
    let error = (vortice_fvm::METHOD.check)(&wrong).expect_err("more than one").to_string();
    assert!(error.contains("fvm.relax-scalars") && error.contains("1.5"), "{error}");
}

#[test]
fn a_closed_box_keeps_its_heat_and_its_bounds() {
    let more = "initial = { temperature = \"0.5 + 0.5*tanh(200*(x - 0.48))\" }\n\
                [fvm]\npressure = { multigrid-cg = { retol = 1e-10 } }\nouter-iterations = 20\n";
    let case = case(&unit_box(16, 1e5, [WALL; 4], "1e9", more));
    let mut solver = solver(&case);
    let mean = |field: &Field| field.values.iter().sum::<f64>() / 256.0;
    let before = mean(&temperature(&mut *solver));
    for _ in 0..30 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let field = temperature(&mut *solver);
    let kept = (mean(&field) - before).abs();
    let speed = fastest(&mut *solver) / case.scale.velocity;
    println!("closed box: heat changes by {kept:.1e} K, {speed:.2} of free fall");
    assert!(kept < 1e-8 && speed > 0.01);
    assert!(field.values.iter().all(|t| (-1e-9..=1.0 + 1e-9).contains(t)));
}

#[test]
fn any_ranks_threads_and_restarts_give_the_same_bits() {
    for until in ["1e9", "\"steady\""] {
        let run = format!("method = \"fvm\"\nuntil = {until}");
        let text = carried::channel(4, "symmetry", &run);
        let layouts = [([2, 1, 2], 1), ([3, 2, 1], 1), ([1, 1, 1], 3)];
        carried::assert_same_bits(&vortice_fvm::METHOD, &text, (12, 7), &layouts);
    }
}

#[test]
fn what_enters_a_heated_channel_leaves_it() {
    let run = "method = \"fvm\"\nuntil = \"steady\"\n";
    for scheme in ["van-leer", "central"] {
        let table = format!("{TIGHT}scalar-convection = \"{scheme}\"\n");
        let text = carried::heated_channel(run, &table);
        let share = carried::heat_left(&vortice_fvm::METHOD, &text, 1e-12, 4000);
        println!("heat balance, {scheme}: {share:.1e} of what enters");
        assert!(share.abs() < 1e-10, "{share}");
    }
}
