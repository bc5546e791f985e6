//! Forces of the flow on walls, solid boxes and bodies.

mod control_volume;
mod pressure_difference;
mod wake;

use serde::Serialize;
use vortice_core::{Case, Surface, SurfaceForce, arm};

use crate::flow::Flow;
use crate::surface::{Facet, Facets};
use crate::trace::Traces;

use control_volume::ControlVolume;
pub(crate) use pressure_difference::{axis_through, pressure_difference};
pub(crate) use wake::wake_length;

/// The force of the flow on one surface; of a plane flow for each metre of its depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Force {
    /// Which surface.
    #[serde(skip)]
    pub surface: Surface,
    /// Its name: [`Surface::name`].
    #[serde(rename = "surface")]
    pub name: String,
    /// In N (N/m of a plane flow).
    pub force: [f64; 3],
    /// What pressure and friction do apart: on walls and solid boxes.
    #[serde(flatten)]
    pub parts: Option<ForceParts>,
    /// The torque in N m about the line along z through the middle of the body or solid box, of a wall through that of the
    /// box, positive from x to y.
    pub torque: f64,
    /// Of a body: the force over half the density, the squared velocity of the scale and the body's area, eq. (P6b).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<[f64; 3]>,
}

/// What of a force is of the pressure and what of friction; eq. (P6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ForceParts {
    /// In N (N/m of a plane flow).
    pub pressure: [f64; 3],
    /// Likewise.
    pub viscous: [f64; 3],
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
    /// That on a body is what the method's own balance of momentum has told. Of a method that tells none it comes from a box of cells
    /// around the body, if the flow is steady and there is room for one.
    ///
    /// What the pressure adds to a single wall depends on its level, which a closed box does not fix.
    pub fn of(flow: &Flow<'_>) -> Self {
        let (case, traces) = (flow.case, Traces::of(flow));
        let viscosity = case.density * case.viscosity;
        let middle = case.grid.axes.map(|axis| 0.5 * (axis.low() + axis.high()));
        let is_told = !flow.surface_fluxes.forces.is_empty();
        let of_facet = |facet: &Facet| {
            if !facet.is_wall(case) {
                return None;
            }
            if is_told && matches!(facet.surface, Surface::Body(_)) {
                return Some((facet.surface, [0.0; 3], [0.0; 3], 0.0));
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
            let arm = match facet.surface {
                Surface::Face(..) => [centre[0] - middle[0], centre[1] - middle[1]],
                inner => arm(case, inner, centre),
            };
            let torque = arm[0] * (push[1] + drag[1]) - arm[1] * (push[0] + drag[0]);
            Some((facet.surface, push, drag, torque))
        };
        let mut forces = Self::default();
        Facets::new(case).each(of_facet, |(surface, pressure, viscous, torque)| {
            let force = forces.entry(surface, case);
            let parts = force.parts.get_or_insert_default();
            for c in 0..3 {
                parts.pressure[c] += pressure[c];
                parts.viscous[c] += viscous[c];
            }
            force.torque += torque;
        });
        forces.surfaces.iter_mut().for_each(|force| force.complete(flow));
        forces
    }

    /// The force on a surface, if it is a wall that the fluid touches.
    pub fn on(&self, surface: Surface) -> Option<&Force> {
        self.surfaces.iter().find(|force| force.surface == surface)
    }

    /// On all surfaces together, in N.
    pub fn total(&self) -> [f64; 3] {
        let totals = self.surfaces.iter().map(|force| force.force);
        totals.fold([0.0; 3], |sum, one| std::array::from_fn(|c| sum[c] + one[c]))
    }

    fn entry(&mut self, surface: Surface, case: &Case) -> &mut Force {
        let known = self.surfaces.iter().position(|force| force.surface == surface);
        let at = known.unwrap_or_else(|| {
            self.surfaces.push(Force {
                surface,
                name: surface.name(case),
                force: [0.0; 3],
                parts: None,
                torque: 0.0,
                coefficients: None,
            });
            self.surfaces.len() - 1
        });
        &mut self.surfaces[at]
    }
}

impl Force {
    /// From what pressure and friction do, but of a body from what is known of all that acts on it.
    fn complete(&mut self, flow: &Flow<'_>) {
        let case = flow.case;
        if let Surface::Body(number) = self.surface {
            if let Some(told) = told(flow, self.surface) {
                (self.force, self.torque, self.parts) = (told.force, told.torque, None);
            } else if let Some(around) = ControlVolume::around(case, number) {
                (self.force, self.parts) = (around.force(flow), None);
            }
        }
        if let Some(ForceParts { pressure, viscous }) = self.parts {
            self.force = std::array::from_fn(|c| pressure[c] + viscous[c]);
        }
        if let Surface::Body(_) = self.surface {
            let all = SurfaceForce { force: self.force, torque: self.torque };
            self.coefficients = Some(all.coefficients(case, self.surface));
        }
    }
}

/// What the method's own balance of momentum has told of a surface.
fn told(flow: &Flow<'_>, surface: Surface) -> Option<SurfaceForce> {
    let mut told = Surface::wetted(flow.case).into_iter().zip(&flow.surface_fluxes.forces);
    told.find_map(|(of, force)| (of == surface).then_some(*force))
}

/// On all bodies together in N, where the method has told it.
pub(crate) fn told_on_bodies(flow: &Flow<'_>) -> Option<[f64; 3]> {
    let bodies = (0..flow.case.bodies.len()).map(|number| told(flow, Surface::Body(number)));
    let all: Vec<_> = bodies.collect::<Option<_>>()?;
    let sum = |c: usize| all.iter().map(|one| one.force[c]).sum();
    (!all.is_empty()).then(|| std::array::from_fn(sum))
}

#[cfg(test)]
mod tests;
