//! What must hold whatever the flow: rest, uniform flow, conservation, rotation, the order of
//! nothing.

use crate::common::{Flow, alone, build};
use crate::same_drag;
use vortice_core::{Case, Field, Quantity};

fn text(cells: [usize; 3], faces: [&str; 6], more: &str) -> Case {
    let size = cells.map(|n| n as f64 / 16.0);
    let text = format!(
        "title = 'box'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n\
         fluid = {{ density = 2.0, viscosity = 0.01 }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\nrun = {{ until = 1e9, device = 'cpu' }}\n\
         {more}\n[boundary]\nx-low = {}\nx-high = {}\ny-low = {}\ny-high = {}\nz-low = {}\n\
         z-high = {}\n",
        faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]
    );
    Case::parse(&text, "box").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

fn after(case: &Case, steps: usize) -> [Field; 2] {
    let mut solver = build(case, &alone());
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    [Quantity::Velocity, Quantity::Pressure].map(|q| solver.field(q).expect("a field"))
}

fn lbm(table: &str) -> String {
    format!("[lbm]\n{table}\n")
}

const COLLISIONS: [&str; 4] = ["srt", "trt", "mrt", "regularised"];
const WALL: &str = "'wall'";
const PERIODIC: &str = "'periodic'";

#[test]
fn rest_stays_at_rest() {
    let case = text([9, 8, 7], [WALL, WALL, WALL, WALL, "'symmetry'", WALL], "");
    let [velocity, pressure] = after(&case, 20);
    assert!(velocity.values.iter().all(|&u| u == 0.0));
    assert!(pressure.values.iter().all(|&p| p == 0.0));
}

#[test]
fn uniform_flow_is_preserved() {
    for collision in COLLISIONS {
        let more = format!(
            "initial = {{ velocity = [0.7, -0.4, 0.2] }}\n{}",
            lbm(&format!("collision = '{collision}'"))
        );
        let case = text([8, 6, 5], [PERIODIC; 6], &more);
        let [velocity, pressure] = after(&case, 50);
        for (c, exact) in [0.7, -0.4, 0.2].into_iter().enumerate() {
            let worst = velocity.component(c).iter().map(|u| (u - exact).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-12, "{collision}: velocity {c} is off by {worst:e}");
        }
        let worst = pressure.values.iter().map(|p| p.abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "{collision}: pressure {worst:e}");
    }
}

/// Mass and, without walls, momentum; for each lattice and collision.
#[test]
fn mass_and_momentum_are_conserved() {
    for (lattice, nz) in [("d2q9", 1), ("d3q15", 6), ("d3q19", 6), ("d3q27", 6)] {
        for collision in COLLISIONS {
            let table = format!("lattice = '{lattice}'\ncollision = '{collision}'");
            let flow = "initial = { flow = 'taylor-green' }\n";
            let case = text([16, 16, nz], [PERIODIC; 6], &format!("{flow}{}", lbm(&table)));
            let mut solver = build(&case, &alone());
            let sums = |solver: &mut dyn vortice_core::Solver| {
                let velocity = solver.field(Quantity::Velocity).expect("a field");
                let pressure = solver.field(Quantity::Pressure).expect("a field");
                // Momentum is velocity, (L5); density is one plus pressure over its unit.
                let unit = 2.0 * (1.0 / 16.0 / solver.now().dt).powi(2) / 3.0;
                let rho = |i: usize| 1.0 + pressure.values[i] / unit;
                let cells = pressure.values.len();
                let momentum =
                    [0, 1].map(|c: usize| -> f64 { velocity.component(c).iter().sum::<f64>() });
                let mass: f64 = (0..cells).map(rho).sum();
                [mass / cells as f64, momentum[0] / cells as f64, momentum[1] / cells as f64]
            };
            let before = sums(&mut *solver);
            for _ in 0..100 {
                solver.step(f64::INFINITY).expect("a step");
            }
            let now = sums(&mut *solver);
            for (before, now) in before.into_iter().zip(now) {
                assert!((before - now).abs() < 1e-13, "{table}: {before} became {now}");
            }
        }
    }
}

/// A drum with a cylinder that turns in it, off its middle: both at their exact place.
#[test]
fn a_closed_box_with_bodies_keeps_its_mass() {
    let bodies = "[body]\ndrum = { circle = { centre = [0.63, 0.62], radius = 0.55 }, hollow = true }\n\
                  inner = { circle = { centre = [0.7, 0.66], radius = 0.21 }, rotation = 4.5 }\n";
    let case = text([20, 20, 1], [WALL, WALL, WALL, WALL, PERIODIC, PERIODIC], bodies);
    let mut solver = build(&case, &alone());
    for _ in 0..100_000 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let findings = solver.findings().expect("findings");
    let (_, drift) = findings.iter().find(|(name, _)| name == "mass drift").expect("it is told");
    println!("mass drift after 100,000 steps: {drift:e}");
    assert!(drift.abs() < 1e-11, "{drift:e}");
}

