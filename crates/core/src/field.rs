//! Values on one subdomain, with a halo.

use std::ops::{Index, IndexMut};

use crate::each_cell::each_cell;
use crate::fill_rows::zeros;

/// Where a value sits in its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The centre of the cell.
    Centre,
    /// The middle of the cell's low face in this direction: `u[i]` sits at x_{i-1/2}.
    Face(usize),
}

/// The padded shape that every field of a subdomain has, staggered or not, so that one index is
/// one cell everywhere; the box's last face lives in the first halo slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Own cells per direction.
    pub cells: [usize; 3],
    /// Halo cells on each side, per direction.
    pub halo: [usize; 3],
}

impl Shape {
    /// Cells per direction with halos.
    #[inline]
    pub fn padded(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.cells[d] + 2 * self.halo[d])
    }

    /// Distance in memory between neighbours in x, y and z: x is fastest.
    #[inline]
    pub fn strides(&self) -> [usize; 3] {
        let n = self.padded();
        [1, n[0], n[0] * n[1]]
    }

    /// Values of one component with halos.
    #[allow(clippy::len_without_is_empty)] // a shape is never empty
    #[inline]
    pub fn len(&self) -> usize {
        self.padded().iter().product()
    }

    /// Place in memory of a cell; negative indices and those past the end lie in the halo.
    #[inline(always)]
    pub fn index(&self, [i, j, k]: [isize; 3]) -> usize {
        let [_, sy, sz] = self.strides();
        let [hx, hy, hz] = self.halo;
        (i + hx as isize) as usize
            + (j + hy as isize) as usize * sy
            + (k + hz as isize) as usize * sz
    }

    /// The cell at a place in memory, which may lie in the halo.
    pub fn cell(&self, place: usize) -> [isize; 3] {
        let n = self.padded();
        let at = [place % n[0], place / n[0] % n[1], place / (n[0] * n[1])];
        std::array::from_fn(|d| at[d] as isize - self.halo[d] as isize)
    }

    /// The indices of own cells in a direction.
    #[inline]
    pub fn own(&self, direction: usize) -> std::ops::Range<isize> {
        0..self.cells[direction] as isize
    }

    /// The indices of own and halo cells in a direction.
    #[inline]
    pub fn all(&self, direction: usize) -> std::ops::Range<isize> {
        let h = self.halo[direction] as isize;
        -h..self.cells[direction] as isize + h
    }

    /// Places in memory of own cells, a range for each row along x.
    pub fn rows(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let shape = *self;
        (0..shape.cells[1] * shape.cells[2]).map(move |number| shape.row(number))
    }

    /// One of them.
    pub fn row(&self, number: usize) -> std::ops::Range<usize> {
        let [n, n_j, _] = self.cells;
        let first = self.index([0, (number % n_j) as isize, (number / n_j) as isize]);
        first..first + n
    }

    /// The places from the first cell of some rows to their last one, with the halos between.
    pub fn hull(&self, rows: std::ops::Range<usize>) -> std::ops::Range<usize> {
        match rows.len() {
            0 => 0..0,
            _ => self.row(rows.start).start..self.row(rows.end - 1).end,
        }
    }

    /// Own and halo cells in memory order.
    pub fn all_cells(&self) -> impl Iterator<Item = [isize; 3]> + use<> {
        let shape = *self;
        shape.all(2).flat_map(move |k| shape.layer(2, k))
    }

    /// The cells at index `i` across a direction, halos of the other directions included.
    pub fn layer(&self, direction: usize, i: isize) -> impl Iterator<Item = [isize; 3]> + use<> {
        let range = |d: usize| if d == direction { i..i + 1 } else { self.all(d) };
        each_cell([range(0), range(1), range(2)])
    }
}

/// Values on one subdomain; memory order is `[component][k][j][i]`, x fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<T = f64> {
    /// Where in the cell the values sit.
    pub location: Location,
    /// Cells and halo.
    pub shape: Shape,
    /// Values per cell: 1 for a scalar, 3 for a vector.
    pub components: usize,
    /// The values, `components * shape.len()` of them.
    pub values: Vec<T>,
}

impl<T: Copy + Default + Send> Field<T> {
    /// A field of zeros. The threads of the pool that this is called in share the pages of a large one.
    pub fn zeros(location: Location, shape: Shape, components: usize) -> Self {
        Self { location, shape, components, values: zeros(components * shape.len()) }
    }
}

impl<T: Copy + Default> Field<T> {
    /// One component with its halo.
    pub fn component(&self, c: usize) -> &[T] {
        &self.values[c * self.shape.len()..(c + 1) * self.shape.len()]
    }

