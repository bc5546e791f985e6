//! What must hold whatever the numbers: rest, uniform flow, mass, independence of relaxation and time step,
//! no checkerboard, stopping and going on, matrices.

use crate::flows::{Flow, advance, alone, build, difference};
use vortice_core::{Case, Field, Quantity, Values};
use vortice_fvm::{Equation, matrix};

fn cavity(n: usize, run: &str, table: &str) -> Case {
    let text = format!(
        "title = 'cavity'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ method = 'fvm', {run}, device = 'cpu' }}\n\
         [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = 'periodic'\n\
         z-high = 'periodic'\n[fvm]\n{table}"
    );
    Case::parse(&text, "cavity").expect("a case")
}

/// Velocity and pressure once a steady flow has converged.
fn converged(case: &Case) -> [Field; 2] {
    let mut solver = build(case, &alone());
    let mut step = solver.now();
    while step.number < 20_000 && !(step.number > 0 && step.residual < 1e-10) {
        step = solver.step(f64::INFINITY).expect("an iteration");
    }
    assert!(step.residual < 1e-10, "{} after {}", step.residual, step.number);
    [Quantity::Velocity, Quantity::Pressure].map(|q| solver.field(q).expect("a field"))
}

fn distance(one: &Field, other: &Field) -> f64 {
    one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const STEADY: &str = "until = 'steady', steady = 1e-10";

#[test]
fn the_steady_flow_depends_neither_on_relaxation_nor_on_coupling() {
    let tables = [
        "relax-velocity = 0.95\n",
        "relax-velocity = 0.7\n",
        "coupling = 'simple'\nrelax-velocity = 0.8\nrelax-pressure = 0.2\n",
        "coupling = 'simple'\nrelax-velocity = 0.5\nrelax-pressure = 0.4\nmomentum = { sweeps = 4 }\n",
    ];
    let found = tables.map(|table| converged(&cavity(32, STEADY, table)));
    for (table, other) in tables.iter().zip(&found).skip(1) {
        let [u, p] = [0, 1].map(|q| distance(&found[0][q], &other[q]));
        println!("{}: differences {u:.1e}, {p:.1e}", table.replace('\n', ", "));
        assert!(u < 1e-8 && p < 1e-8);
    }
}

#[test]
fn the_steady_flow_does_not_depend_on_the_time_step() {
    let [steady, _] = converged(&cavity(32, STEADY, ""));
    for (dt, scheme) in [(0.05, "bdf2"), (0.5, "euler")] {
        let table = format!("dt = {dt:?}\ntime-scheme = '{scheme}'\nouter-iterations = 6\n");
        let mut solver = build(&cavity(32, "until = 100.0", &table), &alone());
        while solver.now().time < 100.0 {
            solver.step(100.0).expect("a step");
        }
        let found = distance(&steady, &solver.field(Quantity::Velocity).expect("a velocity"));
        println!("dt {dt}, {scheme}: difference {found:.1e}");
        assert!(found < 1e-8);
    }
}

/// Mean of the pressure times +1 and -1 on the cells of a chequered board.
fn checkerboard(p: &Field) -> f64 {
    let sign = |[i, j, _]: [isize; 3]| if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
    let sum: f64 = p.own_cells().map(|cell| sign(cell) * p[cell]).sum();
    (sum / p.values.len() as f64).abs()
}

/// A pressure that alternates from cell to cell has no gradient at the cells; only the faces see it.
#[test]
fn a_checkerboard_of_pressure_goes_away() {
    let after = |table: &str| {
        let mut solver = build(
            &cavity(32, STEADY, &format!("multigrid = false\nsequence = false\n{table}")),
            &alone(),
        );
        advance(&mut *solver, 100);
        let mut state = solver.state().expect("a state");
        let Some(Values::F64(p)) = state.fields.get_mut("pressure") else { panic!("no pressure") };
        for cell in p.own_cells().collect::<Vec<_>>() {
            p[cell] += if (cell[0] + cell[1]) % 2 == 0 { 1.0 } else { -1.0 };
        }
        solver.restore(&state).expect("a fitting state");
        advance(&mut *solver, 300);
        checkerboard(&solver.field(Quantity::Pressure).expect("a pressure"))
    };
    let corrected = after("");
    let plain = after("rhie-chow = false\n");
    println!("of 1: {corrected:.1e} with Rhie and Chow's interpolation, {plain:.1e} without");
    assert!(corrected < 1e-3 && plain > 0.1);
}

#[test]
fn rest_stays_at_rest_and_uniform_flow_uniform() {
    for flow in Flow::all() {
        for steady in [true, false] {
            let name = flow.name;
            let case = flow.on_one_grid(steady, "");
            let mut solver = build(&case, &alone());
            advance(&mut *solver, 3);
            let u = solver.field(Quantity::Velocity).expect("a velocity");
            assert!(u.values.iter().all(|x| x.is_finite()), "{name}");
        }
    }
    let faces = |x: &str, y: &str| {
        format!("[boundary]\nx-low = {x}\nx-high = {y}\ny-low = 'symmetry'\ny-high = 'symmetry'\n")
    };
    let inflow = "{ inflow = { velocity = [0.7, 0.0, 0.0] } }";
    for (x, y, speed) in
        [("'periodic'", "'periodic'", 0.7), (inflow, "'outflow'", 0.7), ("'wall'", "'wall'", 0.0)]
    {
        let text = format!(
            "title = 'uniform'\ngrid = {{ cells = [14, 9, 1], size = [1.0, 1.0, 1.0] }}\n\
             fluid = {{ viscosity = 0.01 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
             initial = {{ velocity = [{speed:?}, 0.0, 0.0] }}\n\
             run = {{ method = 'fvm', until = 1e9, device = 'cpu' }}\n{}z-low = 'periodic'\n\
             z-high = 'periodic'\n",
            faces(x, y)
        );
        let case = Case::parse(&text, "uniform").expect("a case");
        let mut solver = build(&case, &alone());
        advance(&mut *solver, 20);
        let u = solver.field(Quantity::Velocity).expect("a velocity");
        for cell in u.own_cells() {
            let off = (u.at(0, cell) - speed).abs().max(u.at(1, cell).abs());
            assert!(off < 1e-13, "{x}: {off} in {cell:?}");
        }
    }
}

#[test]
fn a_stopped_run_goes_on_as_if_nothing_had_happened() {
    let in_time = (false, "outer-iterations = 2\n");
    let all = Flow::all().into_iter().map(|flow| (flow, vec![(true, "look-every = 3\n"), in_time]));
    let changing = Flow::changing().into_iter().map(|flow| (flow, vec![in_time]));
    for (flow, tables) in all.chain(changing) {
        for (steady, table) in tables {
            let case = flow.on_one_grid(steady, table);
            let mut whole = build(&case, &alone());
            advance(&mut *whole, 5);
            let saved = whole.state().expect("a state");
            let last = advance(&mut *whole, 6);
            let mut rest = build(&case, &alone());
            rest.restore(&saved).expect("a fitting state");
            assert_eq!(advance(&mut *rest, 6), last, "{}", flow.name);
            let different = difference(flow.name, &whole.state().unwrap(), &rest.state().unwrap());
            assert!(different.is_none(), "{}", different.unwrap_or_default());
        }
    }
}

/// Rows of the assembled operators: what flows out of a cell flows into its neighbours.
#[test]
fn the_pressure_matrix_is_symmetric_and_conserves() {
    for flow in Flow::all() {
        let case = flow.on_one_grid(true, "");
        let matrix = matrix(&case, Equation::Pressure).expect("a matrix");
        let (mut largest, mut skew) = (0.0_f64, 0.0_f64);
        for (row, cells) in matrix.outer_iterator().enumerate() {
            for (column, &value) in cells.iter() {
                largest = largest.max(value.abs());
                let mirrored = matrix.get(column, row).copied().unwrap_or(0.0);
                skew = skew.max((value - mirrored).abs());
            }
        }
        assert!(skew <= 1e-14 * largest, "{}: {skew} of {largest}", flow.name);
        // Diagonals are the sums of neighbours, but beside outlets, where they are larger.
        for cells in matrix.outer_iterator() {
            let sum: f64 = cells.iter().map(|(_, value)| *value).sum();
            assert!(sum > -1e-12 * largest, "{}: {sum}", flow.name);
        }
        let momentum = vortice_fvm::matrix(&case, Equation::Momentum).expect("a matrix");
        let diagonal = |row: usize| momentum.get(row, row).copied().unwrap_or(0.0);
        assert!((0..momentum.rows()).all(|row| diagonal(row) > 0.0), "{}", flow.name);
    }
}

/// Other inner solvers find the same flow.
#[test]
fn every_inner_solver_finds_the_same_steady_flow() {
    let tables = [
        "",
        "momentum = { bicgstab = { retol = 0.1 } }\n",
        "pressure = { multigrid-cg = { retol = 0.01 } }\n",
        "pressure = { jacobi-cg = { retol = 0.1 } }\nmomentum = { bicgstab = { max = 5 } }\n",
        "pressure = { cg = { retol = 0.1 } }\n",
    ];
    let found = tables.map(|table| converged(&cavity(24, STEADY, table)));
    for (table, other) in tables.iter().zip(&found).skip(1) {
        let [u, p] = [0, 1].map(|q| distance(&found[0][q], &other[q]));
        println!("{}: differences {u:.1e}, {p:.1e}", table.replace('\n', ", "));
        assert!(u < 1e-8 && p < 1e-8);
    }
}

/// A run that is stopped while coarser grids are computed has not begun: it goes on as if nothing had happened.
#[test]
fn a_run_that_is_stopped_before_its_first_step_goes_on_with_the_same_bits() {
    let case = cavity(64, STEADY, "multigrid = false\n");
    let [mut unbroken, mut stopped, mut again] = [(); 3].map(|()| build(&case, &alone()));
    advance(&mut *unbroken, 3);
    for _ in 0..5 {
        assert!(
            stopped.prepare().expect("a part of it"),
            "16^2 and 32^2 take more than fifty iterations"
        );
    }
    let state = stopped.state().expect("a state");
    assert_eq!(stopped.now().number, 0);
    again.restore(&state).expect("a fitting state");
    for solver in [&mut stopped, &mut again] {
        advance(&mut **solver, 3);
        assert_eq!(solver.state().expect("a state"), unbroken.state().expect("a state"));
    }
}
