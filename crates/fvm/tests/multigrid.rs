//! The full approximation scheme: the same flows as on one grid, in a number of cycles that does not grow with the grid.

use std::sync::Arc;

use crate::flows::{Flow, advance, alone, build, difference, whole};
use crate::settled::{self, settle};
use vortice_core::{Case, Communicator, Context, Quantity, State, Threads};
use vortice_fvm::METHOD;

const CAVITY: &str = include_str!("../../../cases/cavity.toml");

/// A built-in case by this method, with changes.
fn case(text: &str, sets: &[&str]) -> Case {
    settled::case(&METHOD, text, sets)
}

/// Cycles from rest to 1e-8, on grids of 32, 64 and 128 cells a side, are as many as Lilek, Muzaferija and Peric
/// (1997) promise: hardly more on finer grids.
#[test]
fn cycles_do_not_grow_with_the_grid() {
    for (reynolds, sizes, most) in [(1000_u32, &[32, 64, 128][..], 22), (7500, &[64, 128], 75)] {
        let cycles = |n: &usize| {
            let case = case(
                CAVITY,
                &[
                    &format!("grid.cells=[{n},{n},1]"),
                    &format!("fluid.viscosity={}", 1.0 / f64::from(reynolds)),
                    "fvm={multigrid=true}",
                ],
            );
            settle(&METHOD, &case, 1e-8, most).1
        };
        let all: Vec<_> = sizes.iter().map(cycles).collect();
        println!("Re {reynolds}, {sizes:?} cells a side: {all:?} cycles");
        assert!(all[all.len() - 1] as f64 <= 1.2 * all[0] as f64, "{all:?}");
    }
}

#[test]
fn the_flow_is_that_of_one_grid() {
    let step = include_str!("../../../cases/step-gartling.toml");
    for (name, text, sets) in [
        ("cavity", CAVITY, &["grid.cells=[64,64,1]", "fluid.viscosity=0.0025"][..]),
        ("step", step, &["grid.cells=[192,32,1]", "fluid.viscosity=0.005"]),
    ] {
        let flow = |table: &str| {
            let case = case(text, &[sets, &[table]].concat());
            let (mut solver, cycles) = settle(&METHOD, &case, 1e-9, 20_000);
            (solver.field(Quantity::Velocity).expect("a velocity").values, cycles)
        };
        let (one, iterations) = flow("fvm={multigrid=false,sequence=false}");
        let (other, cycles) = flow("fvm={multigrid=true}");
        let differences = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
        let largest = differences.fold(0.0, f64::max);
        println!("{name}: {iterations} iterations or {cycles} cycles, {largest:.1e} apart");
        assert!(largest < 1e-7, "{name}");
    }
}

/// The state of the whole grid after some cycles on some ranks, as they are and after a pause between two of them.
fn states(case: &Case, layout: [usize; 3]) -> [State; 2] {
    let states = Threads::run(layout.iter().product(), |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context = Context { ranks: Arc::clone(&ranks), layout: Some(layout), threads: 1 };
        let cut = context.decomposition(case)?;
        let mut solver = build(case, &context);
        advance(&mut *solver, 2);
        let paused = solver.state()?;
        advance(&mut *solver, 1);
        let mut other = build(case, &context);
        other.restore(&paused)?;
        advance(&mut *other, 1);
        Ok([whole(&solver.state()?, &*ranks, &cut)?, whole(&other.state()?, &*ranks, &cut)?])
    });
    states.unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
}

/// What is done where nothing is said, and where coarser grids cannot be told the flow.
#[test]
fn cycles_are_usual() {
    for flow in Flow::halved() {
        let state = |table: &str| {
            let mut solver = build(&flow.case(true, table), &alone());
            advance(&mut *solver, 2);
            solver.state().expect("a state")
        };
        assert_eq!(difference(flow.name, &state(""), &state("multigrid = true\n")), None);
    }
    for text in [
        include_str!("../../../cases/heated-cavity-ra1e3.toml"),
        include_str!("../../../cases/cylinder-re20.toml"),
        include_str!("../../../cases/taylor-green.toml"),
    ] {
        let told = (METHOD.check)(&case(text, &[])).expect("a report");
        assert!(!format!("{:?}", told.facts).contains("V-cycle"), "{told:?}");
    }
}

#[test]
fn ranks_and_pauses_change_no_bits() {
    for flow in Flow::halved() {
        let case = flow.case(true, "multigrid = true\n");
        let [alone, paused] = states(&case, [1, 1, 1]);
        assert_eq!(difference(flow.name, &alone, &paused), None);
        let layouts: &[_] = match flow.is_plane() {
            true => &[[2, 1, 1], [2, 2, 1], [1, 4, 1]],
            false => &[[1, 2, 2]],
        };
        for layout in layouts {
            for shared in states(&case, *layout) {
                assert_eq!(difference(flow.name, &alone, &shared), None, "{layout:?}");
            }
        }
    }
}

#[test]
fn what_coarser_grids_cannot_be_told_is_refused() {
    let refused = |text: &str, sets: &[&str], words: &str| {
        let case = case(text, sets);
        let Err(error) = (METHOD.build)(&case, &alone()) else { panic!("{words}: not refused") };
        let said = format!("{error}; {}", error.remedy());
        assert!(said.contains(words) && said.contains("fvm.multigrid = false"), "{said}");
    };
    let heated = include_str!("../../../cases/heated-cavity-ra1e3.toml");
    refused(heated, &["fvm.multigrid=true"], "heat");
    let cylinder = include_str!("../../../cases/cylinder-re20.toml");
    refused(cylinder, &["fvm.multigrid=true"], "another body");
    refused(CAVITY, &["fvm={multigrid=true,rhie-chow=false}"], "fvm.rhie-chow");
    let odd = case(CAVITY, &["grid.cells=[63,63,1]", "fvm.multigrid=true"]);
    let told = (METHOD.check)(&odd).expect("a report");
    assert!(told.warnings.iter().any(|text| text.contains("no coarser grid")), "{told:?}");
    let even = case(CAVITY, &["grid.cells=[64,64,1]", "fvm.multigrid=true"]);
    let told = (METHOD.check)(&even).expect("a report");
    assert!(format!("{:?}", told.facts).contains("each of 3 grids"), "{told:?}");
    // 64 cells are not three equal parts.
    let case = case(CAVITY, &["grid.cells=[64,64,1]", "fvm.multigrid=true"]);
    let said = Threads::run(3, |rank| {
        let context = Context { ranks: Arc::new(rank), layout: Some([3, 1, 1]), threads: 1 };
        let built = (METHOD.build)(&case, &context);
        Ok(built.err().map(|error| format!("{error}; {}", error.remedy())).unwrap_or_default())
    });
    let said = said.expect("three ranks").swap_remove(0);
    assert!(said.contains("cannot halve") && said.contains("fvm.multigrid = false"), "{said}");
}
