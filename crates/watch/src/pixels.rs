//! The cells of a layer that a page shows.

use std::sync::Arc;

use vortice_core::{Axis, Field, Grid, fill_rows};

use crate::view::View;

/// Pixels to the right and up at most: of longer layers each second, third ... cell is shown.
pub(crate) const MOST: usize = 512;

/// The cells of an axis that are shown, so many at most.
fn cells_shown(axis: &Axis, most: usize) -> impl Iterator<Item = isize> + use<> {
    let stride = axis.len().div_ceil(most);
    (0..axis.len()).skip((stride - 1) / 2).step_by(stride).map(|i| i as isize)
}

/// The cells of a view that are shown: right fastest, from the lower left corner.
#[derive(Clone)]
pub(crate) struct Pixels {
    pub(crate) view: View,
    columns: Vec<isize>,
    pub(crate) rows: Vec<isize>,
}

impl Pixels {
    /// So many in a row or column at most.
    pub(crate) fn of(grid: &Grid, view: View, most: usize) -> Self {
        let [columns, rows] = view.directions().map(|d| cells_shown(&grid.axes[d], most).collect());
        Self { view, columns, rows }
    }

    pub(crate) fn size(&self) -> [usize; 2] {
        [self.columns.len(), self.rows.len()]
    }

    /// Room for something for each.
    pub(crate) fn zeros<T: Copy + Default>(&self) -> Vec<T> {
        vec![T::default(); self.columns.len() * self.rows.len()]
    }

    /// Something for each.
    pub(crate) fn each<T>(&self, of: impl Fn([isize; 3]) -> T) -> Vec<T> {
        let [right, up] = self.view.directions();
        let mut cell = [self.view.layer as isize; 3];
        let mut all = Vec::with_capacity(self.columns.len() * self.rows.len());
        for &j in &self.rows {
            cell[up] = j;
            for &i in &self.columns {
                cell[right] = i;
                all.push(of(cell));
            }
        }
        all
    }

    /// Something for each in some of the rows, of the components of a field whose first cell is known: the last stands for those
    /// that it has not. Threads of the pool that this is called in share the rows.
    pub(crate) fn fill<T: Send>(
        &self,
        to: &mut [T],
        rows: &[isize],
        (field, first): (&Field, [isize; 3]),
        of: impl Fn([f64; 3]) -> T + Sync,
    ) {
        let strides = field.shape.strides().map(|stride| stride as isize);
        let place = |cell: [isize; 3]| {
            let from_first = |d: usize| cell[d] - first[d] + field.shape.halo[d] as isize;
            (0..3).map(|d| from_first(d) * strides[d]).sum::<isize>() as usize
        };
        let components = [0, 1, 2].map(|c| field.component(c.min(field.components - 1)));
        let ([right, up], n) = (self.view.directions(), self.columns.len());
        fill_rows([to], n.max(1), |row, [to]| {
            let mut cell = [self.view.layer as isize; 3];
            cell[up] = rows[row];
            let mut places = self.columns.iter().take(2).map(|&i| {
                cell[right] = i;
                place(cell)
            });
            let Some(begin) = places.next() else { return };
            let stride = places.next().map_or(1, |second| second - begin);
            let cells = begin..begin + stride * (n - 1) + 1;
            let [a, b, c] = components.map(|values| &values[cells.clone()]);
            let numbers = a.iter().zip(b).zip(c).map(|((&a, &b), &c)| of([a, b, c]));
            // Without steps it goes by vectors.
            match stride {
                1 => to.iter_mut().zip(numbers).for_each(|(to, number)| *to = number),
                _ => {
                    to.iter_mut().zip(numbers.step_by(stride)).for_each(|(to, number)| *to = number)
                }
            }
        });
    }
}

/// Which pixels of a view lie in solids.
pub(crate) fn solid_pixels(
    grid: &Grid,
    view: View,
    is_solid: impl Fn([isize; 3]) -> bool,
) -> Arc<[bool]> {
    Pixels::of(grid, view, MOST).each(is_solid).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_axes_some_cells_are_shown() {
        let shown = |n| cells_shown(&Axis::uniform(n, 0.0, 1.0), MOST).collect::<Vec<_>>();
        assert_eq!(shown(3), [0, 1, 2]);
        let long = shown(1600);
        assert_eq!((long.len(), long[0], long[1]), (400, 1, 5));
    }
}
