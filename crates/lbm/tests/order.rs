//! Exact flows: walls are where they should be, and errors fall with the square of the spacing.

use crate::common::{alone, build};
use crate::turns::is_long;
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

/// A plate anywhere between two cells is where it is, by both interpolations, and feels the shear.
#[test]
fn couette_flow_over_a_plate_between_cells_is_exact() {
    for interpolation in ["linear", "central"] {
        for (plate, tau) in [(0.13, 0.6), (0.14, 0.9), (0.17, 2.0)] {
            let fluid = format!(
                "fluid = {{ viscosity = 0.1 }}\n[body]\nplate = {{ inside = 'y < {plate}' }}"
            );
            let case = case(&format!(
                "title = 'plate'\ngrid = {{ cells = [4, 16, 1], size = [0.25, 1.0, 1.0] }}\n\
                 scale = {{ length = 1.0, velocity = 1.0 }}\nrun = {{ until = 1e9, device = 'cpu' }}\n\
                 {fluid}\n[boundary]\nx-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\n\
                 y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = 'periodic'\n\
                 z-high = 'periodic'\n[lbm]\nlattice = 'd2q9'\nrelaxation-time = {tau}\n\
                 interpolation = '{interpolation}'\n"
            ));
            let mut solver = settle(&case);
            let error = l1(&case, &mut *solver, |[_, y, _]| ((y - plate) / (1.0 - plate)).max(0.0));
            let drag = solver.forces().expect("forces")[0].force[0] / (0.025 / (1.0 - plate));
            println!("plate at {plate}, {interpolation}, tau {tau}: L1 {error:.1e}, drag {drag}");
            assert!(
                error < 1e-10 && (drag - 1.0).abs() < 1e-10,
                "{interpolation} {plate}: {error:e}"
            );
        }
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

/// Radii of the cylinders of Couette's and Taylor's flow, as shares of the box, and where their axis is: off the grid.
const RADII: [f64; 2] = [0.18, 0.42];
const AXIS: [f64; 2] = [0.503, 0.497];

/// The flow between a cylinder that turns and one at rest around it, `n` cells wide.
fn taylor_couette(n: usize, [x, y]: [f64; 2], walls: &str, lattice: &str) -> Case {
    let [inner, outer] = RADII;
    let turns = 1.0 / inner;
    case(&format!(
        "title = 'cylinders'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.125 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ until = 1e9, device = 'cpu' }}\n\
         [body]\nouter = {{ circle = {{ centre = [{x}, {y}], radius = {outer} }}, hollow = true, walls = '{walls}' }}\n\
         inner = {{ circle = {{ centre = [{x}, {y}], radius = {inner} }}, rotation = {turns}, walls = '{walls}' }}\n\
         [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\n\
         z-high = 'periodic'\n[lbm]\nrelaxation-time = 0.8\nlattice = '{lattice}'\n"
    ))
}

/// Errors of the velocity in the mean square and the largest, as shares of the speed of the inner cylinder, and of the
/// torques on both cylinders, as shares of what the exact flow has.
fn errors_between_cylinders(n: usize, axis: [f64; 2], walls: &str, lattice: &str) -> [f64; 3] {
    let case = taylor_couette(n, axis, walls, lattice);
    let mut solver = settle(&case);
    let velocity = solver.field(Quantity::Velocity).expect("a field");
    let [inner, outer] = RADII;
    let share = inner * inner / (outer * outer - inner * inner);
    let (a, b) = (-share / inner, share * outer * outer / inner);
    let (mut squares, mut largest, mut count) = (0.0, 0.0_f64, 0.0);
    let solids = case.solids();
    for cell in velocity.own_cells().filter(|&cell| !solids.contains(cell)) {
        let centre = case.grid.centre(cell);
        let arm = [centre[0] - axis[0], centre[1] - axis[1]];
        let turns = a + b / (arm[0] * arm[0] + arm[1] * arm[1]);
        let exact = [-turns * arm[1], turns * arm[0]];
        for (c, exact) in exact.into_iter().enumerate() {
            let error = (velocity.at(c, cell) - exact).abs();
            squares += error * error;
            largest = largest.max(error);
        }
        count += 1.0;
    }
    // 4 pi mu Omega R1^2 R2^2 / (R2^2 - R1^2).
    let exact = 4.0 * std::f64::consts::PI * 0.125 * b;
    let forces = solver.forces().expect("forces");
    let [inner, outer] = [0, 1].map(|body: usize| forces[body].torque / exact);
    let net: f64 = forces.iter().map(|body| body.force[0]).sum();
    // What one cylinder gives to the flow the other takes.
    assert!(walls == "stairs" || (inner + outer).abs() < 1e-9, "{inner} {outer}");
    println!("{n} cells, {walls}: torques {outer} and {inner}, net force {net:.1e}");
    [(squares / count).sqrt(), largest, (outer - 1.0).abs().max((inner + 1.0).abs())]
}

#[test]
fn curved_walls_are_second_order_and_stairs_first() {
    const CELLS: [usize; 5] = [20, 28, 40, 56, 80];
    let lattice = if is_long() { "d3q19" } else { "d2q9" };
    let of = |walls: &str| CELLS.map(|n| errors_between_cylinders(n, AXIS, walls, lattice));
    let (exact, stairs) = (of("exact"), of("stairs"));
    // How the wall lies between cells changes from grid to grid: the slope of a line through all.
    let order = |errors: [[f64; 3]; 5], norm: usize| {
        let x = CELLS.map(|n| (n as f64).ln());
        let y = errors.map(|one| one[norm].ln());
        let [mean_x, mean_y] = [x, y].map(|all| all.iter().sum::<f64>() / 5.0);
        let sum =
            |a: [f64; 5], mean: f64| (0..5).map(|k| (a[k] - mean) * (x[k] - mean_x)).sum::<f64>();
        -sum(y, mean_y) / sum(x, mean_x)
    };
    println!("exact  {exact:?}: orders {:.2}, {:.2}", order(exact, 0), order(exact, 1));
    println!("stairs {stairs:?}: orders {:.2}, {:.2}", order(stairs, 0), order(stairs, 1));
    assert!(exact.iter().all(|one| one[2] < 0.01) && exact[4][2] < 2e-3);
    assert!(order(exact, 0) > 1.8 && order(exact, 1) > 1.6);
    assert!(exact[4][0] < 3e-3 && stairs[4][0] > 4.0 * exact[4][0]);
}

/// The largest error is that of single cells and depends on how the grid lies at the walls, and so does that of the torque: of eight
/// places of the axis on each grid, the mean and the worst fall with the square of the spacing.
#[test]
fn the_largest_error_and_that_of_torques_are_of_second_order_wherever_curved_walls_lie() {
    const PLACES: usize = 8;
    let of = |n: usize| {
        let golden = |k: usize, share: f64| 0.5 + ((k as f64 * share).fract() - 0.5) / n as f64;
        let errors: [[f64; 3]; PLACES] = std::array::from_fn(|k| {
            let axis = [golden(k, 0.618_034), golden(k, 0.414_214)];
            errors_between_cylinders(n, axis, "exact", "d2q9")
        });
        [1, 2].map(|norm: usize| {
            let worst = errors.iter().map(|one| one[norm]).fold(0.0, f64::max);
            [errors.iter().map(|one| one[norm]).sum::<f64>() / PLACES as f64, worst]
        })
    };
    let errors = [20, 40, 80].map(of);
    for (norm, name) in ["largest errors", "torques"].into_iter().enumerate() {
        let orders = [0, 1].map(|k: usize| 0.5 * (errors[0][norm][k] / errors[2][norm][k]).log2());
        let of_grids = errors.map(|one| one[norm]);
        println!("{name}, mean and worst of places: {of_grids:?}, orders {orders:.2?}");
        assert!(orders[0] > 1.8 && orders[1] > 1.7, "{name}: {orders:?}");
    }
}
