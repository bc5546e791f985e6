//! Where a flow along walls in x separates and reattaches: sign changes of the wall shear.

use vortice_core::{Boundary, Case, Field, Result, Side, Solids};

use crate::interpolation::{Node, slope_at_first, zero_between};

/// Cells beside the wall that its shear is taken from; with the wall's own value they make the
/// slope third order.
const CELLS: isize = 3;

/// Distances in m, in x, from the step: the far end of the solid boxes, or the low end of the box
/// where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Separation {
    /// Where the flow behind the step comes back to the lower wall.
    pub reattachment: Option<f64>,
    /// Where it leaves the upper wall.
    pub upper_separation: Option<f64>,
    /// Where it comes back to the upper wall.
    pub upper_reattachment: Option<f64>,
}

impl Separation {
    /// Of a velocity in m/s on the whole grid without halo, in its middle plane.
    pub fn of(case: &Case, velocity: &Field) -> Self {
        let step = step_end(case);
        let lower = shear(case, velocity, Side::Low, step);
        let upper = shear(case, velocity, Side::High, step);
        let upper_separation = change(&upper, -1.0, f64::NEG_INFINITY);
        let after = upper_separation.unwrap_or(f64::INFINITY);
        Self {
            reattachment: change(&lower, 1.0, f64::NEG_INFINITY),
            upper_separation,
            upper_reattachment: change(&upper, 1.0, after),
        }
    }
}

/// Whether the case has the two walls in y that [`Separation`] looks at.
///
/// # Errors
/// If not.
pub(crate) fn needs_walls(case: &Case) -> Result<()> {
    let wall = |side| matches!(case.boundaries.at(1, side), Boundary::Wall { .. });
    if Side::BOTH.into_iter().all(wall) {
        return Ok(());
    }
    Err(vortice_core::Error::case(
        "references",
        "lengths of separation need walls at `y-low` and `y-high`, and this case has others",
        "leave the lengths out of `references`, or make both faces walls",
    ))
}

/// Position in m, in x, of the far end of the step.
fn step_end(case: &Case) -> f64 {
    let axis = &case.grid.axes[0];
    let ends = case.solid.iter().map(|solid| axis.face(solid.cells(&case.grid)[0].end as isize));
    ends.fold(axis.low(), f64::max)
}

/// Slope of u at a wall, towards the fluid, by the distance in m from the step.
fn shear(case: &Case, velocity: &Field, side: Side, step: f64) -> Vec<Node> {
    let axis = &case.grid.axes[0];
    let solids = case.solids();
    (0..axis.len() as isize)
        .filter(|&i| axis.centre(i) > step)
        .filter_map(|i| {
            let near = nodes_at_wall(case, &solids, velocity, side, i)?;
            Some(Node { x: axis.centre(i) - step, value: slope_at_first(&near) })
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

/// The first change of sign after a position: to positive for `sign` = 1, to negative for -1.
fn change(line: &[Node], sign: f64, after: f64) -> Option<f64> {
    let changes = line
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| sign * pair[0].value < 0.0 && sign * pair[1].value >= 0.0);
    changes.map(|(i, _)| zero_between(line, i)).find(|x| *x > after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field};

    /// Lower shear changes from negative to positive at x = 0.43; the upper one is negative
    /// between 0.31 and 0.77.
    fn bubbles(x: f64, y: f64) -> f64 {
        let lower = (3.0 * (x - 0.43)).sin();
        let upper = (x - 0.31) * (x - 0.77) * (1.5 * x).exp();
        y * (1.0 - y) * (lower * (1.0 - y) + upper * y) * y.exp()
    }

    #[test]
    fn zeros_of_the_shear_are_found_between_cells_to_third_order() {
        let errors = [16, 32, 64].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
            let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { bubbles(x, y) } else { 0.0 });
            let found = Separation::of(&case, &velocity);
            [
                (found.reattachment.unwrap() - 0.43).abs(),
                (found.upper_separation.unwrap() - 0.31).abs(),
                (found.upper_reattachment.unwrap() - 0.77).abs(),
            ]
        });
        println!("errors {errors:?}");
        for length in 0..3 {
            let order = (errors[1][length] / errors[2][length]).log2();
            assert!(order > 2.7 && errors[2][length] < 1e-4, "{errors:?}");
        }
    }

    #[test]
    fn lengths_count_from_the_end_of_the_step() {
        let sets = ["solid=[{ low = [0, 0, 0], high = [0.25, 0.5, 0.125] }]".to_string()];
        let case = case("grid.cells=[64,64,1]", &sets);
        let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { bubbles(x, y) } else { 0.0 });
        let found = Separation::of(&case, &velocity);
        assert!((found.reattachment.unwrap() - 0.18).abs() < 1e-4);
    }

    #[test]
    fn an_attached_flow_has_no_lengths() {
        let case = case("grid.cells=[8,8,1]", &[]);
        let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { y * (1.0 - y) } else { 0.0 });
        assert_eq!(Separation::of(&case, &velocity), Separation::default());
    }

    #[test]
    fn lengths_need_walls() {
        assert!(needs_walls(&case("grid.cells=[8,8,1]", &[])).is_ok());
        let open = case("boundary.y-low=symmetry", &["boundary.y-high=symmetry".into()]);
        assert!(needs_walls(&open).is_err());
    }
}
