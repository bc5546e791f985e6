//! Cycles over coarser grids by finite differences have the bits of the processor.

use crate::fdm_agrees::{
    PLACES, after, alone, build, expect_same, expect_same_steps, on_ranks, plain, replace,
};
use crate::fdm_flows::{backwards, by_cycles, cavity, step, taylor_green};
use kernels_on_host::Order;
use vortice_core::Device;

/// Cycles on two grids and on three, alone, over a pause, and on ranks that are devices or of which every second is one. Slow flows are mixed by
/// then.
#[test]
fn cycles_have_the_bits_of_the_processor() {
    let f32s = "precision = \"f32\"\n";
    for (number, (name, text, cycles, layout)) in [
        ("cavity", cavity([32, 32, 1], 1.0, "[fdm]\nanderson = 2\n"), 4, Some([2, 1, 1])),
        (
            "slow step, f32",
            step([64, 32, 1], f32s).replace("viscosity = 0.01", "viscosity = 1.0"),
            4,
            None,
        ),
        ("three grids", cavity([64, 64, 1], 400.0, ""), 1, None),
        ("outlet on the low side", backwards([32, 32, 1], ""), 2, Some([2, 1, 1])),
        ("vortices", taylor_green(32, 0.1, "[fdm]\ngamma = 1.0\n"), 2, None),
        ("step in space, f32", step([32, 32, 32], f32s), 1, None),
    ]
    .into_iter()
    .enumerate()
    {
        replace(Order::Shuffled(number as u64));
        let case = plain(&by_cycles(&text));
        let on = |device| build(&case, device, &alone()).expect("a solver");
        let (mut on_cpu, mut on_gpu) = (on(Device::Cpu), on(Device::Cuda(0)));
        expect_same_steps(name, &mut *on_cpu, &mut *on_gpu, cycles);
        let mixed = on_gpu.state().expect("a state").numbers.get("anderson_kept").copied();
        println!("{name}: {mixed:?} mixed");
        assert_eq!(mixed.is_some_and(|mixed| mixed >= 2.0), cycles > 2, "{name}: {mixed:?}");
        if cycles == 1 {
            continue;
        }
        let mut again = on(Device::Cuda(0));
        again.restore(&on_gpu.state().expect("a state")).expect("the same case");
        expect_same(name, &after(&mut *on_gpu, 1), &after(&mut *again, 1));
        let Some(layout) = layout else { continue };
        let [expected, found] =
            [|_| Device::Cpu, PLACES[number % 2].1].map(|device| on_ranks(&case, layout, device));
        for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
            expect_same(&format!("{name} on {layout:?}, rank {rank}"), one, other);
        }
    }
}
