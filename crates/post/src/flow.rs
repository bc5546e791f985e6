//! A computed flow in the units of its case's scale, as references state theirs.

use std::sync::OnceLock;

use vortice_core::{Case, Cells, Quantity, Sampler, SurfaceFluxes, WallSlope};

use crate::forces_in_time::ForceCourse;
use crate::interpolation::{Node, maximum};
use crate::vortices::Vortices;

/// A component of the velocity, or the pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// Velocity in x, y or z.
    Velocity(usize),
    /// Pressure relative to that at the centre of the box.
    Pressure,
}

impl Variable {
    /// By the name that tables use: `u`, `v`, `w` or `p`.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Velocity(0), Self::Velocity(1), Self::Velocity(2), Self::Pressure];
        all.into_iter().find(|variable| variable.name() == name)
    }

    /// `u`, `v`, `w` or `p`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity(component) => ["u", "v", "w"][component],
            Self::Pressure => "p",
        }
    }
}

/// A line through the box, parallel to an axis. Coordinates are in units of the case's length
/// scale, from the low corner of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The direction that the line runs in, 0 to 2.
    pub along: usize,
    /// Its place in the other two directions; the entry in its own direction is not used.
    pub at: [f64; 3],
}

impl Line {
    /// The point (m) of its place.
    pub(crate) fn point(&self, case: &Case) -> [f64; 3] {
        point(case, self.at)
    }

    /// Where the line lies: `x = 0.5`, with z too unless the flow is plane.
    pub fn place(&self, case: &Case) -> String {
        let others = case.grid.directions().filter(|d| *d != self.along);
        let words = others.map(|d| format!("{} = {}", ["x", "y", "z"][d], self.at[d]));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The point in m of a place in units of the length scale.
fn point(case: &Case, place: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|d| case.grid.axes[d].low() + place[d] * case.scale.length)
}

/// Velocity and pressure, and perhaps temperature, at one time: on the whole grid, or in the cells that [`sight()`](crate::sight()) names.
///
/// Places are in units of the case's length scale from the low corner of the box, velocities in
/// units of its velocity scale, pressures in density times velocity scale squared.
pub struct Flow<'a> {
    /// The case.
    pub case: &'a Case,
    /// Velocity in m/s.
    pub velocity: Cells<'a>,
    /// Pressure in Pa.
    pub pressure: Cells<'a>,
    /// Temperature in K of a flow with heat, else the first of its scalars.
    pub temperature: Option<Cells<'a>>,
    /// What faces of the box let in, where the method told it: else velocity and temperature do.
    pub surface_fluxes: SurfaceFluxes,
    /// The slope of the velocity at walls, by the method that computed it.
    pub wall_slope: WallSlope,
    /// Flow time in s.
    pub time: f64,
    /// What the forces on bodies did over time, as far as is known.
    pub courses: Vec<ForceCourse>,
    velocity_at: Sampler<'a>,
    pressure_at: Sampler<'a>,
    centre_pressure: f64,
    /// Once they have been asked for.
    vortices: OnceLock<Vortices>,
}

impl<'a> Flow<'a> {
    /// Of velocity in m/s and pressure in Pa at a flow time in s, by a method whose slope at walls is known:
    /// `wall_slope` of [`vortice_core::Method`]. Of cells that are not given nothing can be asked.
    pub fn new(
        case: &'a Case,
        velocity: impl Into<Cells<'a>>,
        pressure: impl Into<Cells<'a>>,
        wall_slope: WallSlope,
        time: f64,
    ) -> Self {
        let (velocity, pressure) = (velocity.into(), pressure.into());
        let velocity_at = Sampler::new(case, velocity, Quantity::Velocity);
        let pressure_at = Sampler::new(case, pressure, Quantity::Pressure);
        let centre = case.grid.axes.map(|axis| 0.5 * (axis.low() + axis.high()));
        let centre_pressure = pressure_at.value(0, centre);
        Self {
            case,
            velocity,
            pressure,
            temperature: None,
            surface_fluxes: SurfaceFluxes::default(),
            wall_slope,
            time,
            courses: Vec::new(),
            velocity_at,
            pressure_at,
            centre_pressure,
            vortices: OnceLock::new(),
        }
    }

    /// With its temperature in K, or the first of its scalars, if it has one.
    #[must_use]
    pub fn with_temperature(self, temperature: Option<Cells<'a>>) -> Self {
        Self { temperature, ..self }
    }

