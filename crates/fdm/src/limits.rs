//! Stability limits of explicit steps with blended convection; eqs. (F9), (F16), (H10).

use vortice_core::Scalar;

use crate::settings::{GROWTH, SLIVER, Settings};
use crate::step_state::StepState;

/// Customary excess of the automatic donor-cell share over the Courant number.
const DONOR_EXCESS: f64 = 1.2;

/// A step that is a smaller share of the next says nothing of how rates change.
const NO_STEP: f64 = 1e-6;

/// The longest stable time steps in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Diffusion: no cell may give away more than it has, and by Adams and Bashforth half of it.
    pub(crate) viscous: f64,
    /// Courant, Friedrichs and Lewy: nothing may cross a cell in one step.
    pub(crate) courant: f64,
    /// Explicit steps amplify waves that central differences carry unless viscosity damps them: for
    /// Euler Hindmarsh, Gresho and Griffiths (1984), for Adams and Bashforth eq. (F16).
    pub(crate) convective: f64,
    /// Heat and scalars: no new extremes, and no gravity wave that grows; without any infinite.
    pub(crate) scalar: f64,
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
        let (viscous, convective) = if settings.second_order {
            (0.5 / diffusion, adams_bashforth(diffusion, waves))
        } else if gamma.is_some() {
            (1.0 / diffusion, 1.0 / waves)
        } else {
            // An automatic share of the donor cell is always large enough for the third limit.
            (1.0 / diffusion, f64::INFINITY)
        };
        let scalar = of_scalars(settings, speed);
        Self { viscous, courant: 1.0 / crossing, convective, scalar, crossing_rate: crossing }
    }

    /// The shortest of them.
    pub(crate) fn shortest(&self) -> f64 {
        self.viscous.min(self.courant).min(self.convective).min(self.scalar)
    }

    /// Length of the next step in s. Where two steps matter, none is much longer than the last.
    pub(crate) fn time_step(&self, settings: &Settings, now: &StepState, latest: f64) -> f64 {
        let longest = settings.fixed_dt.unwrap_or_else(|| settings.safety * self.shortest());
        let left = latest - now.step.time;
        let grows = settings.second_order && now.rates_age > NO_STEP * longest;
        let dt = if grows { longest.min(GROWTH * now.rates_age) } else { longest };
        if dt * (1.0 + SLIVER) >= left {
            left
        } else if settings.second_order && 2.0 * dt > left {
            // Two equal steps instead of one and a short rest.
            0.5 * left
        } else {
            dt
        }
    }

    /// Share of the donor cell in a step; eq. (F10).
    pub(crate) fn donor_share(&self, settings: &Settings, dt: f64) -> f64 {
        settings.fixed_gamma.unwrap_or_else(|| (DONOR_EXCESS * self.crossing_rate * dt).min(1.0))
    }
}

/// The longest step of all scalars in s; eq. (H10).
fn of_scalars(settings: &Settings, speed: [f64; 3]) -> f64 {
    settings.scalars.iter().map(|one| of_scalar(settings, one, speed)).fold(f64::INFINITY, f64::min)
}

/// The longest step of a scalar in s; eq. (H10).
fn of_scalar(settings: &Settings, scalar: &Scalar, speed: [f64; 3]) -> f64 {
    let Settings { spacing, directions, boundary_speed, .. } = settings;
    let (mut leaves, mut falls) = (0.0, 0.0);
    for d in 0..*directions {
        let (h, u) = (spacing[d], speed[d].max(boundary_speed[d]));
        leaves += 2.0 * (scalar.diffusivity / (h * h) + u / h);
        falls += scalar.buoyancy[d].abs() * scalar.difference / h;
    }
    (1.0 / leaves).min(1.0 / falls.sqrt())
}

