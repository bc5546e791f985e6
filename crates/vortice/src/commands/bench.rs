//! `vortice bench`

mod bandwidth;
mod measured;
mod speed;
mod stretch;

use vortice::{case_name, registry};
use vortice_core::{
    Case, Context, Finite, Method, Monitor as _, Result, Snapshot, Solver, Step, check_memory,
};

use super::place::Place;
use crate::arguments::Bench;
use crate::say;
use bandwidth::Bandwidth;
use measured::{Measured, Subject};
use speed::Speed;
use stretch::Stretch;

/// Measures how fast a method computes a case, and how fast the memory is.
pub(crate) fn execute(options: &Bench) -> Result<()> {
    let device = options.device.as_ref().map(|device| format!("run.device={device:?}"));
    let case = options.choice.open(device.as_slice())?;
    let method = registry::method(&case.run.method)?;
    (method.check)(&case)?;
    let place = Place::of(&case, 1)?;
    let case = place.settle(case);
    // Again, now that it is known what computes.
    let report = (method.check)(&case)?;
    // Less is asked for than by a run: nothing is gathered for output.
    check_memory(&case, report.memory)?;
    place.check_memory(&case, &report)?;
    let mut context = Context::alone();
    context.threads = options.threads.map_or(context.threads, usize::from);

    let name = case_name(&options.choice.case);
    let subject = Subject::new(name, &case, method, &place, context.threads);
    say::remark(&format!("measuring {subject}"));
    let warnings = case.warnings().into_iter().chain(report.warnings);
    warnings.for_each(|warning| say::remark(&format!("warning: {warning}")));

    let speed = speed(options, &case, method, &context)?;
    // The solver is gone: its memory is free for this.
    let bandwidth = Bandwidth::measure(&case, &context)?;
    let measured = Measured::new(subject, speed, bandwidth);
    say::result(&if options.json { measured.json()? } else { measured.table() })
}

/// Builds the solver, warms it up and measures it.
fn speed(options: &Bench, case: &Case, method: &Method, context: &Context) -> Result<Speed> {
    let mut solver = (method.build)(case, context)?;
    let solver = &mut *solver;
    let steps = stretch::warm_up(solver, options.seconds)?;
    check_finite(case, context, solver)?;
    let repeat = |_| {
        let stretch = Stretch::of(solver, steps)?;
        check_finite(case, context, solver)?;
        Ok(stretch)
    };
    let repeats = (0..options.repeats).map(repeat).collect::<Result<Vec<_>>>()?;
    Ok(Speed::new(case.grid.n_cells(), solver.cost(), &repeats))
}

/// Refuses a flow that is no longer finite: its steps may cost more or less than others.
fn check_finite(case: &Case, context: &Context, solver: &dyn Solver) -> Result<()> {
    let remedy = "give a case that does not diverge: a smaller time step, or more cells \
                  (`grid.cells`)";
    let cut = context.decomposition(case)?;
    let step: Step = solver.now();
    let now = Snapshot::new(step, case, &*context.ranks, &cut, solver);
    Finite::new(remedy).after_step(&now).map(|_| ())
}
