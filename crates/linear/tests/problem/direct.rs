//! Direct solutions to compare with.
#![allow(dead_code, unreachable_pub)] // each test uses some of it

use faer::Col;
use faer::prelude::Solve;
use faer::sparse::{SparseColMat, Triplet};

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
    let mut triplets = vec![];
    for (n, row) in rows.iter().enumerate() {
        triplets.push(Triplet::new(n, n, if row.diagonal == 0.0 { 1.0 } else { row.diagonal }));
        triplets.extend(row.neighbours.iter().map(|&(next, c)| Triplet::new(n, next, -c)));
    }
    if let Some(fluid) = fluid {
        // The sum of all equations says then that this cell has the value 0.
        let first = fluid.iter().position(|fluid| *fluid).expect("a cell");
        triplets.push(Triplet::new(first, first, 1.0));
    }
    let n = rows.len();
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &triplets);
    let factors = matrix.expect("a matrix").sp_lu().expect("a regular matrix");
    let solution = factors.solve(&Col::from_fn(n, |i| b[i]));
    let mut x: Vec<f64> = (0..n).map(|i| solution[i]).collect();
    if let Some(fluid) = fluid {
        centre(&mut x, fluid);
    }
    x
}

/// The largest difference, relative to the largest value.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = b.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / largest
}
