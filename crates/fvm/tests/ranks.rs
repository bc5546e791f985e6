//! The same bits for every number of ranks and threads.

use std::sync::Arc;

use crate::flows::{Flow, build, difference, whole};
use crate::turns::in_turn;
use vortice_core::{Case, Communicator, Context, State, Threads};

/// The state of the whole grid after some steps on some ranks.
fn state(case: &Case, steps: usize, layout: [usize; 3], threads: usize) -> State {
    let size = layout.iter().product();
    let states = Threads::run(size, |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context = Context { ranks: Arc::clone(&ranks), layout: Some(layout), threads };
        let mut solver = build(case, &context);
        for _ in 0..steps {
            solver.step(f64::INFINITY)?;
        }
        whole(&solver.state()?, &*ranks, &context.decomposition(case)?)
    });
    states.unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
}

/// Every third layout of each flow and table, in turn; all in the long suite.
#[test]
fn any_number_of_ranks_gives_the_same_bits() {
    let (mut compared, mut turn) = (0, 0);
    for flow in [Flow::all(), Flow::changing()].concat() {
        for (steady, table) in [
            (true, "look-every = 2\nmeasure = 'drop'\n"),
            (false, "outer-iterations = 2\nmomentum = { sweeps = 3 }\n"),
            (
                true,
                "momentum = { bicgstab = { max = 9 } }\n\
                 pressure = { multigrid-cg = {} }\n",
            ),
            (
                false,
                "outer-iterations = 2\nmomentum = { bicgstab = { retol = 1e-3, max = 9 } }\n\
                 pressure = { jacobi-cg = { max = 20 } }\n",
            ),
        ] {
            if steady && Flow::changing().iter().any(|other| other.name == flow.name) {
                continue;
            }
            let case = flow.on_one_grid(steady, table);
            let alone = state(&case, 4, [1, 1, 1], 1);
            assert!(alone.fields.len() > 5);
            turn += 1;
            for layout in in_turn(flow.layouts(), turn, 3) {
                let shared = state(&case, 4, layout, 1);
                let different = difference(flow.name, &alone, &shared);
                assert!(different.is_none(), "{layout:?}: {}", different.unwrap_or_default());
                compared += 1;
            }
        }
    }
    println!("{compared} pairs of runs agree");
}

#[test]
fn eight_ranks_and_coarser_grids_give_the_same_bits() {
    let case = Flow::in_plane()[4].case(true, "look-every = 5\n");
    let case = case.with(&["run.steady=0.05".into()]).expect("a tolerance");
    let alone = state(&case, 12, [1, 1, 1], 1);
    for layout in [[2, 4, 1], [8, 1, 1], [3, 1, 1]] {
        let different = difference("begun on coarser grids", &alone, &state(&case, 12, layout, 1));
        assert!(different.is_none(), "{layout:?}: {}", different.unwrap_or_default());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let case = Flow::in_plane()[0].case(false, "outer-iterations = 2\n");
    let case = case.with(&["grid.cells=[400,300,1]".into()]).expect("many cells");
    let alone = state(&case, 2, [1, 1, 1], 1);
    for threads in [2, 3] {
        let different = difference("threads", &alone, &state(&case, 2, [1, 1, 1], threads));
        assert!(different.is_none(), "{threads}: {}", different.unwrap_or_default());
    }
}
