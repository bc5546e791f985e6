//! Values in a part of the grid, and of what is around it.

use std::borrow::Cow;
use std::ops::Range;

use crate::extent::Extent;
use crate::field::{Field, Location, Shape};
use crate::fill_rows::fill_rows;

/// Values at the centres of a box of cells, without halo; the box may reach across periodic ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Window<'a> {
    first: [isize; 3],
    field: Cow<'a, Field>,
}

impl<'a> Window<'a> {
    /// The values of a whole grid.
    pub fn whole(field: &'a Field) -> Self {
        Self { first: [0; 3], field: Cow::Borrowed(field) }
    }

    /// The first of the cells, by its indices in the whole grid; below zero across a periodic end.
    pub fn first(&self) -> [isize; 3] {
        self.first
    }

    /// The values, by indices from the first cell on.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The value of a component in a cell of the whole grid; nothing if the cell is not in it.
    #[inline]
    pub fn get(&self, component: usize, cell: [isize; 3]) -> Option<f64> {
        let n = self.field.shape.cells;
        let cell: [isize; 3] = std::array::from_fn(|d| cell[d] - self.first[d]);
        let is_inside = (0..3).all(|d| (0..n[d] as isize).contains(&cell[d]));
        is_inside.then(|| self.field.at(component, cell))
    }

    /// The row of a component that cells with these second and third indices lie in: its first cell, and its values.
    pub(crate) fn row(&self, component: usize, [j, k]: [isize; 2]) -> Option<(isize, &[f64])> {
        let [n, n_j, n_k] = self.field.shape.cells;
        let [first, j, k] = [self.first[0], j - self.first[1], k - self.first[2]];
        let is_inside = (0..n_j as isize).contains(&j) && (0..n_k as isize).contains(&k);
        is_inside.then(|| {
            let at = self.field.shape.index([0, j, k]);
            (first, &self.field.component(component)[at..at + n])
        })
    }

    /// The values of an extent that is all in it.
    pub(crate) fn cut_out(&self, extent: &Extent) -> Field {
        self.cut(&extent.cells.each_ref().map(|range| range.start as isize..range.end as isize))
    }

    /// The values of some cells that are all in it: in x, y and z.
    pub fn cut(&self, cells: &[Range<isize>; 3]) -> Field {
        let n = cells.each_ref().map(|range| (range.end - range.start) as usize);
        let mut cut = zeros(n, self.field.components);
        fill_rows([&mut cut.values], n[0].max(1), |number, [to]| {
            let (row, c) = (number % (n[1] * n[2]), number / (n[1] * n[2]));
            let at = [0, row % n[1], row / n[1]];
            let cell = std::array::from_fn(|d| cells[d].start + at[d] as isize - self.first[d]);
            let from = self.field.shape.index(cell);
            to.copy_from_slice(&self.field.component(c)[from..from + n[0]]);
        });
        cut
    }
}

impl Window<'static> {
    /// The values of an extent.
    pub(crate) fn of(extent: &Extent, field: Field) -> Self {
        Self::at(extent.offset().map(|i| i as isize), field)
    }

    /// [`Self::cut`] without a copy, if it is all.
    pub(crate) fn into_cut(self, cells: &[Range<isize>; 3]) -> Field {
        let n = self.field.shape.cells;
        let all = |d: usize| cells[d] == (self.first[d]..self.first[d] + n[d] as isize);
        if (0..3).all(all) { self.field.into_owned() } else { self.cut(cells) }
    }

    /// An extent whose values come later: they are not numbers until they are filled.
    pub fn unfilled(extent: &Extent, components: usize) -> Self {
        let mut field = zeros(extent.n(), components);
        field.values.fill(f64::NAN);
        Self::of(extent, field)
    }

    /// Takes over the values of a window inside the grid, as far as it has its cells.
    pub(crate) fn take_over(&mut self, from: &Window<'_>) {
        let (first, n) = (from.first.map(|i| i as usize), from.field.shape.cells);
        let cells = std::array::from_fn(|d| first[d]..first[d] + n[d]);
        self.fill(&Extent { cells }, from);
    }

    /// Takes over the values of an extent, as far as it has its cells, from a window that has them all.
    pub fn fill(&mut self, extent: &Extent, from: &Window<'_>) {
        let first = self.first;
        let n = self.field.shape.cells;
        let mine = std::array::from_fn(|d| first[d] as usize..first[d] as usize + n[d]);
        let Some(Extent { cells: [x, y, z] }) = extent.common(&mine) else { return };
        let field = self.field.to_mut();
        for c in 0..field.components {
            for (k, j) in z.clone().flat_map(|k| y.clone().map(move |j| (k, j))) {
                let place = |field: &Field, first: [isize; 3]| {
                    let cell = [x.start, j, k].map(|i| i as isize);
                    field.shape.index(std::array::from_fn(|d| cell[d] - first[d]))
                };
                let (to, there) = (place(field, first), place(&from.field, from.first));
                let row = &from.field.component(c)[there..there + x.len()];
                field.component_mut(c)[to..to + x.len()].copy_from_slice(row);
            }
        }
    }

    /// Values of cells from `first` on.
    pub(crate) fn at(first: [isize; 3], field: Field) -> Self {
        Self { first, field: Cow::Owned(field) }
    }
}

/// A part of the grid that lies at some place of a box: its cells, and the first of them as the box counts.
pub(crate) struct Piece {
    pub(crate) extent: Extent,
    pub(crate) first: [isize; 3],
}

