//! Values of a cell-centred field anywhere in the box, to fourth order.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::body::Walls;
use crate::boundary::{Condition, Side};
use crate::case::Case;
use crate::cells::Cells;
use crate::extent::Extent;
use crate::interpolation::{weights, window};
use crate::quantity::Quantity;
use crate::sight::Sight;
use crate::solid::Solids;

/// Nodes of the polynomial in each direction.
const NODES: usize = 4;

/// A cell's value counts if no wall is nearer to its centre than this share of a spacing: what it is off would count many times.
const LEAST_GAP: f64 = 0.25;

/// Reads velocity or pressure at any point: cubic in each direction through the
/// four nearest cell centres, among which the values that walls, inflows and outlets prescribe at
/// the faces count, and those of bodies where the line meets them. Velocity is zero inside solids.
pub struct Sampler<'a> {
    case: &'a Case,
    solids: Cow<'a, Solids>,
    field: Cells<'a>,
    quantity: Quantity,
}

/// Where an interpolated value takes a part of itself from.
#[derive(Clone, Copy)]
enum Source {
    /// A cell's index in this direction, and the factor of its value: -1 for a mirror image.
    Cell(isize, f64),
    /// A value at the face.
    Given(f64),
}

impl<'a> Sampler<'a> {
    /// Of values at cell centres: [`Quantity::Velocity`] in m/s, [`Quantity::Pressure`] in Pa,
    /// [`Quantity::Temperature`] in K or a scalar.
    pub fn new(case: &'a Case, field: impl Into<Cells<'a>>, quantity: Quantity) -> Self {
        Self { case, solids: Cow::Owned(case.solids()), field: field.into(), quantity }
    }

    /// The same, beside the solids of the case that are known already.
    pub fn beside(
        case: &'a Case,
        solids: &'a Solids,
        field: Cells<'a>,
        quantity: Quantity,
    ) -> Self {
        Self { case, solids: Cow::Borrowed(solids), field, quantity }
    }

    /// The value of a component at a point (m).
    pub fn value(&self, component: usize, point: [f64; 3]) -> f64 {
        let cell = self.case.grid.cell_at(point);
        if self.solids.contains(cell) && self.quantity == Quantity::Velocity {
            return 0.0;
        }
        self.along(0, component, point, cell)
    }

    /// Interpolates in direction `d` and those after it; `cell` is fixed in those before it.
    fn along(&self, d: usize, component: usize, point: [f64; 3], cell: [isize; 3]) -> f64 {
        if d == 3 {
            return self.field.at(component, cell);
        }
        if !self.case.grid.directions().contains(&d) {
            return self.along(d + 1, component, point, [cell[0], cell[1], 0]);
        }
        let nodes = self.nodes(d, component, point, cell);
        let x: Vec<f64> = nodes.iter().map(|node| node.0).collect();
        let near = window(&x, point[d], NODES);
        let weights = weights(&x[near.clone()], point[d]);
        weights
            .iter()
            .zip(&nodes[near])
            .map(|(weight, (_, source))| {
                weight
                    * match *source {
                        Source::Given(value) => value,
                        Source::Cell(i, factor) => {
                            let mut there = cell;
                            there[d] = i;
                            factor * self.along(d + 1, component, point, there)
                        }
                    }
            })
            .sum()
    }

    /// Positions and sources on the line through a cell in direction `d`, up to the next wall.
    fn nodes(
        &self,
        d: usize,
        component: usize,
        point: [f64; 3],
        cell: [isize; 3],
    ) -> Vec<(f64, Source)> {
        let mut nodes = self.walk(d, component, point, cell, Side::Low);
        nodes.reverse();
        nodes.push((self.case.grid.axes[d].centre(cell[d]), Source::Cell(cell[d], 1.0)));
        nodes.extend(self.walk(d, component, point, cell, Side::High));
        if self.case.bodies.is_empty() {
            return nodes;
        }
        let least = LEAST_GAP * self.case.grid.axes[d].spacing();
        let is_given = |source: &Source| matches!(source, Source::Given(_));
        let walls: Vec<f64> =
            nodes.iter().filter(|node| is_given(&node.1)).map(|node| node.0).collect();
        let is_free = |x: f64| walls.iter().all(|wall| (wall - x).abs() >= least);
        nodes.retain(|(x, source)| is_given(source) || is_free(*x));
        nodes
    }

