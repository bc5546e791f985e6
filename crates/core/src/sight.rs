//! What is looked at of a flow when its run ends: surfaces, a plane, lines. No more of it is kept.

use std::ops::Range;

use crate::boundary::Side;
use crate::case::Case;
use crate::exact::ExactFlow;
use crate::extent::Extent;
use crate::window::{pieces, within_grid};

/// Cells beside a surface, along its normal, that a value on the surface is taken from: parabolas.
pub const BESIDE_SURFACE: usize = 3;

/// Cells around a body that forces and the pressure difference on it are taken from.
const AROUND_BODY: usize = 18;

/// The cells whose velocity and pressure the numbers, profiles and picture at the end of a run are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All: a plane flow has a stream function, and exact flows are compared in every cell.
    Whole,
    /// Those of some boxes, which may overlap.
    Parts(Vec<Extent>),
}

impl Sight {
    /// Of a case: the cells beside the ends of its box and its solids, those of its bodies, those of the plane that is
    /// shown, and `others`. All cells, if these are no fewer.
    pub fn of(case: &Case, others: impl IntoIterator<Item = Extent>) -> Self {
        let whole = Extent::whole(case.grid.cells());
        let is_exact = |name: &String| ExactFlow::of_reference(name).is_some();
        if case.grid.is_plane() || case.references.iter().any(is_exact) {
            return Self::Whole;
        }
        let mut parts = beside_ends(case);
        case.solid.iter().for_each(|solid| parts.extend(beside(case, &solid.cells(&case.grid))));
        let solids = case.solids();
        for block in solids.body_blocks() {
            let block = Extent { cells: block.clone() };
            parts.extend(Self::around(case, &block, AROUND_BODY));
        }
        parts.push(shown(case));
        parts.extend(others);
        let few = parts.iter().map(Extent::n_cells).sum::<usize>() < whole.n_cells();
        if few { Self::Parts(parts) } else { Self::Whole }
    }

    /// A box of cells with so many more on all sides, those across periodic ends too.
    pub fn around(case: &Case, extent: &Extent, cells: usize) -> Vec<Extent> {
        let (_, _, pieces) =
            pieces(extent, [cells; 3], case.grid.cells(), case.boundaries.periodic());
        pieces.into_iter().map(|piece| piece.extent).collect()
    }

    /// Numbers that are kept of each quantity for each of its components, for a grid of so many cells.
    pub fn n_cells(&self, of_grid: usize) -> usize {
        match self {
            Self::Whole => of_grid,
            Self::Parts(parts) => parts.iter().map(Extent::n_cells).sum(),
        }
    }
}

/// The cells beside the ends of the box that are not periodic.
fn beside_ends(case: &Case) -> Vec<Extent> {
    let whole = Extent::whole(case.grid.cells());
    let mut all = Vec::new();
    for (direction, side, boundary) in case.boundaries.iter() {
        if boundary.condition().is_some() {
            let n = whole.cells[direction].len();
            let layers = n.min(BESIDE_SURFACE);
            let mut extent = whole.clone();
            extent.cells[direction] = if side == Side::Low { 0..layers } else { n - layers..n };
            all.push(extent);
        }
    }
    all
}

/// The cells beside a solid box, those across periodic ends too.
fn beside(case: &Case, solid: &[Range<usize>; 3]) -> Vec<Extent> {
    let layers = BESIDE_SURFACE as isize;
    let mut all = Vec::new();
    for direction in case.grid.directions() {
        let n = case.grid.cells()[direction];
        let [low, high] = [solid[direction].start as isize, solid[direction].end as isize];
        for range in [low - layers..low, high..high + layers] {
            for inside in within_grid(range, n, case.boundaries.periodic()[direction]) {
                let mut cells = solid.clone();
                cells[direction] = inside.cells;
                all.push(Extent { cells });
            }
        }
    }
    all.retain(|extent| extent.n_cells() > 0);
    all
}

/// The cells that the plane that is shown is made of.
fn shown(case: &Case) -> Extent {
    let plane = case.plane_shown();
    let mut extent = Extent::whole(case.grid.cells());
    let [(below, _), (above, _)] = plane.layers(&case.grid);
    extent.cells[plane.normal] = below as usize..above as usize + 1;
    extent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::apply_overrides;

    /// A duct that is periodic in z, with a block in it.
    fn duct(sets: &[&str]) -> Case {
        let text = "title = 'duct'\nreferences = []\n\
            grid = { cells = [40, 30, 20], size = [4.0, 3.0, 2.0] }\n\
            fluid = { density = 1.0, viscosity = 0.01 }\nscale = { length = 1.0, velocity = 1.0 }\n\
            run = { method = 'fdm', until = 1.0 }\n[boundary]\n\
            x-low = { inflow = { velocity = [1.0, 0.0, 0.0] } }\nx-high = 'outflow'\n\
            y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n\
            [[solid]]\nlow = [1.0, 0.0, 0.0]\nhigh = [1.5, 1.0, 0.5]\n";
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        let text = apply_overrides(text, "duct", &sets).expect("settings");
        Case::parse(&text, "duct").unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn surfaces_and_the_plane_are_seen_across_periodic_ends_too() {
        let Sight::Parts(parts) = Sight::of(&duct(&[]), []) else { panic!("all cells") };
        let expected = [
            // The ends of the box that are not periodic.
            [0..3, 0..30, 0..20],
            [37..40, 0..30, 0..20],
            [0..40, 0..3, 0..20],
            [0..40, 27..30, 0..20],
            // Beside the block, not below it, where the box ends.
            [7..10, 0..10, 0..5],
            [15..18, 0..10, 0..5],
            [10..15, 10..13, 0..5],
            [10..15, 0..10, 17..20],
            [10..15, 0..10, 5..8],
            // Between two layers lies z = 1.
            [0..40, 0..30, 9..11],
        ];
        assert_eq!(parts, expected.map(|cells| Extent { cells }));
    }

    #[test]
    fn all_is_seen_of_what_is_compared_in_every_cell_and_of_small_grids() {
        assert_eq!(Sight::of(&duct(&["references=[\"exact-couette\"]"]), []), Sight::Whole);
        assert_eq!(Sight::of(&duct(&["grid.cells=[8,6,4]"]), []), Sight::Whole);
        let all = Extent::whole([40, 30, 20]);
        assert_eq!(Sight::of(&duct(&[]), [all]), Sight::Whole);
    }

    #[test]
    fn cells_around_a_box_end_where_the_grid_does() {
        let extent = Extent { cells: [1..2, 0..30, 19..20] };
        let around = Sight::around(&duct(&[]), &extent, 3);
        let expected = [[0..5, 0..30, 16..20], [0..5, 0..30, 0..3]];
        assert_eq!(around, expected.map(|cells| Extent { cells }));
    }
}
