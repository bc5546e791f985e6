#![allow(clippy::print_stdout)] // measured orders are worth seeing

use std::f64::consts::PI;

use vortice_core::Field;

use super::*;
use crate::examples::{case, field, orders};

/// Largest error of the stream function at its nodes.
fn error(case: &Case, velocity: &Field, exact: impl Fn(f64, f64) -> f64) -> f64 {
    let psi = StreamFunction::of(case, velocity).unwrap();
    let mut largest = 0.0_f64;
    for (j, y) in psi.y.iter().enumerate() {
        for (i, x) in psi.x.iter().enumerate() {
            largest = largest.max((psi.at(i, j) - exact(*x, *y)).abs());
        }
    }
    largest
}

#[test]
fn between_walls_it_is_fourth_order() {
    // psi = sin2(pi x) sin2(pi y) exp(x): at rest on all walls.
    let f = |s: f64| (PI * s).sin().powi(2);
    let slope = |s: f64| PI * (2.0 * PI * s).sin();
    let errors = [16, 32, 64].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
        let velocity = field(&case, 3, |c, [x, y, _]| match c {
            0 => f(x) * slope(y) * x.exp(),
            1 => -(slope(x) + f(x)) * f(y) * x.exp(),
            _ => 0.0,
        });
        error(&case, &velocity, |x, y| f(x) * f(y) * x.exp())
    });
    assert!(orders("stream function", &errors) > 3.8);
}

#[test]
fn the_second_order_one_of_core_is_less_exact() {
    let case = case("grid.cells=[64,64,1]", &[]);
    let f = |s: f64| s * s * (1.0 - s).powi(2);
    let slope = |s: f64| 2.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
    let velocity = field(&case, 3, |c, [x, y, _]| match c {
        0 => f(x) * slope(y),
        1 => -slope(x) * f(y),
        _ => 0.0,
    });
    let fine = error(&case, &velocity, |x, y| f(x) * f(y));
    let coarse = vortice_core::stream_function(&case, &velocity);
    let cells = coarse.own_cells();
    let errors = cells.map(|cell| {
        let [x, y, _] = case.grid.centre(cell);
        (coarse[cell] - f(x) * f(y)).abs()
    });
    let coarse = errors.fold(0.0, f64::max);
    println!("fourth order {fine:.2e}, second order {coarse:.2e}");
    assert!(fine < 0.01 * coarse);
}

#[test]
fn what_a_column_carries_too_much_is_told_and_spread() {
    let case = case("grid.cells=[8,8,1]", &[]);
    let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { y * (1.0 - y) } else { 0.0 });
    let psi = StreamFunction::of(&case, &velocity).unwrap();
    assert!((psi.closure - 1.0 / 6.0).abs() < 1e-12, "{}", psi.closure);
    assert!((0..10).all(|i| psi.at(i, 9).abs() < 1e-15));
}

#[test]
fn the_flow_through_a_channel_with_a_step_is_carried_by_all_columns() {
    let sets = [
        "boundary.x-low={ inflow = { velocity = [1.0, 0.0, 0.0], profile = { parabolic = { along = \"y\", from = 0.5, to = 1.0 } } } }",
        "boundary.x-high={ outflow = { pressure = 0.0 } }",
        "solid=[{ low = [0, 0, 0], high = [0.25, 0.5, 0.125] }]",
    ];
    let case = case("grid.cells=[16,16,1]", &sets.map(String::from));
    let parabola = |y: f64| if y < 0.5 { 0.0 } else { 24.0 * (y - 0.5) * (1.0 - y) };
    let velocity = field(&case, 3, |c, [x, y, _]| match c {
        0 if x < 0.25 => parabola(y),
        0 => 3.0 * y * (1.0 - y),
        _ => 0.0,
    });
    let psi = StreamFunction::of(&case, &velocity).unwrap();
    assert!(psi.closure < 1e-12, "{}", psi.closure);
    for i in 0..18 {
        assert!(psi.at(i, 0).abs() < 1e-15 && (psi.at(i, 17) - 0.5).abs() < 1e-12);
    }
    assert_eq!(psi.at(1, 8), 0.0, "constant through the step");
    assert!((psi.at(10, 9) - (1.5 * psi.y[9].powi(2) - psi.y[9].powi(3))).abs() < 1e-12);
}
