//! The shear that a flow exerts on walls in y.

use vortice_core::{Boundary, Case, Field, Side, Solids};

use crate::interpolation::{Node, slope_at_first};

/// Cells beside the wall that its shear is taken from; with the wall's own value they make the
/// slope third order.
const CELLS: isize = 3;

/// The shear stress in Pa that the flow exerts on the lower or the upper wall in the x-direction, eq.
/// (P4), by the position in m in x of each column of cells.
///
/// Where solid boxes stand on the wall it is that on their tops. In three dimensions it is that in
/// the middle plane.
pub fn wall_shear(case: &Case, velocity: &Field, wall: Side) -> Vec<(f64, f64)> {
    let viscosity = case.density * case.viscosity;
    let slopes = slopes(case, velocity, wall).into_iter();
    slopes.map(|node| (node.x, viscosity * node.value)).collect()
}

/// Slope of u at a wall, towards the fluid, in 1/s by the position in m.
pub(super) fn slopes(case: &Case, velocity: &Field, wall: Side) -> Vec<Node> {
    let axis = &case.grid.axes[0];
    let solids = case.solids();
    (0..axis.len() as isize)
        .filter_map(|i| {
            let near = nodes_at_wall(case, &solids, velocity, wall, i)?;
            Some(Node { x: axis.centre(i), value: slope_at_first(&near) })
        })
        .collect()
}

/// The wall and the cells nearest to it in a column: distance from the wall and u.
fn nodes_at_wall(
    case: &Case,
    solids: &Solids,
    velocity: &Field,
    side: Side,
    i: isize,
) -> Option<Vec<Node>> {
    let [_, ny, nz] = case.grid.cells().map(|n| n as isize);
    let cell = |j: isize| [i, if side == Side::Low { j } else { ny - 1 - j }, nz / 2];
    let first = (0..ny).find(|&j| !solids.contains(cell(j)))?;
    let wall = match case.boundaries.at(1, side) {
        Boundary::Wall { velocity } if first == 0 => velocity[0],
        _ => 0.0,
    };
    let h = case.grid.spacing()[1];
    let mut nodes = vec![Node { x: 0.0, value: wall }];
    let fluid = (first..(first + CELLS).min(ny)).take_while(|&j| !solids.contains(cell(j)));
    nodes.extend(
        fluid.map(|j| Node { x: ((j - first) as f64 + 0.5) * h, value: velocity.at(0, cell(j)) }),
    );
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field, orders};

    #[test]
    fn shear_on_both_walls_is_third_order() {
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
                let shear = wall_shear(&case, &velocity, wall);
                assert_eq!(shear.len(), n);
                (shear[n / 3].1 - 0.01 * exact(0.5, wall)).abs()
            });
            assert!(orders(&format!("shear {wall:?}"), &errors) > 2.8);
        }
    }

    #[test]
    fn shear_of_couette_flow_is_exact_and_opposite_on_its_walls() {
        let lid = ["boundary.y-high={ wall = { velocity = [2.0, 0.0, 0.0] } }".to_string()];
        let case = case("grid.cells=[8,8,1]", &lid);
        let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { 2.0 * y } else { 0.0 });
        for (wall, sign) in [(Side::Low, 1.0), (Side::High, -1.0)] {
            let shear = wall_shear(&case, &velocity, wall);
            assert!(shear.iter().all(|(_, tau)| (tau - sign * 0.02).abs() < 1e-14), "{shear:?}");
        }
    }
}
