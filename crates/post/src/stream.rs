//! The stream function of a plane flow to fourth order, up to the ends of the box.

use rayon::prelude::*;
use vortice_core::{Case, Cells, Condition, Quantity, Sampler, Side, Solids, fill_rows};

use crate::interpolation::{Node, running_integral};

/// The stream function of a plane flow in m2/s at the cell centres and at the ends of the box,
/// eq. (P1) and (P2): u = d(psi)/dy, v = -d(psi)/dx, zero in the corner of x-low and y-low.
///
/// It integrates cubics where [`vortice_core::stream_function`], which is what a run records, sums
/// the values in the cells: fourth order instead of second for a velocity known at the centres.
#[derive(Clone, Debug)]
pub struct StreamFunction {
    /// Positions in m in x: the low end of the box, the cell centres, the high end.
    pub x: Vec<f64>,
    /// The same in y.
    pub y: Vec<f64>,
    /// Values in m2/s, x fastest.
    pub values: Vec<f64>,
    /// The largest difference in m2/s, of all columns, between the flow through the column and what its
    /// ends prescribe; zero where they prescribe nothing. It is spread over the gaps between nodes by
    /// how far the cubics there are from straight lines.
    pub closure: f64,
}

impl StreamFunction {
    /// Of a velocity in m/s on the whole grid without halo; nothing if the flow is not plane.
    pub fn of<'a>(case: &'a Case, velocity: impl Into<Cells<'a>>) -> Option<Self> {
        let velocity = velocity.into();
        let sampler = Sampler::new(case, velocity, Quantity::Velocity);
        let columns = Columns { case, velocity, solids: case.solids(), sampler };
        case.grid.is_plane().then(|| columns.stream_function())
    }

    /// The value at a node in m2/s.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i + j * self.x.len()]
    }
}

/// The columns of nodes that u is integrated along.
struct Columns<'a> {
    case: &'a Case,
    velocity: Cells<'a>,
    solids: Solids,
    sampler: Sampler<'a>,
}

/// One column: the integral of u from y-low to each node in m2/s, and how doubtful it is: how far
/// the integrals over the gaps below are from those of straight lines.
struct Column {
    flow: Vec<f64>,
    doubt: Vec<f64>,
}

