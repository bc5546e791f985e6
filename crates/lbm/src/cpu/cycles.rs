//! What cycles do on the processor; eqs. (L23) to (L25). Twin of kernels/lbm/coarser.cuh.

use vortice_core::{Case, Context, Result, fill_rows, share, share_each};

use super::Cpu;
use super::visit::Visit;
use crate::coarser::{FLOW, Grid, Padded, coarser};
use crate::engine::{Cycled, Told};
use crate::layout::Layout;
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::step;
use crate::view::{self, ROWS};

/// Numbers that a thread adds together.
const TOGETHER: usize = 1 << 14;

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// The engine of one rank with all coarser grids, if steps are cycles.
    ///
    /// # Errors
    /// As [`Cpu::new`], or if ranks have parts that cannot be halved.
    pub(crate) fn with_coarser(
        case: &Case,
        context: &Context,
        settings: &Settings,
    ) -> Result<Self> {
        let mut engine = Self::new(case, context, settings)?;
        if let Some(Grid { settings, context }) = coarser(case, context, settings)? {
            let mut coarser = Self::with_coarser(&settings.case, &context, &settings)?;
            let Self { settings, layout, part, solid, ranks, .. } = &coarser;
            let padded = Padded::new(settings, part, (layout, solid), &**ranks)?;
            coarser.visit = Some(Visit::new(layout, Q, padded));
            engine.coarser = Some(Box::new(coarser));
        }
        Ok(engine)
    }

    /// Does something in each own cell that is in the flow, which is told with its number and the places where its
    /// populations arrive. Threads share the rows.
    fn each_cell(&self, work: impl Fn([isize; 3], usize, [usize; Q]) + Sync) {
        let ([n, n_j, n_k], layout) = (self.layout.shape.cells, &self.layout);
        let of_row = |row: usize| {
            let cells = (0..n).map(|i| [i, row % n_j, row / n_j].map(|at| at as isize));
            for (i, cell) in cells.enumerate().filter(|(_, cell)| self.flows(*cell)) {
                work(cell, i + n * row, layout.all_arriving::<Q>(self.parity, cell));
            }
        };
        self.pool.install(|| share(n_j * n_k, ROWS, &of_row));
    }

    /// The populations of a flow at equilibrium.
    fn at_equilibrium(&self, [density_deviation, x, y, z]: [T; FLOW]) -> [T; Q] {
        view::at_equilibrium(density_deviation, [x, y, z], self.rates.force_on(T::default()))
    }

    fn arrived(&self, places: [usize; Q]) -> [T; Q] {
        places.map(|place| self.slots.take(place, 1)[0].widened())
    }

    fn put(&self, places: [usize; Q], populations: [T; Q]) {
        for (place, population) in places.into_iter().zip(populations) {
            self.slots.leave(place, 1)[0] = P::narrowed(population);
        }
    }

    fn flow(&self, places: [usize; Q]) -> [T; FLOW] {
        let force = self.rates.force_on(T::default());
        let (density_deviation, [x, y, z]) = view::flow(&self.arrived(places), force);
        [density_deviation, x, y, z]
    }

    fn add_asked(&mut self) {
        let Some(visit) = &self.visit else { return };
        let asked = visit.asked[self.parity].all();
        let slots = &mut self.slots.all_mut()[..asked.len()];
        let parts = slots.chunks_mut(TOGETHER).zip(asked.chunks(TOGETHER));
        self.pool.install(|| {
            share_each(parts, 1, |_, (slots, asked)| {
                for (slot, asked) in slots.iter_mut().zip(*asked) {
                    *slot = P::narrowed(slot.widened() + *asked);
                }
            })
        });
    }

    /// Means of the flow over the cells of a grid whose own cells and open ones are given.
    fn means(&self, layout: &Layout, visit: &Visit<T>, to: &mut [[T; FLOW]]) {
        let ([n, n_j, n_k], seen) = (layout.shape.cells, self.rows_seen());
        let is_plane = n_k == self.layout.shape.cells[2];
        let of_row = |row: usize, [to]: [&mut [[T; FLOW]]; 1]| {
            let (j, k) = (row % n_j, row / n_j);
            let first = if is_plane { k } else { 2 * k };
            let rows = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[y, z]: [usize; 2]| {
                let is_there = !(is_plane && z == 1);
                is_there.then(|| seen.flow([2 * j + y, first + z]))
            });
            for (i, to) in to.iter_mut().enumerate() {
                let at = visit.padded.shape.index([i, j, k].map(|at| at as isize));
                *to = std::array::from_fn(|number| {
                    let pair = |row: usize| {
                        let values = rows[row].as_ref().map(|row| &row.values[number]);
                        values.map_or(T::default(), |of| of[2 * i] + of[2 * i + 1])
                    };
                    let plane = |z: usize| pair(2 * z) + pair(2 * z + 1);
                    let mean = match is_plane {
                        true => T::from_f64(0.25) * plane(0),
                        false => T::from_f64(0.125) * (plane(0) + plane(1)),
                    };
                    if visit.padded.open[at] == T::default() { T::default() } else { mean }
                });
            }
        };
        self.pool.install(|| fill_rows([to], n, of_row));
    }

    /// Looks how the flow has changed since the second one that this grid was told.
    fn note_change(&mut self) -> Result<()> {
        let Some(mut visit) = self.visit.take() else { return Ok(()) };
        let change = visit.change.each_mut().map(|change| Slots::new(std::mem::take(change)));
        self.each_cell(|cell, number, places| {
            let (now, told) = (self.flow(places), visit.told[1][number]);
            for n in 0..FLOW {
                change[n].leave(visit.padded.shape.index(cell), 1)[0] = now[n] - told[n];
            }
        });
        visit.change = change.map(Slots::into_values);
        let arrays = visit.change.each_mut().map(|change| &mut change[..]);
        let exchanged = visit.padded.halo.exchange(&*self.ranks, &mut { arrays });
        self.visit = Some(visit);
        exchanged
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Cycled for Cpu<Q, T, P> {
    fn coarser(&mut self) -> Option<&mut dyn Cycled> {
        self.coarser.as_mut().map(|coarser| &mut **coarser as _)
    }

    fn smooth(&mut self, steps: u64) -> Result<()> {
        for _ in 0..steps {
            step::advance(self)?;
            self.add_asked();
        }
        Ok(())
    }

    fn restrict(&mut self, told: Told) -> Result<()> {
        let Some(mut coarser) = self.coarser.take() else { return Ok(()) };
        if let Some(mut visit) = coarser.visit.take() {
            let mut means = std::mem::take(&mut visit.told[told as usize]);
            self.means(&coarser.layout, &visit, &mut means);
            visit.told[told as usize] = means;
            coarser.visit = Some(visit);
        }
        self.coarser = Some(coarser);
        Ok(())
    }

    fn ask(&mut self) -> Result<()> {
        let Some(visit) = self.visit.take() else { return Ok(()) };
        let [before, after] = &visit.told;
        self.each_cell(|_, number, places| {
            self.put(places, self.at_equilibrium(before[number]));
        });
        let done = step::advance(self);
        self.each_cell(|cell, number, places| {
            let [before, after] = [before, after].map(|told| self.at_equilibrium(told[number]));
            let left = self.arrived(places);
            for (parity, asked) in visit.asked.iter().enumerate() {
                let places = self.layout.all_arriving::<Q>(parity, cell);
                for q in 0..Q {
                    let missing = (after[q] - before[q]) + (after[q] - left[q]);
                    asked.leave(places[q], 1)[0] = missing;
                }
            }
            self.put(places, after);
        });
        self.visit = Some(visit);
        done
    }

    fn prolong(&mut self) -> Result<()> {
        let Some(mut coarser) = self.coarser.take() else { return Ok(()) };
        let noted = coarser.note_change();
        let is_plane = coarser.layout.shape.cells[2] == self.layout.shape.cells[2];
        if let Some(visit) = &coarser.visit {
            self.each_cell(|cell, _, places| {
                let (before, by) = (self.flow(places), visit.correction(cell, is_plane));
                let after = std::array::from_fn(|n| before[n] + by[n]);
                let [before, after] = [before, after].map(|flow| self.at_equilibrium(flow));
                let populations = self.arrived(places);
                let corrected = |q: usize| populations[q] + (after[q] - before[q]);
                self.put(places, std::array::from_fn(corrected));
            });
        }
        self.coarser = Some(coarser);
        noted
    }
}
