//! Where the cells of a row find and leave their populations; eq. (L17).

use std::ops::Range;

use pulp::Simd;

use crate::lattice::{Lattice, each_pair};
use crate::layout::Layout;
use crate::number::{Pack, Packed};
use crate::population::{Population, lanes};
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
pub(crate) struct Rows<'a, const Q: usize> {
    pub(crate) layout: &'a Layout,
    pub(crate) parity: usize,
    /// A row that lies like all that are not at a face.
    inner: Option<(Lines<Q>, usize)>,
}

impl<'a, const Q: usize> Rows<'a, Q> {
    pub(crate) fn new(layout: &'a Layout, parity: usize) -> Self {
        let [_, ny, nz] = layout.shape.cells;
        let k = if nz == 1 { 0 } else { 1 };
        let inner =
            (ny > 2 && nz != 2).then(|| (Lines::new(layout, parity, 1, k), layout.cell([0, 1, k])));
        Self { layout, parity, inner }
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.layout.shape.cells[1] * self.layout.shape.cells[2]
    }

    pub(super) fn lines(&self, row: usize) -> Lines<Q> {
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

/// As many cells of a row as a register holds, from `i` on. With the first or the last of the row among them links along x
/// may lie elsewhere, and cells may be missing.
pub(super) struct Block {
    i: usize,
    count: usize,
    first: bool,
    last: bool,
}

/// Places of the first or the last cell of a row, if it is among the cells and lies elsewhere.
type Elsewhere = [Option<usize>; 2];

impl Block {
    /// The cells from `i` on of a row of so many.
    #[inline(always)]
    pub(super) fn new(i: usize, width: usize, cells: usize) -> Self {
        let count = width.min(cells - i);
        Self { i, count, first: i == 0, last: i + count == cells }
    }

    /// The populations that arrive in the cells.
    #[inline(always)]
    pub(super) fn arriving<S: Simd, const Q: usize, T: Packed, P: Population<T>>(
        &self,
        simd: S,
        slots: &Slots<P>,
        lines: &Lines<Q>,
    ) -> [Pack<S, T>; Q] {
        let (i, width) = (self.i, lanes::<S, T>());
        let mut h: [Pack<S, T>; Q];
        if self.first || self.last {
            h = [self.at_rest(simd, slots, lines); Q];
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    let (line, [low, high]) = self.line::<Q>(lines, p);
                    h[2 * p + 1].1 = self.load(simd, slots, line.own, [low, None]);
                    h[2 * p + 2].1 = self.load(simd, slots, line.next, [None, high]);
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
        h
    }

    /// What lies where their populations 0 do.
    #[inline(always)]
    pub(super) fn at_rest<S: Simd, const Q: usize, T: Packed, P: Population<T>>(
        &self,
        simd: S,
        slots: &Slots<P>,
        lines: &Lines<Q>,
    ) -> Pack<S, T> {
        Pack(simd, self.load(simd, slots, lines.rest, [None; 2]))
    }

    /// Leaves them where they go.
    #[inline(always)]
    pub(super) fn leaving<S: Simd, const Q: usize, T: Packed, P: Population<T>>(
        &self,
        simd: S,
        slots: &Slots<P>,
        lines: &Lines<Q>,
        h: &[Pack<S, T>; Q],
    ) {
        let (i, width) = (self.i, lanes::<S, T>());
        if self.first || self.last {
            self.store(simd, slots, h[0].1, lines.rest, [None; 2]);
            each_pair::<Q>(
                #[inline(always)]
                |p| {
                    let (line, [low, high]) = self.line::<Q>(lines, p);
                    self.store(simd, slots, h[2 * p + 2].1, line.own, [low, None]);
                    self.store(simd, slots, h[2 * p + 1].1, line.next, [None, high]);
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
        [low, high]: Elsewhere,
    ) -> T::Register<S> {
        let inside = self.inside([low, high]);
        let row = slots.take(place + self.i + inside.start, inside.len());
        let row = T::rotated(simd, P::load(simd, row), inside.start);
        let Some(end) = low.or(high) else { return row };
        let end = P::load(simd, slots.take(end, 1));
        let at = if low.is_some() { 0 } else { self.count - 1 };
        T::or(simd, row, T::rotated(simd, end, at))
    }

    #[inline(always)]
    fn store<S: Simd, T: Packed, P: Population<T>>(
        &self,
        simd: S,
        slots: &Slots<P>,
        x: T::Register<S>,
        place: usize,
        [low, high]: Elsewhere,
    ) {
        let (inside, width) = (self.inside([low, high]), lanes::<S, T>());
        let row = slots.leave(place + self.i + inside.start, inside.len());
        P::store(simd, T::rotated(simd, x, width - inside.start), row);
        if let Some(end) = low.or(high) {
            let at = if low.is_some() { 0 } else { self.count - 1 };
            P::store(simd, T::rotated(simd, x, width - at), slots.leave(end, 1));
        }
    }

    /// The cells that lie in the row.
    fn inside(&self, [low, high]: Elsewhere) -> Range<usize> {
        let start = usize::from(low.is_some());
        start..(self.count - usize::from(high.is_some())).max(start)
    }
}
