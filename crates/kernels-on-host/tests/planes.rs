//! What is fetched of a device for a plane of its flow.

use std::sync::{Arc, Mutex};

use kernels_on_host::Host;
use vortice_core::{Case, Device, Extent, Quantity, Simulation};
use vortice_gpu::{Gpu, replace_devices};

const CASE: &str = "title = 'cube'\ngrid = { cells = [16, 24, 20], size = [1.0, 1.5, 1.25] }\n\
    fluid = { viscosity = 0.02 }\nscale = { length = 1.0, velocity = 1.0 }\n\
    run = { method = 'lbm', precision = 'f32', until = 1.0 }\n[boundary]\nx-low = 'wall'\n\
    x-high = 'wall'\ny-low = 'wall'\ny-high = { wall = { velocity = [1.0, 0.0, 0.0] } }\n\
    z-low = 'wall'\nz-high = 'wall'\n";

#[test]
fn of_a_plane_only_its_layers_and_those_beside_them_are_fetched() {
    let hosts = Arc::new(Mutex::new(Vec::<Arc<Host>>::new()));
    let made = hosts.clone();
    replace_devices(move |_| {
        let host = Arc::new(Host::new());
        made.lock().expect("one thread").push(host.clone());
        Ok(Gpu::with(host))
    });
    let case = Case::parse(CASE, "cube").expect("a case").device(Device::Cuda(0));
    let context = vortice_core::Context { threads: 1, ..vortice_core::Context::alone() };
    let mut simulation =
        Simulation::with_method(&vortice_lbm::METHOD, &case, &context).expect("a simulation");
    for _ in 0..2 {
        simulation.step().expect("a step");
    }
    let all = [Quantity::Velocity, Quantity::Pressure, Quantity::Vorticity];
    let host = hosts.lock().expect("one thread").last().expect("a device").clone();
    for (direction, cells) in [16_u64, 24, 20].into_iter().enumerate() {
        let mut plane = Extent::whole([16, 24, 20]);
        plane.cells[direction] = 7..8;
        let mut now = simulation.now();
        let launched = || host.launches().get("flow_of_cells").copied().unwrap_or(0);
        let (bytes, launches) = (host.downloaded(), launched());
        let found = now.quantities_in(&[Some(plane)], &all).expect("a plane");
        assert_eq!(found.map(|windows| windows.len()), Some(3));
        let (bytes, launches) = (host.downloaded() - bytes, launched() - launches);
        // Density and velocity of each cell, in four bytes each, once for the velocity and once for the pressure; of a row
        // along x all of it.
        let layer = 16 * 4 * 16 * 24 * 20 / cells;
        let layers = if direction == 0 { [16, 16] } else { [5, 5] };
        assert!(
            bytes <= layer * (layers[0] + layers[1]),
            "{direction}: {bytes} of a layer of {layer}"
        );
        assert!(launches <= 2, "{direction}: {launches} launches");
    }
}
