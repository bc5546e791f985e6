//! `vortice run`

mod rank;
mod watch;

use std::sync::Arc;

use crate::references::{Comparison, LeftOut, Reference, comparison_table, plane};
use crate::{EndInTime, case_name, registry, sight};
use vortice_core::{Outcome, Result};
use vortice_mpi::Session;
use vortice_output::Amount;
use vortice_study::results::{self, Clock, Files, Restart, Results, Summary};
use vortice_watch::STOPPED;

use super::launcher::Launcher;
use super::signals;
use crate::arguments::{Ranks, Run};
use crate::{failure, say};
use rank::{Ended, Plan};
use watch::Watcher;

/// Computes a flow, alone or as one of several processes; returns the exit code.
pub(crate) fn execute(options: &Run) -> Result<u8> {
    let Run { ranks, threads, .. } = *options;
    let Some(session) = Session::join()? else {
        let ranks = ranks.unwrap_or(Ranks { size: 1, layout: None });
        return perform(options, &Launcher::of_threads(ranks, threads));
    };
    let launcher = Launcher::of_processes(ranks, threads, session.ranks());
    let outcome = launcher.and_then(|launcher| perform(options, &launcher));
    Ok(session.end(&outcome, failure::report_of_rank))
}

/// Computes a flow; returns the exit code. Only the first process prints and writes.
fn perform(options: &Run, launcher: &Launcher) -> Result<u8> {
    let mut clock = Clock::start();
    let watcher = Watcher::of(options, launcher)?;
    let device = options.device.as_ref().map(|device| format!("run.device={device:?}"));
    let case = options.choice.open(device.as_slice())?;
    let method = registry::method(&case.run.method)?;
    method.report(&case)?;
    launcher.decomposition(&case)?;
    let (references, left_out) = (Reference::of(&case)?, LeftOut::of(&case)?);
    let name = case_name(&options.choice.case);
    // A checkpoint that is not there or damaged is noticed before anything is made, and so is a
    // device that cannot be used or has too little memory.
    let restart = options.restart.as_deref();
    let read = |path| Restart::read(path, &case, options.restart_changed);
    let restart = launcher.first(|| restart.map(read).transpose())?.flatten();
    let place = launcher.place(&case)?;
    let case = place.settle(case);
    // Again, now that it is known what computes.
    let report = method.report(&case)?;
    let mut case = launcher.balance(method, &case)?;
    case.output.plane = case.output.plane.or_else(|| plane(&case, &references));
    let cut = launcher.decomposition(&case)?;
    launcher.agree(place.check_memory(&case, &report, &cut))?;
    launcher.check_memory(&case, &report)?;
    let folder =
        options.out.clone().unwrap_or_else(|| results::default_folder(name, restart.as_ref()));
    let room = || Amount::of(&case, &report).check_room(&case, &folder);
    let files = launcher.first(|| room().and_then(|()| Files::new(&folder)))?;
    let files = Arc::new(files.unwrap_or_else(Files::of_another));
    let locations = launcher.locations(&place)?;
    watcher.iter().for_each(Watcher::tell);
    if launcher.is_first() && !options.quiet {
        let (cells, place) = (case.grid.n_cells(), &locations.words);
        let how = match &*report.scheme {
            "" => method.name.to_owned(),
            scheme => format!("{}, {scheme}", method.name),
        };
        say::remark(&format!("{} ({how}, {cells} cells) on {place}", case.title));
        cut.shares().iter().for_each(|shares| say::remark(shares));
        let changed = restart.iter().flat_map(|restart| &restart.changed).map(ToString::to_string);
        let warnings = changed.chain(case.warnings()).chain(report.warnings);
        warnings.for_each(|warning| say::remark(&format!("warning: {warning}")));
        left_out.iter().for_each(|one| say::remark(&one.to_string()));
    }
    launcher.agree(signals::listen())?;
    clock.ranks_begin();
    let sight = sight(&case, &references);
    let goes_on = !options.restart_changed
        && options.restart.as_deref().is_some_and(|path| files.are_of(path));
    let iterations = restart.as_ref().map_or(0, |restart| restart.iterations);
    let summary = Summary::new(name, &case, method, &report.scheme, &cut, locations);
    let (options, begun) = (options.clone(), clock.begun());
    let results = Results { case, files, goes_on, iterations, sight };
    let plan = Arc::new(Plan { results, method, options, begun });
    let ended = match watcher {
        Some(watcher) => watcher.run(&plan, launcher, &references),
        None => launcher.run(&plan.results.case, |context| rank::on_rank(&plan, context)),
    };
    match ended {
        Ok(Ended { outcome, seen: Some(seen), changes, case }) => {
            let ended = results::Ended { outcome: outcome.clone(), seen, changes, case };
            let remark = |words: &str| {
                if !plan.options.quiet {
                    say::remark(words);
                }
            };
            let (summary, comparisons) =
                plan.results.end(summary, &clock, &references, ended, remark)?;
            tell(&plan, &outcome, &summary, &comparisons)
        }
        // The fields are where the files are.
        Ok(Ended { seen: None, .. }) => Ok(0),
        Err(error) => {
            if launcher.is_first() {
                plan.results.failed(summary, &clock, &error)?;
            }
            Err(error)
        }
    }
}

