#![allow(clippy::print_stdout)] // measured orders are worth seeing

use std::f64::consts::TAU;

use super::*;
use crate::boundary::{Boundaries, Boundary, Interval, Profile};
use crate::solid::SolidBox;

/// A case with any boundaries, also those that a case file would refuse for this box.
fn case(cells: [usize; 3], size: [f64; 3], boundaries: [[Boundary; 2]; 3]) -> Case {
    let text = format!(
        "title = 'derived'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n\
         fluid = {{ viscosity = 0.01 }}\nrun = {{ until = 1.0 }}\n[boundary]\n\
         x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\n\
         z-low = 'periodic'\nz-high = 'periodic'\n"
    );
    let case = Case::parse(&text, "derived").unwrap();
    Case { boundaries: Boundaries(boundaries), ..case }
}

const PERIODIC: [Boundary; 2] = [Boundary::Periodic, Boundary::Periodic];
const WALLS: [Boundary; 2] = [Boundary::WALL, Boundary::WALL];

fn sampled(case: &Case, velocity: impl Fn([f64; 3]) -> [f64; 3]) -> Field {
    let mut field = zeros(case.grid.cells(), 3);
    for cell in field.own_cells() {
        let value = velocity(case.grid.centre(cell));
        (0..3).for_each(|c| *field.at_mut(c, cell) = value[c]);
    }
    field
}

/// The largest error of a component; `exact` up to a constant, if `mean_free`.
fn error(
    case: &Case,
    field: &Field,
    c: usize,
    exact: impl Fn([f64; 3]) -> f64,
    mean_free: bool,
) -> f64 {
    let errors = field.own_cells().map(|cell| field.at(c, cell) - exact(case.grid.centre(cell)));
    let errors: Vec<f64> = errors.collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    errors.iter().map(|e| (e - if mean_free { mean } else { 0.0 }).abs()).fold(0.0, f64::max)
}

/// Measured order between 32 and 64 cells a side.
fn order(error_of: impl Fn(usize) -> f64) -> f64 {
    let (coarse, fine) = (error_of(32), error_of(64));
    let order = (coarse / fine).log2();
    println!("errors {coarse:.3e}, {fine:.3e}: order {order:.3}");
    order
}

#[test]
fn taylor_green_is_second_order_in_a_periodic_box() {
    let velocity = |[x, y, _]: [f64; 3]| {
        [-(TAU * x).cos() * (TAU * y).sin(), (TAU * x).sin() * (TAU * y).cos(), 0.0]
    };
    let case = |n| case([n, n, 1], [1.0; 3], [PERIODIC, PERIODIC, PERIODIC]);
    let omega = order(|n| {
        let case = case(n);
        let exact = |[x, y, _]: [f64; 3]| 2.0 * TAU * (TAU * x).cos() * (TAU * y).cos();
        error(&case, &vorticity(&case, &sampled(&case, velocity)), 2, exact, false)
    });
    let psi = order(|n| {
        let case = case(n);
        let exact = |[x, y, _]: [f64; 3]| (TAU * x).cos() * (TAU * y).cos() / TAU;
        error(&case, &stream_function(&case, &sampled(&case, velocity)), 0, exact, true)
    });
    assert!((omega - 2.0).abs() < 0.1 && (psi - 2.0).abs() < 0.1);
}

#[test]
fn q_of_taylor_green_is_second_order_and_has_mean_zero() {
    let k = TAU;
    let velocity =
        |[x, y, _]: [f64; 3]| [-(k * x).cos() * (k * y).sin(), (k * x).sin() * (k * y).cos(), 0.0];
    let case = |n| case([n, n, 1], [1.0; 3], [PERIODIC, PERIODIC, PERIODIC]);
    let q = order(|n| {
        let case = case(n);
        // u_x = -v_y = k sin sin and u_y = -v_x = -k cos cos: Q = -(u_x2 + u_y v_x).
        let exact = |[x, y, _]: [f64; 3]| {
            let (sines, cosines) = ((k * x).sin() * (k * y).sin(), (k * x).cos() * (k * y).cos());
            k * k * (cosines * cosines - sines * sines)
        };
        let q = q_criterion(&case, &sampled(&case, velocity));
        assert!(q.values.iter().sum::<f64>().abs() < 1e-9);
        error(&case, &q, 0, exact, false)
    });
    assert!((q - 2.0).abs() < 0.1);
}

#[test]
fn q_of_a_turning_box_is_the_square_of_its_speed_and_that_of_a_shear_is_zero() {
    let outflow = || [Boundary::Outflow { pressure: 0.0 }, Boundary::Outflow { pressure: 0.0 }];
    let case = case([4, 5, 6], [1.0; 3], [outflow(), outflow(), outflow()]);
    // Turning about the axis (1, 2, 3).
    let turning = |[x, y, z]: [f64; 3]| [2.0 * z - 3.0 * y, 3.0 * x - z, y - 2.0 * x];
    let q = q_criterion(&case, &sampled(&case, turning));
    assert!(error(&case, &q, 0, |_| 14.0, false) < 1e-12);
    let shear = q_criterion(&case, &sampled(&case, |[_, y, z]| [3.0 * y - z, 0.0, 0.0]));
    assert!(error(&case, &shear, 0, |_| 0.0, false) < 1e-12);
}

