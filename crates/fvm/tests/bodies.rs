//! Bodies: walls at their own place are of second order, take and give no mass, and give the same bits on any ranks.

use std::sync::Arc;

use crate::flows::{advance, alone, build, difference, whole};
use crate::same_drag;
use vortice_core::{
    Case, Communicator, Context, Quantity, Side, Solver, State, Surface, Threads, Values,
};

/// Centre and radii in m of two cylinders, the inner of which turns with the speed 1 m/s; off the grid.
const CENTRE: [f64; 2] = [0.503, 0.497];
const INNER: f64 = 0.18;
const OUTER: f64 = 0.42;

/// The flow between them on n x n cells, with these walls and lines in the table.
fn taylor_couette(n: usize, walls: &str, run: &str, table: &str) -> Case {
    let [x, y] = CENTRE;
    let circle = |radius: f64, more: &str| {
        format!(
            "{{ circle = {{ centre = [{x}, {y}], radius = {radius} }}, walls = '{walls}', {more} }}"
        )
    };
    let inner = circle(INNER, &format!("rotation = {:?}", 1.0 / INNER));
    let outer = circle(OUTER, "hollow = true");
    let text = format!(
        "title = 'between cylinders'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.1 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ method = 'fvm', {run}, device = 'cpu' }}\n\
         body = {{ inner = {inner}, outer = {outer} }}\n\
         [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\n\
         z-low = 'periodic'\nz-high = 'periodic'\n[fvm]\n{table}"
    );
    Case::parse(&text, "cylinders").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// Its velocity: A r + B / r around the centre.
fn exact([x, y]: [f64; 2]) -> [f64; 2] {
    let [x, y] = [x - CENTRE[0], y - CENTRE[1]];
    let b = INNER / (1.0 - (INNER / OUTER).powi(2));
    let over_r = b * (1.0 / (x * x + y * y) - 1.0 / (OUTER * OUTER));
    [-y * over_r, x * over_r]
}

fn converged(case: &Case, residual: f64) -> Box<dyn Solver> {
    let mut solver = build(case, &alone());
    let mut step = solver.now();
    while step.number < 4_000 && !(step.number > 0 && step.residual < residual) {
        step = solver.step(f64::INFINITY).expect("an iteration");
    }
    println!("{} iterations, residual {:.1e}", step.number, step.residual);
    assert!(step.residual < residual, "{} after {}", step.residual, step.number);
    solver
}

/// Errors of the velocity in cells of the flow: in the mean, as a share of the velocity, and the largest.
fn errors(solver: &mut dyn Solver, case: &Case) -> [f64; 2] {
    let (u, solids) = (solver.field(Quantity::Velocity).expect("a velocity"), case.solids());
    let [mut squares, mut norm, mut largest] = [0.0, 0.0, 0.0_f64];
    for cell in u.own_cells().filter(|&cell| !solids.contains(cell)) {
        let [x, y, _] = case.grid.centre(cell);
        let exact = exact([x, y]);
        let square = (0..2).map(|c| (u.at(c, cell) - exact[c]).powi(2)).sum::<f64>();
        squares += square;
        norm += exact.iter().map(|u| u * u).sum::<f64>();
        largest = largest.max(square.sqrt());
    }
    [(squares / norm).sqrt(), largest]
}

/// Errors on three grids, and their orders.
fn orders(walls: &str, table: &str) -> ([[f64; 2]; 3], [[f64; 2]; 2]) {
    let errors = [20, 40, 80].map(|n| {
        let case = taylor_couette(n, walls, "until = 'steady', steady = 1e-9", table);
        errors(&mut *converged(&case, 1e-6), &case)
    });
    let order = |i: usize| [0, 1].map(|norm| (errors[i][norm] / errors[i + 1][norm]).log2());
    let orders = [order(0), order(1)];
    println!("{walls}, {table}: mean and largest errors {errors:?}, orders {orders:.2?}");
    (errors, orders)
}

#[test]
fn walls_at_their_place_are_of_second_order() {
    let (errors, orders) = orders("exact", "convection = 'central'\n");
    assert!(orders.iter().all(|order| order[0] > 1.8) && errors[2][0] < 2e-3, "{errors:?}");
    let (stairs, _) = self::orders("stairs", "convection = 'central'\n");
    assert!(stairs[2][0] > 4.0 * errors[2][0]);
}

/// Both cylinders feel the torque of the exact flow, 4 pi mu Omega R1^2 R2^2 / (R2^2 - R1^2), of opposite sign.
#[test]
fn the_torque_between_cylinders_is_of_second_order() {
    let exact = {
        let [a, b] = [INNER * INNER, OUTER * OUTER];
        4.0 * std::f64::consts::PI * 0.1 / INNER * a * b / (b - a)
    };
    let errors = [20, 40, 80].map(|n| {
        let run = "until = 'steady', steady = 1e-9";
        let case = taylor_couette(n, "exact", run, "convection = 'central'\n");
        let forces = converged(&case, 1e-8).forces().expect("forces");
        println!("{n} cells: torques {:?}, exact {exact}", forces);
        (forces[0].torque + exact).abs().max((forces[1].torque - exact).abs()) / exact
    });
    println!("errors {errors:?}");
    let order = 0.5 * (errors[0] / errors[2]).log2();
    assert!(errors[2] < 2e-3 && order > 1.8, "order {order}");
}

/// Velocity through the low face of a cell, from a state of one rank.
fn through(state: &State, d: usize, cell: [isize; 3]) -> f64 {
    match &state.fields[["through-x", "through-y"][d]] {
        Values::F64(field) => field.at(0, cell),
        Values::F32(_) => panic!("in double precision"),
    }
}

#[test]
fn cells_keep_their_mass_and_bodies_take_and_give_none() {
    let conserving = "pressure = { multigrid-cg = { retol = 1e-13, abstol = 1e-12, max = 60 } }\n";
    for run in ["until = 'steady', steady = 1e-9", "until = 1e9"] {
        let table = format!("sequence = false\ndt = 0.02\n{conserving}");
        let case = taylor_couette(40, "exact", run, &table);
        let mut solver = build(&case, &alone());
        advance(&mut *solver, 7);
        let (state, solids) = (solver.state().expect("a state"), case.solids());
        let (mut worst, mut fluxes, mut largest) = (0.0_f64, [0.0; 2], 0.0_f64);
        for cell in (0..1600).map(|n| [n % 40, n / 40, 0]).filter(|&cell| !solids.contains(cell)) {
            let mut balance = 0.0;
            for d in 0..2 {
                for side in Side::BOTH {
                    let next = side.next(cell, d);
                    let (face, sign) = if side == Side::Low { (cell, -1.0) } else { (next, 1.0) };
                    let flux = sign * through(&state, d, face);
                    balance += 40.0 * flux;
                    if let Some(body) = solids.body_at(next) {
                        fluxes[body] += flux;
                        largest = largest.max(flux.abs());
                    }
                }
            }
            worst = worst.max(balance.abs());
        }
        println!("{run}: divergence {worst:.1e}, net {fluxes:?} of {largest:.1e} at most");
        assert!(largest > 1e-3 && worst < 1e-9);
        assert!(fluxes.iter().all(|flux| flux.abs() < 1e-13), "{fluxes:?}");
    }
}

/// Begun on a coarser grid, where every rank has the whole list.
#[test]
fn any_number_of_ranks_gives_the_same_bits() {
    let case = taylor_couette(40, "exact", "until = 'steady', steady = 1e-4", "");
    let state = |size: usize| {
        let states = Threads::run(size, |rank| {
            let ranks: Arc<dyn Communicator> = Arc::new(rank);
            let context = Context { ranks: Arc::clone(&ranks), layout: None, threads: 1 };
            let mut solver = build(&case, &context);
            for _ in 0..5 {
                solver.step(f64::INFINITY)?;
            }
            let forces = solver.forces()?;
            Ok((whole(&solver.state()?, &*ranks, &context.decomposition(&case)?)?, forces))
        });
        states.unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
    };
    let (alone, forces) = state(1);
    assert!(forces[0].torque < -0.1 && forces[1].torque > 0.1, "{forces:?}");
    for size in [2, 3, 4] {
        let (state, forces_there) = state(size);
        assert_eq!(forces, forces_there, "{size} ranks");
        let different = difference("between cylinders", &alone, &state);
        assert!(different.is_none(), "{size} ranks: {}", different.unwrap_or_default());
    }
}

/// A box whose faces lie on those of cells is what stairs are: every wall is half a spacing away.
#[test]
fn a_body_on_the_faces_of_cells_has_the_bits_of_a_solid() {
    for run in ["until = 'steady', steady = 1e-9", "until = 1e9"] {
        let flow = |solid: &str| {
            let text = format!(
                "title = 'obstacle'\ngrid = {{ cells = [32, 16, 1], size = [2.0, 1.0, 1.0] }}\n\
                 fluid = {{ viscosity = 0.02 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
                 run = {{ method = 'fvm', {run}, device = 'cpu' }}\n{solid}\n[boundary]\n\
                 x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}\nx-high = 'outflow'\n\
                 y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n\
                 [fvm]\nmultigrid = false\nsequence = false\n"
            );
            let mut solver = build(&Case::parse(&text, "obstacle").expect("a case"), &alone());
            advance(&mut *solver, 8);
            [Quantity::Velocity, Quantity::Pressure].map(|quantity| {
                let values = solver.field(quantity).expect("a field").values;
                values.into_iter().map(|x| x + 0.0).map(f64::to_bits).collect::<Vec<_>>()
            })
        };
        let corners = "low = [0.5, 0.25, 0.0], high = [0.75, 0.75, 1.0]";
        let solid = flow(&format!("solid = [{{ {corners} }}]"));
        for walls in ["exact", "stairs"] {
            let body = format!("body = {{ a = {{ box = {{ {corners} }}, walls = '{walls}' }} }}");
            assert!(solid == flow(&body), "{walls}, {run}");
        }
    }
}

