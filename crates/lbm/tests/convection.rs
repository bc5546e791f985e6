//! Where a fluid that is warm below begins to move.

use crate::common::{alone, build};
use vortice_core::{Case, Quantity};

/// The rate at which a small roll between two plates of rest grows at a Rayleigh number, with `alpha` and the height one. The
/// wavelength is twice the height, which is nearly that of the roll that grows first.
fn growth(rayleigh: f64) -> f64 {
    let text = format!(
        "title = \"plates\"\ngrid = {{ cells = [32, 16, 1], size = [2.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\nscale = {{ length = 1.0 }}\n\
         heat = {{ prandtl = 0.71, expansion = 1.0, gravity = [0.0, -{}, 0.0] }}\n\
         initial = {{ temperature = \"0.5 - y + 1e-3*cos(pi*x)*sin(pi*y)\" }}\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\n\
         y-low = {{ wall = {{ temperature = 0.5 }} }}\ny-high = {{ wall = {{ temperature = -0.5 }} }}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n[run]\nmethod = \"lbm\"\nuntil = 1e9\n",
        0.71 * rayleigh
    );
    let case = Case::parse(&text, "plates").unwrap_or_else(|error| panic!("{text}\n{error}"));
    let mut solver = build(&case, &alone());
    let mut energy_at = |time: f64| {
        while solver.now().time < time {
            solver.step(f64::INFINITY).expect("a step");
        }
        let velocity = solver.field(Quantity::Velocity).expect("a velocity");
        let squares: f64 = velocity.values.iter().map(|u| u * u).sum();
        (solver.now().time, squares)
    };
    let [(from, before), (to, after)] = [1.0, 2.0].map(&mut energy_at);
    0.5 * (after / before).ln() / (to - from)
}

#[test]
fn convection_sets_in_at_the_critical_rayleigh_number() {
    // 1707.762 for the wave number 3.117 (W. H. Reid, D. L. Harris: Phys. Fluids 1 (1958) 102), 1707.9 for pi.
    let critical = 1707.9;
    let [below, above] = [0.99, 1.01].map(|share| (share * critical, growth(share * critical)));
    let found = below.0 - below.1 * (above.0 - below.0) / (above.1 - below.1);
    println!("growth {:.4} and {:.4}: critical at {found:.1}", below.1, above.1);
    assert!(below.1 < 0.0 && above.1 > 0.0);
    // On 65 x 32 cells it is 1708.2.
    assert!((found / critical - 1.0).abs() < 0.003, "{found}");
}
