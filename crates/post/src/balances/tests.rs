use std::f64::consts::TAU;

use vortice_core::{Boundary, Side};

use super::*;
use crate::examples::{case, field, orders, seen_with};

const CHANNEL: [&str; 4] = [
    "boundary.x-low={ inflow = { velocity = [2.0, 0.0, 0.0], profile = { parabolic = { along = \"y\", from = 0.0, to = 1.0 } } } }",
    "boundary.x-high={ outflow = { pressure = 7.0 } }",
    "grid.size=[3.0,1.0,0.5]",
    "fluid={ density = 4.0, viscosity = 0.01, force = [0.1, 0.0, 0.0] }",
];

#[test]
fn plane_poiseuille_flow_keeps_its_momentum_and_its_mass_to_second_order() {
    let errors = [8, 16, 32].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &CHANNEL.map(String::from));
        let velocity =
            field(&case, 3, |c, [_, y, _]| if c == 0 { 12.0 * y * (1.0 - y) } else { 0.0 });
        // nu u'' = p'/rho - g
        let gradient = 4.0 * (0.1 - 0.01 * 24.0);
        let pressure = field(&case, 1, |_, [x, _, _]| 7.0 + gradient * (x - 3.0));
        let momentum = MomentumBalance::of(&seen_with(&case, &velocity, &pressure));
        assert!(momentum.rate.iter().all(|rate| rate.abs() < 1e-12), "{momentum:?}");
        assert!((momentum.walls[0] - 2.0 * 4.0 * 0.01 * 12.0 * 3.0).abs() < 1e-12, "{momentum:?}");
        let mass = MassBalance::read(&case, &velocity);
        assert!((mass.inflow - 4.0 * 2.0).abs() < 1e-13, "exact on every grid: {mass:?}");
        assert_eq!(mass.faces.len(), 2);
        assert_eq!(mass.faces[0].face, "x-low");
        mass.imbalance.abs()
    });
    assert!(orders("imbalance", &errors) > 1.9);
}

#[test]
fn uniform_flow_and_a_closed_box_balance_exactly() {
    let mut sets = CHANNEL.map(String::from);
    sets[0] = "boundary.x-low={ inflow = { velocity = [2.0, 0.0, 0.0] } }".into();
    let open = case("grid.cells=[6,5,1]", &sets);
    let velocity = field(&open, 3, |c, _| if c == 0 { 2.0 } else { 0.0 });
    let mass = MassBalance::read(&open, &velocity);
    assert!((mass.outflow - 8.0).abs() < 1e-13 && mass.imbalance.abs() < 1e-14, "{mass:?}");
    let closed = case("grid.cells=[6,5,1]", &[]);
    let velocity = field(&closed, 3, |c, [x, y, _]| if c == 0 { x * y } else { 0.0 });
    assert_eq!(MassBalance::read(&closed, &velocity), MassBalance::default());
}

#[test]
fn more_than_a_thousandth_of_what_enters_is_worth_a_warning() {
    let balance =
        |inflow: f64, imbalance: f64| MassBalance { inflow, imbalance, ..MassBalance::default() };
    assert_eq!(balance(2.0, 9e-4).warning(), None);
    assert!(balance(2.0, -1.1e-3).warning().is_some_and(|text| text.starts_with("-0.11 %")));
    assert!(balance(2.0, f64::NAN).warning().is_some());
    assert_eq!((balance(0.0, 0.0).share(), balance(0.0, 0.0).warning()), (None, None));
}

#[test]
fn an_exact_steady_flow_through_all_faces_keeps_its_momentum_to_second_order() {
    // L. I. G. Kovasznay, Proc. Camb. Phil. Soc. 44 (1948) 58, on [0, 1] x [0.1, 1.1], Re = 40.
    let lambda = 20.0 - (400.0 + TAU * TAU).sqrt();
    let flow = |c: usize, [x, y, _]: [f64; 3]| match c {
        0 => 1.0 - (lambda * x).exp() * (TAU * y).cos(),
        1 => lambda / TAU * (lambda * x).exp() * (TAU * y).sin(),
        _ => 0.0,
    };
    let sets = ["fluid={ density = 1.0, viscosity = 0.025 }", "grid.origin=[0.0,0.1,0.0]"];
    let errors = [16, 32, 64, 128].map(|n| {
        let mut case = case(&format!("grid.cells=[{n},{n},1]"), &sets.map(String::from));
        // Open faces, on which nothing is prescribed.
        for d in 0..2 {
            case.boundaries.0[d] = Side::BOTH.map(|_| Boundary::Outflow { pressure: 0.0 });
        }
        let velocity = field(&case, 3, flow);
        let pressure = field(&case, 1, |_, [x, _, _]| -0.5 * (2.0 * lambda * x).exp());
        let balance = MomentumBalance::read(&Traces::continued(&case, &velocity), &pressure, None);
        assert!(balance.flux[0].abs() > 0.01, "{balance:?}");
        balance.rate[0].hypot(balance.rate[1])
    });
    assert!(orders("momentum", &errors) > 1.9);
}
