//! What is seen is enough: all that is said of a flow has the same bits from parts of it as from the whole.

use vortice_core::{Cells, Field, Side, WallSlope, Window};

use super::*;
use crate::examples::{case, field};
use crate::flow::{Flow, Variable};
use crate::references::{Comparison, Extremum, Length, Validity, lines};
use crate::{Forces, MassBalance, MomentumBalance, wall_shear};

/// Numbers without order, the same at each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// In sixteenths of the box, which are not faces of cells; its ends too.
    fn place(&mut self) -> f64 {
        self.below(17) as f64 / 16.0
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// The conditions at the two ends of a direction.
fn ends(dice: &mut Dice, letter: &str) -> [String; 2] {
    let of = |[low, high]: [&str; 2]| {
        [format!("boundary.{letter}-low={low}"), format!("boundary.{letter}-high={high}")]
    };
    match (letter, dice.below(4)) {
        (_, 0) => of(["periodic"; 2]),
        ("x", 1) => of(["{ inflow = { velocity = [1.0, 0.0, 0.0] } }", "outflow"]),
        ("z", 1) => of(["{ inflow = { velocity = [0.0, 0.0, 0.5] } }", "outflow"]),
        (_, 2) => of(["symmetry", "wall"]),
        _ => of(["wall", "{ wall = { velocity = [0.3, 0.0, 0.0] } }"]
            .map(|word| if letter == "x" { "wall" } else { word })),
    }
}

/// A box of solid cells, which may stand on an end of the box and cover part of another.
fn solid(dice: &mut Dice) -> String {
    let sides: [[f64; 2]; 3] = std::array::from_fn(|_| {
        let low = dice.below(13) as f64 / 16.0;
        [low, low + (1 + dice.below(4)) as f64 / 16.0]
    });
    let corner = |n: usize| sides.map(|side| side[n]);
    format!("{{ low = {:?}, high = {:?} }}", corner(0), corner(1))
}

/// A unit cube with conditions, solids and a plane that chance chooses.
fn any_case(dice: &mut Dice) -> Case {
    let n: Vec<String> = (0..3).map(|_| (40 + dice.below(9)).to_string()).collect();
    let mut sets = vec!["grid.size=[1.0,1.0,1.0]".to_owned()];
    for letter in ["x", "y", "z"] {
        sets.extend(ends(dice, letter));
    }
    let solids: Vec<String> = (0..dice.below(4)).map(|_| solid(dice)).collect();
    sets.push(format!("solid=[{}]", solids.join(", ")));
    let plane = dice.of(&["x", "y = 0.37", "z = 1.0", "z"]);
    sets.push(format!("output.plane=\"{plane}\""));
    case(&format!("grid.cells=[{}]", n.join(",")), &sets)
}

fn reference(values: Values) -> Reference {
    let (name, citation) = ("name".into(), "somebody".into());
    let (accuracy, validity) = (String::new(), Validity::default());
    Reference { name, citation, accuracy, accuracies: Vec::new(), validity, values }
}

/// A profile, extremes and, where there are walls for them, lengths of separation.
fn references(dice: &mut Dice, case: &Case) -> Vec<Reference> {
    let all = [0, 1, 2].map(Variable::Velocity);
    let mut line = |along| Line { along, at: [dice.place(), dice.place(), dice.place()] };
    let points = vec![(-0.1, 0.0), (0.0, 0.0), (0.43, 1.0), (1.0, 0.0)];
    let profile = Values::Profile { variable: Variable::Pressure, line: line(0), points };
    let row =
        |n: usize, line| Extremum { variable: all[n], sign: 1.0, line, value: 1.0, position: 0.5 };
    let extrema = Values::Extrema(vec![row(1, line(1)), row(2, line(2))]);
    let mut references = vec![reference(profile), reference(extrema)];
    if Side::BOTH.into_iter().all(|side| case.boundaries.at(1, side).is_wall()) {
        let lengths = vec![(Length::Reattachment, 1.0), (Length::UpperSeparation, 1.0)];
        references.push(reference(Values::Lengths { unit: 1.0, lengths }));
    }
    references
}

/// All that is said of a flow; numbers as text, which tells all digits and what is no number.
fn said(case: &Case, references: &[Reference], flow: &Flow<'_>) -> String {
    let profiles: Vec<_> = lines(case, references)
        .into_iter()
        .map(|(variable, line)| {
            (flow.profile(variable, line), flow.flux_profile(variable, line).total())
        })
        .collect();
    let comparisons: Vec<Comparison> = references.iter().map(|one| one.compare(flow)).collect();
    let balances = (MassBalance::of(flow), MomentumBalance::of(flow));
    let shear = (references.len() > 2).then(|| Side::BOTH.map(|wall| wall_shear(flow, wall)));
    format!("{:?} {balances:?} {profiles:?} {comparisons:?} {shear:?}", Forces::of(flow))
}

/// The values of some cells.
fn kept(parts: &[Extent], field: &Field) -> Vec<Window<'static>> {
    let whole = Extent::whole(field.shape.cells);
    let mut windows: Vec<_> =
        parts.iter().map(|extent| Window::unfilled(extent, field.components)).collect();
    windows.iter_mut().for_each(|one| one.fill(&whole, &Window::whole(field)));
    windows
}

#[test]
fn numbers_of_what_is_seen_are_those_of_the_whole_flow() {
    let (mut dice, mut in_parts) = (Dice(1), 0);
    for round in 0..32 {
        let case = any_case(&mut dice);
        let references = if round % 4 == 0 { Vec::new() } else { references(&mut dice, &case) };
        let of = |c: usize, [x, y, z]: [f64; 3]| {
            ((3 + c) as f64 * x + 0.3).sin() + (7.0 * y - c as f64).cos() * (2.0 * z).exp()
        };
        let (velocity, pressure) = (field(&case, 3, of), field(&case, 1, |_, at| of(3, at)));
        let slope = WallSlope::EXACT;
        let of_whole =
            said(&case, &references, &Flow::new(&case, &velocity, &pressure, slope, 0.0));
        let Sight::Parts(parts) = sight(&case, &references) else { continue };
        in_parts += 1;
        let [u, p] = [&velocity, &pressure].map(|field| kept(&parts, field));
        let flow = Flow::new(&case, Cells::Parts(&u), Cells::Parts(&p), slope, 0.0);
        assert_eq!(said(&case, &references, &flow), of_whole, "{case:?}");
    }
    assert!(in_parts > 20, "{in_parts} of 32 flows were seen in parts");
}

#[test]
fn exact_flows_and_plane_flows_are_seen_whole() {
    let cube = case("grid.cells=[40,40,40]", &["grid.size=[1.0,1.0,1.0]".into()]);
    assert!(matches!(sight(&cube, &[]), Sight::Parts(_)));
    let exact = reference(Values::Exact(vortice_core::ExactFlow::Couette));
    assert_eq!(sight(&cube, &[exact]), Sight::Whole);
    assert_eq!(sight(&case("grid.cells=[64,64,1]", &[]), &[]), Sight::Whole);
}
