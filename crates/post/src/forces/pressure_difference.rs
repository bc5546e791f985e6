//! The pressure before a body less that behind it.

use vortice_core::{Case, Cells, Solids};

use crate::flow::Flow;
use crate::interpolation::{Node, interpolate};

/// Cells from which the pressure is continued to the surface: parabolas.
const CELLS: usize = 3;

/// Pressure in Pa where the line along x through the middle of a body first meets it, less that where it leaves it,
/// each continued from the flow; nothing if no flow is there.
pub(crate) fn pressure_difference(flow: &Flow<'_>, body: usize) -> Option<f64> {
    let (middle, surfaces) = axis_through(flow.case, body);
    let solids = flow.case.solids();
    let at = |side: f64, surface| at_surface(flow, &solids, middle, side, surface);
    let [before, behind] = surfaces;
    Some(at(-1.0, before?)? - at(1.0, behind?)?)
}

/// The middle of a body in m, and where in x the line along x through it first meets the body and leaves it.
pub(crate) fn axis_through(case: &Case, body: usize) -> ([f64; 3], [Option<f64>; 2]) {
    let (body, axes) = (&case.bodies[body], &case.grid.axes);
    let [low, high] = body.geometry.bounds();
    let middle: [f64; 3] = std::array::from_fn(|d| {
        let [low, high] = [low[d].max(axes[d].low()), high[d].min(axes[d].high())];
        0.5 * (low + high)
    });
    let surface = |from: f64| {
        let mut end = middle;
        end[0] = from;
        Some(from + body.crossing(end, middle)? * (middle[0] - from))
    };
    (middle, [axes[0].low(), axes[0].high()].map(surface))
}

/// The pressure at a place in x of the line along x through a point, continued from the cells on one side of it.
fn at_surface(
    flow: &Flow<'_>,
    solids: &Solids,
    point: [f64; 3],
    side: f64,
    surface: f64,
) -> Option<f64> {
    let axis = &flow.case.grid.axes[0];
    let nearest = (surface - axis.low()) / axis.spacing() - 0.5;
    let first = if side < 0.0 { nearest.floor() } else { nearest.ceil() } as isize;
    let value = |i: isize| across(flow.case, (flow.pressure, 0), solids, point, i);
    // A cell that is partly covered beside the line is passed over.
    let cells = (0..2 * CELLS as isize).map(|away| first + side as isize * away);
    let inside = cells.filter(|i| (0..axis.len() as isize).contains(i));
    let nodes = inside.filter_map(|i| Some(Node { x: axis.centre(i), value: value(i)? }));
    let nodes: Vec<Node> = nodes.take(CELLS).collect();
    (nodes.len() == CELLS).then(|| interpolate(&nodes, surface))
}

/// A component of a field at the centre of a column of cells in x where a line along x passes, linear between the cells
/// around; nothing if one of them is solid.
pub(super) fn across(
    case: &Case,
    (field, component): (Cells<'_>, usize),
    solids: &Solids,
    point: [f64; 3],
    i: isize,
) -> Option<f64> {
    let around = |d: usize| {
        let axis = &case.grid.axes[d];
        let at = ((point[d] - axis.low()) / axis.spacing() - 0.5).max(0.0);
        let (low, last) = (at.floor(), axis.len() as isize - 1);
        [(low as isize, 1.0 - (at - low)), (low as isize + 1, at - low)]
            .map(|(cell, weight)| (cell.min(last), weight))
    };
    let mut sum = 0.0;
    for (j, in_y) in around(1) {
        for (k, in_z) in around(2) {
            let weight = in_y * in_z;
            if weight == 0.0 {
                continue;
            }
            if solids.contains([i, j, k]) {
                return None;
            }
            sum += weight * field.at(component, [i, j, k]);
        }
    }
    Some(sum)
}
