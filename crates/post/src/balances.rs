//! What flows into the box and out of it: mass and momentum.

use serde::Serialize;
use vortice_core::{Case, Cells, FaceFluxes, Surface, face_name};

use crate::flow::Flow;
use crate::forces::told_on_bodies;
use crate::surface::{Facet, Facets, spacing};
use crate::trace::Traces;

/// Mass through the faces of the box; of a plane flow for each metre of its depth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MassBalance {
    /// Mass that leaves through each face that something flows through, in kg/s.
    pub faces: Vec<FaceFlow>,
    /// All that enters in kg/s.
    pub inflow: f64,
    /// All that leaves in kg/s.
    pub outflow: f64,
    /// What enters and does not leave, as a share of what enters; zero in a closed box.
    pub imbalance: f64,
}

/// The flow through one face of the box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FaceFlow {
    /// Which face: `x-low` ... `z-high`.
    pub face: &'static str,
    /// Mass that leaves through it in kg/s.
    pub out: f64,
}

/// Imbalance of mass from which on it is worth a warning.
const MOST_IMBALANCE: f64 = 1e-3;

impl MassBalance {
    /// The imbalance, if anything flows through the box.
    pub fn share(&self) -> Option<f64> {
        (self.inflow > 0.0).then_some(self.imbalance)
    }

    /// Of all that leaves, the share through a face; not a number if nothing flows through it.
    pub fn share_of(&self, face: &str) -> f64 {
        let known = self.faces.iter().find(|one| one.face == face);
        known.map_or(f64::NAN, |one| one.out / self.outflow)
    }

    /// What is to be said if more than a thousandth of what enters does not leave, with its remedy.
    pub fn warning(&self) -> Option<String> {
        let share = self.share().filter(|share| share.abs() > MOST_IMBALANCE || share.is_nan())?;
        Some(format!(
            "{:.2} % of what enters does not leave: run until the flow is steady (`run.steady`), or take \
             more cells (`grid.cells`)",
            100.0 * share
        ))
    }

    /// Of a flow, eq. (P7), by its method's own fluxes where it told them. Periodic faces do not count.
    pub fn of(flow: &Flow<'_>) -> Self {
        match &flow.surface_fluxes.flow {
            Some(told) => Self::told(flow.case, told),
            None => Self::read(flow.case, flow.velocity),
        }
    }

    /// What a method told of each face, in m/s into the box.
    fn told(case: &Case, told: &FaceFluxes) -> Self {
        let edges = case.grid.axes.map(|axis| axis.length());
        let mut balance = Self::default();
        for (d, side, _) in case.boundaries.iter() {
            let across = case.grid.directions().filter(|&e| e != d);
            let area = across.map(|e| edges[e]).product::<f64>();
            balance.add(face_name(d, side), -case.density * area * told[d][side as usize]);
        }
        balance.balanced()
    }

    /// Of a velocity in m/s at the centres of cells.
    ///
    /// What is prescribed at inflows and walls is exact on every grid; at outlets the velocity is
    /// continued from three cells to the face, third order, and summed, second order.
    fn read<'a>(case: &'a Case, velocity: impl Into<Cells<'a>>) -> Self {
        let traces = Traces::new(case, velocity);
        let through = |facet: &Facet| {
            let Surface::Face(direction, side) = facet.surface else { return None };
            let speed = facet.outward() * traces.mean_through(facet);
            Some((face_name(direction, side), case.density * speed * facet.area(case)))
        };
        let mut balance = Self::default();
        Facets::new(case).each(through, |(face, out)| balance.add(face, out));
        balance.balanced()
    }

    /// With the share that does not leave.
    fn balanced(self) -> Self {
        let lost = (self.inflow - self.outflow) / self.inflow;
        Self { imbalance: if self.inflow > 0.0 { lost } else { 0.0 }, ..self }
    }

    /// Adds what leaves through a part of a face.
    fn add(&mut self, face: &'static str, out: f64) {
        if out == 0.0 {
            return;
        }
        self.inflow -= out.min(0.0);
        self.outflow += out.max(0.0);
        match self.faces.iter_mut().find(|one| one.face == face) {
            Some(known) => known.out += out,
            None => self.faces.push(FaceFlow { face, out }),
        }
    }
}

/// Where the momentum of the fluid goes, eq. (P8): all in N, of a plane flow in N/m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MomentumBalance {
    /// Force of the fluid on walls and solid boxes.
    pub walls: [f64; 3],
    /// Force of the fluid, by pressure and friction, on what lies beyond its open faces.
    pub open: [f64; 3],
    /// Momentum that leaves with the fluid, in a second.
    pub flux: [f64; 3],
    /// The body force on the fluid.
    pub body: [f64; 3],
    /// What is left: the change of the fluid's momentum in a second, zero if the flow is steady.
    pub rate: [f64; 3],
}

impl MomentumBalance {
    /// Of a flow, with the friction that its method's own equations have, and with the forces on bodies that the method has told.
    /// Second order.
    pub fn of(flow: &Flow<'_>) -> Self {
        Self::read(&Traces::of(flow), flow.pressure, told_on_bodies(flow))
    }

    fn read<'a>(
        traces: &Traces<'a>,
        pressure: impl Into<Cells<'a>>,
        told: Option<[f64; 3]>,
    ) -> Self {
        let (case, pressure) = (traces.case, pressure.into());
        let viscosity = case.density * case.viscosity;
        let mut balance = Self { walls: told.unwrap_or_default(), ..Self::default() };
        let of_facet = |facet: &Facet| {
            if told.is_some() && matches!(facet.surface, Surface::Body(_)) {
                return None;
            }
            let area = facet.area(case);
            let mut force = traces.slope(facet).map(|slope| viscosity * area * slope);
            if facet.is_wall(case) && !facet.is_beside_wall(case) {
                force[facet.direction] = 0.0; // nothing diverges where the fluid sticks
            }
            let push = traces.pressure(facet, pressure);
            force[facet.direction] += facet.outward() * area * push;
            let velocity = traces.velocity(facet);
            let through = case.density * area * facet.outward() * velocity[facet.direction];
            let mut flux = velocity.map(|u| through * u);
            if facet.is_beside_wall(case) {
                // What flows on to the surface hands its momentum over there.
                (0..3).for_each(|c| force[c] += std::mem::take(&mut flux[c]));
            }
            Some((facet.is_wall(case), force, flux))
        };
        Facets::new(case).each(of_facet, |(is_wall, force, flux)| {
            let side = if is_wall { &mut balance.walls } else { &mut balance.open };
            (0..3).for_each(|c| side[c] += force[c]);
            (0..3).for_each(|c| balance.flux[c] += flux[c]);
        });
        let fluid = (case.grid.n_cells() - case.solids().count()) as f64;
        let mass = case.density * fluid * spacing(case).iter().product::<f64>();
        balance.body = case.force.map(|force| force * mass);
        balance.rate = std::array::from_fn(|c| {
            balance.body[c] - balance.walls[c] - balance.open[c] - balance.flux[c]
        });
        balance
    }
}

#[cfg(test)]
mod tests;
