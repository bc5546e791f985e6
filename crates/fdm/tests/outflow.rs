//! Vortices that leave the box: what of them stays or comes back.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod common;

use common::{case, solver};
use vortice_core::{Case, Field, Quantity, Solver, Values};

/// A stream of 1 m/s between mirrors, out through x-high.
fn stream(cells: [usize; 2], outflow: &str, more: &str) -> Case {
    let [n, m] = cells;
    case(&format!(
        "title = 'vortex'\ngrid = {{ cells = [{n}, {m}, 1], size = [3.0, 2.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.002 }}\ninitial = {{ velocity = [1.0, 0.0, 0.0] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n[boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}\nx-high = {outflow}\n\
         y-low = 'symmetry'\ny-high = 'symmetry'\nz-low = 'periodic'\nz-high = 'periodic'\n\
         [run]\nmethod = 'fdm'\nuntil = 10.0\n{more}"
    ))
}

/// Adds vortices to the velocity of a state: each at a place, turning at this speed at most.
fn add_vortices(case: &Case, solver: &mut dyn Solver, vortices: &[[f64; 3]]) {
    let mut state = solver.state().expect("a state");
    let h = case.grid.spacing();
    let radius = 0.15_f64;
    // Stream function, so that the sum over faces of a cell is nothing.
    let psi = |x: f64, y: f64| -> f64 {
        let of = |[cx, cy, speed]: &[f64; 3]| {
            let r2 = (x - cx).powi(2) + (y - cy).powi(2);
            speed * radius * (0.5 - 0.5 * r2 / radius.powi(2)).exp()
        };
        vortices.iter().map(of).sum()
    };
    for (a, name) in ["velocity-x", "velocity-y"].iter().enumerate() {
        let Some(Values::F64(field)) = state.fields.get_mut(*name) else { panic!("f64") };
        for cell in field.shape.all_cells() {
            let [x, y] = [cell[0] as f64 * h[0], cell[1] as f64 * h[1]];
            let change = if a == 0 {
                (psi(x, y + h[1]) - psi(x, y)) / h[1]
            } else {
                -(psi(x + h[0], y) - psi(x, y)) / h[0]
            };
            *field.at_mut(0, cell) += change;
        }
    }
    solver.restore(&state).expect("the state");
}

/// Sum of the squared vorticity between cells.
fn enstrophy(case: &Case, solver: &mut dyn Solver) -> f64 {
    let u: Field = solver.field(Quantity::Velocity).expect("a field");
    let h = case.grid.spacing();
    let [n, m, _] = case.grid.cells().map(|n| n as isize);
    let mut sum = 0.0;
    for j in 0..m - 1 {
        for i in 0..n - 1 {
            let at = |c, di, dj| u.at(c, [i + di, j + dj, 0]);
            let dv = 0.5 * (at(1, 1, 0) + at(1, 1, 1) - at(1, 0, 0) - at(1, 0, 1)) / h[0];
            let du = 0.5 * (at(0, 0, 1) + at(0, 1, 1) - at(0, 0, 0) - at(0, 1, 0)) / h[1];
            sum += (dv - du).powi(2);
        }
    }
    sum
}

/// Shares of the enstrophy at some times.
fn left(cells: [usize; 2], outflow: &str, vortices: &[[f64; 3]], more: &str) -> (Vec<f64>, f64) {
    let case = stream(cells, outflow, more);
    let mut solver = solver(&case);
    add_vortices(&case, &mut *solver, vortices);
    let first = enstrophy(&case, &mut *solver);
    let (mut iterations, mut steps) = (0, 0);
    let shares = [0.5, 1.0, 1.5, 2.0, 3.0, 5.0].map(|end| {
        while solver.now().time < end {
            iterations += solver.step(end).expect("a step").iterations;
            steps += 1;
        }
        enstrophy(&case, &mut *solver) / first
    });
    (shares.to_vec(), iterations as f64 / steps as f64)
}

#[test]
fn measure() {
    let one = [[2.0, 0.9, 0.3]];
    let strong = [[2.0, 0.9, 0.8]];
    let pair = [[2.0, 0.75, 0.3], [2.0, 1.25, -0.3]];
    let back = [[2.0, 0.75, -0.3], [2.0, 1.25, 0.3]];
    for n in [32, 64] {
        for (name, vortices) in [("one", &one[..]), ("strong", &strong), ("pair", &pair), ("back", &back)] {
            for outflow in ["'outflow'", "{ outflow = { convective = true } }"] {
                let (shares, iterations) = left([3 * n / 2, n], outflow, vortices, "");
                let shares: Vec<_> = shares.iter().map(|s| format!("{s:.2e}")).collect();
                println!("{n} {name} {outflow}: {shares:?} {iterations:.1} iterations");
            }
        }
    }
}
