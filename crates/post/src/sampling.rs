//! Values of a cell-centred field anywhere in the box, to fourth order.

use vortice_core::{Boundary, Case, Cells, Condition, Extent, Quantity, Side, Sight, Solids};

use crate::interpolation::{weights, window};

/// Nodes of the polynomial in each direction.
const NODES: usize = 4;

/// Reads velocity or pressure at any point: cubic in each direction through the
/// four nearest cell centres, among which the values that walls, inflows and outlets prescribe at
/// the faces count. Velocity is zero inside solids.
pub struct Sampler<'a> {
    case: &'a Case,
    solids: Solids,
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
    /// Of values at cell centres: [`Quantity::Velocity`] in m/s or [`Quantity::Pressure`] in Pa.
    pub fn new(case: &'a Case, field: impl Into<Cells<'a>>, quantity: Quantity) -> Self {
        Self { case, solids: case.solids(), field: field.into(), quantity }
    }

    /// The value of a component at a point (m).
    pub fn value(&self, component: usize, point: [f64; 3]) -> f64 {
        let cell = cell(self.case, point);
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
        nodes
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
                match self.beyond(boundary, d, component, on_face) {
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
                    nodes.push((face, Source::Given(0.0)));
                }
                return nodes;
            }
            nodes.push((axis.centre(there), Source::Cell(inside, 1.0)));
        }
        nodes
    }

    /// What is known at and beyond a face of the box that is not periodic.
    fn beyond(&self, boundary: &Boundary, d: usize, component: usize, face: [f64; 3]) -> Beyond {
        let given = match self.quantity {
            Quantity::Velocity => boundary.velocity_at(face).map(|velocity| velocity[component]),
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

/// The cell that a point (m) lies in; beyond the box the nearest one.
fn cell(case: &Case, point: [f64; 3]) -> [isize; 3] {
    std::array::from_fn(|d| {
        let axis = &case.grid.axes[d];
        let i = ((point[d] - axis.low()) / axis.spacing()).floor() as isize;
        i.clamp(0, axis.len() as isize - 1)
    })
}

/// The cells that values in a box are read from, between two corners in m.
pub(crate) fn cells_read(case: &Case, low: [f64; 3], high: [f64; 3]) -> Vec<Extent> {
    let (first, last) = (cell(case, low), cell(case, high));
    let cells = std::array::from_fn(|d| first[d] as usize..last[d] as usize + 1);
    Sight::around(case, &Extent { cells }, NODES - 1)
}

enum Beyond {
    Value(f64),
    Mirror(f64),
    Nothing,
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;
    use crate::examples::{case, field};

    /// Largest error over points that lie nowhere special.
    fn error(
        sampler: &Sampler<'_>,
        component: usize,
        low: [f64; 2],
        size: [f64; 2],
        exact: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        let points = (0..200).map(|n| {
            let n = f64::from(n);
            [low[0] + size[0] * (0.618_034 * n).fract(), low[1] + size[1] * (0.754_878 * n).fract()]
        });
        points
            .map(|[x, y]| (sampler.value(component, [x, y, 0.0]) - exact(x, y)).abs())
            .fold(0.0, f64::max)
    }

    fn order(errors: [f64; 2]) -> f64 {
        (errors[0] / errors[1]).log2()
    }

    #[test]
    fn velocity_between_walls_is_read_to_fourth_order() {
        let exact = |x: f64, y: f64| (PI * x).sin() * (PI * y).sin();
        let errors = [16, 32].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
            let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { exact(x, y) } else { 0.0 });
            let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
            assert_eq!(sampler.value(0, [0.0, 0.3, 0.0]), 0.0);
            error(&sampler, 0, [0.0; 2], [1.0; 2], exact)
        });
        assert!(order(errors) > 3.7, "{errors:?}");
        println!("errors {errors:?}, order {:.2}", order(errors));
    }

    #[test]
    fn pressure_is_continued_to_walls_to_fourth_order() {
        let exact = |x: f64, y: f64| (PI * x).cos() * (2.0 * y).exp();
        let errors = [16, 32].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
            let pressure = field(&case, 1, |_, [x, y, _]| exact(x, y));
            error(&Sampler::new(&case, &pressure, Quantity::Pressure), 0, [0.0; 2], [1.0; 2], exact)
        });
        assert!(order(errors) > 3.7, "{errors:?}");
    }

    #[test]
    fn periodic_directions_wrap_around_and_mirrors_mirror() {
        let mut sets = ["x-low", "x-high"].map(|face| format!("boundary.{face}=periodic")).to_vec();
        sets.extend(["y-low", "y-high"].map(|face| format!("boundary.{face}=symmetry")));
        let exact = |x: f64, y: f64| (TAU * x).sin() * (PI * y).cos();
        let errors = [16, 32].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &sets);
            let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { exact(x, y) } else { 0.0 });
            let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
            error(&sampler, 0, [0.0; 2], [1.0; 2], exact)
        });
        assert!(order(errors) > 3.7, "{errors:?}");
    }

    #[test]
    fn solids_bound_the_line_and_are_at_rest() {
        let sets = ["solid=[{ low = [0, 0, 0], high = [0.5, 0.5, 0.125] }]".to_string()];
        let exact = |_: f64, y: f64| ((y - 0.5) * PI).sin();
        let errors = [16, 32].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &sets);
            let solids = case.solids();
            let velocity = field(&case, 3, |c, [x, y, _]| {
                let cell = [x, y, 0.0].map(|x| (x * f64::from(n)) as isize);
                if c > 0 || solids.contains(cell) { 0.0 } else { exact(x, y) }
            });
            let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
            assert_eq!(sampler.value(0, [0.2, 0.3, 0.0]), 0.0);
            error(&sampler, 0, [0.1, 0.5], [0.3, 0.3], exact)
        });
        assert!(order(errors) > 3.5, "{errors:?}");
    }

    #[test]
    fn the_profile_of_an_inflow_counts_at_its_face() {
        let sets = [
            "grid.cells=[16,16,1]",
            "boundary.x-low.inflow.velocity=[2.0, 0.0, 0.0]",
            "boundary.x-low.inflow.profile.parabolic={ along = \"y\", from = 0.0, to = 1.0 }",
            "boundary.x-high=outflow",
        ];
        let case = case("boundary.x-low={}", &sets.map(String::from));
        let velocity = field(&case, 3, |_, _| 0.0);
        let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
        assert!((sampler.value(0, [0.0, 0.5, 0.0]) - 3.0).abs() < 1e-12);
    }
}
