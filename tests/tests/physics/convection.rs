//! Where a fluid that is warm below begins to move. That of `lbm` is judged beside its method.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice::registry;
use vortice_core::{Case, Context, Quantity};

/// 1707.762 for the wave number 3.117 (W. H. Reid, D. L. Harris: Phys. Fluids 1 (1958) 102), and this for pi.
const CRITICAL: f64 = 1707.92;

/// The rate at which a small roll between two plates of rest grows at a Rayleigh number, with `alpha` and the height one. The
/// wavelength is twice the height, which is nearly that of the roll that grows first.
fn growth(method: &str, n: usize, rayleigh: f64) -> f64 {
    let text = format!(
        "title = 'plates'\ngrid = {{ cells = [{}, {n}, 1], size = [2.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\nscale = {{ length = 1.0 }}\n\
         heat = {{ prandtl = 0.71, expansion = 1.0, gravity = [0.0, -{}, 0.0] }}\n\
         initial = {{ temperature = '0.5 - y + 1e-3*cos(pi*x)*sin(pi*y)' }}\n\
         run = {{ method = '{method}', until = 1.0, device = 'cpu' }}\n[boundary]\n\
         x-low = 'periodic'\nx-high = 'periodic'\n\
         y-low = {{ wall = {{ temperature = 0.5 }} }}\ny-high = {{ wall = {{ temperature = -0.5 }} }}\n\
         z-low = 'periodic'\nz-high = 'periodic'\n\
         [fdm]\nscalar-convection = 'central'\n\
         [fvm]\nscalar-convection = 'central'\nconvection = 'central'\ndt = 0.01\n",
        2 * n,
        0.71 * rayleigh
    );
    let case = Case::parse(&text, "plates").unwrap_or_else(|error| panic!("{text}\n{error}"));
    let method = registry::method(method).expect("a method");
    let context = Context { threads: 1, ..Context::alone() };
    let mut solver = (method.build)(&case, &context).expect("a solver");
    let mut energy_at = |time: f64| {
        while solver.now().time < (1.0 - 1e-9) * time {
            solver.step(time).expect("a step");
        }
        let velocity = solver.field(Quantity::Velocity).expect("a velocity");
        let squares: f64 = velocity.values.iter().map(|u| u * u).sum();
        (solver.now().time, squares)
    };
    let [(from, before), (to, after)] = [0.5, 1.0].map(&mut energy_at);
    0.5 * (after / before).ln() / (to - from)
}

/// Where nothing grows or decays, between rates at two Rayleigh numbers.
fn critical(method: &str, n: usize) -> f64 {
    let [low, high] =
        [0.98, 1.01].map(|share| (share * CRITICAL, growth(method, n, share * CRITICAL)));
    assert!(low.1 < high.1, "{method} on {n}: {low:?} {high:?}");
    low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1)
}

#[test]
fn convection_sets_in_at_the_critical_rayleigh_number() {
    for (name, on_sixteen) in [("fdm", 0.021), ("fvm", 0.008)] {
        let [coarse, fine] = [8, 16].map(|n| critical(name, n));
        let limit = fine + (fine - coarse) / 3.0;
        println!(
            "{name}: critical at {coarse:.1} and {fine:.1} on 8 and 16 cells, limit {limit:.1}"
        );
        assert!((fine / CRITICAL - 1.0).abs() < on_sixteen, "{fine}");
        assert!((limit / CRITICAL - 1.0).abs() < 0.005, "{limit}");
    }
}
