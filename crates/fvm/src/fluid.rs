//! What a fluid and a grid do, in the units of the equations.

use vortice_core::Case;

use crate::boundary::Faces;
use crate::settings::Settings;

/// Numbers of a case that do not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fluid {
    pub(crate) directions: usize,
    /// nu / h2 in 1/s.
    pub(crate) diffusion: [f64; 3],
    /// 1 / h in 1/m.
    pub(crate) inverse_h: [f64; 3],
    /// Acceleration in m/s2 by each kelvin, zero without heat.
    pub(crate) lift: [f64; 3],
    /// Kinematic pressure at outlets in m2/s2, by direction and side.
    pub(crate) outlet_pressure: [[f64; 2]; 3],
    /// In kg/m3.
    pub(crate) density: f64,
    /// Scheme of convection, and its share above upwind.
    pub(crate) scheme: u8,
    pub(crate) blend: f64,
    /// One, or zero without Rhie and Chow's interpolation.
    pub(crate) rhie_chow: f64,
    /// Units of summed residuals in s2/m.
    pub(crate) units: f64,
    /// Cells of the flow in the whole grid.
    pub(crate) cells: usize,
    /// Whether the pressure is fixed nowhere.
    pub(crate) singular: bool,
}

impl Fluid {
    /// The numbers of a case.
    pub(crate) fn new(case: &Case, settings: &Settings, faces: &Faces) -> Self {
        let h = settings.spacing;
        Self {
            directions: settings.directions,
            diffusion: h.map(|h| settings.viscosity / (h * h)),
            inverse_h: h.map(|h| 1.0 / h),
            lift: case.heat.as_ref().map_or([0.0; 3], |heat| heat.buoyancy),
            outlet_pressure: faces.outlet_pressure,
            density: case.density,
            scheme: settings.scheme(),
            blend: settings.options.blend,
            rhie_chow: f64::from(u8::from(settings.options.rhie_chow)),
            units: settings.residual_units(),
            cells: case.grid.n_cells() - case.solids().count(),
            singular: faces.singular,
        }
    }
}
