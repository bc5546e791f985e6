//! Where a flow behind a step separates and reattaches.

use vortice::Separation;
use vortice::registry::methods;

use super::{Solved, order};

/// A channel that doubles its height, with a parabola in its upper half, at Re = U H / nu = 40.
fn step(n: usize) -> String {
    let (h, long) = (1.0 / n as f64, 4 * n);
    let mach = 0.8 / n as f64;
    format!(
        "title = 'step'\ngrid = {{ cells = [{long}, {n}, 1], size = [4.0, 1.0, {h}] }}\n\
         fluid = {{ viscosity = 0.025 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ until = 1e9, device = 'cpu' }}\ninitial = {{ velocity = [0.5, 0.0, 0.0] }}\n\
         [boundary]\nx-high = 'outflow'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\n\
         z-high = 'periodic'\n[boundary.x-low.inflow]\nvelocity = [1.0, 0.0, 0.0]\n\
         profile = {{ parabolic = {{ along = 'y', from = 0.5, to = 1.0 }} }}\n\
         [fdm]\ngamma = 0.0\n[fvm]\nconvection = 'central'\n[lbm]\nlattice = 'd2q9'\nmach = {mach}\n"
    )
}

#[test]
fn the_length_behind_a_step_is_second_order() {
    let mut limits = Vec::new();
    for method in methods() {
        let lengths = [8, 16, 32].map(|n| {
            let solved = Solved::by(method, &step(n), 1e-5);
            Separation::of(&solved.flow()).reattachment.expect("a bubble")
        });
        let (order, limit) = order(method.name, lengths);
        limits.push((method.name, order, limit));
    }
    let [.., (_, _, first)] = limits[..] else { panic!() };
    for (name, order, limit) in &limits {
        assert!((1.6..2.5).contains(order), "{name}: {order}");
        assert!((limit / first - 1.0).abs() < 0.002, "{limits:?}");
    }
}
