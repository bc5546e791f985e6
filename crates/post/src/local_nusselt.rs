//! Nusselt numbers from place to place on walls whose temperature is given.

use serde::Serialize;
use vortice_core::{Case, Cells, Heat, Side, Surface};

use crate::interpolation::{Node, maximum};

/// The largest or smallest Nusselt number of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NusseltExtreme {
    /// The number, positive where heat enters the fluid.
    pub nusselt: f64,
    /// Where on the wall, in m; of a plane flow in the middle of its depth.
    pub place: [f64; 3],
}

/// The Nusselt numbers of a wall: one for each cell beside it, by eq. (H4) of that cell.
#[derive(Clone, Debug)]
pub(crate) struct LocalNusselt<'a> {
    case: &'a Case,
    direction: usize,
    side: Side,
    /// Directions along the wall, x before y before z, and where it ends without heat passing: there nothing changes.
    tangents: [(usize, [bool; 2]); 2],
    /// The first tangent fastest.
    values: Vec<f64>,
}

impl<'a> LocalNusselt<'a> {
    /// Of a wall whose temperature is given, at a time in s, from temperatures in K at cell centres.
    pub(crate) fn new(
        (case, heat): (&'a Case, &Heat),
        temperature: Cells<'_>,
        (direction, side): (usize, Side),
        time: f64,
    ) -> Self {
        let n = case.grid.cells();
        let along = [[1, 2], [0, 2], [0, 1]][direction];
        let unit = case.grid.spacing()[direction] * heat.difference / (2.0 * case.scale.length);
        let beside = if side == Side::Low { 0 } else { n[direction] as isize - 1 };
        let solids = case.solids();
        let value = |place: usize| {
            let mut cell = [beside; 3];
            cell[along[0]] = (place % n[along[0]]) as isize;
            cell[along[1]] = (place / n[along[0]]) as isize;
            // Nothing passes where the wall bounds a solid.
            if !solids.is_empty() && solids.contains(cell) {
                return 0.0;
            }
            let mut point = case.grid.centre(cell);
            let axis = &case.grid.axes[direction];
            point[direction] = if side == Side::Low { axis.low() } else { axis.high() };
            (heat.given_at(direction, side, point, time) - temperature.at(0, cell)) / unit
        };
        let lets_nothing_pass =
            |d: usize| Side::BOTH.map(|side| !heat.passes(Surface::Face(d, side)));
        let tangents = along.map(|d| (d, lets_nothing_pass(d)));
        let values = (0..n[along[0]] * n[along[1]]).map(value).collect();
        Self { case, direction, side, tangents, values }
    }

    /// Mean over the wall.
    pub(crate) fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Nodes of a line along the wall in one of the two directions; the wall's ends are among them where no heat passes.
    fn nodes(&self, tangent: usize, values: impl Iterator<Item = f64>) -> Vec<Node> {
        let (d, closed) = self.tangents[tangent];
        let axis = &self.case.grid.axes[d];
        let cells = (0..).zip(values).map(|(i, value)| Node { x: axis.centre(i), value });
        let mut nodes: Vec<Node> = cells.collect();
        if let [first, second, .., last_but_one, last] = nodes[..] {
            let end = |x, near: Node, next: Node| Node {
                x,
                value: (9.0 * near.value - next.value) / 8.0,
            };
            let ends = [end(axis.low(), first, second), end(axis.high(), last, last_but_one)];
            if closed[0] {
                nodes.insert(0, ends[0]);
            }
            if closed[1] {
                nodes.push(ends[1]);
            }
        }
        nodes
    }

    /// The smallest (`sign` = -1) or largest (`sign` = 1) number with its place, between cells too.
    pub(crate) fn extreme(&self, sign: f64) -> NusseltExtreme {
        let grid = &self.case.grid;
        let mut place = grid.axes.map(|axis| 0.5 * (axis.low() + axis.high()));
        let axis = &grid.axes[self.direction];
        place[self.direction] = if self.side == Side::Low { axis.low() } else { axis.high() };
        let signed = |place: usize| sign * self.values[place];
        let all = (0..self.values.len()).max_by(|a, b| signed(*a).total_cmp(&signed(*b)));
        let top = all.unwrap_or(0);
        let n = grid.cells()[self.tangents[0].0];
        let mut nusselt = signed(top);
        for (tangent, (d, _)) in self.tangents.iter().enumerate() {
            if !grid.directions().contains(d) {
                continue;
            }
            let (start, step) = if tangent == 0 { (top - top % n, 1) } else { (top % n, n) };
            let values = (0..grid.cells()[*d]).map(|i| signed(start + step * i));
            if let Some(found) = maximum(&self.nodes(tangent, values)) {
                place[*d] = found.x;
                nusselt += found.value - signed(top);
            }
        }
        NusseltExtreme { nusselt: sign * nusselt, place }
    }

    /// Along the wall, in the direction of gravity if that lies in it, else in x, y or z: this direction, and places in m with the
    /// means over the other direction.
    pub(crate) fn profile(&self, gravity: [f64; 3]) -> (usize, Vec<(f64, f64)>) {
        let n = self.tangents.map(|(d, _)| self.case.grid.cells()[d]);
        let is_upright = |(d, _): &(usize, [bool; 2])| {
            gravity[*d] != 0.0 && self.case.grid.directions().contains(d)
        };
        let tangent = self.tangents.iter().position(is_upright).unwrap_or(0);
        let of = |i: usize| {
            let across =
                (0..n[1 - tangent]).map(|j| if tangent == 0 { i + n[0] * j } else { j + n[0] * i });
            across.map(|place| self.values[place]).sum::<f64>() / n[1 - tangent] as f64
        };
        let nodes = self.nodes(tangent, (0..n[tangent]).map(of));
        (self.tangents[tangent].0, nodes.into_iter().map(|node| (node.x, node.value)).collect())
    }
}
