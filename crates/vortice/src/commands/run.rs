//! `vortice run`

mod files;
mod profiles;
mod rank;
mod seconds;
mod summary;
mod watch;

use std::sync::Arc;

use crate::references::{Comparison, LeftOut, Reference, comparison_table, plane};
use crate::{EndInTime, Flow, ForceCourse, ForceSeries, ProbeMeans, case_name, registry, sight};
use vortice_core::{Error, Outcome, Result};
use vortice_mpi::Session;
use vortice_output::Amount;
use vortice_watch::STOPPED;

use super::launcher::Launcher;
use super::signals;
use crate::arguments::{Ranks, Run};
use crate::{failure, say};
use files::{Files, Restart};
use rank::{Ended, Plan};
use seconds::Clock;
use summary::Summary;
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
    (method.check)(&case)?;
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
    let report = (method.check)(&case)?;
    let mut case = launcher.balance(method, &case)?;
    case.output.plane = case.output.plane.or_else(|| plane(&case, &references));
    let cut = launcher.decomposition(&case)?;
    launcher.agree(place.check_memory(&case, &report, &cut))?;
    launcher.check_memory(&case, &report)?;
    let folder =
        options.out.clone().unwrap_or_else(|| files::default_folder(name, restart.as_ref()));
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
    let plan = Plan { case, method, options, files, begun, sight, goes_on, iterations };
    let plan = Arc::new(plan);
    let ended = match watcher {
        Some(watcher) => watcher.run(&plan, launcher, &references),
        None => launcher.run(&plan.case, |context| rank::on_rank(&plan, context)),
    };
    match ended {
        Ok(Ended { outcome, seen: Some(seen), changes, mut case }) => {
            let (slope, time) = ((method.wall_slope)(&case)?, outcome.step.time_reached());
            let courses = courses(&plan);
            let flow = seen.flow(case.at(outcome.step.time), slope, time);
            let flow =
                flow.with_courses(courses).with_surface_fluxes(outcome.surface_fluxes.clone());
            let comparisons = finish(&plan, &references, &flow)?;
            let summary =
                summary.changed(changes).ended(&flow, seen.energy, &outcome, &comparisons);
            let summary = summary.with_probes(probes(&plan)).timed(&clock, &outcome);
            summary.write(&plan.files.summary)?;
            tell(&plan, &outcome, &summary, &comparisons)
        }
        // The fields are where the files are.
        Ok(Ended { seen: None, .. }) => Ok(0),
        Err(error) => {
            if let Error::Diverged { step, time, .. } = error
                && launcher.is_first()
            {
                summary.diverged(step, time, clock.elapsed(), &error).write(&plan.files.summary)?;
            }
            Err(error)
        }
    }
}

/// What the forces of the whole run did, of which earlier parts may have written some.
fn courses(plan: &Plan) -> Vec<ForceCourse> {
    let written = plan.case.forces().and_then(|_| std::fs::read_to_string(&plan.files.forces).ok());
    let series = written.map(|text| ForceSeries::all(&plan.case, &text)).unwrap_or_default();
    ForceCourse::all(&plan.case, &series)
}

/// What has been at points during the whole run.
fn probes(plan: &Plan) -> Vec<ProbeMeans> {
    let written = plan.case.output.probes.as_ref();
    let written = written.map(|_| std::fs::read_to_string(&plan.files.probes));
    written.and_then(|text| Some(ProbeMeans::all(&plan.case, &text.ok()?))).unwrap_or_default()
}

/// Compares with the references and writes what is written once, at the end.
fn finish(plan: &Plan, references: &[Reference], flow: &Flow<'_>) -> Result<Vec<Comparison>> {
    // A flow that was changed on the way may no longer be that of a table.
    let holds = |one: &&Reference| one.objection(flow.case).is_none();
    let references: Vec<Reference> = references.iter().filter(holds).cloned().collect();
    let curves = profiles::curves(flow, &references);
    profiles::write(&plan.files.profiles, flow, &curves)?;
    if flow.case.output.picture {
        let plots = profiles::plots(flow.case, &curves);
        let (velocity, temperature) = (flow.velocity, flow.temperature);
        vortice_plot::draw(&plan.files.picture, flow.case, velocity, temperature, &plots)?;
    }
    write_mp4(plan);
    Ok(references.iter().map(|reference| reference.compare(flow)).collect())
}

/// Writes the film that was asked for as MP4 too: where that cannot be the film is there all the same.
fn write_mp4(plan: &Plan) {
    let Files { frames, mp4, .. } = &*plan.files;
    let film = plan.case.output.film.as_ref();
    let written = film.map(|options| vortice_plot::write_mp4(frames, options, mp4));
    if let Some(Err(error)) = written.filter(|_| !plan.options.quiet) {
        say::remark(&format!("{error}; {}", error.remedy()));
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
    plan.files.existing().iter().for_each(|path| text += &format!("  {}\n", path.display()));
    say::result(&text)?;
    summary.warnings().iter().for_each(|warning| say::remark(&format!("warning: {warning}")));
    if let Some(signal) = signals::received() {
        let restart = match (outcome.step.number, plan.case.output.has_checkpoints()) {
            (0, _) => " before its first step; run it again".into(),
            (_, true) => format!("; go on with --restart {}", plan.files.checkpoint.display()),
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
                format!("go on with `--restart {}{sets}`", plan.files.checkpoint.display())
            }
            _ => outcome.remedy().to_owned(),
        };
        say::remark(&format!("  help: {remedy}"));
    }
    Ok(u8::from(!outcome.converged))
}
