//! The heat that bodies and solid boxes give to the fluid, and their Nusselt numbers.

use serde::Serialize;
use vortice_core::Surface;

use crate::body_nusselt::on_surface;
use crate::flow::Flow;
use crate::local_nusselt::NusseltExtreme;

/// The heat of a body or a solid box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyHeat {
    /// The name of the body, or `solid 1`.
    pub body: String,
    /// Its temperature in K, if that is given; a mean of a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// All that it gives, over density and heat capacity, in K m3/s, of a plane flow in K m2/s; below zero where heat leaves.
    pub heat: f64,
    /// Area in m2 that the flow wets, of a plane flow the length in m.
    pub area: f64,
    /// The heat over that area and the flux of conduction `alpha dT / L` with the case's length scale, if its temperature is
    /// given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nusselt: Option<f64>,
    /// The smallest Nusselt number on it, of those where lines of the grid meet it, if its temperature is given; eq. (H26).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<NusseltExtreme>,
    /// The largest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<NusseltExtreme>,
}

impl BodyHeat {
    /// Of all bodies and solid boxes that let heat pass, as the method told it; none if it did not.
    pub fn all(flow: &Flow<'_>) -> Vec<Self> {
        let Some(heat) = &flow.case.heat else { return Vec::new() };
        let conduction = heat.diffusivity * heat.difference / flow.case.scale.length;
        let of = |(surface, &told): (Surface, &f64)| {
            if !heat.passes(surface) {
                return None;
            }
            let at = heat.on(Some(surface));
            let area = surface.wetted_area(flow.case);
            let nusselt = at.value().map(|_| told / (area * conduction));
            let body = surface.name(flow.case);
            let all = flow.temperature.filter(|_| nusselt.is_some());
            let all = all.map_or(Vec::new(), |all| on_surface((flow.case, heat), all, surface));
            let by_size =
                |a: &&NusseltExtreme, b: &&NusseltExtreme| a.nusselt.total_cmp(&b.nusselt);
            let smallest = all.iter().min_by(by_size).copied();
            let largest = all.iter().max_by(by_size).copied();
            Some(Self {
                body,
                temperature: at.value(),
                heat: told,
                area,
                nusselt,
                smallest,
                largest,
            })
        };
        Surface::inner(flow.case).zip(&flow.surface_fluxes.bodies).filter_map(of).collect()
    }
}

impl std::fmt::Display for BodyHeat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "heat from {}", self.body)?;
        if let Some(temperature) = self.temperature {
            write!(f, " at {temperature} K")?;
        }
        write!(f, ": {:.5e} K m3/s", self.heat)?;
        if let Some(nusselt) = self.nusselt {
            write!(f, ", Nu {nusselt:.5}")?;
        }
        if let [Some(smallest), Some(largest)] = [self.smallest, self.largest] {
            write!(f, ", from {:.5} to {:.5}", smallest.nusselt, largest.nusselt)?;
        }
        Ok(())
    }
}