/// The cavity with its lid at y-high moving in x, and the same lying on its side: lid at x-low
/// moving in y. A quarter turn takes (u, v) at (x, y) to (-v, u).
#[test]
fn a_rotated_cavity_gives_the_rotated_flow() {
    let n = 12;
    let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
    let turned = "{ wall = { velocity = [0.0, 1.0, 0.0] } }";
    let flat = [PERIODIC, PERIODIC];
    let upright = text([n, n, 1], [WALL, WALL, WALL, lid, flat[0], flat[1]], "");
    let lying = text([n, n, 1], [turned, WALL, WALL, WALL, flat[0], flat[1]], "");
    let [one, _] = after(&upright, 200);
    let [other, _] = after(&lying, 200);
    let mut worst = 0.0_f64;
    for cell in one.own_cells() {
        let [i, j, k] = cell;
        let there = [n as isize - 1 - j, i, k];
        worst = worst.max((other.at(1, there) - one.at(0, cell)).abs());
        worst = worst.max((other.at(0, there) + one.at(1, cell)).abs());
    }
    println!("a quarter turn differs by {worst:e}");
    assert!(worst < 1e-13);
}

/// Only what changes in time is compressible; eq. (L4).
#[test]
fn a_steady_flow_does_not_depend_on_the_mach_number() {
    let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
    let faces = [WALL, WALL, WALL, lid, PERIODIC, PERIODIC];
    let [one, other] = [0.1, 0.2].map(|mach| {
        let case = text([8, 8, 1], faces, &lbm(&format!("mach = {mach}")));
        let mut solver = build(&case, &alone());
        while solver.now().time < 30.0 {
            solver.step(f64::INFINITY).expect("a step");
        }
        solver.field(Quantity::Velocity).expect("a field")
    });
    let worst = one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs());
    let worst = worst.fold(0.0, f64::max);
    println!("Mach 0.1 and 0.2 differ by {worst:e}");
    assert!(worst < 1e-9);
}

/// Two planes of the same flow in space are the same, and equal the plane flow.
#[test]
fn a_flow_that_is_plane_stays_plane_in_space() {
    let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
    let faces = [WALL, WALL, WALL, lid, PERIODIC, PERIODIC];
    let [plane, _] = after(&text([13, 11, 1], faces, ""), 60);
    let [space, _] = after(&text([13, 11, 4], faces, ""), 60);
    for cell in plane.own_cells() {
        for k in 0..4 {
            let there = [cell[0], cell[1], k];
            assert_eq!(plane.at(0, cell).to_bits(), space.at(0, there).to_bits());
            assert_eq!(plane.at(1, cell).to_bits(), space.at(1, there).to_bits());
        }
    }
}

/// D2Q9 is what D3Q19 becomes when nothing varies in z: the same flow to the truncation of rounding.
#[test]
fn d2q9_equals_d3q19_in_the_plane() {
    let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
    let faces = [WALL, WALL, WALL, lid, PERIODIC, PERIODIC];
    for collision in ["srt", "trt"] {
        let case = |lattice: &str| {
            let table = format!("lattice = '{lattice}'\ncollision = '{collision}'");
            text([14, 12, 1], faces, &lbm(&table))
        };
        let [one, _] = after(&case("d2q9"), 300);
        let [other, _] = after(&case("d3q19"), 300);
        let worst = one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs());
        let worst = worst.fold(0.0, f64::max);
        println!("{collision}: D2Q9 and D3Q19 differ by {worst:e}");
        assert!(worst < 1e-13);
    }
}

/// A pulse of pressure that runs along a channel leaves it through the outlet: what is left of it
/// then, as a share, would be one for a fixed pressure and for a wall.
#[test]
fn an_outlet_reflects_little() {
    let inflow = "{ inflow = { velocity = [0.2, 0.0, 0.0] } }";
    let faces = [inflow, "'outflow'", "'symmetry'", "'symmetry'", PERIODIC, PERIODIC];
    // Starting at rest, the inflow sends a front of pressure rho c u through the box.
    let case = text([128, 4, 1], faces, "");
    let mut solver = build(&case, &alone());
    let mach_one = 1.0 / 16.0 / solver.now().dt / 3.0_f64.sqrt();
    let front = 2.0 * mach_one * 0.2;
    let steps = |cells: f64| (cells * 3.0_f64.sqrt()) as usize;
    let (out, back) = (steps(120.0), steps(120.0 + 100.0));
    let middle = |solver: &mut dyn vortice_core::Solver| {
        solver.field(Quantity::Pressure).expect("a field").at(0, [64, 1, 0])
    };
    for _ in 0..out {
        solver.step(f64::INFINITY).expect("a step");
    }
    let passed = middle(&mut *solver);
    assert!((passed / front - 1.0).abs() < 0.05, "the front is {passed}, not {front}");
    for _ in out..back {
        solver.step(f64::INFINITY).expect("a step");
    }
    // A wall would have doubled the pressure, a fixed pressure taken it away.
    let change = (middle(&mut *solver) - passed) / front;
    println!("the outlet sends back {:.1} % of a front of pressure", 100.0 * change.abs());
    assert!(change.abs() < 0.15);
}

#[test]
fn flows_of_the_tests_are_not_at_rest() {
    for flow in Flow::all() {
        let [velocity, _] = after(&flow.case(), 12);
        let most = velocity.values.iter().map(|u| u.abs()).fold(0.0, f64::max);
        assert!(most > 1e-3 && most.is_finite(), "{}: {most}", flow.name);
    }
}

#[test]
fn a_ball_of_triangles_feels_the_drag_of_a_sphere() {
    same_drag::expect_same_drag(|case| {
        let mut solver = build(case, &alone());
        while solver.now().time < 0.4 {
            solver.step(f64::INFINITY).expect("a step");
        }
        solver.forces().expect("forces")[0].force[0]
    });
}
