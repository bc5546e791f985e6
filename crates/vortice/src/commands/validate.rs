//! `vortice validate`

use std::io::IsTerminal;

use crate::validation::{Check, Checks, Job, Results, Row, Suite, row_table, write_measured};
use crate::{Interrupt, Progress, open_case, registry};
use vortice_core::{Device, Devices, Error, Every, Finite, Result, Simulation};

use super::alone::alone;
use super::signals;
use crate::arguments::Validate;
use crate::say;
use vortice_study::DevicePlacement;

/// Makes the checks that are asked for; returns the exit code.
pub(super) fn execute(options: &Validate) -> Result<u8> {
    alone("validate")?;
    let checks =
        options.checks.as_ref().map_or_else(Checks::built_in, |path| Checks::read(path))?;
    options.methods.iter().try_for_each(|name| registry::method(name).map(|_| ()))?;
    let places = places(&options.device)?;
    let jobs = jobs(options, &checks, &places);
    if jobs.is_empty() {
        return Err(nothing(options));
    }
    if let Some(folder) = &options.out {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::file(folder, error, "choose a folder that you may write to"))?;
    }
    signals::listen()?;
    let gpu = places.iter().find_map(|(_, place)| place.gpus());
    let (results, of_checks) = perform(&jobs, Results::new(gpu));
    if options.measure
        && let Some(path) = &options.checks
    {
        let machine = &results.machine;
        let by = results.gpu.as_deref().unwrap_or(&machine.processor);
        let measured_on = format!("{}, {by}", machine.date);
        write_measured(path, &checks.list, &of_checks, &measured_on)?;
    }
    if let Some(folder) = &options.out {
        results.write(folder)?;
    }
    say::result(&if options.json { results.json()? } else { row_table(&results.rows) })?;
    if let Some(signal) = signals::received() {
        say::remark("interrupted; the rest was not judged");
        return Ok(signals::exit_code(signal));
    }
    Ok(u8::from(!results.all_passed()))
}

/// Makes the checks one after the other, until the last or a signal.
fn perform<'a>(jobs: &[Job<'a>], mut results: Results) -> (Results, Vec<(&'a Check, Vec<Row>)>) {
    let mut of_checks = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        say::remark(&format!("[{}/{}] {} ...", number + 1, jobs.len(), job.name()));
        let rows = job.rows(&watched);
        if signals::received().is_some() {
            results.interrupted = true;
            break;
        }
        for row in &rows {
            say::remark(&format!("    {} {}: {}", row.reference, row.what, row.words()));
        }
        results.rows.extend(rows.iter().cloned());
        of_checks.push((job.check, rows));
    }
    (results, of_checks)
}

fn watched<'a>(simulation: Simulation<'a>) -> Result<Simulation<'a>> {
    let simulation = simulation
        .watch(Every::Steps(100), Finite::new("take more cells, or smaller steps"))
        .watch(Every::Steps(1), Interrupt::by(signals::flag()));
    // Elsewhere its lines would bury those of the validation.
    let terminal = std::io::stderr().is_terminal();
    Ok(if terminal { simulation.watch(Every::Steps(1), Progress::new()) } else { simulation })
}

/// The devices to compute on, each opened for as long as this lives.
fn places(words: &str) -> Result<Vec<(Device, DevicePlacement)>> {
    let devices: Devices = words.parse().map_err(|problem: String| Error::Command {
        argument: format!("--device {words}"),
        problem,
        remedy: "write cpu, cuda, cuda:1 or a list such as cpu,cuda:0".into(),
    })?;
    let open = |device: Device| {
        // Any case will do: only where it is computed is asked.
        let case = open_case("couette", &[])?.device(device);
        Ok((device, DevicePlacement::of(&case, 1)?))
    };
    if !devices.are_open() {
        return devices.list().iter().map(|&device| open(device)).collect();
    }
    let (_, best) = open(Device::Auto)?;
    let gpu = best.gpus().map(|_| (Device::AnyCuda, best));
    Ok([open(Device::Cpu)?].into_iter().chain(gpu).collect())
}

/// What is asked for, in the order of the checks.
fn jobs<'a>(
    options: &Validate,
    checks: &'a Checks,
    places: &[(Device, DevicePlacement)],
) -> Vec<Job<'a>> {
    let suite = match (options.quick, options.full) {
        (true, _) => Suite::Quick,
        (_, true) => Suite::Full,
        _ => Suite::Standard,
    };
    let wanted = |method: &str| {
        options.methods.is_empty() || options.methods.iter().any(|name| name == method)
    };
    let open = options.device == "auto";
    let of_suite = checks.list.iter().filter(|check| check.suite <= suite);
    of_suite
        .flat_map(|check| check.methods.iter().map(move |method| (check, method)))
        .filter(|(_, method)| wanted(method))
        .flat_map(|(check, method)| {
            places.iter().map(move |&(device, _)| Job { check, method, device })
        })
        // What is not asked for by name need not be possible.
        .filter(|job| !open || job.device == Device::Cpu || job.computes_on_gpus())
        .filter(|job| options.only.as_ref().is_none_or(|word| job.contains(word)))
        .collect()
}

fn nothing(options: &Validate) -> Error {
    let words = options.only.as_ref().map(|word| format!("--only {word}"));
    Error::Command {
        argument: words.unwrap_or_else(|| "validate".into()),
        problem: "no check is left to be made".into(),
        remedy: "ask for other words, more methods or a larger suite".into(),
    }
}
