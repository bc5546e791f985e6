//! Forces of the flow on walls, solid boxes and bodies.

mod control_volume;
mod pressure_difference;
mod wake;

use serde::Serialize;
use vortice_core::{Case, Surface};

use crate::flow::Flow;
use crate::surface::{Facet, Facets};
use crate::trace::Traces;

/// The force of the flow on one surface; of a plane flow for each metre of its depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Force {
    /// Which surface.
    #[serde(skip)]
    pub surface: Surface,
    /// Its name: [`Surface::name`].
    #[serde(rename = "surface")]
    pub name: String,
    /// Of the pressure in N (N/m of a plane flow), eq. (P6).
    pub pressure: [f64; 3],
    /// Of friction, likewise, eq. (P6).
    pub viscous: [f64; 3],
    /// The torque of both about the axis in z through the middle of the box in N m, positive from x
    /// to y.
    pub torque: f64,
    /// Of a body: the force over half the density, the squared velocity of the scale and the body's area, eq. (P6b).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<[f64; 3]>,
}

use control_volume::{ControlVolume, Parts};
pub(crate) use pressure_difference::{axis_through, pressure_difference};
pub(crate) use wake::wake_length;

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
    /// The walls of the box, then the solid boxes, then the bodies.
    pub surfaces: Vec<Force>,
}

impl Forces {
    /// Of a flow, with the friction that its method's own equations have. Second order.
    ///
    /// That on a body in a steady flow comes from a box of cells around it, where there is room for one: what is called
    /// its pressure and friction then is what acts on the box; only their sum is the body's.
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
            if facet.is_beside_wall(case) {
                // The stairs around it lie in the flow, which hands its momentum on to the surface.
                let velocity = traces.velocity(facet);
                let through = case.density * area * facet.outward() * velocity[facet.direction];
                (0..3).for_each(|c| drag[c] += through * velocity[c]);
            } else {
                drag[facet.direction] = 0.0; // nothing diverges where the fluid sticks
            }
            let centre = facet.centre(case);
            let arm = [centre[0] - middle[0], centre[1] - middle[1]];
            let torque = arm[0] * (push[1] + drag[1]) - arm[1] * (push[0] + drag[0]);
            Some((facet.surface, push, drag, torque))
        };
        let mut forces = Self::default();
        Facets::new(case).each(of_facet, |(surface, pressure, viscous, torque)| {
            let force = forces.entry(surface, case);
            for c in 0..3 {
                force.pressure[c] += pressure[c];
                force.viscous[c] += viscous[c];
            }
            force.torque += torque;
        });
        for force in &mut forces.surfaces {
            if let Surface::Body(number) = force.surface
                && let Some(around) = ControlVolume::around(case, number)
            {
                let Parts { pressure, rest } = around.force(flow);
                (force.pressure, force.viscous) = (pressure, rest);
            }
            force.coefficients = coefficients(case, force);
        }
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

    fn entry(&mut self, surface: Surface, case: &Case) -> &mut Force {
        let known = self.surfaces.iter().position(|force| force.surface == surface);
        let at = known.unwrap_or_else(|| {
            self.surfaces.push(Force {
                surface,
                name: surface.name(case),
                pressure: [0.0; 3],
                viscous: [0.0; 3],
                torque: 0.0,
                coefficients: None,
            });
            self.surfaces.len() - 1
        });
        &mut self.surfaces[at]
    }
}

fn coefficients(case: &Case, force: &Force) -> Option<[f64; 3]> {
    let Surface::Body(number) = force.surface else { return None };
    let (speed, area) = (case.scale.velocity, case.bodies[number].area);
    Some(force.total().map(|total| total / (0.5 * case.density * speed * speed * area)))
}

#[cfg(test)]
mod tests;
