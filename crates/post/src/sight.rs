//! Which cells of a flow are looked at.

use vortice_core::{Case, Extent, Sight, cells_read};

use crate::flow::Line;
use crate::references::{Reference, Values, all_lines};

/// The cells that numbers, profiles and the picture of a case, and comparisons with its references, are made of: all
/// of a plane flow, and where a reference is an exact flow; of others those on surfaces, in the plane that the case
/// shows, along the lines of references and in the centre of the box.
pub fn sight(case: &Case, references: &[Reference]) -> Sight {
    let centre = case.grid.axes.map(|axis| 0.5 * (axis.low() + axis.high()));
    // Pressures are relative to the one in the centre.
    let mut others = cells_read(case, centre, centre);
    for line in all_lines(case, references) {
        others.extend(beside(case, line));
    }
    if references.iter().any(|one| matches!(one.values, Values::Exact(_))) {
        others.push(Extent::whole(case.grid.cells()));
    }
    Sight::of(case, others)
}

/// The cells that values along a line are read from.
fn beside(case: &Case, line: Line) -> Vec<Extent> {
    let (mut low, mut high) = (line.point(case), line.point(case));
    let axis = &case.grid.axes[line.along];
    (low[line.along], high[line.along]) = (axis.low(), axis.high());
    cells_read(case, low, high)
}

#[cfg(test)]
mod tests;
