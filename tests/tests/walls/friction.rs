//! Friction of flows between walls: plain ones, where it is known, and the cavity's, by its order.

use vortice::registry::{method, methods};
use vortice::{Forces, wall_shear};
use vortice_core::{Side, StateReader, Surface, Values};

use super::turns::in_turn;
use super::{Solved, order};

const LOW: Surface = Surface::Face(1, Side::Low);
const HIGH: Surface = Surface::Face(1, Side::High);

/// A channel between walls in y, one high, and 4 cells long.
fn channel(n: usize, length: f64, force: f64, lid: &str, tables: &str) -> String {
    format!(
        "title = 'channel'\ngrid = {{ cells = [4, {n}, 1], size = [{length}, 1.0, 1.0] }}\n\
         fluid = {{ density = 2.0, viscosity = 0.1, force = [{force}, 0.0, 0.0] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\nrun = {{ until = 1e9, device = 'cpu' }}\n\
         [boundary]\nx-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = {lid}\n\
         z-low = 'periodic'\nz-high = 'periodic'\n{tables}\n"
    )
}

/// Friction on both walls as a share of the force that drives the channel, less one.
fn poiseuille(name: &str, n: usize, length: f64, tables: &str) -> f64 {
    let text = channel(n, length, 0.8, "'wall'", tables);
    let solved = Solved::by(method(name).expect("a method"), &text, 1e-13);
    let forces = Forces::of(&solved.flow());
    let drag: f64 =
        [LOW, HIGH].iter().map(|wall| forces.on(*wall).unwrap().parts.unwrap().viscous[0]).sum();
    drag / (2.0 * 0.8 * length) - 1.0
}

#[test]
fn friction_of_poiseuille_flow_is_the_force_that_drives_it() {
    for method in methods() {
        let off = poiseuille(method.name, 24, 4.0 / 24.0, "[lbm]\nrelaxation-time = 0.8\n");
        println!("{}: friction off by {off:.1e}", method.name);
        assert!(off.abs() < 1e-11, "{}: {off:e}", method.name);
    }
}

/// The slope that bounce-back implies holds for every collision, lattice and relaxation time, and for
/// cells of the case that are cut into several of the lattice. On D3Q27 the
/// friction of MRT depends on more than one moment.
#[test]
fn friction_of_poiseuille_flow_on_lattices_is_the_force_that_drives_it() {
    let tables = [
        ("collision = 'srt'", 1e-11),
        ("collision = 'trt'", 1e-11),
        ("collision = 'trt'\nlambda = 0.25", 1e-11),
        ("collision = 'regularised'", 1e-11),
        ("collision = 'mrt'", 1e-11),
        ("collision = 'mrt'\nlattice = 'd3q15'", 1e-11),
        ("collision = 'mrt'\nlattice = 'd3q19'", 1e-11),
        ("collision = 'mrt'\nlattice = 'd3q27'", 0.011),
        ("collision = 'mrt'\nlattice = 'd3q19'\nrates = { odd = 0.7, flux = 1.7 }", 1e-11),
    ];
    let mut worst = Vec::new();
    for (turn, (table, tolerance)) in tables.into_iter().enumerate() {
        let plane = if table.contains("lattice") { "" } else { "lattice = 'd2q9'" };
        // Cells as long as high, and three times as high as long.
        let all = vec![(0.6, 0.5), (0.6, 1.0 / 6.0), (0.55, 1.0 / 6.0)];
        for (tau, length) in in_turn(all, turn, 3) {
            let text = format!("[lbm]\n{table}\n{plane}\nrelaxation-time = {tau}\n");
            let off = poiseuille("lbm", 8, length, &text);
            println!("{table:?}, tau {tau}, length {length:.2}: off by {off:.1e}");
            worst.push((off.abs() / tolerance, table, tau));
        }
    }
    assert!(worst.iter().all(|(share, ..)| *share < 1.0), "{worst:?}");
}

#[test]
fn friction_of_couette_flow_is_exact_under_a_moving_lid() {
    let lid = "{ wall = { velocity = [3.0, 0.0, 0.0] } }";
    for method in methods() {
        let solved = Solved::by(method, &channel(8, 0.5, 0.0, lid, ""), 1e-13);
        let forces = Forces::of(&solved.flow());
        let drag = 2.0 * 0.1 * 3.0 * 0.5;
        let [low, high] =
            [LOW, HIGH].map(|wall| forces.on(wall).unwrap().parts.unwrap().viscous[0] / drag);
        println!("{}: {:.1e} {:.1e}", method.name, low - 1.0, high + 1.0);
        assert!((low - 1.0).abs() < 1e-9 && (high + 1.0).abs() < 1e-9, "{}", method.name);
    }
}

/// A cavity at Re = 10.
pub(crate) fn cavity(n: usize, lbm: &str) -> String {
    let mach = 0.6 / n as f64;
    format!(
        "title = 'cavity'\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.1 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ until = 1e9, device = 'cpu' }}\n[boundary]\nx-low = 'wall'\n\
         x-high = 'wall'\ny-low = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\n\
         [fdm]\ngamma = 0.0\n[fvm]\nconvection = 'central'\n\
         [lbm]\nlattice = 'd2q9'\nmach = {mach}\n{lbm}\n"
    )
}

/// Friction in N/m on the middle half of the floor, far from the corners of the lid.
fn on_floor(solved: &Solved, n: usize) -> f64 {
    let shear = wall_shear(&solved.flow(), Side::Low);
    shear[n / 4..3 * n / 4].iter().map(|(_, tau)| tau / n as f64).sum()
}

#[test]
fn friction_on_the_floor_of_a_cavity_is_second_order() {
    let mut limits = Vec::new();
    for method in methods() {
        let friction = [12, 24, 48].map(|n| {
            let solved = Solved::by(method, &cavity(n, ""), 1e-7);
            1e3 * on_floor(&solved, n)
        });
        let (order, limit) = order(&format!("{} floor (1e-3 N/m)", method.name), friction);
        limits.push((method.name, order, limit));
    }
    let [.., (_, _, last)] = limits[..] else { panic!() };
    for (name, order, limit) in &limits {
        assert!((1.5..2.5).contains(order), "{name}: {order}");
        assert!((limit / last - 1.0).abs() < 2e-3, "{limits:?}");
    }
}

/// The same from what populations exchange with the wall in a step: those that leave along (1, -1) and
/// (-1, -1) meet it between two cells, and come back as 8 and 5.
fn exchanged(solved: &Solved, n: usize) -> f64 {
    let Values::F64(populations) = &solved.state.fields["populations"] else { panic!() };
    let speed = 1.0 / n as f64 / solved.state.number("dt").expect("a time step");
    let (first, last) = (n / 4, 3 * n / 4);
    let between = (first..=last).map(|i| {
        let g = |q: usize, i: usize| populations.at(q, [i as isize, 0, 0]);
        let weight = if i == first || i == last { 0.5 } else { 1.0 };
        weight * 2.0 * (g(8, i - 1) - g(5, i))
    });
    between.sum::<f64>() * speed * speed / n as f64
}

#[test]
fn friction_on_a_lattice_is_what_its_populations_exchange_with_a_wall() {
    let [coarse, fine] = [12, 24].map(|n| {
        let solved = Solved::by(method("lbm").expect("a method"), &cavity(n, ""), 1e-7);
        on_floor(&solved, n) / exchanged(&solved, n) - 1.0
    });
    let order = (coarse / fine).abs().log2();
    println!("off by {coarse:.1e} and {fine:.1e}, order {order:.2}");
    assert!(order > 1.3 && fine.abs() < 3e-3);
}
