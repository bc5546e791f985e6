//! Exact flows: walls are where they should be, and errors fall with the square of the spacing.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod common;

use common::{alone, build};
use vortice_core::{Case, ExactFlow, Quantity, Solver};

fn case(text: &str) -> Case {
    Case::parse(text, "test").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// A channel along x between walls in y, `n` cells high.
fn channel(n: usize, fluid: &str, lid: &str, table: &str) -> Case {
    case(&format!(
        "title = 'channel'\ngrid = {{ cells = [4, {n}, 1], size = [{}, 1.0, 1.0] }}\n\
         {fluid}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ until = 1e9, device = 'cpu' }}\n[boundary]\nx-low = 'periodic'\n\
         x-high = 'periodic'\ny-low = 'wall'\ny-high = {lid}\nz-low = 'periodic'\n\
         z-high = 'periodic'\n[lbm]\n{table}\n",
        4.0 / n as f64
    ))
}

/// Steps until nothing changes any more.
fn settle(case: &Case) -> Box<dyn Solver> {
    let mut solver = build(case, &alone());
    for _ in 0..200_000 {
        let step = solver.step(f64::INFINITY).expect("a step");
        if step.residual < 1e-14 {
            break;
        }
    }
    solver
}

/// Mean error of the velocity as a share of its mean: what waLBerla calls L1.
fn l1(case: &Case, solver: &mut dyn Solver, exact: impl Fn([f64; 3]) -> f64) -> f64 {
    let velocity = solver.field(Quantity::Velocity).expect("a field");
    let (mut error, mut sum) = (0.0, 0.0);
    for cell in velocity.own_cells() {
        let exact = exact(case.grid.centre(cell));
        error += (velocity.at(0, cell) - exact).abs();
        sum += exact.abs();
    }
    error / sum
}

#[test]
fn couette_flow_is_exact() {
    for lattice in ["d2q9", "d3q15", "d3q19", "d3q27"] {
        let fluid = "fluid = { viscosity = 0.1 }";
        let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
        let table = format!("lattice = '{lattice}'\nrelaxation-time = 0.9285714285714286");
        let case = channel(15, fluid, lid, &table);
        let mut solver = settle(&case);
        let error = l1(&case, &mut *solver, |[_, y, _]| y);
        println!("Couette, {lattice}: L1 {error:.2e}");
        assert!(error < 1e-13, "{lattice}: {error:e}");
    }
}

/// With Lambda = 3/16 the parabola's wall lies half a cell outside, at any viscosity.
#[test]
fn poiseuille_flow_is_exact_with_lambda_three_sixteenths() {
    for lattice in ["d2q9", "d3q19", "d3q27"] {
        for tau in [0.6, 0.9, 1.5] {
            let fluid = "fluid = { viscosity = 0.1, force = [0.8, 0.0, 0.0] }";
            let table = format!("lattice = '{lattice}'\nrelaxation-time = {tau}");
            let case = channel(12, fluid, "'wall'", &table);
            let mut solver = settle(&case);
            let error = l1(&case, &mut *solver, |point| {
                ExactFlow::Poiseuille.velocity(&case, point, 0.0)[0]
            });
            println!("Poiseuille, {lattice}, tau {tau}: L1 {error:.2e}");
            assert!(error < 1e-11, "{lattice} {tau}: {error:e}");
        }
    }
}

/// With another Lambda it does not: the test above could fail.
#[test]
fn poiseuille_flow_is_not_exact_with_another_lambda() {
    let fluid = "fluid = { viscosity = 0.1, force = [0.8, 0.0, 0.0] }";
    let case = channel(12, fluid, "'wall'", "lambda = 0.25\nrelaxation-time = 0.9");
    let mut solver = settle(&case);
    let error =
        l1(&case, &mut *solver, |point| ExactFlow::Poiseuille.velocity(&case, point, 0.0)[0]);
    println!("Poiseuille with Lambda = 1/4: L1 {error:.2e}");
    assert!(error > 1e-4);
}

/// Taylor and Green's vortices at t = 0.5 with the Mach number in step with the spacing.
fn vortices(n: usize, table: &str) -> f64 {
    let mach = 1.6 / n as f64;
    let case = case(&format!(
        "title = 'vortices'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, {}] }}\n\
         fluid = {{ viscosity = 0.01 }}\ninitial = {{ flow = 'taylor-green' }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\nrun = {{ until = 1e9, device = 'cpu' }}\n\
         [boundary]\nx-low = 'periodic'\nx-high = 'periodic'\ny-low = 'periodic'\n\
         y-high = 'periodic'\nz-low = 'periodic'\nz-high = 'periodic'\n\
         [lbm]\nmach = {mach}\n{table}\n",
        1.0 / n as f64
    ));
    let mut solver = build(&case, &alone());
    while solver.now().time < 0.5 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let velocity = solver.field(Quantity::Velocity).expect("a field");
    let time = solver.now().time;
    let mut sum = 0.0;
    for cell in velocity.own_cells() {
        let exact = ExactFlow::TaylorGreen.velocity(&case, case.grid.centre(cell), time);
        sum += (0..2).map(|d| (velocity.at(d, cell) - exact[d]).powi(2)).sum::<f64>();
    }
    (sum / velocity.shape.len() as f64).sqrt()
}

#[test]
fn taylor_green_vortices_converge_with_order_two() {
    for table in ["", "collision = 'srt'", "collision = 'mrt'", "lattice = 'd2q9'"] {
        let errors = [16, 32, 64].map(|n| vortices(n, table));
        let order = (errors[1] / errors[2]).log2();
        let [coarse, middle, fine] = errors;
        println!("vortices, {table:?}: {coarse:.3e} {middle:.3e} {fine:.3e}, order {order:.3}");
        assert!((order - 2.0).abs() < 0.1, "{table}: {order}");
    }
}
