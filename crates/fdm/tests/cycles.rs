//! Cycles over coarser grids: the same flows as on one grid, in a number of cycles that does not grow with the grid.

use std::sync::Arc;

use crate::common::{self, after, backwards, by_cycles, cavity, solver, step, taylor_green};
use crate::settled::{self, settle};
use crate::turns::in_turn;
use vortice_core::{Case, Context, Quantity, Solver, Threads};
use vortice_fdm::METHOD;

const CAVITY: &str = include_str!("../../../cases/cavity.toml");
const GARTLING: &str = include_str!("../../../cases/step-gartling.toml");
const GRIEBEL: &str = include_str!("../../../cases/step-griebel.toml");
const CUBE: &str = include_str!("../../../cases/cavity-3d.toml");

/// A built-in case by this method, with changes.
fn case(text: &str, sets: &[&str]) -> Case {
    settled::case(&METHOD, text, sets)
}

/// From rest to 1e-8, also with cell Reynolds numbers of some tens, with which central differences alone are no smoother.
#[test]
fn cycles_do_not_grow_with_the_grid() {
    let cycles = |text: &str, sets: &[&str], most: u64| {
        let case = case(text, &[&["fdm.multigrid=true"], sets].concat());
        settle(&METHOD, &case, 1e-8, most).1
    };
    for (viscosity, sizes, most) in
        [("fluid.viscosity=1e-3", &[32, 64, 128][..], 60), ("fluid.viscosity=2e-4", &[64], 260)]
    {
        let of = |n: &i32| cycles(CAVITY, &[viscosity, &format!("grid.cells=[{n},{n},1]")], most);
        let all: Vec<_> = sizes.iter().map(of).collect();
        println!("{viscosity}, {sizes:?} cells a side: {all:?} cycles");
        assert!(all[all.len() - 1] as f64 <= 1.2 * all[0] as f64, "{all:?}");
    }
    let others = vec![
        ("Gartling", GARTLING, "grid.cells=[480,32,1]", 90),
        ("Griebel", GRIEBEL, "grid.cells=[256,64,1]", 40),
        ("cube", CUBE, "grid.cells=[32,32,32]", 60),
    ];
    for (name, text, cells, most) in in_turn(others, 1, 3) {
        println!("{name}, {cells}: {} cycles", cycles(text, &[cells], most));
    }
}

#[test]
fn the_flow_is_that_of_one_grid() {
    for (name, text, sets) in [
        ("cavity", CAVITY, &["grid.cells=[32,32,1]", "fluid.viscosity=0.01"][..]),
        ("donor cell", CAVITY, &["grid.cells=[32,32,1]", "fluid.viscosity=0.01", "fdm.gamma=0.3"]),
        ("step", GRIEBEL, &["grid.cells=[128,32,1]", "fluid.viscosity=0.02"]),
    ] {
        let flow = |more: &[&str]| {
            let case = case(text, &[sets, more].concat());
            let (mut solver, steps) = settle(&METHOD, &case, 1e-10, 100_000);
            (solver.field(Quantity::Velocity).expect("a velocity").values, steps)
        };
        let (one, steps) = flow(&["fdm.pressure={cycles=1}"]);
        let (other, cycles) = flow(&["fdm.multigrid=true"]);
        let differences = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
        let largest = differences.fold(0.0, f64::max);
        println!("{name}: {steps} steps or {cycles} cycles, {largest:.1e} apart");
        assert!(largest < 1e-8, "{name}");
    }
}

/// Three cycles on some layouts of ranks, and after a pause between two of them.
#[test]
fn ranks_and_pauses_change_no_bits() {
    let f32s = "precision = \"f32\"\n";
    let plane = [[2, 1, 1], [2, 2, 1], [4, 2, 1], [1, 8, 1]];
    for (name, text, layouts) in [
        ("cavity", cavity([64, 32, 1], 400.0, "[fdm]\nanderson = 3\n"), &plane[..]),
        ("step, f32", step([128, 32, 1], f32s), &plane[..3]),
        ("outlet on the low side", backwards([64, 32, 1], ""), &plane[..3]),
        ("vortices", taylor_green(32, 0.1, ""), &plane[..2]),
        ("step in space", step([64, 32, 32], ""), &[[2, 1, 2]]),
    ] {
        let text = by_cycles(&text);
        let alone = after(&text, [1, 1, 1], 3);
        assert!(alone.0.values.iter().any(|&u| u != 0.0), "{name} moves");
        for layout in layouts {
            assert!(after(&text, *layout, 3) == alone, "{name} on {layout:?} ranks differs");
        }
        let case = common::case(&text);
        let steps = |solver: &mut dyn Solver, count: u32| {
            for _ in 0..count {
                solver.step(f64::INFINITY).expect("a step");
            }
            solver.state().expect("a state")
        };
        let mut straight = solver(&case);
        let paused = steps(&mut *straight, 2);
        let mut other = solver(&case);
        other.restore(&paused).expect("the same case");
        assert!(steps(&mut *straight, 1) == steps(&mut *other, 1), "{name}");
    }
}

#[test]
fn what_cycles_cannot_do_is_refused() {
    let refused = |text: &str, sets: &[&str], words: &str| {
        let case = case(text, &[&["fdm.multigrid=true"], sets].concat());
        let built = (METHOD.build)(&case, &Context::alone());
        let Err(error) = built else { panic!("{words}: not refused") };
        let said = format!("{error}; {}", error.remedy());
        assert!(said.contains(words) && said.contains("fdm.multigrid = false"), "{said}");
    };
    refused(include_str!("../../../cases/heated-cavity-ra1e3.toml"), &[], "heat");
    refused(include_str!("../../../cases/cylinder-re20.toml"), &[], "another body");
    refused(CAVITY, &["fdm.pressure='sor'"], "fdm.pressure");
    let report = |cells: &str| {
        let case = case(CAVITY, &["fdm.multigrid=true", cells]);
        (METHOD.check)(&case).expect("a report")
    };
    let odd = report("grid.cells=[63,63,1]");
    assert!(odd.warnings.iter().any(|text| text.contains("no coarser grid")), "{odd:?}");
    let even = report("grid.cells=[64,64,1]");
    assert!(format!("{:?}", even.facts).contains("on 3 grids"), "{even:?}");
    // 64 cells are not three equal parts.
    let case = case(CAVITY, &["fdm.multigrid=true", "grid.cells=[64,64,1]"]);
    let said = Threads::run(3, |rank| {
        let context = Context { ranks: Arc::new(rank), layout: Some([3, 1, 1]), threads: 1 };
        let built = (METHOD.build)(&case, &context);
        Ok(built.err().map(|error| format!("{error}; {}", error.remedy())).unwrap_or_default())
    });
    let said = said.expect("three ranks").swap_remove(0);
    assert!(said.contains("cannot halve") && said.contains("fdm.multigrid = false"), "{said}");
}