#[test]
fn taylor_green_loses_what_its_enstrophy_says() {
    let exact = crate::ExactFlow::TaylorGreen;
    let errors = |n: usize| {
        let case = case([n, n, 1], [1.0; 3], [PERIODIC, PERIODIC, PERIODIC]);
        let at = |time: f64| {
            Energy::of(&case, &sampled(&case, |point| exact.velocity(&case, point, time)))
        };
        let (now, dt) = (at(0.3), 1e-4);
        let rate = (at(0.3 + dt).kinetic_energy - at(0.3 - dt).kinetic_energy) / (2.0 * dt);
        let decay = (-2.0 * 0.01 * 2.0 * TAU * TAU * 0.3).exp();
        assert!((now.kinetic_energy - 0.25 * decay).abs() < 1e-12, "{now:?}");
        let lost = 2.0 * case.viscosity * now.enstrophy;
        assert!((now.dissipation - lost).abs() < 1e-12 * lost, "{now:?}");
        ((rate + lost) / rate).abs()
    };
    assert!((order(errors) - 2.0).abs() < 0.1);
}

#[test]
fn couette_flow_turns_into_heat_what_its_lid_does() {
    let lid = Boundary::Wall { velocity: [2.0, 0.0, 0.0] };
    let case = case([6, 8, 1], [3.0, 0.5, 1.0], [PERIODIC, [Boundary::WALL, lid], PERIODIC]);
    let found = Energy::of(&case, &sampled(&case, |[_, y, _]| [4.0 * y, 0.0, 0.0]));
    // The lid works with nu u'(h) U on the mass below it, rho h.
    assert!((found.dissipation - 0.01 * 4.0 * 2.0 / 0.5).abs() < 1e-13, "{found:?}");
    assert!((found.enstrophy - 8.0).abs() < 1e-12, "{found:?}");
}

/// u = g'(y) f(x), v = -g(y) f'(x) with f, g vanishing at the walls as polynomials: psi = f g.
#[test]
fn a_polynomial_cavity_is_second_order_up_to_its_walls() {
    let f = |s: f64| [s * s * (1.0 - s).powi(2), 2.0 * s * (1.0 - s) * (1.0 - 2.0 * s)];
    let bend = |s: f64| 2.0 - 12.0 * s + 12.0 * s * s;
    let velocity = |[x, y, _]: [f64; 3]| [f(x)[0] * f(y)[1], -f(x)[1] * f(y)[0], 0.0];
    let case = |n| case([n, n, 1], [1.0; 3], [WALLS, WALLS, PERIODIC]);
    let omega = order(|n| {
        let case = case(n);
        let exact = |[x, y, _]: [f64; 3]| -bend(x) * f(y)[0] - f(x)[0] * bend(y);
        error(&case, &vorticity(&case, &sampled(&case, velocity)), 2, exact, false)
    });
    let psi = order(|n| {
        let case = case(n);
        let exact = |[x, y, _]: [f64; 3]| f(x)[0] * f(y)[0];
        error(&case, &stream_function(&case, &sampled(&case, velocity)), 0, exact, false)
    });
    assert!((omega - 2.0).abs() < 0.1 && (psi - 2.0).abs() < 0.1);
}

#[test]
fn quadratic_flow_between_outflows_and_a_mirror_is_exact() {
    // Every component is a parabola in every direction, so the formulas have no error.
    let velocity = |[x, y, z]: [f64; 3]| [y * y - 0.5, x * x + z * z, 0.25 - y * (1.0 - y)];
    let outflow = || Boundary::Outflow { pressure: 0.0 };
    let case = case(
        [4, 5, 6],
        [1.0, 1.0, 1.0],
        [[outflow(), outflow()], [outflow(), outflow()], [Boundary::Symmetry, outflow()]],
    );
    let omega = vorticity(&case, &sampled(&case, velocity));
    assert!(error(&case, &omega, 0, |[_, y, z]| 2.0 * y - 1.0 - 2.0 * z, false) < 1e-12);
    assert!(error(&case, &omega, 1, |_| 0.0, false) < 1e-12);
    assert!(error(&case, &omega, 2, |[x, y, _]| 2.0 * x - 2.0 * y, false) < 1e-12);
}