#[test]
fn a_plate_is_refused_unless_it_is_met_in_stairs() {
    let case = |walls: &str| {
        let case = taylor_couette(40, walls, "until = 1.0", "");
        let plate = "body.inner={box={low=[0.3,0.5,-1],high=[0.6,0.52,1]},walls='WALLS'}";
        case.with(&[plate.replace("WALLS", walls)]).expect("a plate")
    };
    let error = (vortice_fvm::METHOD.check)(&case("exact")).expect_err("a plate");
    println!("{error}: {}", error.remedy());
    assert!(error.to_string().starts_with("body.inner: ") && error.remedy().contains("stairs"));
    assert!((vortice_fvm::METHOD.check)(&case("stairs")).is_ok());
}

/// The flow 2D-1 of Schaefer and Turek (1996): a cylinder of 0.1 m in a channel of 2.2 m x 0.41 m, n cells across.
fn channel(n: usize, walls: &str) -> Case {
    let h = 0.41 / n as f64;
    let cells = (2.2 / h).round();
    let text = format!(
        "title = 'cylinder in a channel'\n\
         grid = {{ cells = [{cells}, {n}, 1], size = [{:?}, 0.41, {h:?}] }}\n\
         fluid = {{ viscosity = 1e-3 }}\nscale = {{ length = 0.1, velocity = 0.2 }}\n\
         run = {{ method = 'fvm', until = 'steady', steady = 1e-9, device = 'cpu' }}\n\
         body = {{ cylinder = {{ circle = {{ centre = [0.2, 0.2], radius = 0.05 }}, walls = '{walls}' }} }}\n\
         [boundary]\nx-low = {{ inflow = {{ velocity = [0.2, 0.0, 0.0], profile = \
         {{ parabolic = {{ along = 'y', from = 0.0, to = 0.41 }} }} }} }}\nx-high = 'outflow'\n\
         y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n\
         [fvm]\nconvection = 'central'\n",
        cells * h
    );
    Case::parse(&text, "channel").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// Drag and lift coefficients, from what flows into a box of so many cells around the cylinder's centre.
fn coefficients(solver: &mut dyn Solver, case: &Case, reach: isize) -> [f64; 2] {
    let [u, p] =
        [Quantity::Velocity, Quantity::Pressure].map(|q| solver.field(q).expect("a field"));
    let (state, h) = (solver.state().expect("a state"), case.grid.spacing());
    let centre = [0, 1].map(|d| (0.2 / h[d]).round() as isize);
    let mut force = [0.0; 2];
    for (d, along) in [(0, 1), (1, 0)] {
        for (end, sign) in [(centre[d] - reach, -1.0), (centre[d] + reach, 1.0)] {
            for place in centre[along] - reach..centre[along] + reach {
                let mut cell = [0; 3];
                (cell[d], cell[along]) = (end, place);
                let low = Side::Low.next(cell, d);
                let velocity = through(&state, d, cell);
                for (c, force) in force.iter_mut().enumerate() {
                    let [below, above] = [u.at(c, low), u.at(c, cell)];
                    let carried = velocity * 0.5 * (below + above);
                    let diffused = case.viscosity * (above - below) / h[d];
                    let pressure = if c == d { 0.5 * (p[low] + p[cell]) } else { 0.0 };
                    *force -= sign * (carried - diffused + pressure) * h[along];
                }
            }
        }
    }
    force.map(|force| 2.0 * force / (0.2 * 0.2 * 0.1))
}

/// Drag 5.579535 and lift 0.010619 are those of the benchmark's page.
#[test]
fn a_cylinder_in_a_channel_has_the_drag_of_the_benchmark() {
    // On 29 cells a wall is 0.007 of a spacing away.
    for (n, walls, most) in [(41, "exact", 0.006), (41, "stairs", 0.05), (29, "exact", 0.02)] {
        let case = channel(n, walls);
        let mut solver = converged(&case, 1e-7);
        let [near, far] =
            [n / 4, n / 3].map(|reach| coefficients(&mut *solver, &case, reach as isize));
        let error = near[0] / 5.579_535 - 1.0;
        println!(
            "{n} cells, {walls}: drag and lift {near:?}, {far:?}, drag {:+.2} %",
            100.0 * error
        );
        assert!(error.abs() < most);
        // What the method itself says of the faces around the cylinder.
        let own = solver.forces().expect("forces")[0].coefficients(&case, Surface::Body(0));
        println!("at the cylinder {own:?}");
        assert!((own[0] - near[0]).abs() < 1e-8 && (own[1] - near[1]).abs() < 1e-8);
        // The momentum of the cells between both boxes no longer changes.
        assert!((near[0] - far[0]).abs() < 1e-8 && (near[1] - far[1]).abs() < 1e-8);
    }
}

#[test]
fn a_ball_of_triangles_feels_the_drag_of_a_sphere() {
    same_drag::expect_same_drag(|case| {
        let mut solver = build(case, &alone());
        while solver.now().time < 0.4 {
            solver.step(0.4).expect("a step");
        }
        solver.forces().expect("forces")[0].force[0]
    });
}
