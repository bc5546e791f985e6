//! How far behind a body the flow runs back to it.

use super::pressure_difference::{across, axis_through};
use crate::flow::Flow;
use crate::interpolation::{Node, zero_between};

/// Length in m of the wake of a body: from where the line along x through its middle leaves it to where u on that line
/// no longer runs against x; nothing if it does so nowhere, or to the end of the box.
pub(crate) fn wake_length(flow: &Flow<'_>, body: usize) -> Option<f64> {
    let (case, axis) = (flow.case, &flow.case.grid.axes[0]);
    let (middle, [_, rear]) = axis_through(case, body);
    let rear = rear?;
    let solids = case.solids();
    let first = ((rear - axis.low()) / axis.spacing() - 0.5).ceil().max(0.0) as isize;
    let node = |i: isize| {
        let value = across(case, (flow.velocity, 0), &solids, middle, i)?;
        Some(Node { x: axis.centre(i), value })
    };
    let line: Vec<Node> = (first..axis.len() as isize).filter_map(node).collect();
    let turn = line.windows(2).position(|pair| pair[0].value < 0.0 && pair[1].value >= 0.0)?;
    Some(zero_between(&line, turn) - rear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field, seen};

    #[test]
    fn a_wake_ends_where_the_flow_on_the_axis_turns_forward() {
        // Its rear is at x = 0.5; the axis lies between two rows of cells.
        let body = "body={ ball = { circle = { centre = [0.4, 0.5], radius = 0.1 } } }";
        let case = case("grid.cells=[20,20,1]", &[body.to_owned(), "scale.length=0.2".into()]);
        let length = |turn: f64| {
            let velocity = field(&case, 3, |c, [x, y, _]| match c {
                0 => (x - turn) * (1.0 + y) * (2.0 - x),
                _ => 0.0,
            });
            wake_length(&seen(&case, &velocity), 0)
        };
        for turn in [0.6, 0.735, 0.93] {
            let found = length(turn).expect("a wake");
            assert!((found - (turn - 0.5)).abs() < 1e-12, "{turn}: {found}");
        }
        assert_eq!(
            [length(0.3), length(1.5)],
            [None, None],
            "forward at once, or backward for ever"
        );
    }
}