/// Prints how it ended; returns the exit code.
fn tell(
    plan: &Plan,
    outcome: &Outcome,
    summary: &Summary,
    comparisons: &[Comparison],
) -> Result<u8> {
    let mut text = format!("{outcome}\n");
    for (name, value) in &outcome.findings {
        // Counts are whole.
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        text +=
            &if whole { format!("{name}: {value}\n") } else { format!("{name}: {value:.2e}\n") };
    }
    if let Some(share) = summary.imbalance() {
        text += &format!("mass balance: {share:.2e} of what enters\n");
    }
    summary.heat_balance().iter().for_each(|one| text += &format!("{one}\n"));
    summary.heat().iter().for_each(|one| text += &format!("{one}\n"));
    summary.body_heat().iter().for_each(|one| text += &format!("{one}\n"));
    summary.courses().iter().for_each(|one| text += &format!("{one}\n"));
    summary.probes().iter().for_each(|one| text += &format!("{one}\n"));
    if !comparisons.is_empty() {
        text += &format!("\n{}", comparison_table(comparisons));
    }
    text += &summary.seconds().map_or_else(String::new, |seconds| format!("time: {seconds}\n"));
    text += "\nwritten:\n";
    plan.results
        .files
        .existing()
        .iter()
        .for_each(|path| text += &format!("  {}\n", path.display()));
    say::result(&text)?;
    summary.warnings().iter().for_each(|warning| say::remark(&format!("warning: {warning}")));
    if let Some(signal) = signals::received() {
        let restart = match (outcome.step.number, plan.results.case.output.has_checkpoints()) {
            (0, _) => " before its first step; run it again".into(),
            (_, true) => {
                format!("; go on with --restart {}", plan.results.files.checkpoint.display())
            }
            (_, false) => String::new(),
        };
        say::remark(&format!("interrupted{restart}"));
        return Ok(signals::exit_code(signal));
    }
    if !outcome.converged {
        say::remark(&format!("error: {}", outcome.reason));
        let remedy = match &*outcome.reason {
            EndInTime::REASON | STOPPED if outcome.step.number > 0 => {
                let changes = summary.changes().iter().flat_map(|change| &change.sets);
                let sets: String = changes.map(|set| format!(" --set '{set}'")).collect();
                format!("go on with `--restart {}{sets}`", plan.results.files.checkpoint.display())
            }
            _ => outcome.remedy().to_owned(),
        };
        say::remark(&format!("  help: {remedy}"));
    }
    Ok(u8::from(!outcome.converged))
}
