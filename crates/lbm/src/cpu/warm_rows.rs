//! Rows of cells of a flow with heat or scalars: all lattices are taken, collide with each other's numbers and are left; eqs. (H14) to (H16).

use pulp::{Simd, WithSimd};

use super::lines::{Block, Lines, Rows};
use super::rows::collide;
use crate::collide::chosen::collide_as;
use crate::collide::{Collision, Rates, moments};
use crate::heat::sources::coming;
use crate::heat::{self, HeatRates, Populations, VELOCITIES};
use crate::number::{Pack, Packed};
use crate::population::{Population, lanes};
use crate::slots::Slots;

/// The lattice of a scalar.
pub(crate) struct ScalarLattice<'a, T, P> {
    pub(crate) slots: &'a Slots<P>,
    pub(crate) rates: &'a HeatRates<T>,
    /// What comes in by place, see [`crate::heat::sources::by_place`].
    pub(crate) sources: &'a Slots<P>,
}

impl<T: Packed, P: Population<T>> ScalarLattice<'_, T, P> {
    /// What comes into a cell of this place.
    #[inline(always)]
    fn source(&self, place: usize) -> Option<T> {
        let by_place = || self.sources.take(place, 1)[0].widened();
        coming((!self.sources.is_empty()).then(by_place), T::default(), self.rates)
    }

    /// What comes into a block of cells.
    #[inline(always)]
    fn sources<S: Simd>(
        &self,
        simd: S,
        block: &Block,
        lines: &Lines<VELOCITIES>,
        like: Pack<S, T>,
    ) -> Option<Pack<S, T>> {
        let by_place = || block.at_rest(simd, self.sources, lines);
        coming((!self.sources.is_empty()).then(by_place), like, self.rates)
    }
}

/// Some rows to be done with the widest registers that pay.
pub(crate) struct WarmSweep<'a, const Q: usize, T, P> {
    pub(crate) rows: &'a Rows<'a, Q>,
    pub(crate) heat_rows: &'a Rows<'a, VELOCITIES>,
    pub(crate) slots: &'a Slots<P>,
    pub(crate) rates: &'a Rates<T>,
    /// What may move the flow, or the first of what does not.
    pub(crate) heat: &'a ScalarLattice<'a, T, P>,
    /// What else the flow carries.
    pub(crate) others: &'a [ScalarLattice<'a, T, P>],
    pub(crate) collision: Collision,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl<const Q: usize, T: Packed, P: Population<T>> WithSimd for WarmSweep<'_, Q, T, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.collision {
            Collision::Srt | Collision::Trt => self.each_row::<S, 0>(simd),
            Collision::Mrt => self.each_row::<S, 1>(simd),
            Collision::Regularised => self.each_cell(),
        }
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> WarmSweep<'_, Q, T, P> {
    /// Does the rows.
    ///
    /// Each kind of register takes long to compile: the two usual lattices are compiled for AVX2 alone.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn run(self, arch: pulp::Arch) {
        use pulp::Arch::{V3, V4};
        if const { P::IN_REGISTERS && (Q == 9 || Q == 19) } {
            match arch {
                V4(simd) => return Simd::vectorize(*simd, self),
                V3(simd) => return Simd::vectorize(simd, self),
                _ => {}
            }
        }
        self.each_cell();
    }

    /// Does the rows.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn run(self, arch: pulp::Arch) {
        if const { P::IN_REGISTERS && (Q == 9 || Q == 19) } {
            arch.dispatch(self)
        } else {
            self.each_cell()
        }
    }

    /// Does the rows one cell after the other.
    fn each_cell(&self) {
        let Rows { layout, parity, .. } = self.rows;
        let [nx, ny, _] = layout.shape.cells.map(|n| n as isize);
        for row in self.from as isize..self.to as isize {
            for i in 0..nx {
                let cell = [i, row % ny, row / ny];
                let taken = |slots: &Slots<P>, place| slots.take(place, 1)[0].widened();
                let mut g: [T; Q] = std::array::from_fn(|q| {
                    taken(self.slots, layout.arriving::<Q>(*parity, cell, q))
                });
                let mut h: Populations<T> = std::array::from_fn(|q| {
                    taken(self.heat.slots, layout.arriving::<VELOCITIES>(*parity, cell, q))
                });
                let temperature = heat::temperature::<T, T>(&h);
                let force = heat::force(temperature, self.rates, self.heat.rates);
                let u = moments::<Q, T, T>(&g, force).u;
                collide_as(self.collision, &mut g, self.rates, force);
                let source = self.heat.source(layout.cell(cell));
                heat::collide(&mut h, temperature, u, self.heat.rates, source);
                let left = |slots: &Slots<P>, place, x| slots.leave(place, 1)[0] = P::narrowed(x);
                for (q, &g) in g.iter().enumerate() {
                    left(self.slots, layout.leaving::<Q>(*parity, cell, q), g);
                }
                let place = |q| layout.leaving::<VELOCITIES>(*parity, cell, q);
                h.iter().enumerate().for_each(|(q, &h)| left(self.heat.slots, place(q), h));
                for scalar in self.others {
                    let (slots, rates) = (scalar.slots, scalar.rates);
                    let mut h: Populations<T> = std::array::from_fn(|q| {
                        taken(slots, layout.arriving::<VELOCITIES>(*parity, cell, q))
                    });
                    let value = heat::temperature::<T, T>(&h);
                    heat::collide(&mut h, value, u, rates, scalar.source(layout.cell(cell)));
                    h.iter().enumerate().for_each(|(q, &h)| left(slots, place(q), h));
                }
            }
        }
    }

    #[inline(always)]
    fn each_row<S: Simd, const KIND: u8>(&self, simd: S) {
        let cells = self.rows.layout.shape.cells[0];
        let width = lanes::<S, T>();
        for row in self.from..self.to {
            let (lines, heat_lines) = (self.rows.lines(row), self.heat_rows.lines(row));
            let mut i = 0;
            while i < cells {
                let block = Block::new(i, width, cells);
                let mut g: [Pack<S, T>; Q] = block.arriving(simd, self.slots, &lines);
                let mut h: Populations<Pack<S, T>> =
                    block.arriving(simd, self.heat.slots, &heat_lines);
                let temperature = heat::temperature::<T, _>(&h);
                let force = heat::force(temperature, self.rates, self.heat.rates);
                let u = moments::<Q, T, _>(&g, force).u;
                collide::<KIND, Q, T, _>(&mut g, self.rates, force);
                let source = self.heat.sources(simd, &block, &heat_lines, temperature);
                heat::collide(&mut h, temperature, u, self.heat.rates, source);
                block.leaving(simd, self.slots, &lines, &g);
                block.leaving(simd, self.heat.slots, &heat_lines, &h);
                for scalar in self.others {
                    let (slots, rates) = (scalar.slots, scalar.rates);
                    let mut h: Populations<Pack<S, T>> = block.arriving(simd, slots, &heat_lines);
                    let value = heat::temperature::<T, _>(&h);
                    let source = scalar.sources(simd, &block, &heat_lines, value);
                    heat::collide(&mut h, value, u, rates, source);
                    block.leaving(simd, slots, &heat_lines, &h);
                }
                i += width;
            }
        }
    }
}
