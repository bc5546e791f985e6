//! Nusselt numbers from place to place on bodies and solid boxes whose temperature is given.

use std::cmp::Ordering;

use vortice_core::{Case, Cells, Heat, Surface, Surfaces, WallPoint};

use crate::interpolation::derivative_weights;
use crate::local_nusselt::NusseltExtreme;

/// The Nusselt numbers of a surface, one for each line of the grid that meets it most squarely; eq. (H26).
pub(crate) fn on_surface(
    (case, heat): (&Case, &Heat),
    temperature: Cells<'_>,
    surface: Surface,
) -> Vec<NusseltExtreme> {
    let surfaces = Surfaces::new(case);
    let of = |point: WallPoint| {
        let (d, into_flow) = (point.direction, -point.side.outward() as f64);
        let along_line = slope((case, heat), &surfaces, temperature, (surface, point))?;
        let slope = match surface.exact_normal(case, point.place) {
            None => along_line,
            Some(normal) => {
                // Along the line that is squarest to the wall.
                let squarest = case.grid.directions().max_by(|&one, &other| {
                    let by_size = normal[one].abs().total_cmp(&normal[other].abs());
                    by_size.then(if one < other { Ordering::Greater } else { Ordering::Less })
                });
                if squarest != Some(d) {
                    return None;
                }
                let along_wall = heat.slope_on(case, surface, point.place, normal);
                (along_line - into_flow * along_wall[d]) / normal[d].abs()
            }
        };
        let nusselt = -slope * case.scale.length / heat.difference;
        Some(NusseltExtreme { nusselt, place: point.place })
    };
    surface.wall_points(case).into_iter().filter_map(of).collect()
}

/// Cells nearer to an exact wall, in spacings, are not asked: what is left out of their equations differs from one to the next,
/// and counts there most.
const NEAREST: f64 = 1.0;

/// The slope in K/m of the temperature into the flow along the line of a point on a wall: of the parabola through the
/// wall and the nearest two cells that are not too near, so far as they are of the flow; of stairs of the line to the cell.
fn slope(
    (case, heat): (&Case, &Heat),
    surfaces: &Surfaces<'_>,
    temperature: Cells<'_>,
    (surface, point): (Surface, WallPoint),
) -> Option<f64> {
    let WallPoint { cell, direction, side, share, .. } = point;
    let at = (cell, direction, side);
    let wall = heat.at_wall(case, Some(surface), at, share).value()?;
    let is_exact = surface.exact_normal(case, point.place).is_some();
    let (nodes, nearest) = if is_exact { (2, NEAREST) } else { (1, share) };
    let (mut x, mut values) = (vec![0.0], vec![wall]);
    let mut take = |cell: [isize; 3], distance: f64| {
        x.push(distance * case.grid.spacing()[direction]);
        values.push(temperature.at(0, surfaces.wrapped(cell)));
        x.len()
    };
    let (mut here, mut distance, mut taken) = (cell, share, 1);
    while taken <= nodes {
        if distance >= nearest {
            taken = take(here, distance);
        }
        let next = side.opposite().next(here, direction);
        if !surfaces.flows(next) || surfaces.body_wall(here, next).is_some() {
            break;
        }
        (here, distance) = (next, distance + 1.0);
    }
    // With another wall behind the cell: no nearer than (H23) has it.
    if taken == 1 {
        take(cell, share.max(0.5));
    }
    let [_, weights, _] = derivative_weights(&x, 0.0);
    Some(weights.iter().zip(&values).map(|(weight, value)| weight * value).sum())
}

/// The angle of a place around a point in a plane flow, in degrees from x to y, from 0 to 360.
pub(crate) fn angle(place: [f64; 3], middle: [f64; 3]) -> f64 {
    (place[1] - middle[1]).atan2(place[0] - middle[0]).to_degrees().rem_euclid(360.0)
}