    /// Where the line through a point along `d` meets the solid in the cell `solid` on its way there from the centre of the one before it, and
    /// the wall's velocity; nothing if the line passes by.
    fn wall(
        &self,
        (d, side): (usize, Side),
        component: usize,
        mut point: [f64; 3],
        solid: [isize; 3],
        face: f64,
    ) -> Option<(f64, f64)> {
        let axis = &self.case.grid.axes[d];
        let body = self.solids.body_at(solid).map(|number| &self.case.bodies[number]);
        point[d] = face;
        let Some(body) = body else { return Some((face, 0.0)) };
        if body.walls == Walls::Stairs {
            return Some((face, body.velocity(point)[component]));
        }
        // Where the body lies, which may be across a periodic end.
        let (mut start, mut end) = (point, point);
        end[d] = axis.centre(solid[d]);
        start[d] = end[d] - side.outward() as f64 * axis.spacing();
        if body.distance(start) <= 0.0 || body.distance(end) > 0.0 {
            return None;
        }
        let share = body.wall_distance(start, end, 0.0);
        let mut at = start;
        at[d] += share * (end[d] - start[d]);
        Some((face + (share - 0.5) * (end[d] - start[d]), body.velocity(at)[component]))
    }

    /// The nodes on one side of a cell, outwards.
    fn walk(
        &self,
        d: usize,
        component: usize,
        point: [f64; 3],
        cell: [isize; 3],
        side: Side,
    ) -> Vec<(f64, Source)> {
        let axis = &self.case.grid.axes[d];
        let (n, step) = (axis.len() as isize, if side == Side::Low { -1 } else { 1 });
        let boundary = self.case.boundaries.at(d, side);
        let mut nodes = Vec::new();
        for away in 1..NODES as isize {
            let there = cell[d] + step * away;
            let face = axis.face(there + isize::from(side == Side::Low));
            if !(0..n).contains(&there) && boundary.condition().is_some() {
                let mut on_face = point;
                on_face[d] = face;
                match self.beyond((d, side), component, on_face) {
                    Beyond::Value(value) => nodes.push((face, Source::Given(value))),
                    Beyond::Mirror(factor) => {
                        let inner = if side == Side::Low { -1 - there } else { 2 * n - 1 - there };
                        if inner == cell[d] || (0..n).contains(&inner) {
                            nodes.push((axis.centre(there), Source::Cell(inner, factor)));
                            continue;
                        }
                    }
                    Beyond::Nothing => {}
                }
                return nodes;
            }
            let inside = there.rem_euclid(n);
            let mut neighbour = cell;
            neighbour[d] = inside;
            if self.solids.contains(neighbour) {
                if self.quantity == Quantity::Velocity {
                    // In the directions before, the line is at the cell's centre.
                    let centre = self.case.grid.centre(cell);
                    let line = std::array::from_fn(|e| if e < d { centre[e] } else { point[e] });
                    let wall = self.wall((d, side), component, line, neighbour, face);
                    nodes.extend(wall.map(|(x, value)| (x, Source::Given(value))));
                }
                return nodes;
            }
            nodes.push((axis.centre(there), Source::Cell(inside, 1.0)));
        }
        nodes
    }

    /// What is known at and beyond a face of the box that is not periodic.
    fn beyond(&self, (d, side): (usize, Side), component: usize, face: [f64; 3]) -> Beyond {
        let boundary = self.case.boundaries.at(d, side);
        let given = match self.quantity {
            Quantity::Velocity => boundary.velocity_at(face).map(|velocity| velocity[component]),
            Quantity::Temperature | Quantity::Scalar(_) => {
                self.case.carried_as(self.quantity).and_then(|scalar| scalar.at(d, side).value())
            }
            _ => boundary.pressure(),
        };
        match (given, boundary.condition()) {
            (Some(value), _) => Beyond::Value(value),
            (None, Some(Condition::Mirror))
                if self.quantity == Quantity::Velocity && component == d =>
            {
                Beyond::Value(0.0)
            }
            (None, Some(Condition::Mirror)) => Beyond::Mirror(1.0),
            _ => Beyond::Nothing,
        }
    }
}

/// The cells that values in a box are read from, between two corners in m.
pub fn cells_read(case: &Case, low: [f64; 3], high: [f64; 3]) -> Vec<Extent> {
    let (first, last) = (case.grid.cell_at(low), case.grid.cell_at(high));
    let cells = std::array::from_fn(|d| first[d] as usize..last[d] as usize + 1);
    Sight::around(case, &Extent { cells }, NODES - 1)
}

enum Beyond {
    Value(f64),
    Mirror(f64),
    Nothing,
}
