//! Orders of convergence in space and time, and flows that the scheme computes exactly.

use crate::flows::{alone, build};
use vortice_core::{Case, ExactFlow, Field, Quantity, Solver};

/// Decaying vortices on n x n cells to t = `until`.
fn vortices(n: usize, viscosity: f64, until: f64, table: &str) -> Case {
    let text = format!(
        "title = 'vortices'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = {viscosity:?} }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         initial = {{ flow = 'taylor-green' }}\n\
         run = {{ method = 'fvm', until = {until:?}, device = 'cpu' }}\n\
         [boundary]\nx-low = 'periodic'\nx-high = 'periodic'\ny-low = 'periodic'\n\
         y-high = 'periodic'\nz-low = 'periodic'\nz-high = 'periodic'\n\
         [fvm]\nmomentum = {{ sweeps = 40 }}\npressure = {{ cycles = 3 }}\n{table}"
    );
    Case::parse(&text, "vortices").expect("a case")
}

fn run(case: &Case, until: f64) -> Box<dyn Solver> {
    let mut solver = build(case, &alone());
    while solver.now().time < until {
        solver.step(until).expect("a step");
    }
    solver
}

fn velocity(solver: &mut dyn Solver) -> Field {
    solver.field(Quantity::Velocity).expect("a velocity")
}

/// Root mean square error of the velocity against an exact flow, in m/s.
fn error(solver: &mut dyn Solver, case: &Case, flow: ExactFlow, time: f64) -> f64 {
    let u = velocity(solver);
    let squares = u.own_cells().map(|cell| {
        let exact = flow.velocity(case, case.grid.centre(cell), time);
        (0..2).map(|c| (u.at(c, cell) - exact[c]).powi(2)).sum::<f64>()
    });
    (squares.sum::<f64>() / case.grid.n_cells() as f64).sqrt()
}

fn order(errors: &[f64]) -> f64 {
    let n = errors.len();
    (errors[n - 2] / errors[n - 1]).log2()
}

/// The order on three grids, from the differences of errors: that of the first, short time step is the
/// same on all of them and cancels.
fn order_of_differences([coarse, middle, fine]: [f64; 3]) -> f64 {
    ((coarse - middle) / (middle - fine)).log2()
}

/// The order of a scheme in space, with time steps so short that their error does not count.
fn order_in_space(scheme: &str, grids: [usize; 3]) -> f64 {
    let until = 0.05;
    let errors = grids.map(|n| {
        let table = format!("convection = '{scheme}'\ndt = 0.0005\nouter-iterations = 4\n");
        let case = vortices(n, 0.05, until, &table);
        error(&mut *run(&case, until), &case, ExactFlow::TaylorGreen, until)
    });
    let order = order_of_differences(errors);
    println!("{scheme} {grids:?}: errors {errors:?}, order {order:.3}");
    order
}

#[test]
fn upwind_differences_are_of_first_order() {
    assert!((order_in_space("upwind", [32, 64, 128]) - 1.0).abs() < 0.1);
}

#[test]
fn central_differences_are_of_second_order() {
    assert!((order_in_space("central", [48, 96, 192]) - 2.0).abs() < 0.1);
}

#[test]
fn quick_is_of_second_order_at_least() {
    assert!(order_in_space("quick", [48, 96, 192]) > 1.9);
}

#[test]
fn van_leer_is_between() {
    // Second order where the flow is smooth, first at its extremes.
    let order = order_in_space("van-leer", [32, 64, 128]);
    assert!(order > 1.4, "{order}");
}

/// The order in time: differences between runs with halved steps on one grid, so that the error in space
/// cancels.
fn order_in_time(scheme: &str) -> f64 {
    let fields = [0.04, 0.02, 0.01, 0.005].map(|dt| {
        let table = format!("time-scheme = '{scheme}'\ndt = {dt:?}\nouter-iterations = 20\n");
        velocity(&mut *run(&vortices(24, 0.05, 1.0, &table), 1.0))
    });
    let distance = |a: &Field, b: &Field| {
        a.values.iter().zip(&b.values).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    let changes: Vec<f64> = fields.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
    println!("{scheme}: changes {changes:?}, order {:.3}", order(&changes));
    order(&changes)
}

#[test]
fn implicit_euler_is_of_first_order() {
    assert!((order_in_time("euler") - 1.0).abs() < 0.1);
}

#[test]
fn bdf2_is_of_second_order() {
    assert!((order_in_time("bdf2") - 2.0).abs() < 0.1);
}

/// A channel, periodic in x, walls in y, steady.
fn channel(n: usize, upper: &str, force: f64) -> Case {
    let text = format!(
        "title = 'channel'\ngrid = {{ cells = [4, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.5, force = [{force:?}, 0.0, 0.0] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ method = 'fvm', until = 'steady', steady = 1e-13, device = 'cpu' }}\n\
         [boundary]\nx-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = {upper}\n\
         z-low = 'periodic'\nz-high = 'periodic'\n[fvm]\nmomentum = {{ sweeps = 40 }}\n"
    );
    Case::parse(&text, "channel").expect("a case")
}

fn iterate(case: &Case, iterations: usize) -> Box<dyn Solver> {
    let mut solver = build(case, &alone());
    for _ in 0..iterations {
        solver.step(f64::INFINITY).expect("an iteration");
    }
    solver
}

#[test]
fn couette_flow_is_exact() {
    let case = channel(17, "{ wall = { velocity = [1.0, 0.0, 0.0] } }", 0.0);
    let worst = error(&mut *iterate(&case, 400), &case, ExactFlow::Couette, f64::INFINITY);
    println!("Couette: error {worst:.1e}");
    assert!(worst < 1e-12);
}

#[test]
fn poiseuille_flow_is_exact_but_for_the_wall_cells_curvature() {
    // The straight line from the wall to the first cell makes every value too large by G h2 / (8 nu).
    let n = 16;
    let case = channel(n, "'wall'", 4.0);
    let u = velocity(&mut *iterate(&case, 400));
    let shift = 4.0 / (8.0 * 0.5 * (n * n) as f64);
    let worst = u.own_cells().map(|cell| {
        let exact = ExactFlow::Poiseuille.velocity(&case, case.grid.centre(cell), 0.0)[0];
        (u.at(0, cell) - exact - shift).abs()
    });
    let worst = worst.fold(0.0, f64::max);
    println!("Poiseuille less its known shift {shift:.3e}: error {worst:.1e}");
    assert!(worst < 1e-12);
}
