//! Orders of convergence, and flows that the scheme computes exactly.

use crate::common::{case, run_until, solver, taylor_green};
use vortice_core::{Case, ExactFlow, Field, Quantity, Solver, Step, Until};

/// Root mean square error of the velocity against an exact flow, in m/s.
fn error(solver: &mut dyn Solver, case: &Case, flow: ExactFlow) -> f64 {
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
        error(&mut *solver, &case, ExactFlow::TaylorGreen)
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

/// Vortices that a mean flow carries along, after a time of 1 s: `steps` gives the flow's next time.
fn carried(n: usize, scheme: &str, dt: f64, steps: impl Fn(u64, f64) -> f64) -> Field {
    let keys = format!("[fdm]\ntime-scheme = \"{scheme}\"\ndt = {dt:?}\n{TIGHT}");
    let text = taylor_green(n, 0.1, &keys).replace("taylor-green", "moving-taylor-green");
    let mut solver = solver(&case(&text));
    while solver.now().time < 1.0 {
        let Step { number, time, .. } = solver.now();
        let next = steps(number, time);
        solver.step(if next > 1.0 - 1e-9 { 1.0 } else { next }).expect("a step");
    }
    solver.field(Quantity::Velocity).expect("a field")
}

/// Order in time from differences between solutions with ever smaller steps on one grid, where the
/// error in space cancels.
fn order_in_time(name: &str, at_end: impl Fn(f64) -> Field) -> f64 {
    let fields = [0.025, 0.0125, 0.00625, 0.003125].map(at_end);
    let distance = |a: &Field, b: &Field| {
        a.values.iter().zip(&b.values).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    let changes: Vec<f64> = fields.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
    println!("{name}, dt 0.025 ... 0.003: changes {changes:?}, order {:.3}", order(&changes));
    order(&changes)
}

#[test]
fn first_order_in_time_by_euler() {
    let order = order_in_time("Euler", |dt| carried(24, "euler", dt, |_, time| time + dt));
    assert!((order - 1.0).abs() < 0.1);
}

#[test]
fn second_order_in_time_by_adams_and_bashforth() {
    let scheme = "adams-bashforth";
    let order = order_in_time(scheme, |dt| carried(24, scheme, dt, |_, time| time + dt));
    assert!(order > 1.9, "{order}");
    // Steps of all lengths, from half to twice the last.
    let shares = [1.0, 0.5, 0.9, 0.6, 1.0, 0.8];
    let uneven = |dt: f64| {
        carried(24, scheme, dt, |number, time| time + dt * shares[number as usize % shares.len()])
    };
    let order = order_in_time("uneven steps", uneven);
    assert!(order > 1.9, "{order}");
}

#[test]
fn carried_vortices_converge_with_the_grid() {
    let text = include_str!("../../../cases/taylor-green.toml")
        .replace("taylor-green", "moving-taylor-green");
    let errors = |scheme: &str| {
        [16, 32, 64].map(|n| {
            let sets = [format!("grid.cells=[{n},{n},1]"), format!("fdm.time-scheme=\"{scheme}\"")];
            let case = case(&text).with(&sets).expect("a case");
            let mut solver = solver(&case);
            run_until(&mut *solver, 1.0);
            error(&mut *solver, &case, ExactFlow::MovingTaylorGreen)
        })
    };
    let (euler, by_default) = (errors("euler"), errors("auto"));
    println!("carried vortices on 16, 32, 64: Euler {euler:?}, by default {by_default:?}");
    assert!(order(&by_default) > 1.7 && by_default[2] < 0.1 * euler[2]);
    assert!(order(&euler) < 0.2, "a step that does not follow the grid leaves its error");
}

#[test]
fn a_flow_that_is_followed_to_a_time_is_second_order_by_default() {
    let case = |more: &str| case(&taylor_green(16, 0.1, more));
    let scheme = |case: &Case| {
        let facts = (vortice_fdm::METHOD.check)(case).expect("can be done").facts;
        facts.into_iter().find(|(name, _)| name == "steps by").expect("said").1
    };
    assert!(scheme(&case("")).contains("second order"));
    assert!(scheme(&case("[fdm]\ntime-scheme = \"euler\"\n")).contains("Euler"));
    assert!(scheme(&case("[fdm]\ngamma = \"auto\"\n")).contains("Euler"));
    let mut steady = case("");
    steady.run.until = Until::Steady(1e-6);
    assert!(scheme(&steady).contains("Euler"));
    let both = case("[fdm]\ntime-scheme = \"adams-bashforth\"\ngamma = \"auto\"\n");
    let error = (vortice_fdm::METHOD.check)(&both).unwrap_err();
    assert!(error.to_string().starts_with("fdm.time-scheme: ") && error.remedy().contains("gamma"));
}

#[test]
fn a_small_viscosity_keeps_the_energy_where_euler_feeds_it() {
    let energy = |field: &Field| {
        let deviation = |c: usize, cell| (field.at(c, cell) - [1.0, 0.5][c]).powi(2);
        field.own_cells().map(|cell| deviation(0, cell) + deviation(1, cell)).sum::<f64>()
    };
    let after = |keys: &str| {
        let text = taylor_green(32, 1e-3, &format!("[fdm]\n{keys}"));
        let mut solver = solver(&case(&text.replace("taylor-green", "moving-taylor-green")));
        let before = energy(&solver.field(Quantity::Velocity).expect("a field"));
        let step = run_until(&mut *solver, 10.0);
        let left = energy(&solver.field(Quantity::Velocity).expect("a field")) / before;
        (left, step.time / step.number as f64)
    };
    let decay = (-4.0 * 1e-3 * 10.0_f64).exp();
    let (left, dt) = after("time-scheme = \"adams-bashforth\"\n");
    let (fed, _) = after(&format!("time-scheme = \"euler\"\ndt = {dt:?}\n"));
    let (euler, its_dt) = after("time-scheme = \"euler\"\n");
    println!(
        "energy left after 10 s, {decay:.4} by decay: Adams-Bashforth {left:.4} with steps of {dt:.5} s, \
         Euler {fed:.4} with the same and {euler:.4} with its own of {its_dt:.5} s"
    );
    assert!((left / decay - 1.0).abs() < 2e-3, "{left}");
    assert!((fed / decay - 1.0).abs() > 0.1, "{fed}");
    assert!(dt > 5.0 * its_dt, "{dt} and {its_dt}");
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
    let worst = error(&mut *solver, &case, ExactFlow::Couette);
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
            error(&mut *solver, &case, ExactFlow::Couette)
        })
        .collect();
    println!("Couette start-up 16, 32, 64: errors {errors:?}, order {:.3}", order(&errors));
    assert!((order(&errors) - 2.0).abs() < 0.1);
}
