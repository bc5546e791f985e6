//! Looking at the flow on the processor: its mass, and how much it changed.

use vortice_core::share_each;

use super::{Cpu, SHARES};
use crate::engine::MassAndChange;
use crate::number::Packed;
use crate::population::Population;
use crate::view::ROWS;
use crate::watch::Sums;

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// Looks at all cells, and remembers the velocities of those that are watched. All threads share it.
    pub(super) fn look(&mut self) -> MassAndChange {
        let mut seen = std::mem::take(&mut self.seen);
        let (flows, watched) = (self.rows_seen(), &self.watched);
        let [n, n_j, n_k] = self.layout.shape.cells;
        // Some rows are watched: they are looked at but once.
        let per_row = watched.count[0].max(1);
        let of_row = |(row, seen): (usize, _)| {
            let [_, j, k] = watched.cell(row * per_row).map(|at| at as usize);
            (j + n_j * k, row * per_row, seen)
        };
        let mut watched_rows = seen.chunks_mut(per_row).enumerate().map(of_row).peekable();
        let next = |row| (row, watched_rows.next_if(|(at, ..)| *at == row));
        let rows: Vec<_> = (0..n_j * n_k).map(next).collect();
        let add = |(mut sums, change): (Sums<T>, T),
                   (row, seen): (usize, Option<(_, usize, _)>)| {
            let flow = flows.flow([row % n_j, row / n_j]);
            let cells = (0..n).filter(|&i| flow.flows(i));
            cells.for_each(|i| sums.add(flow.at(i)));
            let in_row = seen
                .map(|(_, first, seen)| watched.change(first, seen, |[i, ..]| flow.at(i as usize)));
            (sums, in_row.map_or(change, |in_row| change.max_magnitude(in_row)))
        };
        let nothing = || (Sums::default(), T::default());
        let (sums, change) = match self.pool.threads() {
            1 => rows.into_iter().fold(nothing(), add),
            threads => {
                let of_one = rows.len().div_ceil(threads * SHARES).max(ROWS);
                let parts = rows.len().div_ceil(of_one);
                let mut rows = rows.into_iter();
                let parts = (0..parts).map(|_| (rows.by_ref().take(of_one).collect(), nothing()));
                let parts: Vec<(Vec<_>, _)> = parts.collect();
                let parts = self.pool.install(|| {
                    share_each(parts, 1, |_, (rows, found)| {
                        *found = std::mem::take(rows).into_iter().fold(nothing(), add);
                    })
                });
                let join = |a: (Sums<T>, T), (_, b): (_, (Sums<T>, T))| {
                    (a.0.join(b.0), a.1.max_magnitude(b.1))
                };
                parts.into_iter().fold(nothing(), join)
            }
        };
        let mass_and_change = sums.with_change(change);
        self.seen = seen;
        mass_and_change
    }
}
