//! The arithmetic of the scheme on single values; the CUDA kernels repeat it operation by
//! operation, so both give the same bits.

use vortice_core::Real;

/// Momentum carried through a face by the velocity `v` across it, between the values `low` and
/// `high` on its two sides: central, blended with the donor cell by `gamma`; eq. (F3).
#[inline(always)]
pub(crate) fn flux<T: Real>(v: T, low: T, high: T, gamma: T, half: T) -> T {
    half * (v * (low + high)) + gamma * (half * (v.abs() * (low - high)))
}

/// The same without the donor cell; eq. (F3) with gamma = 0.
#[inline(always)]
pub(crate) fn flux_central<T: Real>(v: T, low: T, high: T, half: T) -> T {
    half * (v * (low + high))
}

/// Diffusion less convection, whose fluxes are known; eqs. (F2), (F4).
#[inline(always)]
fn carried<T: Real>(low: T, here: T, high: T, flux: [T; 2], k: &Transport<T>) -> T {
    let diffusion = k.diffusion * ((high - here) - (here - low));
    let [flux_low, flux_high] = flux;
    diffusion - k.inverse_h * (flux_high - flux_low)
}

/// Contribution of one direction to the rate of change of a velocity component: diffusion less
/// convection; eqs. (F2) to (F4). `v` crosses the low and the high side.
#[inline(always)]
pub(crate) fn transport<T: Real>(low: T, here: T, high: T, v: [T; 2], k: &Transport<T>) -> T {
    let flux_low = flux(v[0], low, here, k.gamma, k.half);
    carried(low, here, high, [flux_low, flux(v[1], here, high, k.gamma, k.half)], k)
}

/// The same without the donor cell.
#[inline(always)]
pub(crate) fn transport_central<T: Real>(
    low: T,
    here: T,
    high: T,
    v: [T; 2],
    k: &Transport<T>,
) -> T {
    let flux_low = flux_central(v[0], low, here, k.half);
    carried(low, here, high, [flux_low, flux_central(v[1], here, high, k.half)], k)
}

/// Coefficients of [`transport`] in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transport<T> {
    /// nu / h2 in 1/s.
    pub(crate) diffusion: T,
    /// 1 / h in 1/m.
    pub(crate) inverse_h: T,
    /// Share of the donor cell.
    pub(crate) gamma: T,
    /// One half, in the field's own type.
    pub(crate) half: T,
}

/// Coefficients of the fluxes of a scalar in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conduction<T> {
    /// alpha / h in m/s.
    pub(crate) diffusion: T,
    /// 1 / h in 1/m.
    pub(crate) inverse_h: T,
    /// One half, in the field's own type.
    pub(crate) half: T,
}

impl<T: Real> Conduction<T> {
    /// With a diffusivity in m2/s across cells of the width h in m.
    pub(crate) fn new(diffusivity: f64, h: f64) -> Self {
        Self {
            diffusion: T::from_f64(diffusivity / h),
            inverse_h: T::from_f64(1.0 / h),
            half: T::from_f64(0.5),
        }
    }
}

/// What passes a face from its low to its high side with the velocity `v` across it, between two values on each side,
/// by van Leer's scheme; eqs. (H5), (H6).
#[inline(always)]
pub(crate) fn scalar_flux_van_leer<T: Real>(v: T, q: [T; 4], k: &Conduction<T>) -> T {
    let [low2, low, high, high2] = q;
    let forward = v >= T::default();
    let (far, near, beyond) = if forward { (low2, low, high) } else { (high2, high, low) };
    let (behind, ahead) = (near - far, beyond - near);
    let product = behind * ahead;
    let on_face = if product > T::default() { near + product / (behind + ahead) } else { near };
    v * on_face - k.diffusion * (high - low)
}

/// The same by central differences; eqs. (H5), (H6).
#[inline(always)]
pub(crate) fn scalar_flux_central<T: Real>(v: T, q: [T; 4], k: &Conduction<T>) -> T {
    let [_, low, high, _] = q;
    v * (k.half * (low + high)) - k.diffusion * (high - low)
}

/// Velocity `q` advanced by its rate of change now and that before, with their weights; eq. (F15).
#[inline(always)]
pub(crate) fn extrapolated<T: Real>(q: T, rate: T, before: T, weights: [T; 2], dt: T) -> T {
    q + dt * (weights[0] * rate - weights[1] * before)
}

