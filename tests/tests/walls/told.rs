//! Forces on walls and boxes as the methods tell them at any moment, from their own balances of momentum.

use std::f64::consts::TAU;

use vortice::registry::methods;
use vortice::{Forces, open_case};
use vortice_core::{Context, Side, Surface};

use super::Solved;
use super::balance::channel;
use super::friction::cavity;

/// On all surfaces together, in N.
fn sum(solved: &Solved) -> [f64; 3] {
    let forces = solved.forces.iter().map(|on| on.force);
    forces.fold([0.0; 3], |sum, one| std::array::from_fn(|d| sum[d] + one[d]))
}

/// On one of them, in N.
fn on(solved: &Solved, surface: Surface) -> [f64; 3] {
    let all = Surface::wetted(&solved.case);
    let number = all.iter().position(|one| *one == surface).expect("a surface");
    solved.forces[number].force
}

/// The corners of the box, where the flow is singular, are where what is told differs from what the fields have.
#[test]
fn walls_and_a_box_take_up_what_drives_a_channel_at_any_moment() {
    for (method, most) in methods().iter().zip([0.002, 0.05, 0.1]) {
        let solved = Solved::by(method, &channel(16), 1e-9);
        let force = 0.4 * (3.0 - 0.5 * 0.25);
        let off = sum(&solved)[0] / force - 1.0;
        let [told, after] = {
            let boxed = Surface::Solid(0);
            [on(&solved, boxed), Forces::of(&solved.flow()).on(boxed).expect("a box").force]
        };
        let apart = told[0] / after[0] - 1.0;
        println!("{}: sum off by {off:.1e}, box {told:.4?} and {after:.4?}", method.name);
        assert!(off.abs() < 1e-7, "{}: {off:e}", method.name);
        assert!(apart.abs() < most, "{}: {apart}", method.name);
    }
}

/// A lid drags as much as the other walls hold; its own drag is that of the flow behind. The links of a lattice that meet
/// lid and wall in a corner, where the drag is infinite, are the wall's.
#[test]
fn a_lid_drags_at_what_the_other_walls_hold() {
    for (method, most) in methods().iter().zip([1e-6, 1e-6, 0.28]) {
        let solved = Solved::by(method, &cavity(24, ""), 1e-9);
        let [x, y, _] = sum(&solved);
        let lid = Surface::Face(1, Side::High);
        let [told, after] =
            [on(&solved, lid)[0], Forces::of(&solved.flow()).on(lid).expect("a lid").force[0]];
        println!("{}: sum {x:.1e} {y:.1e}, lid {told:.5} and {after:.5}", method.name);
        assert!(told < -0.5 && x.abs().max(y.abs()) < 1e-7, "{}: {x:e} {y:e}", method.name);
        assert!((told / after - 1.0).abs() < most, "{}: {told} {after}", method.name);
    }
}

/// In space, with edges at which walls meet: of each wall of a square duct a quarter of the force.
#[test]
fn the_walls_of_a_duct_share_what_drives_it() {
    let text = "title = 'duct'\ngrid = { cells = [4, 10, 10], size = [0.4, 1.0, 1.0] }\n\
        fluid = { density = 2.0, viscosity = 0.1, force = [0.8, 0.0, 0.0] }\n\
        scale = { length = 1.0, velocity = 1.0 }\nrun = { until = 1e9, device = 'cpu' }\n[boundary]\n\
        x-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = 'wall'\n\
        z-low = 'wall'\nz-high = 'wall'\n[lbm]\nrelaxation-time = 0.8\n";
    for method in methods() {
        let solved = Solved::by(method, text, 1e-11);
        let all: Vec<f64> =
            solved.forces.iter().map(|on| on.force[0] / (0.8 * 2.0 * 0.4)).collect();
        println!("{}: {all:.9?} of the force", method.name);
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|share| (share - 0.25).abs() < 1e-8), "{}: {all:?}", method.name);
    }
}

/// A plate that swings by a formula, and the end of the box that moves with the flow: what drags at them is what Stokes'
/// second problem has, `mu du/dn`, as far as steps and cells resolve it.
#[test]
fn walls_that_swing_are_dragged_at_as_stokes_has_it() {
    for (method, most) in methods().iter().zip([0.01, 0.01, 0.01]) {
        let case = open_case("stokes-second", &[]).expect("a case");
        let context = Context { threads: 1, ..Context::alone() };
        let mut solver = (method.build)(&case, &context).expect("a solver");
        let walls = Surface::wetted(&case);
        let plate = walls.iter().position(|one| *one == Surface::Face(1, Side::Low));
        let end = walls.iter().position(|one| *one == Surface::Face(1, Side::High));
        let [plate, end] = [plate, end].map(|wall| wall.expect("its velocity changes"));
        let (unit, mut time, mut worst) = (4.0 * case.viscosity * 0.125, 0.0, [0.0_f64; 2]);
        while time < 0.99 {
            let step = solver.step(1.0).expect("a step");
            time = step.time;
            // A lattice tells what was handed over between two moments.
            let phase = TAU * if method.name == "lbm" { time - 0.5 * step.dt } else { time };
            let slope = |phase: f64| phase.sin() - phase.cos();
            let exact = [slope(phase), -(-4.0_f64).exp() * slope(phase - 4.0)];
            let forces = solver.forces().expect("forces");
            for (n, number) in [plate, end].into_iter().enumerate() {
                let off = forces[number].force[0] / unit - exact[n];
                if time > 0.1 {
                    worst[n] = worst[n].max(off.abs() / 2.0_f64.sqrt());
                }
            }
        }
        println!("{}: off by {worst:?} of the plate's largest force", method.name);
        assert!(worst.iter().all(|off| *off < most), "{}: {worst:?}", method.name);
    }
}
