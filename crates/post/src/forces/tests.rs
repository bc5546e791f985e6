use std::f64::consts::PI;

use vortice_core::Side;

use super::*;
use crate::examples::{case, field, orders, seen_with};

const LOW: Surface = Surface::Face(1, Side::Low);
const HIGH: Surface = Surface::Face(1, Side::High);

/// What friction does to a wall.
fn viscous(wall: &Force) -> [f64; 3] {
    wall.parts.expect("both").viscous
}

/// The integral of a function over the unit interval, to rounding.
fn integral(f: impl Fn(f64) -> f64) -> f64 {
    let n = 2000;
    let middle = |i: usize| (i as f64 + 0.5) / n as f64;
    let gauss = 0.5 / n as f64 / 3.0_f64.sqrt();
    (0..n).map(|i| 0.5 * (f(middle(i) - gauss) + f(middle(i) + gauss)) / n as f64).sum()
}

#[test]
fn couette_flow_drags_its_walls_with_the_shear_times_their_area() {
    let sets = [
        "boundary.y-high={ wall = { velocity = [2.0, 0.0, 0.0] } }",
        "boundary.x-low=periodic",
        "boundary.x-high=periodic",
        // A metre of depth counts, however thick the box is.
        "grid.size=[3.0,0.5,0.25]",
        "fluid={ density = 4.0, viscosity = 0.01 }",
    ];
    let case = case("grid.cells=[8,8,1]", &sets.map(String::from));
    let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { 4.0 * y } else { 0.0 });
    let pressure = field(&case, 1, |_, _| 0.0);
    let forces = Forces::of(&seen_with(&case, &velocity, &pressure));
    let drag = 4.0 * 0.01 * 4.0 * 3.0;
    let (low, high) = (forces.on(LOW).unwrap(), forces.on(HIGH).unwrap());
    assert!((viscous(low)[0] - drag).abs() < 1e-14 && (viscous(high)[0] + drag).abs() < 1e-14);
    assert!((low.torque + high.torque - 0.5 * drag).abs() < 1e-14, "{forces:?}");
    assert_eq!((forces.surfaces.len(), low.parts.unwrap().pressure), (2, [0.0; 3]));
    assert!(forces.total().iter().all(|force| force.abs() < 1e-14));
}

#[test]
fn a_linear_pressure_lifts_a_solid_box_by_what_it_displaces() {
    let sets = [
        "grid.size=[1.0,1.0,1.0]".to_string(),
        "boundary.z-low=wall".into(),
        "boundary.z-high=wall".into(),
        "solid=[{ low = [0.25, 0.375, 0.5], high = [0.5, 0.75, 0.75] }]".into(),
    ];
    let case = case("grid.cells=[8,8,8]", &sets);
    let velocity = field(&case, 3, |_, _| 0.0);
    let pressure = field(&case, 1, |_, [x, y, z]| 3.0 + 2.0 * x - 5.0 * y + z);
    let forces = Forces::of(&seen_with(&case, &velocity, &pressure));
    let force = forces.on(Surface::Solid(0)).unwrap();
    let volume = 0.25 * 0.375 * 0.25;
    for (c, gradient) in [2.0, -5.0, 1.0].into_iter().enumerate() {
        assert!((force.force[c] + gradient * volume).abs() < 1e-13, "{force:?}");
    }
}

#[test]
fn forces_of_a_known_flow_between_walls_are_second_order() {
    // At rest on all walls; u and v from psi = sin2(pi x) sin2(pi y) exp(x).
    let (f, slope) = (|s: f64| (PI * s).sin().powi(2), |s: f64| PI * (2.0 * PI * s).sin());
    let bend = 2.0 * PI * PI;
    let p = |x: f64, y: f64| (2.0 * x).cos() * (1.0 + y).ln() + y * y;
    // The shear on y-low and x-low, and the push on y-high, each in its own direction.
    let (mu, depth) = (0.01, 1.0);
    let exact = [
        mu * depth * bend * integral(|x| f(x) * x.exp()),
        -mu * depth * bend * integral(f),
        depth * integral(|x| p(x, 1.0)),
        depth * integral(|x| (x - 0.5) * p(x, 1.0)),
    ];
    let errors = [32, 64, 128].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
        let velocity = field(&case, 3, |c, [x, y, _]| match c {
            0 => f(x) * slope(y) * x.exp(),
            1 => -(slope(x) + f(x)) * f(y) * x.exp(),
            _ => 0.0,
        });
        let pressure = field(&case, 1, |_, [x, y, _]| p(x, y));
        let forces = Forces::of(&seen_with(&case, &velocity, &pressure));
        let left = forces.on(Surface::Face(0, Side::Low)).unwrap();
        let (low, high) = (forces.on(LOW).unwrap(), forces.on(HIGH).unwrap());
        // Friction on the upper wall turns the box too.
        let torque = high.torque + 0.5 * viscous(high)[0];
        let found = [viscous(low)[0], viscous(left)[1], high.parts.unwrap().pressure[1], torque];
        [0, 1, 2, 3].map(|k: usize| (found[k] - exact[k]).abs())
    });
    for (k, what) in ["friction on y-low", "friction on x-low", "push", "torque"].iter().enumerate()
    {
        assert!(orders(what, &errors.map(|errors| errors[k])) > 1.9);
    }
}

