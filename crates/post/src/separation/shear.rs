//! The shear that a flow exerts on walls in y.

use vortice_core::{Side, Surface};

use crate::flow::Flow;
use crate::interpolation::Node;
use crate::surface::Facet;
use crate::trace::Traces;

/// The shear stress in Pa that the flow exerts on the lower or the upper wall in the x-direction, eq.
/// (P4), by the position in m in x of each column of cells.
///
/// Where solid boxes stand on the wall it is that on their tops. In three dimensions it is that in
/// the middle plane.
pub fn wall_shear(flow: &Flow<'_>, wall: Side) -> Vec<(f64, f64)> {
    let viscosity = flow.case.density * flow.case.viscosity;
    let slopes = slopes(flow, wall).into_iter();
    slopes.map(|node| (node.x, viscosity * node.value)).collect()
}

/// Slope of u at a wall, towards the fluid, in 1/s by the position in m.
pub(super) fn slopes(flow: &Flow<'_>, wall: Side) -> Vec<Node> {
    let axis = &flow.case.grid.axes[0];
    let (traces, solids) = (Traces::of(flow), flow.case.solids());
    let [nx, ny, nz] = flow.case.grid.cells().map(|n| n as isize);
    let column = |i: isize| {
        let cell = |j: isize| [i, if wall == Side::Low { j } else { ny - 1 - j }, nz / 2];
        let first = (0..ny).find(|&j| !solids.contains(cell(j)))?;
        // The number of a solid box does not matter: all of them are at rest.
        let surface = if first == 0 { Surface::Face(1, wall) } else { Surface::Solid(0) };
        let facet = Facet { cell: cell(first), direction: 1, side: wall, surface };
        Some(Node { x: axis.centre(i), value: traces.slope(&facet)[0] })
    };
    (0..nx).filter_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field, orders, seen};

    #[test]
    fn shear_on_both_walls_is_second_order() {
        let u = |x: f64, y: f64| (1.0 + x * x) * (y * (1.0 - y) * (2.0 * y).exp() + 3.0 * y);
        let exact = |x: f64, wall| match wall {
            Side::Low => 4.0 * (1.0 + x * x),
            Side::High => (1.0 + x * x) * ((2.0_f64).exp() - 3.0),
        };
        for wall in Side::BOTH {
            let errors = [16, 32, 64].map(|n| {
                // The upper wall moves as the flow beside it does at x = 0.5.
                let moving = format!(
                    "boundary.y-high={{ wall = {{ velocity = [{}, 0.0, 0.0] }} }}",
                    u(0.5, 1.0)
                );
                let case = case(&format!("grid.cells=[{n},{n},1]"), &[moving]);
                let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { u(0.5, y) } else { 0.0 });
                let shear = wall_shear(&seen(&case, &velocity), wall);
                assert_eq!(shear.len(), n);
                (shear[n / 3].1 - 0.01 * exact(0.5, wall)).abs()
            });
            assert!(orders(&format!("shear {wall:?}"), &errors) > 1.9);
        }
    }

    #[test]
    fn shear_of_couette_flow_is_exact_and_opposite_on_its_walls() {
        let lid = ["boundary.y-high={ wall = { velocity = [2.0, 0.0, 0.0] } }".to_string()];
        let case = case("grid.cells=[8,8,1]", &lid);
        let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { 2.0 * y } else { 0.0 });
        for (wall, sign) in [(Side::Low, 1.0), (Side::High, -1.0)] {
            let shear = wall_shear(&seen(&case, &velocity), wall);
            assert!(shear.iter().all(|(_, tau)| (tau - sign * 0.02).abs() < 1e-14), "{shear:?}");
        }
    }
}
