//! Maps of a plane of the flow: a number per cell in colours, with streamlines where they help.

mod paint;
mod panel;

use vortice_core::{Case, Field, vorticity};

use crate::drawing::Drawing;
use crate::plane::Plane;
pub(crate) use paint::Paint;
pub(crate) use panel::Panel;

/// Vorticity across the plane in colours that are white where there is none, under streamlines.
#[derive(Clone, Copy, Debug)]
pub struct VorticityMap<'a> {
    /// What is shown.
    pub title: &'a str,
    /// The flow's case.
    pub case: &'a Case,
    /// Velocity in m/s on the whole grid; of a flow in space the plane that the case shows is drawn.
    pub velocity: &'a Field,
    /// Magnitude in 1/s that gets the strongest colour, see [`vorticity_limit`]; beyond it nothing
    /// changes. The same for maps that stand side by side.
    pub limit: f64,
}

impl VorticityMap<'_> {
    /// Draws the map.
    pub fn draw(&self) -> Drawing {
        let field = Plane::shown(self.case, &vorticity(self.case, self.velocity));
        let paint =
            Paint::vorticity(self.limit, range(field.values().map(|omega| field.turn(omega))));
        let number = |point| field.beside_solids(point).map(|omega| field.turn(omega));
        let velocity = Plane::shown(self.case, self.velocity);
        Panel::new(self.title, &velocity, &paint).draw(&number, true)
    }
}

/// Speed in colours under streamlines.
#[derive(Clone, Copy, Debug)]
pub struct SpeedMap<'a> {
    /// What is shown.
    pub title: &'a str,
    /// The flow's case.
    pub case: &'a Case,
    /// Velocity in m/s on the whole grid; of a flow in space the plane that the case shows is drawn.
    pub velocity: &'a Field,
    /// Speed in m/s that gets the last colour.
    pub limit: f64,
}

impl SpeedMap<'_> {
    /// Draws the map.
    pub fn draw(&self) -> Drawing {
        let velocity = Plane::shown(self.case, self.velocity);
        let number = |point| velocity.speed(point);
        let paint = Paint::speed(self.limit, [0.0, velocity.fastest()]);
        Panel::new(self.title, &velocity, &paint).draw(&number, true)
    }
}

/// The magnitude of the difference of two velocities on the same grid, in per cent of a velocity.
#[derive(Clone, Copy, Debug)]
pub struct DifferenceMap<'a> {
    /// What is shown.
    pub title: &'a str,
    /// The flow's case.
    pub case: &'a Case,
    /// Velocities in m/s on the whole grid of the case.
    pub velocities: [&'a Field; 2],
    /// Velocity in m/s that the difference is divided by.
    pub scale: f64,
    /// Share that gets the last colour, see [`largest_difference`].
    pub limit: f64,
}

impl DifferenceMap<'_> {
    /// Draws the map.
    pub fn draw(&self) -> Drawing {
        let difference = difference(self.case, self.velocities, self.scale);
        let number = |point| difference.beside_solids(point).map(|d| 100.0 * d[0]);
        let range = range(difference.values().map(|d| 100.0 * d[0]));
        let paint = Paint::difference(100.0 * self.limit, range);
        Panel::new(self.title, &difference, &paint).draw(&number, false)
    }
}

/// The magnitude of vorticity in 1/s that a share (0.95, say) of the drawn cells do not exceed: at the
/// corners of a cavity it grows without limit, and would leave no colour for the rest.
pub fn vorticity_limit(case: &Case, velocity: &Field, share: f64) -> f64 {
    quantile(
        Plane::shown(case, &vorticity(case, velocity)).values().map(|omega| omega[2].abs()),
        share,
    )
}

/// The difference of two velocities, as a share of `scale` (m/s), that a share of the drawn cells
/// do not exceed; the largest for a share of 1.
pub fn largest_difference(case: &Case, velocities: [&Field; 2], scale: f64, share: f64) -> f64 {
    quantile(difference(case, velocities, scale).values().map(|d| d[0]), share)
}

/// Magnitude of the difference over the scale, in all three components.
fn difference(case: &Case, [a, b]: [&Field; 2], scale: f64) -> Plane {
    let [a, b] = [Plane::shown(case, a), Plane::shown(case, b)];
    a.with(&b, |a, b| {
        let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        [square.sqrt() / scale, 0.0, 0.0]
    })
}

/// The smallest and the largest of the numbers.
fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = numbers.filter(|x| x.is_finite());
    finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], x| [least.min(x), most.max(x)])
}

/// What a share of the numbers do not exceed; 1 if there is nothing above zero.
pub(crate) fn quantile(numbers: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut sorted: Vec<f64> = numbers.filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    let found = sorted.get((share.clamp(0.0, 1.0) * last as f64).round() as usize);
    found.copied().filter(|x| *x > 0.0).unwrap_or(1.0)
}
