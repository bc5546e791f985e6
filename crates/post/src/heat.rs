//! The heat that walls with a temperature give to the fluid, and their Nusselt numbers.

use serde::Serialize;
use vortice_core::{Side, Surface, face_name};

use crate::body_nusselt::{angle, middle, on_surface};
use crate::flow::Flow;
use crate::local_nusselt::{LocalNusselt, NusseltExtreme};

/// The heat of a wall whose temperature is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WallHeat {
    /// Which face: `x-low` ... `z-high`.
    pub face: &'static str,
    /// Its temperature in K.
    pub temperature: f64,
    /// Mean heat flux into the fluid over density and heat capacity, in K m/s.
    pub heat_flux: f64,
    /// The same over that of conduction alone, `alpha dT / L` with the case's length scale; below zero where heat leaves.
    pub nusselt: f64,
    /// The smallest Nusselt number on it.
    pub smallest: NusseltExtreme,
    /// The largest one.
    pub largest: NusseltExtreme,
}

impl WallHeat {
    /// Of all walls of the box whose temperature is given, from the flux that a method's own equations have there: what it told,
    /// else eq. (H4), which also tells what differs from place to place. None of a flow without heat.
    pub fn all(flow: &Flow<'_>) -> Vec<Self> {
        let told = |(d, side): (usize, Side)| {
            flow.surface_fluxes.heat.map(|fluxes| fluxes[d][side as usize])
        };
        let of = |wall: Wall<'_>| {
            let unit = wall.flux_of_conduction;
            let mean = told(wall.face).map_or_else(|| wall.local.mean(), |flux| flux / unit);
            Self {
                face: face_name(wall.face.0, wall.face.1),
                temperature: wall.temperature,
                heat_flux: mean * unit,
                nusselt: mean,
                smallest: wall.local.extreme(-1.0),
                largest: wall.local.extreme(1.0),
            }
        };
        walls(flow).into_iter().map(of).collect()
    }
}

/// The Nusselt numbers along a wall whose temperature is given, for a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct NusseltProfile {
    /// A face of the box, `x-low` ... `z-high`; or the name of a body, or `solid 1`.
    pub wall: String,
    /// What the places are.
    pub along: AlongWall,
    /// Places and numbers; on a face of a flow in space means across.
    pub points: Vec<(f64, f64)>,
}

/// How places along a wall are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlongWall {
    /// On a face, in this direction, from the low corner of the box in units of the length scale: the direction of gravity, if
    /// it lies in the face.
    Direction(usize),
    /// On a body or a solid box of a plane flow, as the angle around its middle in degrees, from x to y.
    Angle,
}

impl NusseltProfile {
    /// Of all walls whose temperature is given: of the box by eq. (H4), in plane flows of bodies and solid boxes by (H26).
    pub fn all(flow: &Flow<'_>) -> Vec<Self> {
        let gravity = flow.case.heat.as_ref().map_or([0.0; 3], |heat| heat.gravity);
        let of = |wall: Wall<'_>| {
            let (along, points) = wall.local.profile(gravity);
            let low = flow.case.grid.axes[along].low();
            let place = |(x, number)| ((x - low) / flow.case.scale.length, number);
            let points = points.into_iter().map(place).collect();
            let along = AlongWall::Direction(along);
            Self { wall: face_name(wall.face.0, wall.face.1).into(), along, points }
        };
        walls(flow).into_iter().map(of).chain(Self::around_bodies(flow)).collect()
    }

    fn around_bodies(flow: &Flow<'_>) -> Vec<Self> {
        let case = flow.case;
        let (Some(heat), Some(temperature)) = (&case.heat, flow.temperature) else {
            return Vec::new();
        };
        let is_drawn =
            |surface: &Surface| case.grid.is_plane() && heat.on(Some(*surface)).value().is_some();
        let of = |surface: Surface| {
            let middle = middle(case, surface);
            let all = on_surface((case, heat), temperature, surface).into_iter();
            let mut points: Vec<_> =
                all.map(|one| (angle(one.place, middle), one.nusselt)).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Self { wall: surface.name(case), along: AlongWall::Angle, points }
        };
        Surface::inner(case).filter(is_drawn).map(of).collect()
    }
}

/// A wall whose temperature in K is given.
struct Wall<'a> {
    face: (usize, Side),
    temperature: f64,
    /// `alpha dT / L` in K m/s.
    flux_of_conduction: f64,
    local: LocalNusselt<'a>,
}

