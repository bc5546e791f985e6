//! Steady means the same for every method: the flow is as near to its end as the tolerance says.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice::registry;
use vortice_core::{Case, Context, Field, Quantity, Solver, Step};

/// Tolerances that are judged, and the one of the run that counts as the end.
const TOLERANCES: [f64; 3] = [1e-3, 1e-4, 1e-5];
const END: f64 = 1e-10;

pub(crate) fn built(case: &Case) -> Box<dyn Solver> {
    let method = registry::method(&case.run.method).expect("a method");
    (method.build)(case, &Context { threads: 1, ..Context::alone() }).expect("a solver")
}

pub(crate) fn distance(one: &Field, other: &Field) -> f64 {
    one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Runs to the end; the distance from there, as a share of the tolerance, where each was first met.
fn shares_left(case: &Case) -> (Step, Vec<f64>) {
    let mut solver = built(case);
    let velocity = |solver: &mut dyn Solver| solver.field(Quantity::Velocity).expect("a field");
    let mut met: Vec<Field> = Vec::new();
    let mut step = solver.now();
    while step.steady(END).is_none() && step.number < 200_000 {
        step = solver.step(f64::INFINITY).expect("a step");
        while TOLERANCES.get(met.len()).is_some_and(|tolerance| step.steady(*tolerance).is_some()) {
            met.push(velocity(&mut *solver));
        }
    }
    assert!(step.iteration_error < END, "{step:?}");
    let end = velocity(&mut *solver);
    let scale = case.scale.velocity;
    let shares = met.iter().zip(TOLERANCES).map(|(met, t)| distance(met, &end) / (scale * t));
    (step, shares.collect())
}

fn expect(name: &str, text: &str, needless: f64) {
    let case = Case::parse(text, name).unwrap_or_else(|error| panic!("{error}"));
    let (step, shares) = shares_left(&case);
    println!("{name}: {shares:.3?} of 1e-3, 1e-4, 1e-5 left; {} steps to the end", step.number);
    for share in shares {
        assert!(share < 1.5 && share > needless, "{name}: {share} of the tolerance is left");
    }
}

/// A cavity of 24 x 24 cells.
pub(crate) fn cavity(method: &str, reynolds: f64, more: &str) -> String {
    format!(
        "title = 'cavity'\ngrid = {{ cells = [24, 24, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = {} }}\nrun = {{ method = '{method}', until = 'steady', device = 'cpu' }}\n\
         [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = 'periodic'\n\
         z-high = 'periodic'\n{more}",
        1.0 / reynolds
    )
}

/// A channel that a force sets in motion.
fn start_up(method: &str) -> String {
    format!(
        "title = 'channel'\ngrid = {{ cells = [16, 16, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.02, force = [0.16, 0.0, 0.0] }}\nscale = {{ velocity = 1.0 }}\n\
         run = {{ method = '{method}', until = 'steady', device = 'cpu' }}\n\
         [boundary]\nx-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = 'wall'\n\
         z-low = 'periodic'\nz-high = 'periodic'\n"
    )
}

#[test]
fn cavities_of_all_methods_end_as_near_as_they_say() {
    for reynolds in [100.0, 400.0] {
        expect(&format!("fdm {reynolds}"), &cavity("fdm", reynolds, ""), 0.1);
        expect(&format!("fvm {reynolds}"), &cavity("fvm", reynolds, ""), 0.1);
        let lattice = "[lbm]\nlattice = 'd2q9'\n";
        expect(&format!("lbm {reynolds}"), &cavity("lbm", reynolds, lattice), 0.1);
    }
}

#[test]
fn channels_that_start_are_followed_to_their_end() {
    for method in ["fdm", "lbm"] {
        expect(&format!("start-up {method}"), &start_up(method), 0.1);
    }
}

#[test]
fn single_and_half_precision_end_where_rounding_stops_them() {
    for storage in ["precision", "f16"] {
        let lattice = format!("[lbm]\nlattice = 'd2q9'\nstorage = '{storage}'\n");
        let text = cavity("lbm", 100.0, &lattice).replace("until", "precision = 'f32', until");
        let mut solver = built(&Case::parse(&text, storage).expect("a case"));
        let mut step = solver.now();
        while step.steady(END).is_none() {
            step = solver.step(f64::INFINITY).expect("a step");
            assert!(step.number < 100_000, "{storage} goes on for ever: {step:?}");
        }
        println!("{storage}: {} after {} steps", step.steady(END).unwrap(), step.number);
    }
}
