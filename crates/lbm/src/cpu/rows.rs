//! Rows of cells in registers: take, collide, leave; eq. (L17).

use std::ops::Range;

use pulp::{Simd, WithSimd};
use vortice_core::Real;

use crate::collide::{
    Collision, Rates, collide_mrt, collide_regularised, collide_srt, collide_trt,
};
use crate::cpu::shared::Slots;
use crate::lattice::{Lattice, each_pair};
use crate::layout::Layout;
use crate::number::{Number, Pack, Packed};
use crate::population::{MOST_LANES, Population, lanes};

/// Where the populations of a row lie: place of the first cell's in each slot. In the row's first
/// and last cell a link along x may lie elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<const Q: usize> {
    /// Of population 0.
    rest: usize,
    pairs: [Line; 13],
}

/// The two places of a pair in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Place of population 2 p + 1 in the first cell, if it lay like those of the others.
    own: usize,
    /// Place of population 2 p + 2 in the first cell.
    next: usize,
    /// Where 2 p + 1 of the first cell really lies.
    first: usize,
    /// Where 2 p + 2 of the last cell lies.
    last: usize,
}

impl<const Q: usize> Lines<Q> {
    /// The row of own cells with these indices in y and z.
    pub(crate) fn new(layout: &Layout, parity: usize, j: isize, k: isize) -> Self {
        let end = layout.shape.cells[0] as isize - 1;
        let mut pairs = [Line::default(); 13];
        for (p, line) in pairs.iter_mut().enumerate().take(Lattice::<Q>::PAIRS) {
            let own = |i| layout.own::<Q>(parity, [i, j, k], p);
            let next = |i| layout.next::<Q>(parity, [i, j, k], p);
            // In a row of one cell both are special, and these are not used.
            let plain = own(end) - end as usize;
            *line = Line { own: plain, next: next(0), first: own(0), last: next(end) };
        }
        Self { rest: layout.cell([0, j, k]), pairs }
    }

    /// The same row so many places farther on.
    fn moved(&self, by: usize) -> Self {
        let mut there = *self;
        there.rest += by;
        for line in &mut there.pairs[..Lattice::<Q>::PAIRS] {
            for place in [&mut line.own, &mut line.next, &mut line.first, &mut line.last] {
                *place += by;
            }
        }
        there
    }
}

/// The rows of a subdomain in a step.
pub(crate) struct Rows<'a, const Q: usize, T> {
    pub(crate) layout: &'a Layout,
    pub(crate) parity: usize,
    pub(crate) rates: &'a Rates<T>,
    /// A row that lies like all that are not at a face.
    inner: Option<(Lines<Q>, usize)>,
}

impl<'a, const Q: usize, T> Rows<'a, Q, T> {
    pub(crate) fn new(layout: &'a Layout, parity: usize, rates: &'a Rates<T>) -> Self {
        let [_, ny, nz] = layout.shape.cells;
        let k = if nz == 1 { 0 } else { 1 };
        let inner = (ny > 2 && nz != 2)
            .then(|| (Lines::new(layout, parity, 1, k), layout.cell([0, 1, k])));
        Self { layout, parity, rates, inner }
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.layout.shape.cells[1] * self.layout.shape.cells[2]
    }

    fn lines(&self, row: usize) -> Lines<Q> {
        let [_, ny, nz] = self.layout.shape.cells;
        let (j, k) = (row % ny, row / ny);
        let inside = |i: usize, n: usize| i > 0 && i + 1 < n;
        match &self.inner {
            Some((lines, at)) if inside(j, ny) && (nz == 1 || inside(k, nz)) => {
                lines.moved(self.layout.cell([0, j as isize, k as isize]) - at)
            }
            _ => Lines::new(self.layout, self.parity, j as isize, k as isize),
        }
    }
}

/// Some rows to be done with the widest registers.
pub(crate) struct Sweep<'a, const Q: usize, T, P> {
    pub(crate) rows: &'a Rows<'a, Q, T>,
    pub(crate) slots: &'a Slots<P>,
    pub(crate) collision: Collision,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl<const Q: usize, T: Packed, P: Population<T>> WithSimd for Sweep<'_, Q, T, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.collision {
            Collision::Srt => self.each_row::<S, 0>(simd),
            Collision::Trt => self.each_row::<S, 1>(simd),
            Collision::Mrt => self.each_row::<S, 2>(simd),
            Collision::Regularised => self.each_row::<S, 3>(simd),
        }
    }
}