/// Those of the box.
fn walls<'a>(flow: &Flow<'a>) -> Vec<Wall<'a>> {
    let (Some(heat), Some(temperature)) = (&flow.case.heat, flow.temperature) else {
        return Vec::new();
    };
    let is_wall = |d, side| flow.case.boundaries.at(d, side).is_wall();
    let fixed = heat.iter().filter_map(|(d, side, face)| {
        Some(((d, side), face.value().filter(|_| is_wall(d, side))?))
    });
    let of = |(face, fixed)| Wall {
        face,
        temperature: fixed,
        flux_of_conduction: heat.diffusivity * heat.difference / flow.case.scale.length,
        local: LocalNusselt::new((flow.case, heat), temperature, face, flow.time),
    };
    fixed.map(of).collect()
}

impl std::fmt::Display for WallHeat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { face, temperature, heat_flux, nusselt, smallest, largest } = self;
        write!(f, "heat from {face} at {temperature} K: {heat_flux:.5e} K m/s, Nu {nusselt:.5}")?;
        write!(f, ", from {:.5} to {:.5}", smallest.nusselt, largest.nusselt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::{Case, Field, Location, Shape, SurfaceFluxes, WallSlope};

    #[test]
    fn conduction_has_the_nusselt_number_one_on_both_sides() {
        let text = "title = 'slab'\ngrid = { cells = [8, 4, 1], size = [2.0, 1.0, 1.0] }\n\
                    fluid = { viscosity = 1.0 }\nheat = { diffusivity = 0.5 }\n\
                    scale = { length = 2.0 }\nrun = { until = 1.0 }\n[boundary]\n\
                    x-low = { wall = { temperature = 310.0 } }\n\
                    x-high = { wall = { temperature = 300.0 } }\ny-low = 'wall'\ny-high = 'wall'\n\
                    z-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "slab").expect("a case");
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        let [velocity, pressure] = [3, 1].map(|c| Field::zeros(Location::Centre, shape, c));
        let mut temperature = Field::zeros(Location::Centre, shape, 1);
        for cell in temperature.own_cells() {
            temperature[cell] = 310.0 - 5.0 * case.grid.centre(cell)[0];
        }
        let flow = Flow::new(&case, &velocity, &pressure, WallSlope::EXACT, 0.0);
        assert!(WallHeat::all(&flow).is_empty(), "no temperature is known");
        let flow = flow.with_temperature(Some((&temperature).into()));
        let walls = WallHeat::all(&flow);
        let told = walls.iter().map(|wall| (wall.face, wall.temperature)).collect::<Vec<_>>();
        assert_eq!(told, [("x-low", 310.0), ("x-high", 300.0)]);
        for (wall, sign) in walls.iter().zip([1.0, -1.0]) {
            assert!((wall.heat_flux - sign * 2.5).abs() < 1e-12, "{wall}");
            assert!((wall.nusselt - sign).abs() < 1e-12, "{wall}");
        }
        let [smallest, largest] = [walls[0].smallest, walls[1].largest];
        assert!((smallest.nusselt - 1.0).abs() < 1e-12 && smallest.place[0] == 0.0);
        assert!((largest.nusselt + 1.0).abs() < 1e-12 && largest.place[0] == 2.0);
        // What the method tells goes before.
        let flow = flow.with_surface_fluxes(SurfaceFluxes {
            heat: Some([[2.0, -3.0], [0.0; 2], [0.0; 2]]),
            ..SurfaceFluxes::default()
        });
        let told: Vec<f64> = WallHeat::all(&flow).iter().map(|wall| wall.heat_flux).collect();
        assert_eq!(told, [2.0, -3.0]);
    }

    #[test]
    fn extremes_lie_between_cells_and_at_ends_that_no_heat_passes() {
        use std::f64::consts::PI;
        // Nu = 2 + cos(pi y) + cos(2 pi y)/2: largest at y = 0, smallest where cos(pi y) = -1/2.
        let number = |y: f64| 2.0 + (PI * y).cos() + 0.5 * (2.0 * PI * y).cos();
        let errors = [16, 32].map(|n| {
            let text = format!(
                "title = 'box'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 0.1], origin = [0.0, 3.0, 0.0] }}\n\
                 fluid = {{ viscosity = 1.0 }}\nheat = {{ diffusivity = 1.0 }}\n\
                 run = {{ until = 1.0 }}\n[boundary]\n\
                 x-low = {{ wall = {{ temperature = 1.0 }} }}\n\
                 x-high = {{ wall = {{ temperature = 0.0 }} }}\ny-low = 'wall'\ny-high = 'symmetry'\n\
                 z-low = 'periodic'\nz-high = 'periodic'\n"
            );
            let case = Case::parse(&text, "box").expect("a case");
            let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
            let [velocity, pressure] = [3, 1].map(|c| Field::zeros(Location::Centre, shape, c));
            let mut temperature = Field::zeros(Location::Centre, shape, 1);
            for cell in temperature.own_cells() {
                let [x, y, _] = case.grid.centre(cell);
                temperature[cell] = 1.0 - x * number(y - 3.0);
            }
            let flow = Flow::new(&case, &velocity, &pressure, WallSlope::EXACT, 0.0);
            let flow = flow.with_temperature(Some((&temperature).into()));
            let WallHeat { smallest, largest, .. } = WallHeat::all(&flow)[0];
            assert_eq!((largest.place[0], largest.place[1]), (0.0, 3.0));
            let NusseltProfile { wall, along, points } = NusseltProfile::all(&flow).swap_remove(0);
            let expected = ("x-low", AlongWall::Direction(1), n + 2);
            assert_eq!((&*wall, along, points.len()), expected);
            assert!((points[0].0, points[n + 1].0) == (0.0, 1.0) && points[0].1 == largest.nusselt);
            let place = smallest.place[1] - 3.0;
            [(largest.nusselt - 3.5), (smallest.nusselt - 1.25), (place - 2.0 / 3.0)].map(f64::abs)
        });
        // The ends come from parabolas of slope zero, whose error has the next even power.
        for (coarse, fine) in errors[0].into_iter().zip(errors[1]) {
            assert!(fine < coarse / 7.0 && fine < 1e-3, "{errors:?}");
        }
    }

    #[test]
    fn a_wall_in_space_has_a_profile_along_gravity_and_extremes_in_both_directions() {
        use std::f64::consts::PI;
        let text = "title = 'box'\ngrid = { cells = [4, 24, 20], size = [1.0, 1.0, 2.0] }\n\
            fluid = { viscosity = 1.0 }\n\
            heat = { diffusivity = 1.0, expansion = 1.0, gravity = [0.0, 0.0, -1.0] }\n\
            scale = { length = 1.0 }\nrun = { until = 1.0 }\n[boundary]\nx-low = 'wall'\n\
            x-high = { wall = { temperature = 1.0 } }\ny-low = { wall = { temperature = 0.0 } }\n\
            y-high = 'wall'\nz-low = 'wall'\nz-high = 'wall'\n";
        let case = Case::parse(text, "box").expect("a case");
        // The largest number is 5 at y = 1/2 and z = 2.
        let number = |y: f64, z: f64| 2.0 + (PI * y).sin() - 2.0 * (0.5 * PI * z).cos();
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        let [velocity, pressure] = [3, 1].map(|c| Field::zeros(Location::Centre, shape, c));
        let mut temperature = Field::zeros(Location::Centre, shape, 1);
        for cell in temperature.own_cells() {
            let [x, y, z] = case.grid.centre(cell);
            temperature[cell] = 1.0 - (1.0 - x) * number(y, z);
        }
        let flow = Flow::new(&case, &velocity, &pressure, WallSlope::EXACT, 0.0);
        let flow = flow.with_temperature(Some((&temperature).into()));
        let WallHeat { face, nusselt, largest, .. } = WallHeat::all(&flow)[0];
        assert!(face == "x-high" && (nusselt - 2.0 - 2.0 / PI).abs() < 1e-3, "{face} {nusselt}");
        let [x, y, z] = largest.place;
        assert!(x == 1.0 && (y - 0.5).abs() < 1e-6 && z == 2.0, "{largest:?}");
        assert!((largest.nusselt - 5.0).abs() < 1e-3, "{largest:?}");
        let NusseltProfile { along, points, .. } = &NusseltProfile::all(&flow)[0];
        let expected = (AlongWall::Direction(2), 22, 0.0, 2.0);
        assert_eq!((*along, points.len(), points[0].0, points[21].0), expected);
        for (z, found) in points {
            let mean = 2.0 + 2.0 / PI - 2.0 * (0.5 * PI * z).cos();
            assert!((found - mean).abs() < 2e-3, "{z}: {found} {mean}");
        }
    }
}