/// The longest step of Adams and Bashforth in s for central differences, from the rates of the two
/// limits of Euler, a and b in 1/s; eq. (F16). Diffusion alone limits it where b is at most 9/5 a.
fn adams_bashforth(a: f64, b: f64) -> f64 {
    let excess = b / a - 1.0;
    if excess <= 0.8 {
        return 0.5 / a;
    }
    // The smallest value of a convex function lies where its slope changes sign.
    let falls = |w: f64| excess * w.powi(3) * (4.0 + 3.0 * w) < (2.0 + 3.0 * w).powi(2);
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if falls(middle) { low = middle } else { high = middle }
    }
    let w = high;
    (1.0 / w + excess * w * w / (2.0 + 3.0 * w)) / b
}

/// Enough for the smallest value to all its digits.
const BISECTIONS: u32 = 60;

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// The larger root of x2 - (1 + 3 z/2) x + z/2 = 0 in magnitude, for z = re + i im.
    fn growth(re: f64, im: f64) -> f64 {
        let (p, q) = (1.0 + 1.5 * re, 1.5 * im);
        let (d, e) = (p * p - q * q - 2.0 * re, 2.0 * p * q - 2.0 * im);
        let magnitude = d.hypot(e);
        let (r, mut s) = ((0.5 * (magnitude + d)).sqrt(), (0.5 * (magnitude - d)).max(0.0).sqrt());
        s = s.copysign(e);
        (0.5 * (p + r)).hypot(0.5 * (q + s)).max((0.5 * (p - r)).hypot(0.5 * (q - s)))
    }

    /// The fastest growth in a step of any wave of central convection and diffusion in the plane.
    fn worst(nu: f64, h: [f64; 2], u: [f64; 2], dt: f64) -> f64 {
        let waves = (-40..=40).map(|n| PI * f64::from(n) / 40.0);
        let of_wave = |angles: [f64; 2]| {
            let (mut re, mut im) = (0.0, 0.0);
            for d in 0..2 {
                re -= 2.0 * nu * dt / (h[d] * h[d]) * (1.0 - angles[d].cos());
                im -= u[d] * dt / h[d] * angles[d].sin();
            }
            growth(re, im)
        };
        let pairs = waves.clone().flat_map(|x| waves.clone().map(move |y| [x, y]));
        pairs.map(of_wave).fold(0.0, f64::max)
    }

    fn rates(nu: f64, h: [f64; 2], u: [f64; 2]) -> (f64, f64) {
        let a = (0..2).map(|d| 2.0 * nu / (h[d] * h[d])).sum();
        (a, (0..2).map(|d| u[d] * u[d] / (2.0 * nu)).sum())
    }

    #[test]
    fn no_wave_grows_at_the_limit_and_one_does_beyond() {
        for nu in [1e-4, 1e-3, 1e-2, 0.1, 1.0] {
            for h in [[0.01, 0.01], [0.1, 0.02], [0.05, 0.3]] {
                // Along x, and where u_d h_d is the same in both, the limit is sharp.
                for (u, sharp) in [([1.0, 0.5], false), ([1.0, h[0] / h[1]], true)] {
                    let (a, b) = rates(nu, h, u);
                    let dt = adams_bashforth(a, b);
                    let (at, beyond) = (worst(nu, h, u, dt), worst(nu, h, u, 1.05 * dt));
                    assert!(at < 1.0 + 1e-12, "nu {nu} h {h:?} u {u:?}: {at}");
                    assert!(!sharp || beyond > 1.0 + 1e-9, "nu {nu} h {h:?} u {u:?}: {beyond}");
                }
            }
        }
    }

    #[test]
    fn slow_diffusion_allows_longer_steps_than_euler_and_fast_one_half_of_them() {
        assert_eq!(adams_bashforth(4.0, 1.0), 0.125);
        assert_eq!(adams_bashforth(1.0, 1.8), 0.5);
        // Values of a search over the boundary of the stable region.
        for (q, share) in [(10.0, 2.500), (100.0, 6.249), (1e4, 31.578)] {
            let ratio = adams_bashforth(1.0, q) * q;
            assert!((ratio - share).abs() < 2e-3 * share, "{q}: {ratio}");
        }
    }
}
