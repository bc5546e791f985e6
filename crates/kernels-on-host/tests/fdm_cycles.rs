//! Cycles over coarser grids by finite differences have the bits of the processor.

use crate::fdm_agrees::{
    PLACES, after, alone, build, expect_same, expect_same_steps, on_ranks, plain, replace,
};
use crate::fdm_flows::{backwards, by_cycles, cavity, step, taylor_green};
use kernels_on_host::Order;
use vortice_core::Device;

/// Cycles on two grids and on three, alone, over a pause, and on ranks of which every second is a device.
#[test]
fn cycles_have_the_bits_of_the_processor() {
    let f32s = "precision = \"f32\"\n";
    for (number, (name, text, layout)) in [
        ("cavity", cavity([64, 64, 1], 400.0, "[fdm]\nanderson = 3\n"), Some([2, 2, 1])),
        ("step, f32", step([128, 32, 1], f32s), None),
        ("outlet on the low side", backwards([32, 32, 1], ""), Some([2, 1, 1])),
        ("vortices", taylor_green(32, 0.1, "[fdm]\ngamma = 1.0\n"), None),
        ("step in space, f32", step([32, 32, 32], f32s), None),
    ]
    .into_iter()
    .enumerate()
    {
        replace(Order::Shuffled(number as u64));
        let case = plain(&by_cycles(&text));
        let on = |device| build(&case, device, &alone()).expect("a solver");
        let (mut on_cpu, mut on_gpu) = (on(Device::Cpu), on(Device::Cuda(0)));
        let cycles = if case.grid.is_plane() { 3 } else { 1 };
        expect_same_steps(name, &mut *on_cpu, &mut *on_gpu, cycles);
        let mut again = on(Device::Cuda(0));
        again.restore(&on_gpu.state().expect("a state")).expect("the same case");
        expect_same(name, &after(&mut *on_gpu, 1), &after(&mut *again, 1));
        let Some(layout) = layout else { continue };
        let [expected, found] =
            [|_| Device::Cpu, PLACES[1].1].map(|device| on_ranks(&case, layout, device));
        for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
            expect_same(&format!("{name} on {layout:?}, rank {rank}"), one, other);
        }
    }
}
