//! The pressure before a body less that behind it.

use vortice_core::{Cells, Solids};

use crate::flow::Flow;
use crate::interpolation::{Node, interpolate};

/// Cells from which the pressure is continued to the surface: parabolas.
const CELLS: usize = 3;

/// Pressure in Pa where the line along x through the middle of a body first meets it, less that where it leaves it,
/// each continued from the flow; nothing if no flow is there.
pub(crate) fn pressure_difference(flow: &Flow<'_>, body: usize) -> Option<f64> {
    let case = flow.case;
    let body = &case.bodies[body];
    let [low, high] = body.geometry.bounds();
    let axes = &case.grid.axes;
    let middle: [f64; 3] = std::array::from_fn(|d| {
        let [low, high] = [low[d].max(axes[d].low()), high[d].min(axes[d].high())];
        0.5 * (low + high)
    });
    let ends = [-1.0, 1.0].map(|side| {
        let mut end = middle;
        end[0] = if side < 0.0 { axes[0].low() } else { axes[0].high() };
        let share = body.crossing(end, middle)?;
        Some((side, end[0] + share * (middle[0] - end[0])))
    });
    let solids = case.solids();
    let [before, behind] = ends.map(|end| {
        let (side, surface) = end?;
        at_surface(flow, &solids, middle, side, surface)
    });
    Some(before? - behind?)
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
    let value = |i: isize| across(flow.case, flow.pressure, solids, point, i);
    // A cell that is partly covered beside the line is passed over.
    let cells = (0..2 * CELLS as isize).map(|away| first + side as isize * away);
    let inside = cells.filter(|i| (0..axis.len() as isize).contains(i));
    let nodes = inside.filter_map(|i| Some(Node { x: axis.centre(i), value: value(i)? }));
    let nodes: Vec<Node> = nodes.take(CELLS).collect();
    (nodes.len() == CELLS).then(|| interpolate(&nodes, surface))
}

/// The pressure at the centre of a column of cells in x where a line along x passes, linear between the cells around;
/// nothing if one of them is solid.
fn across(
    case: &vortice_core::Case,
    pressure: Cells<'_>,
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
            sum += weight * pressure.at(0, [i, j, k]);
        }
    }
    Some(sum)
}
