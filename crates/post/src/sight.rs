//! Which cells of a flow are looked at.

use vortice_core::{Case, Extent, Sight, cells_read};

use crate::flow::Line;
use crate::forces::axis_through;
use crate::references::{Coefficient, Reference, Values, all_lines};

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
    others.extend(wakes(case, references));
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

/// The cells that the lengths of wakes are read from.
fn wakes(case: &Case, references: &[Reference]) -> Vec<Extent> {
    let rows = references.iter().flat_map(|one| match &one.values {
        Values::Coefficients(rows) => &rows[..],
        _ => &[],
    });
    let asked = rows.filter(|row| row.coefficient == Coefficient::WakeLength);
    let bodies = asked.filter_map(|row| case.bodies.iter().position(|body| body.name == row.body));
    let behind = |body: usize| {
        let (middle, _) = axis_through(case, body);
        let mut end = middle;
        end[0] = case.grid.axes[0].high();
        cells_read(case, middle, end)
    };
    bodies.flat_map(behind).collect()
}

#[cfg(test)]
mod tests;
