//! In place equals two lattices, bit for bit; any number of ranks equals one; a restart equals going
//! on.

use std::sync::Arc;

use crate::common::{Flow, NUMBERS, alone, bits, difference, run, state};
use crate::turns::in_turn;
use vortice_core::{Case, Context, State, SurfaceForce, Threads};

/// Lattices and collisions: each lattice with each.
fn schemes() -> Vec<(&'static str, &'static str)> {
    let lattices = ["d2q9", "d3q15", "d3q19", "d3q27"];
    let collisions = ["srt", "trt", "mrt", "regularised"];
    lattices.iter().flat_map(|&l| collisions.iter().map(move |&c| (l, c))).collect()
}

fn with(flow: &Flow, table: &str) -> Case {
    flow.with_lbm(table).case()
}

pub(crate) fn same(name: &str, one: &State, other: &State) {
    if let Some(text) = difference(name, one, other) {
        panic!("{text}");
    }
}

#[test]
fn in_place_equals_two_lattices() {
    let mut compared = 0;
    for (number, flow) in Flow::all().into_iter().enumerate() {
        for (turn, (lattice, collision)) in (number..).zip(schemes()) {
            if lattice == "d2q9" && !flow.is_plane() {
                continue;
            }
            for (precision, storage) in in_turn(NUMBERS.to_vec(), turn, 3) {
                let scheme = |streaming: &str| {
                    let table = format!(
                        "lattice = '{lattice}'\ncollision = '{collision}'\n\
                         storage = '{storage}'\nstreaming = '{streaming}'\n"
                    );
                    flow.precision(precision).with_lbm(&table).case()
                };
                let steps = [7, 8][compared % 2];
                let one = run(&scheme("two-lattice"), steps);
                let other = run(&scheme("in-place"), steps);
                let name = format!("{} {lattice} {collision} {precision} {storage}", flow.name);
                assert!(bits(&one).iter().any(|(_, bits)| bits.iter().any(|&b| b != 0)), "{name}");
                same(&name, &one, &other);
                compared += 1;
            }
        }
    }
    println!("{compared} pairs of runs agree");
}

#[test]
fn any_number_of_ranks_gives_the_same_bits() {
    for flow in Flow::all() {
        let case = with(&flow, "");
        let steps = 9;
        let one = state(&case, steps, 1, None);
        for (size, layout) in flow.layouts() {
            let other = state(&case, steps, size, Some(layout));
            same(&format!("{} on {layout:?}", flow.name), &one, &other);
        }
    }
}

#[test]
fn a_restart_goes_on_with_the_same_bits() {
    for flow in Flow::all() {
        let case = with(&flow, "");
        let through = run(&case, 13);
        let half = run(&case, 5);
        let mut solver = (vortice_lbm::METHOD.build)(&case, &alone()).expect("a solver");
        solver.restore(&half).expect("its own state");
        same(&format!("{}, restored", flow.name), &half, &solver.state().expect("a state"));
        for _ in 5..13 {
            solver.step(f64::INFINITY).expect("a step");
        }
        same(flow.name, &through, &solver.state().expect("a state"));
        // The other scheme of streaming goes on from the same state.
        let pull = with(&flow, "streaming = 'two-lattice'\n");
        let mut solver = (vortice_lbm::METHOD.build)(&pull, &alone()).expect("a solver");
        solver.restore(&half).expect("a state of the other scheme");
        for _ in 5..13 {
            solver.step(f64::INFINITY).expect("a step");
        }
        same(flow.name, &through, &solver.state().expect("a state"));
    }
}

/// The forces after some steps on a layout of ranks.
fn forces(case: &Case, steps: usize, size: usize, layout: Option<[usize; 3]>) -> Vec<SurfaceForce> {
    let all = Threads::run(size, |rank| {
        let context = Context { layout, threads: 1, ranks: Arc::new(rank) };
        let mut solver = (vortice_lbm::METHOD.build)(case, &context)?;
        for _ in 0..steps {
            solver.step(f64::INFINITY)?;
        }
        solver.forces()
    });
    let all = all.unwrap_or_else(|error| panic!("{error}"));
    assert!(all.iter().all(|one| *one == all[0]), "all ranks know them");
    all[0].clone()
}

#[test]
fn forces_have_the_same_bits_in_place_and_not_on_any_ranks_and_after_a_restart() {
    let mut bodies = 0;
    for (turn, flow) in Flow::all().into_iter().enumerate() {
        for lattice in ["d2q9", "d3q19"].into_iter().skip(usize::from(!flow.is_plane())) {
            for (precision, storage) in in_turn(NUMBERS.to_vec(), turn, 3) {
                let table = format!("lattice = '{lattice}'\nstorage = '{storage}'\n");
                let case = flow.precision(precision).with_lbm(&table).case();
                let name = format!("{} {lattice} {precision} {storage}", flow.name);
                for steps in [8, 9] {
                    let one = forces(&case, steps, 1, None);
                    bodies += one.len();
                    assert!(one.iter().all(|body| body.force.iter().all(|f| f.is_finite())));
                    let pull =
                        case.with(&["lbm.streaming=two-lattice".into()]).expect("another scheme");
                    assert_eq!(one, forces(&pull, steps, 1, None), "{name}, two lattices");
                    for (size, layout) in flow.layouts() {
                        let other = forces(&case, steps, size, Some(layout));
                        assert_eq!(one, other, "{name} on {layout:?}");
                    }
                    let mut solver =
                        (vortice_lbm::METHOD.build)(&case, &alone()).expect("a solver");
                    solver.restore(&run(&case, steps - 3)).expect("its own state");
                    for _ in 0..3 {
                        solver.step(f64::INFINITY).expect("a step");
                    }
                    assert_eq!(one, solver.forces().expect("forces"), "{name}, restarted");
                }
            }
        }
    }
    println!("{bodies} forces agree");
    assert!(bodies > 50);
}