/// Cells of a grid along one direction, and the first of them as a range that reaches across the ends counts.
pub(crate) struct Inside {
    pub(crate) cells: Range<usize>,
    pub(crate) first: isize,
}

/// The cells of a range that are in a grid of `n` cells, which has ends or goes on for ever.
pub(crate) fn within_grid(range: Range<isize>, n: usize, is_endless: bool) -> Vec<Inside> {
    let n = n as isize;
    let reach = if is_endless { range } else { range.start.max(0)..range.end.min(n) };
    let (mut parts, mut from) = (Vec::new(), reach.start);
    while from < reach.end {
        let inside = from.rem_euclid(n);
        let length = (n - inside).min(reach.end - from);
        parts.push(Inside { cells: inside as usize..(inside + length) as usize, first: from });
        from += length;
    }
    parts
}

/// The parts of a grid that an extent is made of, with so many cells around it where there are any; and the first
/// cell and number of cells of that box.
pub(crate) fn pieces(
    extent: &Extent,
    around: [usize; 3],
    cells: [usize; 3],
    endless: [bool; 3],
) -> ([isize; 3], [usize; 3], Vec<Piece>) {
    let of: [Vec<Inside>; 3] = std::array::from_fn(|d| {
        let range = &extent.cells[d];
        let around = if range.len() == cells[d] { 0 } else { around[d] as isize };
        let (low, high) = (range.start as isize - around, range.end as isize + around);
        within_grid(low..high, cells[d], endless[d])
    });
    let first = std::array::from_fn(|d| of[d].first().map_or(0, |part| part.first));
    let n = std::array::from_fn(|d| of[d].iter().map(|part| part.cells.len()).sum());
    let [x, y, z] = &of;
    let all = z.iter().flat_map(|z| y.iter().flat_map(move |y| x.iter().map(move |x| [x, y, z])));
    let pieces = all.map(|parts| Piece {
        extent: Extent { cells: parts.map(|part| part.cells.clone()) },
        first: parts.map(|part| part.first),
    });
    (first, n, pieces.collect())
}

/// One field from the parts of a box of `n` cells from `first` on; each begins at a cell of it.
pub(crate) fn joined(
    first: [isize; 3],
    n: [usize; 3],
    mut parts: Vec<([isize; 3], Field)>,
) -> Field {
    if let [(_, field)] = &mut parts[..] {
        return std::mem::replace(field, zeros([0; 3], 0));
    }
    let components = parts.first().map_or(0, |(_, field)| field.components);
    let mut whole = zeros(n, components);
    fill_rows([&mut whole.values], n[0].max(1), |number, [to]| {
        let (row, c) = (number % (n[1] * n[2]), number / (n[1] * n[2]));
        let cell = [0, row % n[1], row / n[1]].map(|i| i as isize);
        for (begin, field) in &parts {
            let [_, j, k] = std::array::from_fn(|d| cell[d] + first[d] - begin[d]);
            let [nx, ny, nz] = field.shape.cells;
            if (0..ny as isize).contains(&j) && (0..nz as isize).contains(&k) {
                let from = field.shape.index([0, j, k]);
                let place = (begin[0] - first[0]) as usize;
                to[place..place + nx].copy_from_slice(&field.component(c)[from..from + nx]);
            }
        }
    });
    whole
}

/// No values yet.
pub(crate) fn zeros(n: [usize; 3], components: usize) -> Field {
    Field::zeros(Location::Centre, Shape { cells: n, halo: [0; 3] }, components)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number for each cell of a grid.
    fn numbered(extent: &Extent) -> Field {
        let mut field = zeros(extent.n(), 2);
        for cell in field.own_cells() {
            let [i, j, k] = std::array::from_fn(|d| cell[d] as usize + extent.offset()[d]);
            (0..2).for_each(|c| *field.at_mut(c, cell) = (i + 10 * j + 100 * k + 1000 * c) as f64);
        }
        field
    }

    #[test]
    fn windows_reach_across_periodic_ends_and_stop_at_others() {
        let (cells, endless) = ([6, 5, 4], [true, false, true]);
        for extent in [[0..2, 0..5, 3..4], [1..5, 2..3, 0..4], [0..6, 4..5, 1..2]] {
            let extent = Extent { cells: extent };
            let (first, n, pieces) = pieces(&extent, [2; 3], cells, endless);
            let filled = pieces.into_iter().map(|piece| {
                let field = numbered(&piece.extent);
                (piece.first, field)
            });
            let window = Window::at(first, joined(first, n, filled.collect()));
            for (d, range) in extent.cells.iter().enumerate() {
                let wider =
                    (0..cells[d] as isize).contains(&(range.start as isize - 1)) || endless[d];
                let whole = range.len() == cells[d];
                assert_eq!(window.first()[d] < range.start as isize, wider && !whole);
            }
            for cell in window.field().own_cells() {
                let global: [isize; 3] = std::array::from_fn(|d| {
                    (cell[d] + window.first()[d]).rem_euclid(cells[d] as isize)
                });
                let [i, j, k] = global.map(|i| i as f64);
                assert_eq!(window.field().at(1, cell), i + 10.0 * j + 100.0 * k + 1000.0);
            }
            let inside = extent.cells.each_ref().map(|r| r.start as isize..r.end as isize);
            assert_eq!(window.cut(&inside), numbered(&extent));
        }
    }
}
