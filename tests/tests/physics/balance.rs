//! What enters leaves: the mass balance of all methods, of profiles in the plane and in space.

use vortice::prelude::*;
use vortice::{MassBalance, Ran};
use vortice_core::{Context, Every, Finite};

/// A channel or duct between walls.
fn channel(method: &str, cells: [usize; 3], profile: &str) -> Case {
    let size = cells.map(|n| n as f64 / cells[1] as f64);
    let side = if cells[2] == 1 { "'periodic'" } else { "'wall'" };
    let text = format!(
        "title = 'channel'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n\
         fluid = {{ viscosity = 0.1 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         initial = {{ velocity = [1.0, 0.0, 0.0] }}\n\
         run = {{ method = '{method}', until = 'steady', steady = 1e-6, device = 'cpu' }}\n\
         [boundary]\nx-high = 'outflow'\ny-low = 'wall'\ny-high = 'wall'\nz-low = {side}\n\
         z-high = {side}\nx-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0]{profile} }} }}\n"
    );
    Case::parse(&text, "channel").unwrap_or_else(|error| panic!("{text}{error}"))
}

#[test]
fn what_enters_leaves_by_all_methods() {
    let parabola = ", profile = { parabolic = { along = 'y', from = 0.0, to = 1.0 } }";
    for method in ["fdm", "fvm", "lbm"] {
        for (cells, profile) in [
            ([40, 10, 1], ""),
            ([40, 10, 1], parabola),
            ([80, 20, 1], ""),
            ([24, 8, 8], ""),
            ([24, 8, 8], parabola),
        ] {
            let case = channel(method, cells, profile);
            let ran = Ran::of(case, &Context::alone(), |simulation, _| {
                Ok(simulation.watch(Every::Steps(100), Finite::new("this is a test")))
            });
            let ran = ran.unwrap_or_else(|error| panic!("{method} {cells:?}: {error}"));
            let balance = MassBalance::of(&ran.flow());
            println!(
                "{method} {cells:?}{profile}: {:.1e}, {}",
                balance.imbalance, ran.outcome.reason
            );
            assert!(ran.outcome.converged, "{method} {cells:?}: {}", ran.outcome.reason);
            assert!(balance.imbalance.abs() < 1e-5, "{method} {cells:?}{profile}: {balance:?}");
            assert_eq!(balance.warning(), None);
        }
    }
}
