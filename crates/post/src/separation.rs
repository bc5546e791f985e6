//! Where a flow along walls in x separates and reattaches: sign changes of the wall shear.

mod shear;

use vortice_core::{Case, Result, Side};

use crate::flow::Flow;
use crate::interpolation::{Node, zero_between};

pub use shear::wall_shear;

/// Distances in m, in x, from the step: the far end of the solid boxes, or the low end of the box
/// where there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Separation {
    /// Where the flow behind the step comes back to the lower wall: the end of the longest stretch of
    /// the wall along which it runs backwards.
    pub reattachment: Option<f64>,
    /// Where it leaves the upper wall: the beginning of the longest such stretch there.
    pub upper_separation: Option<f64>,
    /// Where it comes back to the upper wall: the end of that stretch.
    pub upper_reattachment: Option<f64>,
    /// All changes, first those of the lower wall, then those of the upper one, each by position.
    pub turns: Vec<Turn>,
}

/// A place where the shear on a wall in y changes its sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Which wall: the lower or the upper one.
    pub wall: Side,
    /// Distance in m, in x, from the step.
    pub position: f64,
    /// Whether the flow along the wall runs towards x-high behind this place: a flow in x reattaches
    /// here. If not, it separates.
    pub forward: bool,
}

impl Separation {
    /// Of a flow, in its middle plane, from the friction that its method's own equations have.
    pub fn of(flow: &Flow<'_>) -> Self {
        let step = step_end(flow.case);
        let [lower, upper] = Side::BOTH.map(|wall| behind(flow, wall, step));
        let (bubble, above) = (longest_bubble(&lower), longest_bubble(&upper));
        let turns =
            |line: &[Node], wall| turns(line).map(move |turn| Turn { wall, ..turn }).collect();
        let all: [Vec<Turn>; 2] = [turns(&lower, Side::Low), turns(&upper, Side::High)];
        Self {
            reattachment: bubble.end,
            upper_separation: above.start,
            upper_reattachment: above.end,
            turns: all.concat(),
        }
    }
}

/// Where the shear on a wall runs against x: from its first change of sign, unless it does so from
/// the step on, to its second, unless it does so to the end of the wall.
#[derive(Clone, Copy, Default)]
struct Bubble {
    start: Option<f64>,
    end: Option<f64>,
}

/// The longest one: others are eddies in the corner behind the step, which fine grids resolve, or what
/// the inflow leaves beside the wall.
fn longest_bubble(line: &[Node]) -> Bubble {
    let [Some(first), Some(last)] = [line.first(), line.last()] else { return Bubble::default() };
    let mut bubbles = Vec::new();
    let mut open = (first.value < 0.0).then(Bubble::default);
    for Turn { position, forward, .. } in turns(line) {
        match open.take() {
            Some(bubble) if forward => bubbles.push(Bubble { end: Some(position), ..bubble }),
            _ => open = Some(Bubble { start: Some(position), end: None }),
        }
    }
    bubbles.extend(open);
    let length = |bubble: &Bubble| bubble.end.unwrap_or(last.x) - bubble.start.unwrap_or(0.0);
    bubbles.into_iter().max_by(|a, b| length(a).total_cmp(&length(b))).unwrap_or_default()
}

