//! Flows whose velocities formulas give, for the tests of the methods, and what is known of them.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::f64::consts::{PI, TAU};

use vortice_core::{Case, Field, Quantity, Solver};

fn case(text: &str) -> Case {
    Case::parse(text, "formulas").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// A periodic strip of n cells over a plate that swings in its plane, once a second, with the velocity of Stokes' second
/// problem at t = 0 and at the upper end, 1 m away.
pub fn swinging_plate(method: &str, n: usize, table: &str) -> Case {
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
pub fn error_over_plate(case: &Case, solver: &mut dyn Solver) -> f64 {
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
pub fn order(errors: &[f64]) -> f64 {
    let n = errors.len();
    (errors[n - 2] / errors[n - 1]).log2()
}

/// A channel with a parabolic inflow, by its profile and by a formula.
pub fn parabolas(method: &str) -> [Case; 2] {
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
pub fn vortices(method: &str) -> [Case; 2] {
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
pub fn difference(one: &Field, other: &Field) -> f64 {
    let differences = one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}