    /// With what the method told of what its faces let in: of [`vortice_core::Outcome`].
    #[must_use]
    pub fn with_surface_fluxes(self, surface_fluxes: SurfaceFluxes) -> Self {
        Self { surface_fluxes, ..self }
    }

    /// With what the forces on bodies did over time.
    #[must_use]
    pub fn with_courses(self, courses: Vec<ForceCourse>) -> Self {
        Self { courses, ..self }
    }

    /// Its vortices; none unless it is plane. They are looked for once.
    pub fn vortices(&self) -> &Vortices {
        self.vortices.get_or_init(|| Vortices::of(self.case, self.velocity))
    }

    /// Of the body with this name.
    pub(crate) fn course(&self, body: &str) -> Option<&ForceCourse> {
        self.courses.iter().find(|one| one.body() == body)
    }

    /// A variable at a place.
    pub fn value(&self, variable: Variable, place: [f64; 3]) -> f64 {
        let (scale, point) = (self.case.scale, point(self.case, place));
        match variable {
            Variable::Velocity(component) => {
                self.velocity_at.value(component, point) / scale.velocity
            }
            Variable::Pressure => {
                let pressure = self.pressure_at.value(0, point) - self.centre_pressure;
                pressure / (self.case.density * scale.velocity * scale.velocity)
            }
        }
    }

    /// A variable at the cell centres along a line: positions and values.
    pub fn profile(&self, variable: Variable, line: Line) -> Vec<(f64, f64)> {
        let axis = &self.case.grid.axes[line.along];
        let position = |i| (axis.centre(i) - axis.low()) / self.case.scale.length;
        (0..axis.len() as isize)
            .map(position)
            .map(|x| {
                let mut place = line.at;
                place[line.along] = x;
                (x, self.value(variable, place))
            })
            .collect()
    }

    /// Position and value of the smallest (`sign` = -1) or largest (`sign` = 1) value on a line,
    /// between the cell centres too.
    pub fn extremum(&self, variable: Variable, line: Line, sign: f64) -> Option<(f64, f64)> {
        let profile = self.profile(variable, line);
        let nodes: Vec<Node> =
            profile.iter().map(|&(x, value)| Node { x, value: sign * value }).collect();
        maximum(&nodes).map(|top| (top.x, sign * top.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field, seen_with};

    #[test]
    fn values_are_in_units_of_the_scale_from_the_low_corner() {
        let sets = [
            "grid.cells=[16,16,1]",
            "grid.size=[2.0,2.0,1.0]",
            "grid.origin=[-1.0,3.0,0.0]",
            "fluid.density=5.0",
            "scale={ length = 2.0, velocity = 4.0 }",
        ];
        let case = case("title=\"scaled\"", &sets.map(String::from));
        let velocity = field(&case, 3, |c, [x, _, _]| if c == 1 { 1.0 - x * x } else { 0.0 });
        let pressure = field(&case, 1, |_, [x, y, _]| 7.0 + x + 2.0 * y);
        let flow = seen_with(&case, &velocity, &pressure);
        let v = flow.value(Variable::Velocity(1), [0.75, 0.4, 0.0]);
        assert!((v - 0.75 / 4.0).abs() < 1e-12, "{v}");
        let p = flow.value(Variable::Pressure, [1.0, 0.5, 0.0]);
        assert!((p - 1.0 / 80.0).abs() < 1e-12, "{p}");
    }

    #[test]
    fn extrema_between_cells_are_found_to_fourth_order() {
        let exact = |x: f64| (3.0 * x).sin() * (1.0 - x) * x;
        let (mut best, mut place) = (0.0, 0.0);
        for i in 0..1_000_000 {
            let x = f64::from(i) * 1e-6;
            if exact(x) > best {
                (best, place) = (exact(x), x);
            }
        }
        let errors = [16, 32].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
            let velocity = field(&case, 3, |c, [x, _, _]| if c == 1 { -exact(x) } else { 0.0 });
            let pressure = field(&case, 1, |_, _| 0.0);
            let flow = seen_with(&case, &velocity, &pressure);
            let line = Line { along: 0, at: [0.0, 0.5, 0.0] };
            let (x, value) = flow.extremum(Variable::Velocity(1), line, -1.0).unwrap();
            assert!((x - place).abs() < 0.1 / f64::from(n * n), "{x} {place}");
            (value + best).abs()
        });
        assert!((errors[0] / errors[1]).log2() > 3.7, "{errors:?}");
    }
}