/// Weighted sum of a cell's neighbours less the right-hand side, in a plane; eq. (F6).
#[inline(always)]
pub(crate) fn defect_plane<T: Real>(x: [T; 2], y: [T; 2], b: T, a: [T; 3]) -> T {
    (a[0] * (x[0] + x[1]) + a[1] * (y[0] + y[1])) - b
}

/// Weighted sum of a cell's neighbours less the right-hand side; eq. (F6).
#[inline(always)]
pub(crate) fn defect<T: Real>(x: [T; 2], y: [T; 2], z: [T; 2], b: T, a: [T; 3]) -> T {
    (a[0] * (x[0] + x[1]) + a[1] * (y[0] + y[1]) + a[2] * (z[0] + z[1])) - b
}

/// One over-relaxed update of a pressure; eq. (F6). `d` is the inverse diagonal, zero in solids.
#[inline(always)]
pub(crate) fn relaxed<T: Real>(p: T, d: T, defect: T, omega: T, keep: T) -> T {
    keep * p + omega * (d * defect)
}

/// Velocity corrected by the pressure difference across its face; eq. (F8). `open` is one where the
/// face lies in the flow and zero where it is a wall.
#[inline(always)]
pub(crate) fn projected<T: Real>(f: T, low: T, high: T, dt_h: T, open: T) -> T {
    open * (f - dt_h * (high - low))
}

/// Velocity at an outlet, corrected by the pressure drop over half a cell; eq. (F11). `gradient` is
/// twice the inverse spacing, outward.
#[inline(always)]
pub(crate) fn released<T: Real>(f: T, p: T, pressure: T, gradient: T, dt: T) -> T {
    f - dt * gradient * (pressure - p)
}

/// Velocity at the face of a convective outlet, carried on to it from the face inside; `courant` is the
/// outlet's speed over the spacing times the step, which counts as 1 at most; eq. (F20).
#[inline(always)]
pub(crate) fn carried_on<T: Real>(here: T, inner: T, courant: T) -> T {
    let one = T::from_f64(1.0);
    let share = if courant < one { courant } else { one };
    here + share * (inner - here)
}

/// Velocity along a convective outlet, carried on from the new one inside; eq. (F20).
#[inline(always)]
pub(crate) fn carried_with<T: Real>(here: T, inner: T, courant: T) -> T {
    (here + courant * inner) / (T::from_f64(1.0) + courant)
}

/// A value outside the flow, made from two inside; eq. (F12).
#[inline(always)]
pub(crate) fn mirrored<T: Real>(first: T, second: T, sign: T, add: T, half: T) -> T {
    add + sign * (half * (first + second))
}

/// A sum with one more value and its weight; eq. (F17).
#[inline(always)]
pub(crate) fn with_source<T: Real>(sum: T, weight: T, value: T) -> T {
    sum + weight * value
}

/// A flux in m/s in whole units of which `steps` are 1 m/s; eq. (F19). What no unit can be counted of is none.
#[inline(always)]
pub(crate) fn flux_in_steps<T: Real>(flux: T, steps: f64) -> i64 {
    let units = flux.to_f64() * steps;
    if units.abs() < 4e18 { units as i64 } else { 0 }
}

/// What leaks into a body at each of its faces in m/s, each unit of it being a share; eq. (F19).
#[inline(always)]
pub(crate) fn leak_of_face<T: Real>(leak: i64, share: f64) -> T {
    T::from_f64(leak as f64 * share)
}

/// Velocity at a face of a body less what leaks into it there; eq. (F19).
#[inline(always)]
pub(crate) fn closed<T: Real>(u: T, outward: T, leak: T) -> T {
    u - outward * leak
}

/// What a step did to a velocity, in m/s2; `inverse` is one over its length. Eqs. (F23), (F24).
#[inline(always)]
pub(crate) fn rate_of<T: Real>(after: T, before: T, inverse: T) -> T {
    inverse * (after - before)
}

/// Change of a finer grid's face from that of the coarser one's face which it is a part of, and from how much those beside
/// change more; eq. (F25).
#[inline(always)]
pub(crate) fn prolonged<T: Real>(own: T, beside: [T; 3]) -> T {
    own + T::from_f64(0.25) * (beside[0] + beside[1] + beside[2])
}
