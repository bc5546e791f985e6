//! Shortcuts to a steady flow lead to the flow that is found without them, in fewer steps.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use std::sync::Arc;

use vortice::registry;
use vortice_core::{Case, Context, Field, Quantity, State, Step, Threads, gather};

use super::steady::{built, cavity, distance};

/// Of the runs that count as the end, and of those that are judged.
const END: f64 = 1e-9;
const TOLERANCE: f64 = 1e-6;

fn case(method: &str, cells: usize, table: &str) -> Case {
    let lattice = if method == "lbm" { "lattice = 'd2q9'\n" } else { "" };
    let one_grid = if method == "fvm" { "multigrid = false\n" } else { "" };
    let text = cavity(method, 400.0, &format!("[{method}]\n{lattice}{one_grid}{table}"));
    let text = text.replace("[24, 24, 1]", &format!("[{cells}, {cells}, 1]"));
    Case::parse(&text, method).unwrap_or_else(|error| panic!("{error}"))
}

/// The velocity where a run ends, and steps, also those on coarser grids in steps of its own.
fn ended(case: &Case, tolerance: f64) -> (Field, Step) {
    let mut solver = built(case);
    let mut step = solver.now();
    while step.steady(tolerance).is_none() {
        step = solver.step(f64::INFINITY).expect("a step");
        assert!(step.number < 300_000, "{}: {step:?}", case.run.method);
    }
    (solver.field(Quantity::Velocity).expect("a field"), step)
}

#[test]
fn shortcuts_lead_to_the_same_flow() {
    for method in ["fdm", "fvm", "lbm"] {
        let (end, _) = ended(&case(method, 32, "sequence = false\nanderson = 20\n"), END);
        let mut steps = Vec::new();
        for (sequence, anderson) in [(false, 0), (true, 0), (false, 20), (true, 20)] {
            let table = format!("sequence = {sequence}\nanderson = {anderson}\n");
            let (found, step) = ended(&case(method, 32, &table), TOLERANCE);
            let left = distance(&found, &end);
            println!(
                "{method}, sequence {sequence}, anderson {anderson}: {} steps, {left:.1e} from the end",
                step.number
            );
            assert!(left < 1.5 * TOLERANCE, "{method}: {left}");
            steps.push(step.number);
        }
        let [plain, sequence, anderson, both] = steps[..] else { panic!("four runs") };
        assert!(4 * anderson < 3 * plain && 4 * both < 3 * sequence, "{method}: {steps:?}");
    }
}

/// The velocity of the whole grid after so many steps, on some ranks.
fn after(case: &Case, steps: u64, ranks: usize) -> Field {
    let fields = Threads::run(ranks, |rank| {
        let context = Context { threads: 1, ..Context::new(Arc::new(rank)) };
        let method = registry::method(&case.run.method).expect("a method");
        let mut solver = (method.build)(case, &context)?;
        while solver.now().number < steps {
            solver.step(f64::INFINITY)?;
        }
        let field = solver.field(Quantity::Velocity)?;
        gather(&*context.ranks, &context.decomposition(case)?, &field)
    });
    fields.expect("no rank stops").swap_remove(0).expect("fields on rank 0")
}

/// Steps of so many rounds, and a few.
fn steps_of(case: &Case, rounds: f64) -> u64 {
    let mut solver = built(case);
    let step = solver.step(f64::INFINITY).expect("a step");
    let of_round = if step.dt > 0.0 { 1.0 / step.dt } else { 5.0 };
    (rounds * of_round) as u64 + 2
}

#[test]
fn accelerated_flows_are_the_same_bits_on_any_ranks_and_after_a_restart() {
    for method in ["fdm", "fvm", "lbm"] {
        let case = case(method, 20, "sequence = false\nanderson = 3\n");
        let (first, all) = (steps_of(&case, 3.4), steps_of(&case, 6.2));
        let mut unbroken = built(&case);
        let mut stopped = State::default();
        while unbroken.now().number < all {
            unbroken.step(f64::INFINITY).expect("a step");
            if unbroken.now().number == first {
                unbroken.save(&mut stopped).expect("a state");
            }
        }
        let velocity = unbroken.field(Quantity::Velocity).expect("a field");
        for ranks in [2, 3] {
            let same = after(&case, all, ranks).values == velocity.values;
            assert!(same, "{method}: {ranks} ranks have other bits");
        }
        let mut again = built(&case);
        again.restore(&stopped).expect("a fitting state");
        assert_eq!(again.now().number, first);
        while again.now().number < all {
            again.step(f64::INFINITY).expect("a step");
        }
        let same = again.state().expect("a state") == unbroken.state().expect("a state");
        assert!(same, "{method}: other bits after a restart");
    }
}