/// The collision of a number: that of [`Collision`].
#[inline(always)]
pub(crate) fn collide<const KIND: u8, const Q: usize, T: Real, V: Number<T>>(
    h: &mut [V; Q],
    rates: &Rates<T>,
) {
    match KIND {
        0 => collide_srt(h, rates),
        1 => collide_trt(h, rates),
        2 => collide_mrt(h, rates),
        _ => collide_regularised(h, rates),
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Sweep<'_, Q, T, P> {
    /// Does the rows with the widest registers that the processor has.
    pub(crate) fn run(self, arch: pulp::Arch) {
        if !P::IN_REGISTERS {
            return self.with_simd(pulp::Scalar);
        }
        #[cfg(target_arch = "x86_64")]
        if let (true, pulp::Arch::V4(simd)) = (Q == 15 || Q == 27, arch) {
            // The widest registers double the time to compile, and these lattices are seldom used.
            return pulp::Simd::vectorize(*simd, self);
        }
        arch.dispatch(self);
    }

    #[inline(always)]
    fn each_row<S: Simd, const KIND: u8>(&self, simd: S) {
        let cells = self.rows.layout.shape.cells[0];
        let width = lanes::<S, T>();
        for row in self.from..self.to {
            let lines = self.rows.lines(row);
            let mut i = 0;
            while i < cells {
                let count = width.min(cells - i);
                self.block::<S, KIND>(simd, &lines, i, count);
                i += width;
            }
        }
    }

    /// As many cells of the row as a register holds, or fewer at its end.
    #[inline(always)]
    fn block<S: Simd, const KIND: u8>(&self, simd: S, lines: &Lines<Q>, i: usize, count: usize) {
        let width = lanes::<S, T>();
        let (slots, first, last) =
            (self.slots, i == 0, i + count == self.rows.layout.shape.cells[0]);
        let ends = (first || last).then_some(Ends { i, count, first, last });
        let mut aside = [[P::zeroed(); MOST_LANES]; Q];
        let mut h: [Pack<S, T>; Q];
        if let Some(ends) = &ends {
            ends.take(slots, lines, &mut aside);
            h = [Pack(simd, P::load(simd, &aside[0][..width])); Q];
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    h[2 * p + 1].1 = P::load(simd, &aside[2 * p + 1][..width]);
                    h[2 * p + 2].1 = P::load(simd, &aside[2 * p + 2][..width]);
                },
            );
        } else {
            h = [Pack(simd, P::load(simd, slots.take(lines.rest + i, width))); Q];
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    let line = &lines.pairs[p];
                    h[2 * p + 1].1 = P::load(simd, slots.take(line.own + i, width));
                    h[2 * p + 2].1 = P::load(simd, slots.take(line.next + i, width));
                },
            );
        }

        collide::<KIND, Q, T, _>(&mut h, self.rows.rates);

        if let Some(ends) = &ends {
            P::store(simd, h[0].1, &mut aside[0][..width]);
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    P::store(simd, h[2 * p + 1].1, &mut aside[2 * p + 1][..width]);
                    P::store(simd, h[2 * p + 2].1, &mut aside[2 * p + 2][..width]);
                },
            );
            ends.leave(slots, lines, &aside);
        } else {
            P::store(simd, h[0].1, slots.leave(lines.rest + i, width));
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    let line = &lines.pairs[p];
                    P::store(simd, h[2 * p + 2].1, slots.leave(line.own + i, width));
                    P::store(simd, h[2 * p + 1].1, slots.leave(line.next + i, width));
                },
            );
        }
    }
}

/// Some cells of a row, from `i` on, with its first or its last: there links along x may lie
/// elsewhere, and cells may be missing.
struct Ends {
    i: usize,
    count: usize,
    first: bool,
    last: bool,
}

impl Ends {
    /// Takes the populations of these cells.
    #[inline(never)]
    fn take<const Q: usize, P: bytemuck::Pod>(
        &self,
        slots: &Slots<P>,
        lines: &Lines<Q>,
        h: &mut [[P; MOST_LANES]; Q],
    ) {
        let one = |to: &mut [P; MOST_LANES], place, low: Option<usize>, high: Option<usize>| {
            let inside = self.inside(low, high);
            let row = slots.take(place + self.i + inside.start, inside.len());
            for (to, &from) in to[inside].iter_mut().zip(row) {
                *to = from;
            }
            if let Some(place) = low {
                to[0] = slots.take(place, 1)[0];
            }
            if let Some(place) = high {
                to[self.count - 1] = slots.take(place, 1)[0];
            }
        };
        one(&mut h[0], lines.rest, None, None);
        for p in 0..Lattice::<Q>::PAIRS {
            let (low, high) = self.elsewhere(lines, p);
            one(&mut h[2 * p + 1], lines.pairs[p].own, low, None);
            one(&mut h[2 * p + 2], lines.pairs[p].next, None, high);
        }
    }

    /// Leaves them.
    #[inline(never)]
    fn leave<const Q: usize, P: bytemuck::Pod>(
        &self,
        slots: &Slots<P>,
        lines: &Lines<Q>,
        h: &[[P; MOST_LANES]; Q],
    ) {
        let one = |from: &[P; MOST_LANES], place, low: Option<usize>, high: Option<usize>| {
            let inside = self.inside(low, high);
            let row = slots.leave(place + self.i + inside.start, inside.len());
            for (to, &from) in row.iter_mut().zip(&from[inside]) {
                *to = from;
            }
            if let Some(place) = low {
                slots.leave(place, 1)[0] = from[0];
            }
            if let Some(place) = high {
                slots.leave(place, 1)[0] = from[self.count - 1];
            }
        };
        one(&h[0], lines.rest, None, None);
        for p in 0..Lattice::<Q>::PAIRS {
            let (low, high) = self.elsewhere(lines, p);
            one(&h[2 * p + 2], lines.pairs[p].own, low, None);
            one(&h[2 * p + 1], lines.pairs[p].next, None, high);
        }
    }

    /// The places of a pair in the row's first and last cell, if these are among the cells and the
    /// link is along x.
    fn elsewhere<const Q: usize>(
        &self,
        lines: &Lines<Q>,
        p: usize,
    ) -> (Option<usize>, Option<usize>) {
        let (line, along) = (&lines.pairs[p], Lattice::<Q>::c(p)[0] != 0);
        ((self.first && along).then_some(line.first), (self.last && along).then_some(line.last))
    }

    /// The cells that lie in the row.
    fn inside(&self, low: Option<usize>, high: Option<usize>) -> Range<usize> {
        let start = usize::from(low.is_some());
        start..(self.count - usize::from(high.is_some())).max(start)
    }
}
