//! A flow that is no longer finite is noticed soon, and never ends well.

use std::sync::Arc;

use vortice_core::{Case, Context, Quantity, Solver, State, Threads, Values};
use vortice_output::{Stored, read_checkpoint};

use crate::{ends_with, stderr, summary, vortice};

/// The settings of a lattice on which a force drives the flow to many times the speed of sound.
const FORCED: [&str; 4] =
    ["references=[]", "fluid.viscosity=0.01", "grid.cells=[24,24,1]", "fluid.force=[1e3,0.0,0.0]"];

fn sets<'a>(sets: &[&'a str]) -> Vec<&'a str> {
    sets.iter().flat_map(|set| ["--set", set]).collect()
}

fn are_finite(state: &State) -> bool {
    state.fields.values().all(|values| match values {
        Values::F32(field) => field.values.iter().all(|x| x.is_finite()),
        Values::F64(field) => field.values.iter().all(|x| x.is_finite()),
    })
}

#[test]
fn a_lattice_of_not_a_number_ends_with_the_cell_and_keeps_a_finite_checkpoint() {
    for ranks in ["1", "3"] {
        let folder = tempfile::tempdir().unwrap();
        let every_step = ["run.until=1.5", "output.checkpoint-steps=1"];
        let all = [&FORCED[..], &every_step].concat();
        let arguments = ["run", "cavity", "--method", "lbm", "--quiet", "--ranks", ranks];
        let run = vortice(folder.path(), &[&arguments[..], &sets(&all)].concat());
        ends_with(&run, 1);
        for word in ["diverged at step", "in cell [", "mrt", "scale.velocity"] {
            assert!(stderr(&run).contains(word), "{word}: {}", stderr(&run));
        }
        let out = folder.path().join("out/cavity");
        let summary = summary(&out);
        assert_eq!(summary["converged"], false);
        let case = case("lbm", &all);
        let state = read_checkpoint(out.join("checkpoint.h5"), &case, &Context::alone()).unwrap();
        assert!(are_finite(&state));
        let (last, noticed) = (state.numbers["step"] as u64, summary["steps"].as_u64().unwrap());
        assert!(last < noticed && noticed <= last + 10, "kept {last}, noticed {noticed}");
    }
}

/// Advice that the case already follows is none.
#[test]
fn what_to_do_about_a_divergence_depends_on_the_case() {
    let remedy = |method: &str, sets: &[&str]| {
        let case = case(method, sets);
        (vortice::registry::method(method).unwrap().when_it_diverges)(&case)
    };
    let lbm = |sets: &[&str]| remedy("lbm", sets);
    assert!(lbm(&["lbm.collision=trt"]).contains("`lbm.collision = \"mrt\"`"));
    assert!(!lbm(&["lbm.collision=mrt"]).contains("mrt"));
    assert!(lbm(&["lbm.collision=mrt"]).contains("`lbm.mach` below 0.10"));
    assert!(lbm(&["fluid.force=[1e3,0.0,0.0]"]).contains("`scale.velocity`"));
    assert!(lbm(&["run.precision=f32", "lbm.storage=f16"]).contains("`lbm.storage"));
    assert!(remedy("fvm", &[]).contains("`fvm.relax-velocity` below 0.85"));
    assert!(remedy("fvm", &[]).contains("`fvm.multigrid = false`"));
    let on_one_grid = remedy("fvm", &["fvm.multigrid=false"]);
    assert!(on_one_grid.contains("`fvm.relax-velocity` below 0.95"));
    assert!(!on_one_grid.contains("multigrid"));
    assert!(!remedy("fvm", &["run.until=1.0"]).contains("relax-velocity"));
    assert!(!remedy("fvm", &["fvm.convection=upwind"]).contains("upwind"));
    assert!(remedy("fdm", &["fdm.dt=0.5"]).contains("`fdm.dt = \"auto\"`"));
    assert!(!remedy("fdm", &[]).contains("fdm.dt"));
}

