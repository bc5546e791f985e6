//! Cycles of the lattice over coarser grids have the bits of the processor.

use crate::lbm_agrees::{expect_same_steps, on_gpu, on_ranks, on_ranks_of, replace};
use crate::lbm_flows::{Flow, alone, build, expect_same};
use kernels_on_host::{Order, is_long};

/// On two grids and on three, over a pause, and on ranks that are devices or of which every second is one. Some are mixed by
/// then.
#[test]
fn cycles_have_the_bits_of_the_processor() {
    for (number, flow) in Flow::of_cycles().into_iter().enumerate() {
        if flow.name == "cube" && !is_long() {
            continue;
        }
        replace(Order::Shuffled(number as u64));
        let (case, cycles) = (flow.case(), [4, 4, 1, 2, 1][number]);
        let (mut on_cpu, mut device) = (build(&case, &alone()), build(&on_gpu(&case), &alone()));
        expect_same_steps(flow.name, &mut *on_cpu, &mut *device, cycles);
        let mixed = device.state().expect("a state").numbers.get("anderson_kept").copied();
        println!("{}: {mixed:?} mixed", flow.name);
        assert_eq!(mixed.is_some_and(|mixed| mixed >= 2.0), cycles > 2, "{}", flow.name);
        if cycles == 1 {
            continue;
        }
        let mut again = build(&on_gpu(&case), &alone());
        again.restore(&device.state().expect("a state")).expect("the same case");
        for solver in [&mut device, &mut again] {
            solver.step(f64::INFINITY).expect("a cycle");
        }
        let [one, other] = [device, again].map(|mut solver| solver.state().expect("a state"));
        expect_same(flow.name, &one, &other);
        if flow.name != "cavity" && flow.name != "vortices" {
            continue;
        }
        let mixed = |rank: usize| if rank == 0 { case.clone() } else { on_gpu(&case) };
        let layout = [[2, 1, 1], [1, 2, 1]][number % 2];
        let expected = on_ranks(&case, layout);
        for found in [on_ranks(&on_gpu(&case), layout), on_ranks_of(mixed, layout)] {
            for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
                expect_same(&format!("{} on {layout:?}, rank {rank}", flow.name), one, other);
            }
        }
    }
}
