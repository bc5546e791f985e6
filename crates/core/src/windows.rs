//! Values that lie in several windows.

use crate::window::Window;

/// Windows of one grid, of which each has some of its cells.
pub(crate) struct Windows<'a> {
    parts: Vec<&'a Window<'a>>,
    /// Of the grid.
    cells: [usize; 3],
}

impl<'a> Windows<'a> {
    /// Of a grid with so many cells.
    pub(crate) fn new(parts: Vec<&'a Window<'a>>, cells: [usize; 3]) -> Self {
        Self { parts, cells }
    }

    /// The value of a component in a cell that one of them has, or in one that is such a cell across a periodic end; not a
    /// number if none has it.
    pub(crate) fn at(&self, component: usize, cell: [isize; 3]) -> f64 {
        let of = |cell| self.parts.iter().find_map(|part| part.get(component, cell));
        // Most cells need no division.
        let across = || {
            self.parts.iter().find_map(|part| {
                let (first, n) = (part.first(), part.field().shape.cells);
                let wrapped = std::array::from_fn(|d| {
                    let all = self.cells[d] as isize;
                    match (first[d]..first[d] + n[d] as isize).contains(&cell[d]) {
                        true => cell[d],
                        false => first[d] + (cell[d].rem_euclid(all) - first[d]).rem_euclid(all),
                    }
                });
                part.get(component, wrapped)
            })
        };
        of(cell).or_else(across).unwrap_or(f64::NAN)
    }

    /// The row along x that a cell lies in, of a component in the window that has it: its first cell, and its values.
    pub(crate) fn row(
        &self,
        component: usize,
        [i, j, k]: [isize; 3],
    ) -> Option<(isize, &'a [f64])> {
        let has = |row: &(isize, &[f64])| (row.0..row.0 + row.1.len() as isize).contains(&i);
        self.parts.iter().filter_map(|part| part.row(component, [j, k])).find(has)
    }
}
