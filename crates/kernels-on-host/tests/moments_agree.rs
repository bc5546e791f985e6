//! Stored moments on a device have the bits of those on the processor, in any order of threads, on ranks of either.

use crate::lbm_agrees::{advance, on_gpu, on_ranks, on_ranks_of, replace};
use crate::lbm_flows::{Flow, alone, build, expect_same, run};
use kernels_on_host::{Order, tried};
use vortice_core::{Quantity, Solver, State, Step};

/// Steps, the state, velocity and pressure, findings.
type Seen = (Vec<Step>, State, [Vec<u64>; 2], Vec<(String, f64)>);

/// Everything that can be seen after so many steps more.
fn seen(solver: &mut dyn Solver, steps: usize) -> Seen {
    let steps = advance(solver, steps);
    let fields = [Quantity::Velocity, Quantity::Pressure].map(|quantity| {
        let field = solver.field(quantity).expect("a field");
        assert!(field.values.iter().all(|x| x.is_finite()), "not finite");
        field.values.iter().map(|x| x.to_bits()).collect()
    });
    (steps, solver.state().expect("a state"), fields, solver.findings().expect("findings"))
}

#[test]
fn moments_have_the_bits_of_the_processor() {
    for (number, flow) in Flow::of_moments().into_iter().enumerate() {
        for precision in tried(&["f64", "f32"], number) {
            let orders = [Order::Ascending, Order::Descending, Order::Shuffled(7)];
            for &order in tried(&orders, number / 2) {
                replace(order);
                let case = flow.precision(precision).with_lbm("relaxation-time = 0.55\n").case();
                let mut on_cpu = build(&case, &alone());
                let mut on_gpu = build(&on_gpu(&case), &alone());
                for steps in [0, 1, 2, 5] {
                    let (expected, found) = (seen(&mut *on_cpu, steps), seen(&mut *on_gpu, steps));
                    let name = format!("{} {precision} {steps}", flow.name);
                    expect_same(&name, &expected.1, &found.1);
                    let seen = |of: Seen| (of.0, of.2, of.3);
                    assert!(seen(expected) == seen(found), "{name}");
                }
            }
        }
    }
}

#[test]
fn moments_go_on_between_processor_and_device() {
    replace(Order::Shuffled(1));
    for flow in Flow::of_moments() {
        let case = flow.precision("f32").case();
        let through = run(&case, 9);
        for (first, second) in [(on_gpu(&case), case.clone()), (case.clone(), on_gpu(&case))] {
            let half = run(&first, 5);
            let mut other = build(&second, &alone());
            // What is lost shall have been something.
            advance(&mut *other, 3);
            other.restore(&half).expect("the same case");
            advance(&mut *other, 4);
            expect_same(flow.name, &through, &other.state().expect("a state"));
        }
    }
}

#[test]
fn moments_on_ranks_with_devices_have_the_bits_of_ranks_on_processors() {
    for (number, flow) in Flow::of_moments().into_iter().enumerate() {
        let case = flow.precision(["f64", "f32"][number % 2]).case();
        let cells = case.grid.cells();
        let fits = |layout: &[usize; 3]| (0..3).all(|d| layout[d] <= cells[d]);
        let layouts: Vec<_> = flow.layouts().into_iter().map(|(_, layout)| layout).collect();
        let layouts: Vec<_> = layouts.into_iter().filter(fits).collect();
        for &layout in tried(&layouts, number) {
            let expected = on_ranks(&case, layout);
            let is_on_gpu = [|_| true, |rank: usize| rank.is_multiple_of(2)];
            for is_on_gpu in tried(&is_on_gpu, number / 2) {
                let of = |rank| if is_on_gpu(rank) { on_gpu(&case) } else { case.clone() };
                let found = on_ranks_of(of, layout);
                for (rank, (one, other)) in expected.iter().zip(&found).enumerate() {
                    expect_same(&format!("{} on {layout:?}, rank {rank}", flow.name), one, other);
                }
            }
        }
    }
}
