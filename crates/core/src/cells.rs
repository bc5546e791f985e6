//! Values of a quantity in the cells of a grid: in all of them, or in those that were kept.

use crate::field::Field;
use crate::window::Window;

/// Values at the centres of cells, which are given by their indices in the whole grid.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// Of all cells, without halo.
    Whole(&'a Field),
    /// Of the cells of some windows, which may overlap.
    Parts(&'a [Window<'a>]),
}

impl Cells<'_> {
    /// The value of a component in a cell.
    ///
    /// # Panics
    /// If the value was not kept: [`Sight`](crate::Sight) is to name every cell that is read.
    #[inline]
    pub fn at(&self, component: usize, cell: [isize; 3]) -> f64 {
        match self {
            Self::Whole(field) => field.at(component, cell),
            Self::Parts(parts) => parts
                .iter()
                .find_map(|part| part.get(component, cell))
                .unwrap_or_else(|| panic!("the values of cell {cell:?} were not kept")),
        }
    }
}

impl<'a> From<&'a Field> for Cells<'a> {
    fn from(field: &'a Field) -> Self {
        Self::Whole(field)
    }
}

impl<'a> From<&'a std::sync::Arc<Field>> for Cells<'a> {
    fn from(field: &'a std::sync::Arc<Field>) -> Self {
        Self::Whole(field)
    }
}

impl<'a> From<&'a [Window<'a>]> for Cells<'a> {
    fn from(parts: &'a [Window<'a>]) -> Self {
        Self::Parts(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::Extent;
    use crate::field::{Location, Shape};

    /// A number for each cell of a small grid.
    fn numbered() -> Field {
        let mut field = Field::zeros(Location::Centre, Shape { cells: [6, 5, 4], halo: [0; 3] }, 2);
        field.values.iter_mut().enumerate().for_each(|(n, value)| *value = n as f64);
        field
    }

    /// Windows of two boxes, filled in two pieces from the whole.
    fn kept(field: &Field) -> Vec<Window<'static>> {
        let boxes = [[0..2, 0..5, 0..4], [1..6, 2..3, 1..4]].map(|cells| Extent { cells });
        let mut windows = boxes.map(|extent| Window::unfilled(&extent, 2)).to_vec();
        for layers in [0..3, 3..4] {
            let slab = Extent { cells: [0..6, 0..5, layers] };
            windows.iter_mut().for_each(|window| window.fill(&slab, &Window::whole(field)));
        }
        windows
    }

    #[test]
    fn cells_that_were_kept_have_the_values_of_the_whole() {
        let field = numbered();
        let windows = kept(&field);
        let (whole, parts) = (Cells::from(&field), Cells::from(&*windows));
        for cell in field.own_cells().filter(|[i, j, k]| *i < 2 || (*j == 2 && *k > 0)) {
            (0..2).for_each(|c| assert_eq!(parts.at(c, cell), whole.at(c, cell)));
        }
    }

    #[test]
    #[should_panic(expected = "were not kept")]
    fn a_cell_that_was_not_kept_has_no_value() {
        let windows = kept(&numbered());
        let _ = Cells::from(&*windows).at(0, [2, 2, 0]);
    }

    #[test]
    fn what_no_slab_filled_is_not_a_number() {
        let window = Window::unfilled(&Extent { cells: [1..2, 0..1, 0..1] }, 1);
        assert!(window.get(0, [1, 0, 0]).is_some_and(f64::is_nan));
    }
}
