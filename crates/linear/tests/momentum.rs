//! BiCGSTAB on operators that are not symmetric.

use crate::direct;
use crate::direct::{Row, difference};
use crate::problem::{Problem, own, place, scatter};
use vortice_linear::cpu::{Domain, General, Host};
use vortice_linear::{BiCgStab, Ended, Outcome, Space, Stop};

const TIGHT: Stop = Stop { relative: 1e-12, absolute: 0.0, most: 500, look_every: 1 };

/// Upwind convection by a vortex and diffusion, with so many times the strength; a time step adds
/// to the diagonal.
fn rows(problem: &Problem, strength: f64, time: f64) -> Vec<Row> {
    let grid = problem.grid;
    let mut rows = direct::rows(problem);
    for cell in Problem::cells([0; 3], grid.cells()) {
        let row = &mut rows[problem.number(cell)];
        if row.diagonal == 0.0 {
            continue;
        }
        row.diagonal += time;
        let [x, y, _] =
            std::array::from_fn(|d| (cell[d] as f64 + 0.5) / grid.cells()[d] as f64 - 0.5);
        let wind = [strength * y, -strength * x];
        for d in 0..2 {
            let n = grid.cells()[d];
            let upwind = if wind[d] > 0.0 { cell[d].wrapping_sub(1) } else { cell[d] + 1 };
            let upwind = if problem.periodic[d] { (upwind.wrapping_add(n)) % n } else { upwind };
            let mut next = cell;
            next[d] = upwind;
            row.diagonal += wind[d].abs();
            if upwind < n && !(problem.solid)(next) {
                row.neighbours.push((problem.number(next), wind[d].abs()));
            }
        }
    }
    rows
}

/// The space with the operator of some equations.
fn space(problem: &Problem, rows: &[Row]) -> Host<General> {
    let domain = Domain::of(&problem.multigrid(1));
    let mut operator = General::new(&domain);
    let shape = domain.level.shape;
    let cells = problem.grid.cells();
    let coefficients = operator.coefficients_mut();
    for cell in Problem::cells([0; 3], cells) {
        let here = place(&shape, [0; 3], cell);
        let row = &rows[problem.number(cell)];
        coefficients.diagonal[here] = row.diagonal;
        for &(next, a) in &row.neighbours {
            let there = [next % cells[0], next / cells[0] % cells[1], next / (cells[0] * cells[1])];
            let d = (0..3).find(|&d| there[d] != cell[d]).expect("another cell");
            let up = there[d] == (cell[d] + 1) % cells[d];
            coefficients.a[2 * d + usize::from(up)][here] += a;
        }
    }
    operator.prepare(&domain);
    Host::new(domain, operator)
}

fn solve(problem: &Problem, rows: &[Row], stop: &Stop) -> (Outcome, Vec<f64>, Vec<f64>) {
    let mut space = space(problem, rows);
    let level = space.domain().level;
    let values = problem.random(3, false);
    let (mut b, mut x) = (space.zeros().expect("zeros"), space.zeros().expect("zeros"));
    scatter(&values, problem, &level, &mut b);
    let mut solver = BiCgStab::new(&mut space).expect("no rank stops");
    let outcome = solver.solve(&mut space, &b, &mut x, stop).expect("no rank stops");
    (outcome, own(&level, &x), values)
}

#[test]
fn convection_is_solved_as_directly() {
    let solid = |c: [usize; 3]| c[0] < 5 && c[1] < 7;
    let problems = [
        ("box", Problem::cubes([33, 21, 1])),
        ("ring", Problem::cubes([32, 20, 1]).periodic([true, false, false])),
        ("step", Problem::cubes([33, 21, 1]).solid(solid).open(0, 1)),
        ("space", Problem::cubes([13, 11, 9]).periodic([false, false, true])),
    ];
    for (name, problem) in problems {
        for strength in [0.0, 1.0, 100.0] {
            let rows = rows(&problem, strength, 0.1);
            let (outcome, x, b) = solve(&problem, &rows, &TIGHT);
            println!("{name}, {strength}: {} iterations", outcome.iterations);
            assert_eq!(outcome.ended, Ended::Converged, "{name}, {strength}: {outcome:?}");
            let wrong = difference(&x, &direct::solve(&rows, &b, None));
            assert!(wrong < 1e-9, "{name}, {strength}: wrong by {wrong:e}");
        }
    }
}

#[test]
fn relaxed_momentum_takes_few_iterations() {
    // Under-relaxation by 0.95 makes the diagonal larger than the sum of the others.
    let problem = Problem::cubes([64, 64, 1]);
    let mut rows = rows(&problem, 20.0, 0.0);
    rows.iter_mut().for_each(|row| row.diagonal /= 0.95);
    let (outcome, ..) = solve(&problem, &rows, &Stop { relative: 0.1, ..TIGHT });
    println!("{} iterations", outcome.iterations);
    assert!(outcome.ended == Ended::Converged && outcome.iterations <= 6, "{outcome:?}");
}

#[test]
fn systems_without_a_solution_end() {
    // Two cells that are rotated into each other: (A r, r) = 0 for every r.
    let problem = Problem::cubes([2, 1, 1]);
    let turn = |sign: f64| Row { neighbours: vec![], diagonal: sign };
    let mut rows = vec![turn(1e-300), turn(1e-300)];
    rows[0].neighbours.push((1, 1.0));
    rows[1].neighbours.push((0, -1.0));
    let (outcome, x, _) = solve(&problem, &rows, &TIGHT);
    assert!(matches!(outcome.ended, Ended::Breakdown | Ended::NotConverged), "{outcome:?}");
    assert!(x.iter().all(|x| x.is_finite()));
    // No equation at all, but a right-hand side.
    let rows: Vec<Row> = (0..2).map(|_| turn(0.0)).collect();
    let (outcome, x, _) = solve(&problem, &rows, &TIGHT);
    assert_eq!(outcome.ended, Ended::Breakdown);
    assert_eq!(x, [0.0; 2]);
}

#[test]
fn the_result_is_never_worse_than_the_start() {
    let problem = Problem::cubes([48, 48, 1]).open(0, 1);
    let rows = rows(&problem, 1000.0, 0.0);
    for most in 1..30 {
        let (outcome, x, b) = solve(&problem, &rows, &Stop { most, ..TIGHT });
        let residual = rows.iter().enumerate().map(|(n, row)| {
            let sum: f64 = row.neighbours.iter().map(|(next, a)| a * x[*next]).sum();
            b[n] + sum - row.diagonal * x[n]
        });
        let norm = residual.map(|r| r * r).sum::<f64>().sqrt();
        let start = outcome.right_hand_side;
        assert!(norm <= start * (1.0 + 1e-12), "{most} iterations: {norm:e}");
        assert!((norm - outcome.residual).abs() < 1e-9 * start, "{most} iterations: {outcome:?}");
    }
}
