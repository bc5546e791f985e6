//! Looking at the flow on the processor: its mass, and how much it changed.

use rayon::prelude::*;

use super::Cpu;
use crate::engine::MassAndChange;
use crate::number::Packed;
use crate::population::Population;
use crate::view;
use crate::watch::{Sums, solid_in_row};

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// Looks at all cells, and remembers the velocities of those that are watched. All threads share it.
    pub(super) fn look(&mut self) -> MassAndChange {
        let mut seen = std::mem::take(&mut self.seen);
        let (view, force, [_, n_j, n_k]) = (self.view(), self.force(), self.layout.shape.cells);
        let add_row = |mut sums: Sums<T>, row: usize| {
            let at = [row % n_j, row / n_j];
            let solid = solid_in_row(&self.solid, &self.layout, at);
            let [j, k] = at.map(|n| n as isize);
            view.each_in_row::<T>([j, k], |i, h| {
                if solid.get(i) != Some(&1) {
                    sums.add(view::flow(&h, force([i as isize, j, k])));
                }
            });
            sums
        };
        let flow = |cell| view::flow(&view.arrived::<T>(cell), force(cell));
        let mass_and_change = match self.pool.threads() {
            1 => {
                let sums = (0..n_j * n_k).fold(Sums::default(), add_row);
                sums.with_change(self.watched.change(0, &mut seen, flow))
            }
            _ => self.pool.install(|| {
                let rows = (0..n_j * n_k).into_par_iter().with_min_len(view::ROWS);
                let sums = rows.fold(Sums::default, add_row).reduce(Sums::default, Sums::join);
                sums.with_change(self.watched.change_by_threads(&mut seen, flow))
            }),
        };
        drop(force);
        self.seen = seen;
        mass_and_change
    }
}
