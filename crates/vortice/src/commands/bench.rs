//! `vortice bench`

mod bandwidth;
mod measured;
mod sample;
mod speed;
mod weak;

use crate::{case_name, registry};
use vortice_core::{
    Case, Context, Cost, Finite, Method, Result, Snapshot, Solver, Step, check_memory,
};

use super::launcher::Launcher;
use crate::arguments::Bench;
use crate::say;
use bandwidth::Bandwidth;
use measured::{Measured, Subject};
use sample::Sample;
use speed::Speed;
use vortice_study::DevicePlacement;
use weak::multiplied;

/// Measures how fast a method computes a case, and how fast the memory is.
pub(crate) fn execute(options: &Bench) -> Result<()> {
    let case = options.choice.open_on(options.device.as_deref())?;
    let (case, ranks) =
        if options.weak { multiplied(case, options.ranks)? } else { (case, options.ranks) };
    let method = registry::method(&case.run.method)?;
    method.report(&case)?;
    case.decomposition(ranks.layout, ranks.size)?;
    let place = DevicePlacement::of(&case, ranks.size)?;
    let case = place.settle(case);
    // Again, now that it is known what computes.
    let report = method.report(&case)?;
    // Less is asked for than by a run: nothing is gathered for output.
    check_memory(&case, report.memory)?;
    let launcher = Launcher::of_threads(ranks, options.threads);
    let case = launcher.balance(method, &case)?;
    let cut = launcher.decomposition(&case)?;
    place.check_memory(&case, &report, &cut)?;

    let name = case_name(&options.choice.case);
    let threads = options.threads.map(usize::from);
    let subject = Subject::new(name, &case, method, &cut, &place, threads);
    say::remark(&format!("measuring {subject}"));
    cut.shares().iter().for_each(|shares| say::remark(shares));
    let warnings = case.warnings().into_iter().chain(report.warnings);
    warnings.for_each(|warning| say::remark(&format!("warning: {warning}")));

    let (cost, repeats) =
        launcher.run(&case, |context| measure_rank(options, &case, method, context))?;
    let speed = Speed::new(case.grid.n_cells(), cost, &repeats);
    // The solvers are gone: their memory is free for this.
    let bandwidth = Bandwidth::measure(&place, place.threads(threads))?;
    let measured = Measured::new(subject, speed, bandwidth);
    say::result(&if options.json { measured.json()? } else { measured.table() })
}

/// What was measured: what the method costs, and how long stretches took.
type Found = (Cost, Vec<Sample>);

/// Builds the solver of one rank, warms it up and measures it; all ranks do the same steps.
fn measure_rank(options: &Bench, case: &Case, method: &Method, context: &Context) -> Result<Found> {
    let ranks = &*context.ranks;
    let mut solver = ranks.agree((method.build)(case, context))?;
    let solver = &mut *solver;
    let steps = sample::warm_up(solver, ranks, options.seconds)?;
    check_finite(case, context, solver)?;
    let repeat = |_| {
        let sample = Sample::of(solver, ranks, steps)?;
        check_finite(case, context, solver)?;
        Ok(sample)
    };
    let repeats = (0..options.repeats).map(repeat).collect::<Result<Vec<_>>>()?;
    Ok((solver.cost(), repeats))
}

/// Refuses a flow that is no longer finite: its steps may cost more or less than others.
fn check_finite(case: &Case, context: &Context, solver: &mut dyn Solver) -> Result<()> {
    let remedy = "give a case that does not diverge: a smaller time step, or more cells \
                  (`grid.cells`)";
    let cut = context.decomposition(case)?;
    let step: Step = solver.now();
    let mut now = Snapshot::new(step, case, &*context.ranks, &cut, solver);
    Finite::new(remedy).look(&mut now)
}
