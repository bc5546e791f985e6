//! Flows whose velocities formulas give, and what every method must make of them.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use std::f64::consts::{PI, TAU};

use vortice_core::{Case, Context, Field, Method, Quantity, Solver};

fn case(text: &str) -> Case {
    Case::parse(text, "formulas").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// A periodic strip of n cells over a plate that swings in its plane, once a second, with the velocity of Stokes' second
/// problem at t = 0 and at the upper end, 1 m away.
fn swinging_plate(method: &str, n: usize, table: &str) -> Case {
    case(&format!(
        "title = 'Stokes'\ngrid = {{ cells = [4, {n}, 1], size = [{:?}, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = {:?} }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         initial = {{ velocity = ['exp(-4*y)*cos(4*y)', 0, 0] }}\n\
         run = {{ method = '{method}', until = 1.0, device = 'cpu' }}\n[boundary]\nx-low = 'periodic'\n\
         x-high = 'periodic'\ny-low = {{ wall = {{ velocity = ['cos(2*pi*t)', 0, 0] }} }}\n\
         y-high = {{ wall = {{ velocity = ['exp(-4)*cos(2*pi*t - 4)', 0, 0] }} }}\n\
         z-low = 'periodic'\nz-high = 'periodic'\n[{method}]\n{table}",
        4.0 / n as f64,
        PI / 16.0
    ))
}

/// Root mean square error of the flow over the plate near t = 1 s, in m/s: Stokes (1851), Schlichting, eq. (5.26).
fn error_over_plate(case: &Case, solver: &mut dyn Solver) -> f64 {
    while solver.now().time < 1.0 - 1e-9 {
        solver.step(1.0).expect("a step");
    }
    let (time, u) = (solver.now().time, velocity(solver));
    let squares = u.own_cells().map(|cell| {
        let y = case.grid.centre(cell)[1];
        (u.at(0, cell) - (-4.0 * y).exp() * (TAU * time - 4.0 * y).cos()).powi(2)
    });
    (squares.sum::<f64>() / case.grid.n_cells() as f64).sqrt()
}

/// The order of errors on grids of which each has half the spacing.
fn order(errors: &[f64]) -> f64 {
    let n = errors.len();
    (errors[n - 2] / errors[n - 1]).log2()
}

/// A channel with a parabolic inflow, by its profile and by a formula.
fn parabolas(method: &str) -> [Case; 2] {
    let profile = "velocity = [0.2, 0.0, 0.0], \
                   profile = { parabolic = { along = 'y', from = 0.0, to = 0.41 } }";
    let formula = "velocity = ['4*1.5*0.2*y*(0.41 - y)/0.41^2', 0.0, 0.0]";
    [profile, formula].map(|inflow| channel(method, inflow))
}

fn channel(method: &str, inflow: &str) -> Case {
    case(&format!(
        "title = 'channel'\ngrid = {{ cells = [60, 20, 1], size = [1.23, 0.41, 0.0205] }}\n\
         fluid = {{ viscosity = 1e-3 }}\nscale = {{ length = 0.1, velocity = 0.2 }}\n\
         run = {{ method = '{method}', until = 8.0, device = 'cpu' }}\n[boundary]\n\
         x-low = {{ inflow = {{ {inflow} }} }}\nx-high = 'outflow'\ny-low = 'wall'\ny-high = 'wall'\n\
         z-low = 'periodic'\nz-high = 'periodic'\n"
    ))
}

/// The same channel whose flow begins from rest and swells and ebbs with [`mean_inflow`].
pub fn pulsing_channel(method: &str) -> Case {
    channel(method, "velocity = ['4*1.5*y*(0.41 - y)/0.41^2*sin(pi*t/8)', 0, 0]")
}

/// Its mean inflow in m/s.
pub fn mean_inflow(time: f64) -> f64 {
    (PI * time / 8.0).sin()
}

/// Vortices of Taylor and Green, built in and by formulas.
fn vortices(method: &str) -> [Case; 2] {
    let built_in = "flow = 'taylor-green'";
    let formulas = "velocity = ['-cos(2*pi*x)*sin(2*pi*y)', 'sin(2*pi*x)*cos(2*pi*y)', 0]";
    [built_in, formulas].map(|initial| {
        case(&format!(
            "title = 'vortices'\ngrid = {{ cells = [16, 16, 1], size = [1.0, 1.0, 0.1] }}\n\
             fluid = {{ viscosity = 0.01 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
             initial = {{ {initial} }}\nrun = {{ method = '{method}', until = 1.0, device = 'cpu' }}\n\
             boundary = {{ x-low = 'periodic', x-high = 'periodic', y-low = 'periodic', \
             y-high = 'periodic', z-low = 'periodic', z-high = 'periodic' }}\n"
        ))
    })
}

/// Velocity in m/s at the cells.
pub fn velocity(solver: &mut dyn Solver) -> Field {
    solver.field(Quantity::Velocity).expect("a velocity")
}

/// Largest difference of two velocities in m/s.
fn difference(one: &Field, other: &Field) -> f64 {
    let differences = one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

/// The solver of one rank and thread.
pub fn build(method: &Method, case: &Case) -> Box<dyn Solver> {
    (method.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

pub fn advance(solver: &mut dyn Solver, steps: usize) {
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
}

/// The flow over the swinging plate, with the method's own table, is of second order.
pub fn expect_second_order(method: &Method, table: &str) {
    let errors = [8, 16, 32].map(|n| {
        let case = swinging_plate(method.name, n, table);
        error_over_plate(&case, &mut *build(method, &case))
    });
    println!("Stokes' second problem: errors {errors:?}, order {:.3}", order(&errors));
    assert!(order(&errors) > 1.8 && errors[2] < 3e-3);
}

/// The flows of both channels are the same.
pub fn expect_same_parabola(method: &Method) {
    let [profile, formula] = parabolas(method.name).map(|case| {
        let mut solver = build(method, &case);
        advance(&mut *solver, 40);
        velocity(&mut *solver)
    });
    let most = difference(&profile, &formula);
    println!("a parabola by formula: differs by {most:.1e} m/s at most");
    assert!(most < 1e-13 && profile.values.iter().any(|&u| u > 0.1));
}

/// At each time as much flows through every section as enters; `means` has the mean velocity in m/s of each.
pub fn expect_pulse(method: &Method, key: &str, means: impl Fn(&mut dyn Solver) -> Vec<f64>) {
    let case = pulsing_channel(method.name).with(&[key.into()]).expect("a case");
    let mut solver = build(method, &case);
    let mut worst = 0.0_f64;
    for _ in 0..12 {
        advance(&mut *solver, 4);
        let expected = mean_inflow(solver.now().time);
        for mean in means(&mut *solver) {
            worst = worst.max((mean / expected - 1.0).abs());
        }
    }
    println!("mass balance of a pulse: {worst:.1e} at any time and section");
    assert!(worst < 1e-5);
}

/// Vortices by formulas are those that are built in after so many steps, and somewhere faster than `fast`.
pub fn expect_exact_vortices(method: &Method, steps: usize, fast: f64) {
    let [exact, formula] = vortices(method.name).map(|case| {
        let mut solver = build(method, &case);
        advance(&mut *solver, steps);
        velocity(&mut *solver)
    });
    let most = difference(&exact, &formula);
    assert!(most < 1e-12 && exact.values.iter().any(|&u| u > fast), "{most}");
}
