//! Direct solutions to compare with, by Gaussian elimination.
#![allow(dead_code, unreachable_pub)] // each test uses some of it

use crate::problem::{Problem, centre};

/// Coefficients of a cell: its neighbours' numbers and coefficients, and the diagonal.
pub struct Row {
    pub neighbours: Vec<(usize, f64)>,
    pub diagonal: f64,
}

/// The symmetric equations of a problem.
pub fn rows(problem: &Problem) -> Vec<Row> {
    let grid = problem.grid;
    let cells = Problem::cells([0; 3], grid.cells());
    cells
        .map(|cell| {
            let mut row = Row { neighbours: vec![], diagonal: 0.0 };
            for d in grid.directions() {
                for up in [0, 1] {
                    let mut face = cell;
                    face[d] += up;
                    let c = problem.conductance(d, face);
                    row.diagonal += c;
                    let n = grid.cells()[d];
                    let there = (cell[d] + n + 2 * up - 1) % n;
                    let inside = there + 1 == cell[d] + 2 * up || problem.periodic[d];
                    if inside && c != 0.0 {
                        let mut next = cell;
                        next[d] = there;
                        row.neighbours.push((problem.number(next), c));
                    }
                }
            }
            row
        })
        .collect()
}

/// The solution of diagonal x - sum of coefficients x_neighbour = b; cells without a diagonal have
/// 0. If `fluid` is given, constants are the null space, and the solution has no mean there.
pub fn solve(rows: &[Row], b: &[f64], fluid: Option<&[bool]>) -> Vec<f64> {
    let n = rows.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for (k, row) in rows.iter().enumerate() {
        matrix[k][k] = if row.diagonal == 0.0 { 1.0 } else { row.diagonal };
        row.neighbours.iter().for_each(|&(next, c)| matrix[k][next] -= c);
    }
    if let Some(fluid) = fluid {
        // The sum of all equations says then that this cell has the value 0.
        let first = fluid.iter().position(|fluid| *fluid).expect("a cell");
        matrix[first][first] += 1.0;
    }
    let mut x = b.to_vec();
    eliminate(&mut matrix, &mut x);
    if let Some(fluid) = fluid {
        centre(&mut x, fluid);
    }
    x
}

/// Puts the solution in place of the right side. No row is exchanged: no diagonal is less than the sum of its row's other
/// coefficients, with which elimination is stable.
fn eliminate(matrix: &mut [Vec<f64>], x: &mut [f64]) {
    let n = x.len();
    for k in 0..n {
        let (done, below) = matrix.split_at_mut(k + 1);
        let pivot = &done[k];
        let end = 1 + pivot.iter().rposition(|a| *a != 0.0).expect("a regular matrix");
        for (i, row) in below.iter_mut().enumerate().filter(|(_, row)| row[k] != 0.0) {
            let factor = row[k] / pivot[k];
            row[k..end].iter_mut().zip(&pivot[k..end]).for_each(|(a, p)| *a -= factor * p);
            x[k + 1 + i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k][j] * x[j]).sum();
        x[k] = (x[k] - known) / matrix[k][k];
    }
}

/// The largest difference, relative to the largest value.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = b.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / largest
}
