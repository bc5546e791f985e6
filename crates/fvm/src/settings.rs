//! What a case means to this method.

use vortice_core::{Case, Result, Scalar, Until};

use crate::options::{Choice, Convection, Coupling, Options, TimeScheme};
use crate::stencil::{CENTRAL, QUICK, UPWIND, VAN_LEER};

/// A case's numbers for this method.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) directions: usize,
    /// In m.
    pub(crate) spacing: [f64; 3],
    /// In m2/s.
    pub(crate) viscosity: f64,
    /// alpha_T, the relaxation of the temperature of a steady flow, where the case says nothing.
    pub(crate) alpha_t: f64,
    /// In m/s.
    pub(crate) velocity_scale: f64,
    /// In m.
    pub(crate) length_scale: f64,
    /// Whether the flow is looked for that no longer changes.
    pub(crate) steady: bool,
    /// Longest time step in s.
    pub(crate) dt: f64,
    /// Whether it is a coarser grid's that corrects a finer one's flow: what that asks for stands in the place of the
    /// last time step, and counts once a second.
    pub(crate) corrects: bool,
}

/// Factors of the relaxation and of the time step, which change from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factors {
    /// 1 / alpha_u.
    pub(crate) over_alpha: f64,
    /// 1 - alpha_u.
    pub(crate) one_minus_alpha: f64,
    /// Share of the relaxed diagonal that links velocity to pressure; eq. (V10).
    pub(crate) share: f64,
    /// What the time step adds to that, in 1/s.
    pub(crate) storage: f64,
    /// alpha_p.
    pub(crate) relax_pressure: f64,
    /// Factors of the new, the last and the one before last velocity over the time step, in 1/s; eq.
    /// (V3). Zero in steady flows.
    pub(crate) latest: f64,
    pub(crate) last: f64,
    pub(crate) before: f64,
    /// Body force in m/s2.
    pub(crate) force: [f64; 3],
}

impl Factors {
    /// Whether a finer grid asks for something, in a steady flow.
    #[inline(always)]
    pub(crate) fn asks(&self) -> bool {
        self.latest == 0.0 && self.last != 0.0
    }
}

/// The most of alpha_u where heat moves the fluid, and of alpha_T.
const BUOYANT_ALPHA_U: f64 = 0.9;
const ALPHA_T: f64 = 0.95;

/// The most of a relaxation of velocity or temperature, with its diffusivity in m2/s, with which gravity waves do not
/// grow from one outer iteration to the next; eq. (H13). Infinite where heat moves nothing.
fn alpha_of_waves(case: &Case, diffusivity: f64) -> f64 {
    let acceleration = case.heat.as_ref().map_or(0.0, |heat| heat.acceleration());
    if acceleration == 0.0 {
        return f64::INFINITY;
    }
    let spacing = case.grid.spacing();
    let diagonal = case.grid.directions().map(|d| 2.0 * diffusivity / (spacing[d] * spacing[d]));
    let ratio = diagonal.sum::<f64>() / (0.5 * acceleration / case.scale.length).sqrt();
    (ratio / (1.0 + ratio)).max(LEAST_ALPHA)
}

/// Less is no use.
const LEAST_ALPHA: f64 = 0.05;

impl Settings {
    /// alpha_T of a scalar in a steady flow.
    pub(crate) fn relaxation_of(&self, scalar: &Scalar) -> f64 {
        let usual = if scalar.is_buoyant() { self.alpha_t } else { ALPHA_T };
        self.options.relax_scalars.unwrap_or(usual)
    }

    /// The settings of a case.
    ///
    /// # Errors
    /// If its `[fvm]` table is wrong.
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let mut options = Options::of(case)?;
        let (of_waves, usual) = (alpha_of_waves(case, case.viscosity), options.alpha_u());
        if of_waves < f64::INFINITY && options.relax_velocity.is_none() {
            options.relax_velocity = Some(usual.min(BUOYANT_ALPHA_U).min(of_waves));
        }
        let diffusivity = case.heat.as_ref().map_or(0.0, |heat| heat.diffusivity);
        let spacing = case.grid.spacing();
        let directions = case.grid.directions();
        let fastest = case.prescribed_speed().max(case.scale.velocity);
        let narrowest = directions.clone().map(|d| spacing[d]).fold(f64::INFINITY, f64::min);
        let dt = match options.dt {
            Choice::Number(dt) => dt,
            Choice::Word(_) => options.courant * narrowest / fastest,
        };
        Ok(Self {
            directions: directions.len(),
            spacing,
            viscosity: case.viscosity,
            alpha_t: ALPHA_T.min(alpha_of_waves(case, diffusivity)),
            velocity_scale: case.scale.velocity,
            length_scale: case.scale.length,
            steady: matches!(case.run.until, Until::Steady(_)),
            dt,
            corrects: false,
            options,
        })
    }

    /// The scheme's number.
    pub(crate) fn scheme(&self) -> u8 {
        match self.options.convection {
            Convection::Upwind => UPWIND,
            Convection::Central => CENTRAL,
            Convection::Quick => QUICK,
            Convection::VanLeer => VAN_LEER,
        }
    }

    /// Factors of an outer iteration of a steady flow under a body force in m/s2.
    pub(crate) fn steady_factors(&self, force: [f64; 3]) -> Factors {
        let weights = [0.0, f64::from(u8::from(self.corrects)), 0.0];
        self.factors(self.options.alpha_u(), weights, force)
    }

    /// Factors of an outer iteration of a time step; `last` is the length of the step before, if there
    /// was one, in s, and `force` the body force at its end in m/s2.
    pub(crate) fn time_factors(&self, dt: f64, last: Option<f64>, force: [f64; 3]) -> Factors {
        let weights = match (self.options.time_scheme, last) {
            (TimeScheme::Bdf2, Some(last)) => {
                let ratio = dt / last;
                let sum = 1.0 + ratio;
                [(1.0 + 2.0 * ratio) / sum, sum, ratio * ratio / sum]
            }
            _ => [1.0, 1.0, 0.0],
        };
        self.factors(1.0, weights.map(|weight| weight / dt), force)
    }

    fn factors(&self, alpha: f64, [latest, last, before]: [f64; 3], force: [f64; 3]) -> Factors {
        let (share, storage) = match self.options.coupling {
            Coupling::Simple => (1.0, 0.0),
            Coupling::Simplec => (1.0 - alpha, latest),
        };
        let relax_pressure = self.options.alpha_p();
        let (over_alpha, one_minus_alpha) = (1.0 / alpha, 1.0 - alpha);
        Factors {
            over_alpha,
            one_minus_alpha,
            share,
            storage,
            relax_pressure,
            latest,
            last,
            before,
            force,
        }
    }

    /// Length of the next time step in s: equal ones as long as `dt` at most, up to `latest`.
    pub(crate) fn time_step(&self, now: f64, latest: f64) -> f64 {
        let left = latest - now;
        if left.is_finite() {
            left / (left / self.dt * (1.0 - 1e-9)).ceil().max(1.0)
        } else {
            self.dt
        }
    }

    /// Units of the sum of residuals: so many in one U2/L.
    pub(crate) fn residual_units(&self) -> f64 {
        RESIDUAL_UNITS * self.length_scale / (self.velocity_scale * self.velocity_scale)
    }
}

/// Residuals are summed as integers: the same for every number of ranks and threads.
const RESIDUAL_UNITS: f64 = (1_u64 << 30) as f64;