/// Whether the case has the two walls in y that [`Separation`] looks at.
///
/// # Errors
/// If not.
pub(crate) fn needs_walls(case: &Case) -> Result<()> {
    if Side::BOTH.into_iter().all(|side| case.boundaries.at(1, side).is_wall()) {
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

/// The shear on a wall behind the step, by the distance in m from it.
fn behind(flow: &Flow<'_>, wall: Side, step: f64) -> Vec<Node> {
    let shear = shear::slopes(flow, wall).into_iter();
    let behind = shear.map(|node| Node { x: node.x - step, value: node.value });
    behind.filter(|node| node.x > 0.0).collect()
}

/// All changes of sign along a wall, which is told as the lower one.
fn turns(line: &[Node]) -> impl Iterator<Item = Turn> {
    line.windows(2).enumerate().filter_map(|(i, pair)| {
        let forward = pair[0].value < 0.0 && pair[1].value >= 0.0;
        let backward = pair[0].value > 0.0 && pair[1].value <= 0.0;
        let position = || zero_between(line, i);
        (forward || backward).then(|| Turn { wall: Side::Low, position: position(), forward })
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::examples::{case, field, orders, seen};

    /// Lower shear changes from negative to positive at x = 0.43; the upper one is negative
    /// between 0.31 and 0.77.
    fn bubbles(x: f64, y: f64) -> f64 {
        let lower = (3.0 * (x - 0.43)).sin();
        let upper = (x - 0.31) * (x - 0.77) * (1.5 * x).exp();
        y * (1.0 - y) * (lower * (1.0 - y) + upper * y) * y.exp()
    }

    #[test]
    fn zeros_of_the_shear_are_found_between_cells_to_second_order() {
        let errors = [16, 32, 64].map(|n| {
            let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
            let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { bubbles(x, y) } else { 0.0 });
            let found = Separation::of(&seen(&case, &velocity));
            [
                (found.reattachment.unwrap() - 0.43).abs(),
                (found.upper_separation.unwrap() - 0.31).abs(),
                (found.upper_reattachment.unwrap() - 0.77).abs(),
            ]
        });
        for (length, name) in
            ["reattachment", "upper separation", "upper reattachment"].into_iter().enumerate()
        {
            let of = errors.map(|errors| errors[length]);
            assert!(orders(name, &of) > 1.9 && of[2] < 1e-3, "{errors:?}");
        }
    }

    #[test]
    fn all_turns_of_both_walls_are_listed_in_order() {
        let case = case("grid.cells=[64,64,1]", &[]);
        let velocity = field(&case, 3, |c, [x, y, _]| match c {
            0 => y * (1.0 - y) * ((9.0 * x).cos() * (1.0 - y) + (6.0 * x).sin() * y),
            _ => 0.0,
        });
        let turns = Separation::of(&seen(&case, &velocity)).turns;
        let wanted = [
            (Side::Low, PI / 18.0, false),
            (Side::Low, PI / 6.0, true),
            (Side::Low, 5.0 * PI / 18.0, false),
            (Side::High, PI / 6.0, false),
        ];
        assert_eq!(turns.len(), wanted.len(), "{turns:?}");
        for (turn, (wall, position, forward)) in turns.iter().zip(wanted) {
            assert_eq!((turn.wall, turn.forward), (wall, forward));
            assert!((turn.position - position).abs() < 1e-4, "{turn:?}");
        }
    }

    #[test]
    fn lengths_count_from_the_end_of_the_step() {
        let sets = ["solid=[{ low = [0, 0, 0], high = [0.25, 0.5, 0.125] }]".to_string()];
        let case = case("grid.cells=[64,64,1]", &sets);
        let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { bubbles(x, y) } else { 0.0 });
        let found = Separation::of(&seen(&case, &velocity));
        assert!((found.reattachment.unwrap() - 0.18).abs() < 1e-4);
    }

    #[test]
    fn an_attached_flow_has_no_lengths() {
        let case = case("grid.cells=[8,8,1]", &[]);
        let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { y * (1.0 - y) } else { 0.0 });
        assert_eq!(Separation::of(&seen(&case, &velocity)), Separation::default());
    }

    #[test]
    fn lengths_need_walls() {
        assert!(needs_walls(&case("grid.cells=[8,8,1]", &[])).is_ok());
        let open = case("boundary.y-low=symmetry", &["boundary.y-high=symmetry".into()]);
        assert!(needs_walls(&open).is_err());
    }

    #[test]
    fn an_eddy_in_the_corner_of_the_step_is_not_its_bubble() {
        // Forwards to 0.05, backwards to 0.62, and once more from 0.8 to 0.9.
        let shear = |x: f64| (0.05 - x) * (0.62 - x) * (0.8 - x) * (0.9 - x);
        let case = case("grid.cells=[64,64,1]", &[]);
        let u = |x: f64, y: f64| y * (1.0 - y) * (shear(x) * (1.0 - y) + 0.1 * y);
        let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { u(x, y) } else { 0.0 });
        let found = Separation::of(&seen(&case, &velocity));
        assert!((found.reattachment.unwrap() - 0.62).abs() < 1e-3, "{found:?}");
        assert_eq!((found.upper_separation, found.turns.len()), (None, 4));
    }

    #[test]
    fn a_bubble_may_begin_at_the_step_and_end_at_the_outlet() {
        let case = case("grid.cells=[16,16,1]", &[]);
        let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { -y * (1.0 - y) } else { 0.0 });
        assert_eq!(Separation::of(&seen(&case, &velocity)), Separation::default());
    }
}
