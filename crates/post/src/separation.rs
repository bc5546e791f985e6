//! Where a flow along walls in x separates and reattaches: sign changes of the wall shear.

mod shear;

use vortice_core::{Boundary, Case, Field, Result, Side};

use crate::interpolation::{Node, zero_between};

pub use shear::wall_shear;

/// Distances in m, in x, from the step: the far end of the solid boxes, or the low end of the box
/// where there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Separation {
    /// Where the flow behind the step comes back to the lower wall.
    pub reattachment: Option<f64>,
    /// Where it leaves the upper wall.
    pub upper_separation: Option<f64>,
    /// Where it comes back to the upper wall.
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
    /// Of a velocity in m/s on the whole grid without halo, in its middle plane.
    pub fn of(case: &Case, velocity: &Field) -> Self {
        let step = step_end(case);
        let turns: Vec<Turn> = Side::BOTH
            .into_iter()
            .flat_map(|wall| turns(&behind(case, velocity, wall, step), wall))
            .collect();
        let first = |wall, forward, after| {
            let wanted = |turn: &&Turn| {
                turn.wall == wall && turn.forward == forward && turn.position > after
            };
            turns.iter().find(wanted).map(|turn| turn.position)
        };
        let upper_separation = first(Side::High, false, f64::NEG_INFINITY);
        let after = upper_separation.unwrap_or(f64::INFINITY);
        Self {
            reattachment: first(Side::Low, true, f64::NEG_INFINITY),
            upper_separation,
            upper_reattachment: first(Side::High, true, after),
            turns,
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

/// The shear on a wall behind the step, by the distance in m from it.
fn behind(case: &Case, velocity: &Field, wall: Side, step: f64) -> Vec<Node> {
    let shear = shear::slopes(case, velocity, wall).into_iter();
    let behind = shear.map(|node| Node { x: node.x - step, value: node.value });
    behind.filter(|node| node.x > 0.0).collect()
}

/// All changes of sign along a wall.
fn turns(line: &[Node], wall: Side) -> Vec<Turn> {
    let pairs = line.windows(2).enumerate();
    let changes = pairs.filter_map(|(i, pair)| {
        let forward = pair[0].value < 0.0 && pair[1].value >= 0.0;
        let backward = pair[0].value > 0.0 && pair[1].value <= 0.0;
        (forward || backward).then(|| Turn { wall, position: zero_between(line, i), forward })
    });
    changes.collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::examples::{case, field, orders};

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
        for (length, name) in
            ["reattachment", "upper separation", "upper reattachment"].into_iter().enumerate()
        {
            let of = errors.map(|errors| errors[length]);
            assert!(orders(name, &of) > 2.7 && of[2] < 1e-4, "{errors:?}");
        }
    }

    #[test]
    fn all_turns_of_both_walls_are_listed_in_order() {
        let case = case("grid.cells=[64,64,1]", &[]);
        let velocity = field(&case, 3, |c, [x, y, _]| match c {
            0 => y * (1.0 - y) * ((9.0 * x).cos() * (1.0 - y) + (6.0 * x).sin() * y),
            _ => 0.0,
        });
        let turns = Separation::of(&case, &velocity).turns;
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
