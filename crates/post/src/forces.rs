//! Forces of the flow on walls and solid boxes.

use serde::Serialize;

use crate::flow::Flow;
use crate::surface::{Facet, Facets, Surface};
use crate::trace::Traces;

/// The force of the flow on one surface; of a plane flow for each metre of its depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Force {
    /// Which surface.
    pub surface: Surface,
    /// Of the pressure in N (N/m of a plane flow), eq. (P6).
    pub pressure: [f64; 3],
    /// Of friction, likewise, eq. (P6).
    pub viscous: [f64; 3],
    /// The torque of both about the axis in z through the middle of the box in N m, positive from x
    /// to y.
    pub torque: f64,
}

impl Force {
    /// Of pressure and friction in N.
    pub fn total(&self) -> [f64; 3] {
        std::array::from_fn(|c| self.pressure[c] + self.viscous[c])
    }
}

/// The forces of the flow on all walls and solid boxes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Forces {
    /// The walls of the box, then the solid boxes.
    pub surfaces: Vec<Force>,
}

impl Forces {
    /// Of a flow, with the friction that its method's own equations have. Second order.
    ///
    /// What the pressure adds to a single wall depends on its level, which a closed box does not fix.
    pub fn of(flow: &Flow<'_>) -> Self {
        let (case, traces) = (flow.case, Traces::of(flow));
        let viscosity = case.density * case.viscosity;
        let middle = case.grid.axes.map(|axis| 0.5 * (axis.low() + axis.high()));
        let of_facet = |facet: &Facet| {
            if !facet.is_wall(case) {
                return None;
            }
            let area = facet.area(case);
            let mut push = [0.0; 3];
            push[facet.direction] = facet.outward() * area * traces.pressure(facet, flow.pressure);
            let mut drag = traces.slope(facet).map(|slope| viscosity * area * slope);
            drag[facet.direction] = 0.0; // nothing diverges where the fluid sticks
            let centre = facet.centre(case);
            let arm = [centre[0] - middle[0], centre[1] - middle[1]];
            let torque = arm[0] * (push[1] + drag[1]) - arm[1] * (push[0] + drag[0]);
            Some(Force { surface: facet.surface, pressure: push, viscous: drag, torque })
        };
        let mut forces = Self::default();
        Facets::new(case).each(of_facet, |Force { surface, pressure, viscous, torque }| {
            let force = forces.entry(surface);
            for c in 0..3 {
                force.pressure[c] += pressure[c];
                force.viscous[c] += viscous[c];
            }
            force.torque += torque;
        });
        forces
    }

    /// The force on a surface, if it is a wall that the fluid touches.
    pub fn on(&self, surface: Surface) -> Option<&Force> {
        self.surfaces.iter().find(|force| force.surface == surface)
    }

    /// On all surfaces together, in N.
    pub fn total(&self) -> [f64; 3] {
        let totals = self.surfaces.iter().map(Force::total);
        totals.fold([0.0; 3], |sum, one| std::array::from_fn(|c| sum[c] + one[c]))
    }

    fn entry(&mut self, surface: Surface) -> &mut Force {
        let known = self.surfaces.iter().position(|force| force.surface == surface);
        let at = known.unwrap_or_else(|| {
            let none = Force { surface, pressure: [0.0; 3], viscous: [0.0; 3], torque: 0.0 };
            self.surfaces.push(none);
            self.surfaces.len() - 1
        });
        &mut self.surfaces[at]
    }
}

#[cfg(test)]
mod tests;
