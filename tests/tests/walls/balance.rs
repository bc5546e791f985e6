//! The momentum of a channel with a box in it.

use vortice::Forces;
use vortice::registry::methods;
use vortice_core::WallSlope;

use super::Solved;

/// A periodic channel with a box on its floor, `n` cells high.
pub(crate) fn channel(n: usize) -> String {
    let (h, long) = (1.0 / n as f64, 3 * n);
    let mach = 1.6 / n as f64;
    format!(
        "title = 'channel'\ngrid = {{ cells = [{long}, {n}, 1], size = [3.0, 1.0, {h}] }}\n\
         fluid = {{ viscosity = 0.05, force = [0.4, 0.0, 0.0] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\nrun = {{ until = 1e9, device = 'cpu' }}\n\
         solid = [{{ low = [1.0, 0.0, 0.0], high = [1.5, 0.25, {h}] }}]\n[boundary]\n\
         x-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = 'wall'\n\
         z-low = 'periodic'\nz-high = 'periodic'\n[fdm]\ngamma = 0.0\n\
         [lbm]\nlattice = 'd2q9'\nmach = {mach}\n"
    )
}

/// Walls and box take up exactly the force that drives the channel: on a lattice it is the sum of what
/// populations exchange with them. What is missing belongs to the corners of the box, where the flow is
/// singular. Friction by a parabola through wall and cells misses more.
#[test]
fn walls_and_a_box_take_up_the_force_that_drives_a_channel() {
    for (method, most) in methods().iter().zip([1.5e-3, 0.0114, 0.021]) {
        let [coarse, fine] = [16, 32].map(|n| {
            let solved = Solved::by(method, &channel(n), 1e-7);
            let force = 0.4 * (3.0 - 0.5 * 0.25);
            let off = |flow| Forces::of(&flow).total()[0] / force - 1.0;
            let mut exact = solved.flow();
            exact.wall_slope = WallSlope::EXACT;
            [off(solved.flow()), off(exact)]
        });
        let name = method.name;
        println!("{name}: off by {coarse:?} and {fine:?}, the latter by parabolas");
        assert!(fine[0].abs() < most, "{name}: {fine:?}");
        assert!(name == "lbm" || fine[0].abs() < fine[1].abs(), "{name}: {fine:?}");
    }
}