impl Columns<'_> {
    fn stream_function(&self) -> StreamFunction {
        let (x, y) = (self.nodes(0), self.nodes(1));
        let low = self.along_face(Side::Low);
        let nodes = (0..x.len()).into_par_iter();
        let columns: Vec<Column> = nodes.map(|i| self.column(&x, i)).collect();
        let misses = self.misses(&columns, &low);
        let mut values = vec![0.0; x.len() * y.len()];
        fill_rows([&mut values], x.len(), |j, [row]| {
            for (i, (value, column)) in row.iter_mut().zip(&columns).enumerate() {
                let doubt = column.doubt[y.len() - 1].max(f64::MIN_POSITIVE);
                let share = misses[i] * column.doubt[j] / doubt;
                *value = low[i] + column.flow[j] - share;
            }
        });
        let closure = misses.iter().fold(0.0, |largest: f64, miss| largest.max(miss.abs()));
        StreamFunction { x, y, values, closure }
    }

    fn nodes(&self, d: usize) -> Vec<f64> {
        let axis = &self.case.grid.axes[d];
        let centres = (0..axis.len() as isize).map(|i| axis.centre(i));
        std::iter::once(axis.low()).chain(centres).chain([axis.high()]).collect()
    }

    /// The cell that a node lies in or beside.
    fn cell(&self, d: usize, node: usize) -> isize {
        (node as isize - 1).clamp(0, self.case.grid.axes[d].len() as isize - 1)
    }

    fn column(&self, x: &[f64], node: usize) -> Column {
        let axis = &self.case.grid.axes[1];
        let (i, n) = (self.cell(0, node), axis.len());
        let centred = node == self.cell(0, node) as usize + 1;
        let is_solid = |j: usize| self.solids.contains([i, j as isize, 0]);
        let at = |y: f64| self.sampler.value(0, [x[node], y, self.case.grid.axes[2].centre(0)]);
        let inside = |j: usize| match centred {
            true => self.velocity.at(0, [i, j as isize, 0]),
            false => at(axis.centre(j as isize)),
        };
        let mut column = Column { flow: vec![0.0; n + 2], doubt: vec![0.0; n + 2] };
        let (mut flow, mut doubt, mut j) = (0.0, 0.0, 0);
        while j < n {
            let run = (j..n).take_while(|&j| !is_solid(j)).count();
            if run == 0 {
                (column.flow[j + 1], column.doubt[j + 1]) = (flow, doubt);
                j += 1;
                continue;
            }
            let end = |j: usize| axis.face(j as isize);
            let mut nodes = vec![Node { x: end(j), value: at(end(j)) }];
            let cells = j..j + run;
            nodes.extend(cells.map(|j| Node { x: axis.centre(j as isize), value: inside(j) }));
            nodes.push(Node { x: end(j + run), value: at(end(j + run)) });
            let sums = running_integral(&nodes);
            for k in 1..=run + 1 {
                let (before, here) = (nodes[k - 1], nodes[k]);
                let straight = 0.5 * (here.x - before.x) * (here.value + before.value);
                doubt += (sums[k] - sums[k - 1] - straight).abs();
                (column.flow[j + k], column.doubt[j + k]) = (flow + sums[k], doubt);
            }
            flow += sums[run + 1];
            j += run;
        }
        (column.flow[n + 1], column.doubt[n + 1]) = (flow, doubt);
        column
    }

    /// What each column carries too much, seen from y-high: known where that face prescribes the
    /// flow through it; against x-low if that does too, else against the mean of the columns.
    fn misses(&self, columns: &[Column], low: &[f64]) -> Vec<f64> {
        if !self.prescribes(1, Side::High) {
            return vec![0.0; columns.len()];
        }
        let high = self.along_face(Side::High);
        let tops = columns.iter().zip(low.iter().zip(&high));
        let tops: Vec<f64> = tops
            .map(|(column, (low, high))| low + column.flow[column.flow.len() - 1] - high)
            .collect();
        let corner = if self.prescribes(0, Side::Low) {
            let axis = &self.case.grid.axes[1];
            let flows = (0..axis.len() as isize).map(|j| self.through(0, Side::Low, j, 1.0));
            flows.sum::<f64>() * axis.spacing()
        } else {
            tops.iter().sum::<f64>() / tops.len() as f64
        };
        tops.iter().map(|top| top - corner).collect()
    }

    fn prescribes(&self, d: usize, side: Side) -> bool {
        let condition = self.case.boundaries.at(d, side).condition();
        matches!(condition, Some(Condition::Velocity | Condition::Mirror))
    }

    /// Minus the integral of v along a face in y, from x-low to each node.
    fn along_face(&self, side: Side) -> Vec<f64> {
        let axis = &self.case.grid.axes[0];
        let mut sums = vec![0.0];
        let mut sum = 0.0;
        for i in 0..axis.len() as isize {
            sums.push(sum - self.through(1, side, i, 0.5) * 0.5 * axis.spacing());
            sum -= self.through(1, side, i, 1.0) * axis.spacing();
        }
        sums.push(sum);
        sums
    }

    /// Mean velocity in m/s in direction `d` through the first `share` of a cell's part of a face.
    fn through(&self, d: usize, side: Side, cell: isize, share: f64) -> f64 {
        let (axes, other) = (&self.case.grid.axes, 1 - d);
        let n = axes[d].len() as isize;
        let beside = if side == Side::Low { 0 } else { n - 1 };
        let mut there = [cell, cell, 0];
        there[d] = beside;
        let boundary = self.case.boundaries.at(d, side);
        if self.solids.contains(there) || boundary.condition() == Some(Condition::Mirror) {
            return 0.0;
        }
        let face = if side == Side::Low { axes[d].low() } else { axes[d].high() };
        let (mut from, mut to) = ([face; 3], [face; 3]);
        (from[other], to[other]) =
            (axes[other].face(cell), axes[other].face(cell) + share * axes[other].spacing());
        (from[2], to[2]) = (axes[2].low(), axes[2].high());
        match boundary.velocity(from, to) {
            Some(velocity) => velocity[d],
            None => {
                let middle = std::array::from_fn(|d| 0.5 * (from[d] + to[d]));
                self.sampler.value(d, middle)
            }
        }
    }
}

#[cfg(test)]
mod tests;