#[test]
fn couette_vorticity_and_stream_function_are_exact() {
    let lid = Boundary::Wall { velocity: [2.0, 0.0, 0.0] };
    let case = case([6, 8, 1], [3.0, 0.5, 1.0], [PERIODIC, [Boundary::WALL, lid], PERIODIC]);
    let velocity = sampled(&case, |[_, y, _]| [4.0 * y, 0.0, 0.0]);
    assert!(error(&case, &vorticity(&case, &velocity), 2, |_| -4.0, false) < 1e-12);
    // The midpoint rule at half a cell leaves 2 y2 off by u' h2/8 exactly.
    let h = case.grid.spacing()[1];
    let psi = stream_function(&case, &velocity);
    let exact = |[_, y, _]: [f64; 3]| 2.0 * y * y + 4.0 * h * h / 8.0;
    assert!(error(&case, &psi, 0, exact, false) < 1e-12);
}

#[test]
fn a_step_is_a_wall_and_carries_a_constant_stream_function() {
    let inflow = Boundary::Inflow {
        velocity: [1.0, 0.0, 0.0],
        profile: Profile::Uniform(Some(Interval { along: 1, from: 0.5, to: 1.0 })),
    };
    let sides = [inflow, Boundary::Outflow { pressure: 0.0 }];
    let mut case = case([8, 4, 1], [2.0, 1.0, 1.0], [sides, WALLS, PERIODIC]);
    case.solid = vec![SolidBox { low: [0.0; 3], high: [0.5, 0.5, 1.0] }];
    let velocity = sampled(&case, |_| [1.0, 0.0, 0.0]);
    let (omega, psi) = (vorticity(&case, &velocity), stream_function(&case, &velocity));
    assert_eq!(omega.at(2, [1, 1, 0]), 0.0, "solid cells have no vorticity");
    // Above the step: the no-slip face is half a cell (0.125 m) below, the next cell above.
    let (a, b) = (0.125, 0.25);
    assert!((omega.at(2, [1, 2, 0]) + b / a / (a + b)).abs() < 1e-12);
    assert_eq!(psi.at(0, [0, 0, 0]), 0.0);
    assert_eq!(psi.at(0, [0, 1, 0]), 0.0);
    assert!((psi.at(0, [0, 3, 0]) - 0.375).abs() < 1e-15);
    assert!((psi.at(0, [4, 3, 0]) - 0.875).abs() < 1e-15);
}

#[test]
fn flow_through_the_bottom_sets_the_stream_function_along_it() {
    let blowing = Boundary::Inflow { velocity: [0.0, 0.5, 0.0], profile: Profile::Uniform(None) };
    let sides = [blowing, Boundary::Outflow { pressure: 0.0 }];
    let case = case([8, 4, 1], [2.0, 1.0, 1.0], [PERIODIC, sides, PERIODIC]);
    let psi = stream_function(&case, &sampled(&case, |_| [0.0, 0.5, 0.0]));
    assert!(error(&case, &psi, 0, |[x, _, _]| -0.5 * x, false) < 1e-14);
}

/// A body turns with the fluid around it, another stands in a shear flow that is at rest at its wall: fields are linear up to walls
/// anywhere between the cells, and so is what is made of them.
#[test]
fn walls_of_bodies_are_where_they_are_and_move_as_they_do() {
    let body = |body: &str| {
        let text = format!(
            "title = 'bodies'\ngrid = {{ cells = [20, 18, 1], size = [1.0, 0.9, 1.0] }}\n\
             fluid = {{ viscosity = 0.01 }}\nrun = {{ until = 1.0 }}\nbody.one = {{ {body} }}\n[boundary]\n\
             x-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = 'outflow'\n\
             z-low = 'periodic'\nz-high = 'periodic'\n"
        );
        Case::parse(&text, "derived").unwrap()
    };
    let largest = |case: &Case, velocity: &Field, exact: f64| {
        let (solids, omega) = (case.solids(), vorticity(case, velocity));
        // Not beside the ends of the box, where fluid that turns is not what they have it be.
        let inner =
            omega.own_cells().filter(|&[i, j, _]| (2..18).contains(&i) && (2..16).contains(&j));
        let errors =
            inner.filter(|&cell| !solids.contains(cell)).map(|cell| omega.at(2, cell) - exact);
        errors.fold(0.0, |most: f64, error| most.max(error.abs()))
    };
    for radius in [0.17, 0.2013, 0.22] {
        let case = body(&format!(
            "circle = {{ centre = [0.513, 0.442], radius = {radius} }}, rotation = 3.0"
        ));
        let turning = sampled(&case, |[x, y, _]| [-3.0 * (y - 0.442), 3.0 * (x - 0.513), 0.0]);
        assert!(largest(&case, &turning, 6.0) < 1e-10, "{radius}");
    }
    for height in [0.11, 0.133, 0.148] {
        let case = body(&format!("inside = 'y < {height}'"));
        let shear = sampled(&case, |[_, y, _]| [2.0 * (y - height), 0.0, 0.0]);
        assert!(largest(&case, &shear, -2.0) < 1e-10, "{height}");
    }
}
