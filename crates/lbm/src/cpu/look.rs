//! Looking at the flow on the processor: its mass, and how much it changed.

use rayon::prelude::*;

use super::Cpu;
use crate::engine::MassAndChange;
use crate::number::Packed;
use crate::population::Population;
use crate::view::ROWS;
use crate::watch::Sums;

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// Looks at all cells, and remembers the velocities of those that are watched. All threads share it.
    pub(super) fn look(&mut self) -> MassAndChange {
        let mut seen = std::mem::take(&mut self.seen);
        let (rows, watched) = (self.rows_seen(), &self.watched);
        let [n, n_j, n_k] = self.layout.shape.cells;
        let add_row = |mut sums: Sums<T>, row: usize| {
            let flow = rows.flow([row % n_j, row / n_j]);
            let cells = (0..n).filter(|&i| flow.flows(i));
            cells.for_each(|i| sums.add(flow.at(i)));
            sums
        };
        let per_row = watched.count[0].max(1);
        let change_in_row = |(row, seen): (usize, &mut [[T; 3]])| {
            let [_, j, k] = watched.cell(row * per_row).map(|at| at as usize);
            let flow = rows.flow([j, k]);
            watched.change(row * per_row, seen, |[i, ..]| flow.at(i as usize))
        };
        let mass_and_change = match self.pool.threads() {
            1 => {
                let sums = (0..n_j * n_k).fold(Sums::default(), add_row);
                let changes = seen.chunks_mut(per_row).enumerate().map(change_in_row);
                sums.with_change(changes.fold(T::default(), T::max_magnitude))
            }
            _ => self.pool.install(|| {
                let rows = (0..n_j * n_k).into_par_iter().with_min_len(ROWS);
                let sums = rows.fold(Sums::default, add_row).reduce(Sums::default, Sums::join);
                let rows = seen.par_chunks_mut(per_row).with_min_len(ROWS).enumerate();
                let change = rows.map(change_in_row).reduce(T::default, T::max_magnitude);
                sums.with_change(change)
            }),
        };
        self.seen = seen;
        mass_and_change
    }
}