    /// One component with its halo, to be changed.
    pub fn component_mut(&mut self, c: usize) -> &mut [T] {
        &mut self.values[c * self.shape.len()..(c + 1) * self.shape.len()]
    }

    /// The value of a component in a cell.
    pub fn at(&self, c: usize, cell: [isize; 3]) -> T {
        self.values[c * self.shape.len() + self.shape.index(cell)]
    }

    /// The value of a component in a cell, to be changed.
    pub fn at_mut(&mut self, c: usize, cell: [isize; 3]) -> &mut T {
        &mut self.values[c * self.shape.len() + self.shape.index(cell)]
    }

    /// The same values for another number of cells per direction, as many in all.
    #[must_use]
    pub fn with_cells(mut self, cells: [usize; 3]) -> Self {
        self.shape.cells = cells;
        self
    }

    /// The same field in another number type.
    pub fn map<U>(&self, f: impl Fn(T) -> U) -> Field<U> {
        Field {
            location: self.location,
            shape: self.shape,
            components: self.components,
            values: self.values.iter().map(|&x| f(x)).collect(),
        }
    }

    /// Own cells in memory order (k, then j, then i fastest).
    pub fn own_cells(&self) -> impl Iterator<Item = [isize; 3]> + use<T> {
        let n = self.shape.cells.map(|n| n as isize);
        (0..n[2]).flat_map(move |k| (0..n[1]).flat_map(move |j| (0..n[0]).map(move |i| [i, j, k])))
    }
}

impl Field {
    /// The velocity at the centres of own cells, without halo, from its components on low faces.
    pub fn velocity_at_centres(components: &[Field]) -> Field {
        let shape = Shape { halo: [0; 3], ..components[0].shape };
        let mut field = Field::zeros(Location::Centre, shape, 3);
        for (a, u) in components.iter().enumerate() {
            let next = u.shape.strides()[a];
            for cell in field.own_cells() {
                let low = u.shape.index(cell);
                *field.at_mut(a, cell) = 0.5 * (u.values[low] + u.values[low + next]);
            }
        }
        field
    }

    /// A scalar field whose own cells have the values of a function of their indices; its halo is zero.
    pub fn of_cells(location: Location, shape: Shape, value: impl Fn([isize; 3]) -> f64) -> Field {
        let mut field = Field::zeros(location, shape, 1);
        field.own_cells().for_each(|cell| field[cell] = value(cell));
        field
    }

    /// Own cells of a scalar field, without halo.
    #[must_use]
    pub fn without_halo(&self) -> Field {
        Self::of_cells(self.location, Shape { halo: [0; 3], ..self.shape }, |cell| self[cell])
    }
}

impl<T> Index<[isize; 3]> for Field<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, cell: [isize; 3]) -> &T {
        &self.values[self.shape.index(cell)]
    }
}

impl<T> IndexMut<[isize; 3]> for Field<T> {
    #[inline(always)]
    fn index_mut(&mut self, cell: [isize; 3]) -> &mut T {
        &mut self.values[self.shape.index(cell)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { cells: [3, 2, 1], halo: [1, 1, 0] };

    #[test]
    fn rows_are_own_cells_and_layers_have_the_halos_of_other_directions() {
        let field = Field::<f64>::zeros(Location::Centre, SHAPE, 1);
        let places: Vec<usize> = field.own_cells().map(|cell| SHAPE.index(cell)).collect();
        let all = SHAPE.all_cells().map(|cell| SHAPE.index(cell));
        assert!(all.eq(0..SHAPE.len()));
        assert!((0..SHAPE.len()).all(|place| SHAPE.index(SHAPE.cell(place)) == place));
        assert_eq!(SHAPE.rows().flatten().collect::<Vec<_>>(), places);
        let ghosts: Vec<[isize; 3]> = SHAPE.layer(1, -1).collect();
        assert_eq!(ghosts, [-1, 0, 1, 2, 3].map(|i| [i, -1, 0]));
    }

    #[test]
    fn the_velocity_at_centres_is_the_mean_of_two_faces() {
        let mut u = Field::zeros(Location::Face(0), SHAPE, 1);
        SHAPE.all(0).for_each(|i| u[[i, 1, 0]] = (i * i) as f64);
        let centres = Field::velocity_at_centres(&[u.clone()]);
        assert_eq!([0, 1, 2].map(|i| centres.at(0, [i, 1, 0])), [0.5, 2.5, 6.5]);
        assert_eq!((centres.at(0, [1, 0, 0]), centres.at(1, [1, 1, 0])), (0.0, 0.0));
        assert_eq!(u.without_halo().values, [0.0, 0.0, 0.0, 0.0, 1.0, 4.0]);
    }
}
