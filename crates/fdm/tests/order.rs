//! Orders of convergence, and flows that the scheme computes exactly.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod common;

use common::{case, run_until, solver, taylor_green};
use vortice_core::{Case, ExactFlow, Quantity, Solver};

/// Root mean square error of the velocity against an exact flow, in m/s.
fn error(solver: &dyn Solver, case: &Case, flow: ExactFlow) -> f64 {
    let u = solver.field(Quantity::Velocity).expect("a field");
    let time = solver.now().time;
    let squares: f64 = u
        .own_cells()
        .map(|cell| {
            let exact = flow.velocity(case, case.grid.centre(cell), time);
            (0..2).map(|c| (u.at(c, cell) - exact[c]).powi(2)).sum::<f64>()
        })
        .sum();
    (squares / case.grid.n_cells() as f64).sqrt()
}

fn order(errors: &[f64]) -> f64 {
    let n = errors.len();
    (errors[n - 2] / errors[n - 1]).log2()
}

const TIGHT: &str = "stop = { residual = 1e-10 }\nmax-iterations = 20000\n";

/// Errors of decaying vortices on three grids.
fn vortex_errors(grids: [usize; 3], gamma: f64, dt: impl Fn(f64) -> f64, end: f64) -> Vec<f64> {
    let on_grid = |n: usize| {
        let more = format!("[fdm]\ngamma = {gamma:?}\ndt = {:?}\n{TIGHT}", dt(n as f64));
        let case = case(&taylor_green(n, 0.1, &more));
        let mut solver = solver(&case);
        run_until(&mut *solver, end);
        error(&*solver, &case, ExactFlow::TaylorGreen)
    };
    let errors = grids.map(on_grid).to_vec();
    println!(
        "Taylor-Green {grids:?}, gamma {gamma}: errors {errors:?}, order {:.3}",
        order(&errors)
    );
    errors
}

#[test]
fn second_order_in_space_with_central_differences() {
    // A time step with h2 keeps the error in time of the same order.
    let errors = vortex_errors([16, 32, 64], 0.0, |n| 2.56 / (n * n), 1.0);
    assert!((order(&errors) - 2.0).abs() < 0.1);
}

#[test]
fn first_order_in_space_with_the_full_donor_cell() {
    let errors = vortex_errors([32, 64, 128], 1.0, |n| 0.08 / n, 0.2);
    assert!((order(&errors) - 1.0).abs() < 0.1);
}

#[test]
fn first_order_in_time() {
    // Differences between successive steps on one grid: the error in space cancels.
    let n = 24;
    let at_end = |dt: f64| {
        let more = format!("[fdm]\ndt = {dt:?}\n{TIGHT}");
        let case = case(&taylor_green(n, 0.1, &more));
        let mut solver = solver(&case);
        run_until(&mut *solver, 1.0);
        solver.field(Quantity::Velocity).expect("a field")
    };
    let fields = [0.04, 0.02, 0.01, 0.005].map(at_end);
    let distance = |a: &vortice_core::Field, b: &vortice_core::Field| {
        a.values.iter().zip(&b.values).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    let changes: Vec<f64> = fields.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
    println!("Taylor-Green dt 0.04 ... 0.005: changes {changes:?}, order {:.3}", order(&changes));
    assert!((order(&changes) - 1.0).abs() < 0.1);
}

/// A channel, periodic in x, walls in y.
fn channel(n: usize, upper: &str, force: f64, flow: &str) -> String {
    format!(
        "title = \"channel\"\ngrid = {{ cells = [4, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.5, force = [{force:?}, 0.0, 0.0] }}\n{flow}\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\ny-low = \"wall\"\ny-high = {upper}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n"
    )
}

#[test]
fn couette_flow_is_exact() {
    let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
    let case = case(&channel(16, lid, 0.0, ""));
    let mut solver = solver(&case);
    run_until(&mut *solver, 20.0);
    let worst = error(&*solver, &case, ExactFlow::Couette);
    println!("steady Couette flow: error {worst:.1e}");
    assert!(worst < 1e-13);
}

#[test]
fn poiseuille_flow_is_exact_but_for_the_wall_cells_curvature() {
    // The half-cell mirror at the wall makes every value too large by G h2 / (8 nu), no more.
    let n = 16;
    let case = case(&channel(n, "\"wall\"", 4.0, ""));
    let mut solver = solver(&case);
    run_until(&mut *solver, 20.0);
    let u = solver.field(Quantity::Velocity).expect("a field");
    let shift = 4.0 / (8.0 * 0.5 * (n * n) as f64);
    let worst = u
        .own_cells()
        .map(|cell| {
            let exact = ExactFlow::Poiseuille.velocity(&case, case.grid.centre(cell), 0.0)[0];
            (u.at(0, cell) - exact - shift).abs()
        })
        .fold(0.0, f64::max);
    println!("steady Poiseuille flow less its known shift {shift:.3e}: error {worst:.1e}");
    assert!(worst < 1e-13);
}

#[test]
fn couette_start_up_converges_with_second_order() {
    let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
    let errors: Vec<f64> = [16, 32, 64]
        .iter()
        .map(|&n| {
            let dt = 0.1 / (n * n) as f64;
            let case = case(&(channel(n, lid, 0.0, "") + &format!("[fdm]\ndt = {dt:?}\n")));
            let mut solver = solver(&case);
            run_until(&mut *solver, 0.1);
            error(&*solver, &case, ExactFlow::Couette)
        })
        .collect();
    println!("Couette start-up 16, 32, 64: errors {errors:?}, order {:.3}", order(&errors));
    assert!((order(&errors) - 2.0).abs() < 0.1);
}