/// A pressure that grows evenly pushes a body by as much as it displaces.
#[test]
fn a_linear_pressure_lifts_a_circle_by_the_cells_that_it_covers() {
    let b = 0.7;
    let errors = [16, 32, 64].map(|n| {
        let sets = ["body.ball={ circle = { centre = [0.52, 0.47], radius = 0.2 } }".to_string()];
        let case = case(&format!("grid.cells=[{n},{n},1]"), &sets);
        let velocity = field(&case, 3, |_, _| 0.0);
        let pressure = field(&case, 1, |_, [x, _, _]| b * x);
        let forces = Forces::of(&seen_with(&case, &velocity, &pressure));
        let force = forces.on(Surface::Body(0)).expect("a body");
        assert_eq!((&*force.name, force.force[1].abs() < 1e-14), ("ball", true));
        let exact = -b * PI * 0.04;
        let coefficient = force.coefficients.expect("of a body")[0];
        assert!((coefficient - force.force[0] / (0.5 * 0.4)).abs() < 1e-14);
        (force.force[0] / exact - 1.0).abs()
    });
    // The cells that it covers are as many as its area.
    assert!(errors[2] < 0.01, "{errors:?}");
}

/// A steady flow that is known: what a box of any width around a body says of the force on it.
#[test]
fn a_box_around_a_body_tells_the_force_on_it_to_second_order() {
    // A swirl G / (2 pi r) and a source-free stream U past it have the pressure of Bernoulli; whatever stands in the middle
    // is lifted by -rho U G: Kutta and Joukowski.
    let (stream, circulation) = (0.8, 1.7);
    let errors = [32, 64, 128].map(|n| {
        let sets = [
            "run.until=steady".to_string(),
            "body.ball={ circle = { centre = [0.52, 0.47], radius = 0.15 }, area = 2.0 }".into(),
        ];
        let case = case(&format!("grid.cells=[{n},{n},1]"), &sets);
        let flow = |[x, y, _]: [f64; 3]| {
            let [x, y] = [x - 0.52, y - 0.47];
            let turns = circulation / (2.0 * PI * (x * x + y * y));
            [stream - turns * y, turns * x, 0.0]
        };
        let velocity = field(&case, 3, |c, point| flow(point)[c]);
        let pressure = field(&case, 1, |_, point| {
            let [u, v, _] = flow(point);
            -0.5 * (u * u + v * v)
        });
        let forces = Forces::of(&seen_with(&case, &velocity, &pressure));
        let force = forces.on(Surface::Body(0)).expect("a body");
        let coefficients = force.coefficients.expect("of a body");
        assert!((coefficients[1] - force.force[1]).abs() < 1e-12);
        (force.force[1] + stream * circulation).abs() + force.force[0].abs()
    });
    orders("lift", &errors);
    // The box is not as wide on each grid.
    assert!((errors[0] / errors[2]).log2() > 2.0 * 1.8);
}

#[test]
fn a_body_in_stairs_feels_what_a_box_of_the_same_cells_feels() {
    let on = |solid: &str, surface| {
        let case = case("grid.cells=[16,16,1]", &[solid.to_string()]);
        // It diverges, so that the normal part of friction would be seen.
        let velocity = field(&case, 3, |c, [x, y, _]| [x * x - y, x + 3.0 * y * y, 0.0][c]);
        let pressure = field(&case, 1, |_, [x, y, _]| x * x - 2.0 * y);
        let forces = Forces::of(&seen_with(&case, &velocity, &pressure));
        let force = forces.on(surface).expect("a force");
        let ForceParts { pressure, viscous } = force.parts.expect("both");
        (pressure, viscous, force.torque)
    };
    let body = "body.a={ box = { low = [0.25, 0.375, 0.0], high = [0.5, 0.75, 0.125] }, walls = 'stairs' }";
    let solid = "solid=[{ low = [0.25, 0.375, 0.0], high = [0.5, 0.75, 0.125] }]";
    let [one, other] = [on(body, Surface::Body(0)), on(solid, Surface::Solid(0))];
    let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|c| (a[c] - b[c]).abs() < 1e-15);
    assert!(near(one.0, other.0) && near(one.1, other.1), "{one:?} {other:?}");
    assert!((one.2 - other.2).abs() < 1e-15);
}
