//! Rows of cells in registers: take, collide, leave; eq. (L17).

use std::ops::Range;

use pulp::{Simd, WithSimd};
use vortice_core::Real;

use crate::collide::chosen::collide_as;
use crate::collide::mrt::collide_mrt;
use crate::collide::{Collision, Rates, collide_regularised, collide_trt};
use crate::lattice::{Lattice, each_pair};
use crate::layout::Layout;
use crate::number::{Number, Pack, Packed};
use crate::population::{MOST_LANES, Population, lanes};
use crate::slots::Slots;

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
        let inner =
            (ny > 2 && nz != 2).then(|| (Lines::new(layout, parity, 1, k), layout.cell([0, 1, k])));
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
            // Both rates of SRT are the same: TRT gives its bits, and need not be compiled twice.
            Collision::Srt | Collision::Trt => self.each_row::<S, 0>(simd),
            Collision::Mrt => self.each_row::<S, 1>(simd),
            Collision::Regularised => self.each_row::<S, 2>(simd),
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
        0 => collide_trt(h, rates),
        1 => collide_mrt(h, rates),
        _ => collide_regularised(h, rates),
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Sweep<'_, Q, T, P> {
    /// Does the rows, with the widest registers that the processor has.
    ///
    /// Each kind of register takes long to compile. So only the two usual lattices are compiled for
    /// the widest, 16-bit populations with D3Q19 only, and nothing for processors without AVX2; where the crate is not
    /// optimised for use (`build.rs`), only the usual lattices for AVX2.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn run(self, arch: pulp::Arch) {
        use pulp::Arch::{V3, V4};
        // Conditions in `const` leave out what is never used.
        if const { cfg!(all_registers) && ((P::IN_REGISTERS && Q == 9) || Q == 19) }
            && let V4(simd) = arch
        {
            return Simd::vectorize(simd, self);
        }
        if const { (P::IN_REGISTERS && (cfg!(all_registers) || Q == 9)) || Q == 19 } {
            match arch {
                V4(simd) => return Simd::vectorize(*simd, self),
                V3(simd) => return Simd::vectorize(simd, self),
                _ => {}
            }
        }
        self.each_cell();
    }

    /// Does the rows, with the widest registers that the processor has.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn run(self, arch: pulp::Arch) {
        if const { P::IN_REGISTERS || Q == 19 } { arch.dispatch(self) } else { self.each_cell() }
    }

    /// Does the rows one cell after the other.
    fn each_cell(&self) {
        let Rows { layout, parity, rates, .. } = self.rows;
        let [nx, ny, _] = layout.shape.cells.map(|n| n as isize);
        for row in self.from as isize..self.to as isize {
            for i in 0..nx {
                let cell = [i, row % ny, row / ny];
                let place = |q| layout.arriving::<Q>(*parity, cell, q);
                let mut h: [T; Q] =
                    std::array::from_fn(|q| self.slots.take(place(q), 1)[0].widened());
                collide_as(self.collision, &mut h, rates);
                for (q, &h) in h.iter().enumerate() {
                    let place = layout.leaving::<Q>(*parity, cell, q);
                    self.slots.leave(place, 1)[0] = P::narrowed(h);
                }
            }
        }
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
        let ends = Ends { i, count, first, last };
        let mut h: [Pack<S, T>; Q];
        if first || last {
            h = [Pack(simd, ends.load(simd, slots, lines.rest, [None; 2])); Q];
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    let (line, [low, high]) = ends.line::<Q>(lines, p);
                    h[2 * p + 1].1 = ends.load(simd, slots, line.own, [low, None]);
                    h[2 * p + 2].1 = ends.load(simd, slots, line.next, [None, high]);
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

        if first || last {
            ends.store(simd, slots, h[0].1, lines.rest, [None; 2]);
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    let (line, [low, high]) = ends.line::<Q>(lines, p);
                    ends.store(simd, slots, h[2 * p + 2].1, line.own, [low, None]);
                    ends.store(simd, slots, h[2 * p + 1].1, line.next, [None, high]);
                },
            );
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

/// Places of the first and the last cell of a row, if these are among the cells and lie elsewhere.
type Elsewhere = [Option<usize>; 2];

impl Ends {
    /// The places of a pair; links along x lie elsewhere in the first and last cell.
    #[inline(always)]
    fn line<'l, const Q: usize>(&self, lines: &'l Lines<Q>, p: usize) -> (&'l Line, Elsewhere) {
        let (line, along) = (&lines.pairs[p], Lattice::<Q>::c(p)[0] != 0);
        let low = (self.first && along).then_some(line.first);
        let high = (self.last && along).then_some(line.last);
        (line, [low, high])
    }

    #[inline(always)]
    fn load<S: Simd, T: Packed, P: Population<T>>(
        &self,
        simd: S,
        slots: &Slots<P>,
        place: usize,
        elsewhere: Elsewhere,
    ) -> T::Register<S> {
        let width = lanes::<S, T>();
        if self.count == width && elsewhere == [None; 2] {
            return P::load(simd, slots.take(place + self.i, width));
        }
        let mut cells = [P::zeroed(); MOST_LANES];
        self.take(slots, place, elsewhere, &mut cells);
        P::load(simd, &cells[..width])
    }

    #[inline(always)]
    fn store<S: Simd, T: Packed, P: Population<T>>(
        &self,
        simd: S,
        slots: &Slots<P>,
        x: T::Register<S>,
        place: usize,
        elsewhere: Elsewhere,
    ) {
        let width = lanes::<S, T>();
        if self.count == width && elsewhere == [None; 2] {
            return P::store(simd, x, slots.leave(place + self.i, width));
        }
        let mut cells = [P::zeroed(); MOST_LANES];
        P::store(simd, x, &mut cells[..width]);
        self.leave(slots, place, elsewhere, &cells);
    }

    /// Takes the cells one by one.
    #[inline(never)]
    fn take<P: Copy>(
        &self,
        slots: &Slots<P>,
        place: usize,
        [low, high]: Elsewhere,
        cells: &mut [P; MOST_LANES],
    ) {
        let inside = self.inside([low, high]);
        let row = slots.take(place + self.i + inside.start, inside.len());
        cells[inside].copy_from_slice(row);
        if let Some(place) = low {
            cells[0] = slots.take(place, 1)[0];
        }
        if let Some(place) = high {
            cells[self.count - 1] = slots.take(place, 1)[0];
        }
    }

    /// Leaves the cells one by one.
    #[inline(never)]
    fn leave<P: Copy>(
        &self,
        slots: &Slots<P>,
        place: usize,
        [low, high]: Elsewhere,
        cells: &[P; MOST_LANES],
    ) {
        let inside = self.inside([low, high]);
        let row = slots.leave(place + self.i + inside.start, inside.len());
        row.copy_from_slice(&cells[inside]);
        if let Some(place) = low {
            slots.leave(place, 1)[0] = cells[0];
        }
        if let Some(place) = high {
            slots.leave(place, 1)[0] = cells[self.count - 1];
        }
    }

    /// The cells that lie in the row.
    fn inside(&self, [low, high]: Elsewhere) -> Range<usize> {
        let start = usize::from(low.is_some());
        start..(self.count - usize::from(high.is_some())).max(start)
    }
}
