//! Stability limits of explicit Euler with blended convection; eq. (F9).

use crate::settings::Settings;

/// The longest stable time steps in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Diffusion: no cell may give away more than it has.
    pub(crate) viscous: f64,
    /// Courant, Friedrichs and Lewy: nothing may cross a cell in one step.
    pub(crate) courant: f64,
    /// Hindmarsh, Gresho and Griffiths (1984): explicit Euler amplifies waves that central
    /// differences carry unless viscosity damps them.
    pub(crate) convective: f64,
    /// Largest |u|/h over the directions in 1/s: Courant number per second.
    pub(crate) crossing_rate: f64,
}

impl Limits {
    /// The limits at given largest speeds per component in m/s; boundary speeds are included.
    pub(crate) fn of(settings: &Settings, speed: [f64; 3]) -> Self {
        let Settings { viscosity, spacing, directions, boundary_speed, .. } = settings;
        let gamma = settings.fixed_gamma;
        let (mut diffusion, mut waves, mut crossing) = (0.0, 0.0, 0.0_f64);
        for d in 0..*directions {
            let (h, u) = (spacing[d], speed[d].max(boundary_speed[d]));
            // The donor cell acts like this much more viscosity.
            let nu = viscosity + gamma.unwrap_or(0.0) * u * h / 2.0;
            diffusion += 2.0 * nu / (h * h);
            waves += u * u / (2.0 * nu);
            crossing = crossing.max(u / h);
        }
        // An automatic share of the donor cell is always large enough for the third limit.
        let convective = if gamma.is_some() { 1.0 / waves } else { f64::INFINITY };
        Self {
            viscous: 1.0 / diffusion,
            courant: 1.0 / crossing,
            convective,
            crossing_rate: crossing,
        }
    }

    /// The shortest of them.
    pub(crate) fn shortest(&self) -> f64 {
        self.viscous.min(self.courant).min(self.convective)
    }
}
