//! Built-in cases that methods bring to their steady end.

use vortice_core::{Case, Context, Method, Solver};

/// A built-in case by a method, with changes.
pub(crate) fn case(method: &Method, text: &str, sets: &[&str]) -> Case {
    let by = format!("run.method='{}'", method.name);
    let sets: Vec<_> = [&[&*by], sets].concat().iter().map(ToString::to_string).collect();
    let case = Case::parse(text, "test").expect("a built-in case");
    case.with(&sets).unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// Steps until a flow is steady, at most so many.
pub(crate) fn settle(
    method: &Method,
    case: &Case,
    tolerance: f64,
    most: u64,
) -> (Box<dyn Solver>, u64) {
    let mut solver = (method.build)(case, &Context::alone())
        .unwrap_or_else(|error| panic!("{error}: {}", error.remedy()));
    loop {
        let step = solver.step(f64::INFINITY).expect("a step");
        assert!(step.residual.is_finite() && step.number <= most, "{step:?}");
        if step.steady(tolerance).is_some() {
            return (solver, step.number);
        }
    }
}
