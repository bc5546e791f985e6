#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod files;
mod shapes;
#[path = "../../../tests/triangles/mod.rs"]
mod triangles;

use super::*;
use crate::body::Geometry;
use crate::each_cell::each_cell_of_grid;
pub(super) use triangles::{ball, cube, file};

pub(super) const AS_IT_IS: Placement = Placement { scale: 1.0, rotate: [0.0; 3], shift: [0.0; 3] };

/// That the cells found by lines are those whose centres the distance tells to be inside; how many they are.
pub(super) fn covered(mesh: &Mesh, grid: &Grid) -> usize {
    let whole = grid.cells().map(|n| 0..n);
    let both = [false, true].map(|hollow| mesh.rows(grid, &whole, hollow));
    let mut count = 0;
    for cell in each_cell_of_grid(&whole) {
        let distance = mesh.distance(grid.centre(cell));
        let expected = [distance, -distance].map(|distance| distance <= margin(grid));
        let cell = cell.map(|i| i as usize);
        assert_eq!(
            both.each_ref().map(|rows| rows.contains(cell)),
            expected,
            "{cell:?} {distance}"
        );
        count += usize::from(expected[0]);
    }
    count
}

pub(super) fn of(triangles: &[Corners], placement: Placement) -> Mesh {
    Mesh::new(&file(triangles), placement, None).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}
