//! Velocity, its slope, and pressure where the fluid ends.

use vortice_core::{
    BESIDE_SURFACE, BodyWall, Case, Cells, Condition, Surface, Surfaces, WallSlope,
};

use crate::flow::Flow;
use crate::interpolation::{Node, derivative_weights, interpolate};
use crate::surface::Facet;

/// Reads a flow on its surfaces.
pub(crate) struct Traces<'a> {
    pub(crate) case: &'a Case,
    velocity: Cells<'a>,
    wall_slope: WallSlope,
    surfaces: Surfaces<'a>,
    /// Whether what boundaries prescribe counts. If not, all is continued from the cells.
    prescribed: bool,
}

/// What is known of the velocity on a facet.
enum Given {
    Velocity([f64; 3]),
    /// That of a body's wall in front of the facet or behind it.
    Near(BodyWall),
    Mirror,
    Nothing,
}

/// Share of a cell's width within which a cell's centre is too near to a wall to tell a slope.
const TOO_NEAR: f64 = 0.3;

impl<'a> Traces<'a> {
    /// Of a flow.
    pub(crate) fn of(flow: &Flow<'a>) -> Self {
        Self { wall_slope: flow.wall_slope, ..Self::new(flow.case, flow.velocity) }
    }

    /// Of a velocity in m/s whose slope at walls is not asked for.
    pub(crate) fn new(case: &'a Case, velocity: impl Into<Cells<'a>>) -> Self {
        let velocity = velocity.into();
        let wall_slope = WallSlope::EXACT;
        let surfaces = Surfaces::new(case);
        Self { case, velocity, wall_slope, surfaces, prescribed: true }
    }

    /// The same without what the boundaries prescribe: for any part of a flow.
    #[cfg(test)]
    pub(crate) fn continued(case: &'a Case, velocity: impl Into<Cells<'a>>) -> Self {
        Self { prescribed: false, ..Self::new(case, velocity) }
    }

    /// Velocity in m/s in the middle of a facet.
    pub(crate) fn velocity(&self, facet: &Facet) -> [f64; 3] {
        match self.given(facet) {
            Given::Velocity(velocity) => velocity,
            Given::Near(wall) => {
                std::array::from_fn(|c| interpolate(&self.beside(facet, &wall, c), 0.0))
            }
            _ => std::array::from_fn(|c| {
                let line = self.line(facet, |cell| self.velocity.at(c, cell));
                self.at_face(facet, c, &line)
            }),
        }
    }

    /// Velocity in m/s in the direction of a facet's normal, averaged over the facet where it is
    /// prescribed, so that the flow through an inflow is the same on every grid.
    pub(crate) fn mean_through(&self, facet: &Facet) -> f64 {
        if let (Surface::Face(d, side), true) = (facet.surface, self.prescribed) {
            let [low, high] = facet.corners(self.case);
            if let Some(velocity) = self.case.boundaries.at(d, side).velocity(low, high) {
                return velocity[d];
            }
        }
        self.velocity(facet)[facet.direction]
    }

    /// Derivative in 1/s of the velocity from a facet into the fluid, eq. (P4).
    pub(crate) fn slope(&self, facet: &Facet) -> [f64; 3] {
        let (given, d) = (self.given(facet), facet.direction);
        let h = self.case.grid.axes[d].spacing();
        std::array::from_fn(|c| {
            let line = self.line(facet, |cell| self.velocity.at(c, cell));
            let from_face = |value: f64| {
                let next = line.get(1).map(|node| node.value);
                self.wall_slope.at(d, h, value, line[0].value, next)
            };
            match given {
                Given::Velocity(velocity) => from_face(velocity[c]),
                Given::Mirror if c == d => from_face(0.0),
                Given::Mirror => 0.0,
                Given::Near(wall) => slope_of(&self.beside(facet, &wall, c)),
                Given::Nothing => slope_of(&line),
            }
        })
    }

    /// Pressure in Pa in the middle of a facet, from a pressure at the cell centres, eq. (P5).
    pub(crate) fn pressure(&self, facet: &Facet, pressure: Cells<'_>) -> f64 {
        if let (Surface::Face(d, side), true) = (facet.surface, self.prescribed)
            && let Some(pressure) = self.case.boundaries.at(d, side).pressure()
        {
            return pressure;
        }
        interpolate(&self.line(facet, |cell| pressure.at(0, cell)), 0.0)
    }

    fn given(&self, facet: &Facet) -> Given {
        let (d, side) = match facet.surface {
            Surface::Face(d, side) => (d, side),
            Surface::Solid(_) => return Given::Velocity([0.0; 3]),
            Surface::Body(_) => {
                let solid = facet.side.next(facet.cell, facet.direction);
                return match self.surfaces.body_wall(facet.cell, solid) {
                    None => Given::Velocity([0.0; 3]),
                    Some(wall) if wall.share == 0.5 => Given::Velocity(wall.velocity),
                    Some(wall) => Given::Near(wall),
                };
            }
        };
        let boundary = self.case.boundaries.at(d, side);
        match (boundary.condition(), boundary.velocity_at(facet.centre(self.case))) {
            _ if !self.prescribed => Given::Nothing,
            (_, Some(velocity)) => Given::Velocity(velocity),
            (Some(Condition::Mirror), _) => Given::Mirror,
            _ => Given::Nothing,
        }
    }

    /// A component on a facet that does not prescribe it.
    fn at_face(&self, facet: &Facet, component: usize, line: &[Node]) -> f64 {
        match self.given(facet) {
            Given::Mirror if component == facet.direction => 0.0,
            Given::Mirror => {
                let mirrored = line.iter().map(|node| Node { x: -node.x, ..*node });
                let both: Vec<Node> = line.iter().copied().chain(mirrored).collect();
                interpolate(&both, 0.0)
            }
            _ => interpolate(line, 0.0),
        }
    }

    /// A component on a body's wall and in the cells before it, by their distance from the facet in m.
    fn beside(&self, facet: &Facet, wall: &BodyWall, component: usize) -> Vec<Node> {
        let h = self.case.grid.axes[facet.direction].spacing();
        let mut line = self.line(facet, |cell| self.velocity.at(component, cell));
        if wall.share < TOO_NEAR && line.len() > 1 {
            line.remove(0);
        }
        // Parabolas.
        line.truncate(2);
        line.insert(0, Node { x: (0.5 - wall.share) * h, value: wall.velocity[component] });
        line
    }

    /// Values in the cells from a facet inwards, by their distance from it in m, up to the next
    /// surface.
    fn line(&self, facet: &Facet, value: impl Fn([isize; 3]) -> f64) -> Vec<Node> {
        let d = facet.direction;
        let (n, h) = (self.case.grid.axes[d].len() as isize, self.case.grid.axes[d].spacing());
        let cell = |away: isize| {
            let mut cell = facet.cell;
            cell[d] -= facet.side.outward() * away;
            self.surfaces.wrapped(cell)
        };
        (0..(BESIDE_SURFACE as isize).min(n))
            .map(|away| (away, cell(away)))
            .take_while(|(_, cell)| self.surfaces.flows(*cell))
            .map(|(away, cell)| Node { x: (away as f64 + 0.5) * h, value: value(cell) })
            .collect()
    }
}

/// The slope of the polynomial through nodes where its argument is zero.
fn slope_of(line: &[Node]) -> f64 {
    let x: Vec<f64> = line.iter().map(|node| node.x).collect();
    let weights = &derivative_weights(&x, 0.0)[1];
    weights.iter().zip(line).map(|(weight, node)| weight * node.value).sum()
}