/// The point in m that places on a body or a solid box are seen from.
pub(crate) fn middle(case: &Case, surface: Surface) -> [f64; 3] {
    let [low, high] = match surface {
        Surface::Body(number) => case.bodies[number].geometry.bounds(),
        Surface::Solid(number) => [case.solid[number].low, case.solid[number].high],
        Surface::Face(..) => {
            [0, 1].map(|end| case.grid.axes.map(|axis| [axis.low(), axis.high()][end]))
        }
    };
    std::array::from_fn(|d| 0.5 * (low[d] + high[d]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::{Field, Location, Shape};

    /// Radii of two circles around (0.011, 0.007).
    const RADII: [f64; 2] = [0.35, 0.9];

    /// Between the circles on n x n cells, the inner one with this key, the outer one at 300 K: what is given to the
    /// flow at angles on the inner one, in K/m, from temperatures in K by radius and cosine of the angle, which solid cells
    /// do not have.
    fn given(n: usize, inner: &str, temperature: impl Fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
        let text = format!(
            "title = 'annulus'\nfluid = {{ viscosity = 1.0 }}\nscale = {{ length = 1.0 }}\nheat = {{ diffusivity = 1.0 }}\n\
             grid = {{ cells = [{n}, {n}, 1], size = [2.0, 2.0, 0.1], origin = [-1.0, -1.0, 0.0] }}\nrun = {{ until = 1.0 }}\n\
             body.inner = {{ circle = {{ centre = [0.011, 0.007], radius = {} }}, {inner} }}\n\
             body.outer = {{ circle = {{ centre = [0.011, 0.007], radius = {} }}, hollow = true, temperature = 300.0 }}\n\
             [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n",
            RADII[0], RADII[1]
        );
        let case = Case::parse(&text, "annulus").expect("a case");
        let heat = case.heat.as_ref().expect("heat");
        let solids = case.solids();
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, 1);
        for cell in field.own_cells() {
            let [x, y, _] = case.grid.centre(cell);
            let radius = (x - 0.011).hypot(y - 0.007);
            let of_flow = || temperature(radius, (x - 0.011) / radius);
            field[cell] = if solids.contains(cell) { f64::NAN } else { of_flow() };
        }
        let found = on_surface((&case, heat), (&field).into(), Surface::Body(0));
        let middle = middle(&case, Surface::Body(0));
        let of = |one: NusseltExtreme| (angle(one.place, middle), one.nusselt * heat.difference);
        found.into_iter().map(of).collect()
    }

    #[test]
    fn numbers_on_an_exact_wall_are_of_second_order() {
        let [inner, outer] = RADII;
        let all = (inner / outer).ln();
        let ends = outer * outer - inner * inner;
        // One temperature, and one by the cosine of the angle.
        let one = |radius: f64, _: f64| 300.0 + (radius / outer).ln() / all;
        let cosine = |radius: f64, cosine: f64| {
            300.0 + inner / ends * cosine * (outer * outer / radius - radius)
        };
        let most = |found: Vec<(f64, f64)>, exact: &dyn Fn(f64) -> f64| {
            assert!(found.len() > 20, "{} points", found.len());
            let off = found.into_iter().map(|(angle, given)| given - exact(angle.to_radians()));
            off.fold(0.0, |most: f64, off| most.max(off.abs()))
        };
        let slope = (outer * outer + inner * inner) / (inner * ends);
        let errors = [48, 96, 192].map(|n| {
            let by_formula = "temperature = '300 + (x - 0.011)/0.35'";
            [
                most(given(n, "temperature = 301.0", one), &|_| -1.0 / (inner * all)),
                most(given(n, by_formula, cosine), &|angle| slope * angle.cos()),
            ]
        });
        for kind in 0..2 {
            // The nearest cell is one to two spacings away, by chance.
            let order = 0.5 * (errors[0][kind] / errors[2][kind]).log2();
            assert!(order > 1.5 && errors[2][kind] < 0.02, "{errors:?}");
        }
    }
}