#[test]
fn a_run_that_ends_before_it_is_noticed_ends_as_diverged() {
    let folder = tempfile::tempdir().unwrap();
    // Only multiples of eight are looked at: the last of so few steps never is.
    let noticed = |limit: &str| {
        let sets = sets(&[&FORCED[..], &["run.until=1.5", limit]].concat());
        let run = vortice(
            folder.path(),
            &[&["run", "cavity", "--method", "lbm", "--quiet"][..], &sets].concat(),
        );
        ends_with(&run, 1);
        stderr(&run)
    };
    let text = noticed("run.max-steps=1000000");
    let step: u64 = text.split("step ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let limit = format!("run.max-steps={}", step - 1);
    assert!(noticed(&limit).contains(&format!("diverged at step {}", step - 1)));
}

#[test]
fn a_study_of_it_has_a_row_that_diverged() {
    let folder = tempfile::tempdir().unwrap();
    let sets = sets(&[&FORCED[..], &["run.until=1.5"]].concat());
    let arguments = ["compare", "cavity", "--methods", "lbm", "--grids", "24", "--out", "study"];
    ends_with(&vortice(folder.path(), &[&arguments[..], &sets].concat()), 1);
    let text = std::fs::read_to_string(folder.path().join("study/results.csv")).unwrap();
    assert!(text.contains("diverged") && !text.contains("done"), "{text}");
}

#[test]
fn no_run_begins_from_a_checkpoint_that_is_not_finite() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["fdm", "fvm", "lbm"] {
        let all = ["references=[]", "grid.cells=[12,12,1]", "run.until=0.1"];
        let arguments = ["run", "cavity", "--method", method, "--quiet", "--out", method];
        let first = [&arguments[..], &sets(&all)].concat();
        ends_with(&vortice(folder.path(), &first), 0);
        let path = folder.path().join(method).join("checkpoint.h5");
        let mut stored = Stored::read(&path).unwrap();
        let values = stored.state.fields.values_mut().next().expect("a field");
        match values {
            Values::F32(field) => *field.at_mut(0, [3, 4, 0]) = f32::NAN,
            Values::F64(field) => *field.at_mut(0, [3, 4, 0]) = f64::NAN,
        }
        stored.write(&path).unwrap();
        let restart = format!("{method}/checkpoint.h5");
        let again = [&first[..], &["--restart", &restart, "--ranks", "2"]].concat();
        let again = vortice(folder.path(), &again);
        ends_with(&again, 2);
        assert!(stderr(&again).contains("in cell [3, 4, 0]"), "{}", stderr(&again));
    }
}

fn case(method: &str, sets: &[&str]) -> Case {
    let mut sets: Vec<String> = sets.iter().map(|set| (*set).to_string()).collect();
    sets.push(format!("run.method={method:?}"));
    vortice::open_case("cavity", &sets).unwrap()
}

fn is_finite(solver: &mut dyn Solver) -> bool {
    [Quantity::Velocity, Quantity::Pressure]
        .iter()
        .all(|&quantity| solver.field(quantity).unwrap().values.iter().all(|x| x.is_finite()))
}

/// The first step after which a value is not finite, and the first whose residual says so.
fn broken_and_noticed(case: &Case, context: &Context) -> [u64; 2] {
    let method = vortice::registry::method(&case.run.method).unwrap();
    let mut solver = (method.build)(case, context).unwrap();
    let (mut broken, mut noticed) = (0, 0);
    while noticed == 0 {
        let step = solver.step(f64::INFINITY).unwrap();
        assert!(step.number < 20_000, "{} does not diverge", case.run.method);
        let mut some_broken = [f64::from(u8::from(!is_finite(&mut *solver)))];
        context.ranks.max(&mut some_broken).unwrap();
        if broken == 0 && some_broken == [1.0] {
            broken = step.number;
        }
        if !step.residual.is_finite() && step.number > 1 {
            noticed = step.number;
        }
    }
    [broken, noticed]
}

#[test]
fn every_method_notices_within_ten_steps() {
    let cells = "grid.cells=[16,16,1]";
    let flows = [
        ("lbm", vec![cells, "fluid.force=[1e3,0.0,0.0]", "fluid.viscosity=0.01"]),
        ("lbm", vec![cells, "lbm.collision=trt", "fluid.viscosity=1e-3"]),
        ("lbm", vec![cells, "lbm.collision=mrt", "fluid.force=[1e3,0.0,0.0]", "run.precision=f32"]),
        ("fdm", vec![cells, "fdm.dt=0.5", "run.until=1e9"]),
        ("fvm", vec![cells, "fluid.force=[1e200,0.0,0.0]", "fvm.look-every=1000"]),
        ("fvm", vec![cells, "fluid.force=[1e200,0.0,0.0]", "run.until=1e9"]),
    ];
    for (method, sets) in flows {
        let case = case(method, &sets);
        for size in [1, 2] {
            let all = Threads::run(size, |rank| {
                Ok(broken_and_noticed(&case, &Context::new(Arc::new(rank))))
            });
            for [broken, noticed] in all.unwrap() {
                assert!(
                    (broken..=broken + 10).contains(&noticed),
                    "{method} {sets:?} on {size}: broken at {broken}, noticed at {noticed}"
                );
            }
        }
    }
}
