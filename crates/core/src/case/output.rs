//! What to write: of the whole grid, and of planes and boxes in it.

#[cfg(test)]
mod tests;

use super::cut_planes::{cut_plane, plane_of};
use super::file::{
    BoxFile, CaseFile, CheckpointFile, ForcesFile, OutputFile, OutputTimesFile, PlaneFile,
    StatisticsFile, UntilFile,
};
use super::force_times::ForceTimes;
use super::keys;
use super::meaning::{OutputOptions, OutputPart, OutputTimes, StatisticsOptions};
use super::numbers::{at_least_one, not_negative, positive, precision};
use super::obstacles::box_of_cells;
use super::probe_options::ProbeOptions;
use super::probes::{ProbesFile, probe_options};
use super::text::CaseText;
use crate::error::Result;
use crate::extent::Extent;
use crate::grid::Grid;
use crate::quantity::Quantity;

/// The meaning of the table `output`, of a flow that carries these.
///
/// # Errors
/// If a key makes no sense.
pub(super) fn output_options(
    file: &CaseFile,
    carried: &[Quantity],
    grid: &Grid,
    text: &CaseText,
) -> Result<OutputOptions> {
    let (all, until) = (file, file.run.until);
    let file = &file.output;
    let level = file.compression.unwrap_or(0);
    let Some(compression) = u8::try_from(level).ok().filter(|&level| level <= 9) else {
        let problem = format!("there is no level {level}");
        return Err(text.error("output.compression", problem, "use 0 (none) to 9"));
    };
    let checkpoint_steps = file.checkpoint_steps;
    Ok(OutputOptions {
        fields: output_times("output", file.fields, file.fields_steps, until, text)?,
        quantities: (file.quantities.as_ref())
            .map(|all| quantities("output.quantities", all, &of_flow(grid, carried), text))
            .transpose()?,
        coarsen: coarsen("output", file.coarsen, &Extent::whole(grid.cells()), text)?,
        precision: (file.precision.as_ref())
            .map(|word| precision("output.precision", word, text))
            .transpose()?,
        history: at_least_one("output.history", file.history.unwrap_or(10), text)?,
        forces: match file.forces {
            Some(ForcesFile(Some(seconds))) => ForceTimes::Every(forces(seconds, all, text)?),
            Some(ForcesFile(None)) => ForceTimes::Never,
            None => ForceTimes::Unsaid,
        },
        checkpoint: (file.checkpoint.map_or(Some(600.0), |CheckpointFile(seconds)| seconds))
            .map(|seconds| positive("output.checkpoint", seconds, text))
            .transpose()?,
        checkpoint_steps: checkpoint_steps
            .map(|steps| at_least_one("output.checkpoint-steps", steps, text))
            .transpose()?,
        compression,
        picture: file.picture.unwrap_or(true),
        plane: (file.plane.as_ref())
            .map(|words| plane_of("output.plane", words, grid, text))
            .transpose()?,
        parts: parts(file, (until, carried), grid, text)?,
        statistics: (file.statistics.as_ref())
            .map(|file| statistics(file, until, (grid, carried), text))
            .transpose()?,
        // It asks for the speeds of the whole case.
        film: None,
        probes: (file.probes.as_ref())
            .map(|file| probes(file, (until, carried), grid, text))
            .transpose()?,
    })
}

/// The meaning of `output.probes`.
fn probes(
    file: &ProbesFile,
    (until, carried): (UntilFile, &[Quantity]),
    grid: &Grid,
    text: &CaseText,
) -> Result<ProbeOptions> {
    let known: Vec<_> = Quantity::computed(carried).collect();
    let named = file.quantities.as_ref();
    let named = named.map(|all| quantities("output.probes.quantities", all, &known, text));
    let is_steady = matches!(until, UntilFile::Steady);
    probe_options(file, named.transpose()?.unwrap_or(known), is_steady, grid, text)
}

/// The meaning of `output.forces`.
fn forces(seconds: f64, file: &CaseFile, text: &CaseText) -> Result<f64> {
    let key = "output.forces";
    if let UntilFile::Steady = file.run.until {
        let problem = "a flow that is to become steady has no forces over time";
        let remedy = "let `run.until` be a time, or leave it out: summary.json has the last forces";
        return Err(text.error(key, problem, remedy));
    }
    positive(key, seconds, text)
}

/// The meaning of `output.planes` and `output.boxes`.
fn parts(
    file: &OutputFile,
    (until, carried): (UntilFile, &[Quantity]),
    grid: &Grid,
    text: &CaseText,
) -> Result<Vec<OutputPart>> {
    let planes = file.planes.iter().map(|(name, PlaneFile { at, when })| {
        let key = format!("output.planes.{name}");
        let plane = cut_plane(&format!("{key}.at"), at, grid, text)?;
        let mut extent = Extent::whole(grid.cells());
        extent.cells[plane.normal] = grid.axes[plane.normal].cell_at(plane.position);
        Ok((key, name, extent, when))
    });
    let boxes = file.boxes.iter().map(|(name, BoxFile { low, high, when })| {
        let key = format!("output.boxes.{name}");
        let cells = box_of_cells(&key, *low, *high, grid, text)?.cells(grid);
        Ok((key, name, Extent { cells }, when))
    });
    let mut parts: Vec<OutputPart> = Vec::new();
    for part in planes.chain(boxes) {
        let (key, name, extent, when) = part?;
        check_name(&key, name, &parts, text)?;
        let names = when.quantities.as_ref().map(|names| (format!("{key}.quantities"), names));
        let names = names.or(file.quantities.as_ref().map(|all| ("output.quantities".into(), all)));
        parts.push(OutputPart {
            name: name.clone(),
            coarsen: coarsen(&key, when.coarsen, &extent, text)?,
            extent,
            times: output_times(&key, when.fields, when.fields_steps, until, text)?,
            quantities: match names {
                Some((key, names)) => quantities(&key, names, &of_flow(grid, carried), text)?,
                None => of_flow(grid, carried),
            },
        });
    }
    Ok(parts)
}

/// The meaning of `output.statistics`.
fn statistics(
    file: &StatisticsFile,
    until: UntilFile,
    (grid, carried): (&Grid, &[Quantity]),
    text: &CaseText,
) -> Result<StatisticsOptions> {
    let key = "output.statistics";
    let from = not_negative("output.statistics.from", file.from, text)?;
    match until {
        UntilFile::Steady => {
            let problem = "a flow that is to become steady has no averages over time";
            let remedy = "let `run.until` be a time, or leave this table out";
            return Err(text.error(key, problem, remedy));
        }
        UntilFile::Time(end) if from >= end => {
            let problem = format!("{from} s is not before the end of the run at {end} s");
            let remedy = "take an earlier time, or a later `run.until`";
            return Err(text.error("output.statistics.from", problem, remedy));
        }
        UntilFile::Time(_) => {}
    }
    let (extent, known) = (Extent::whole(grid.cells()), Quantity::over_time(carried));
    let names = file.quantities.as_ref();
    let quantities = names
        .map(|all| quantities("output.statistics.quantities", all, &known, text))
        .transpose()?;
    Ok(StatisticsOptions {
        from,
        steps: at_least_one("output.statistics.steps", file.steps.unwrap_or(10), text)?,
        part: OutputPart {
            name: StatisticsOptions::NAME.into(),
            times: match (file.fields, file.fields_steps) {
                (None, None) => OutputTimes::Last,
                (fields, steps) => output_times(key, fields, steps, until, text)?,
            },
            quantities: quantities.unwrap_or(known),
            coarsen: coarsen(key, file.coarsen, &extent, text)?,
            extent,
        },
    })
}

/// Cells along the edges of blocks that fill a part.
fn coarsen(table: &str, cells: Option<i64>, part: &Extent, text: &CaseText) -> Result<usize> {
    let key = format!("{table}.coarsen");
    let cells = at_least_one(&key, cells.unwrap_or(1), text)?;
    let cells = usize::try_from(cells).unwrap_or(usize::MAX);
    let n = part.n();
    if let Some(d) = (0..3).find(|&d| n[d] > 1 && !n[d].is_multiple_of(cells)) {
        let problem = format!("blocks of {cells} cells do not fill {} in {}", n[d], AXES[d]);
        let remedy = "take a number that divides the cells in each direction, such as 2";
        return Err(text.error(&key, problem, remedy));
    }
    Ok(cells)
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn check_name(key: &str, name: &str, others: &[OutputPart], text: &CaseText) -> Result<()> {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if name.is_empty() || !name.chars().all(is_usual) {
        let problem = format!("`{name}` is no name for a file");
        return Err(text.error(key, problem, "use letters, digits, `_` and `-`"));
    }
    if name == StatisticsOptions::NAME {
        let problem = format!("`{name}` is what averages over time are called");
        return Err(text.error(key, problem, "give it another name"));
    }
    if others.iter().any(|other| other.name == name) {
        let problem = format!("a plane and a box are both called `{name}`");
        return Err(text.error(key, problem, "give each its own name"));
    }
    Ok(())
}

/// When fields are written, as two keys of a table say: a steady flow is its last state.
fn output_times(
    table: &str,
    times: Option<OutputTimesFile>,
    steps: Option<i64>,
    until: UntilFile,
    text: &CaseText,
) -> Result<OutputTimes> {
    let times = match (times, steps) {
        (Some(_), Some(_)) => {
            let problem = "a time and a number of steps between fields are both given";
            let remedy = "keep one of `fields` and `fields-steps`";
            return Err(text.error(table, problem, remedy));
        }
        (None, Some(steps)) => {
            let steps = at_least_one(&format!("{table}.fields-steps"), steps, text)?;
            Some(OutputTimes::Steps(steps))
        }
        (times, None) => times.map(|OutputTimesFile(times)| times),
    };
    if let Some(OutputTimes::Every(seconds)) = times {
        positive(&format!("{table}.fields"), seconds, text)?;
    }
    Ok(times.unwrap_or(match until {
        UntilFile::Steady => OutputTimes::Last,
        UntilFile::Time(_) => OutputTimes::Ends,
    }))
}

fn of_flow(grid: &Grid, carried: &[Quantity]) -> Vec<Quantity> {
    Quantity::of(grid, carried).collect()
}

/// Some of the quantities that are known, by their names.
fn quantities(
    key: &str,
    names: &[String],
    known: &[Quantity],
    text: &CaseText,
) -> Result<Vec<Quantity>> {
    let words: Vec<String> = known.iter().map(|quantity| quantity.name().to_owned()).collect();
    if names.is_empty() {
        let remedy = "name what is to be written, or write \"none\" for `fields`";
        return Err(text.error(key, "is empty", remedy));
    }
    let quantity = |name: &String| {
        known.iter().copied().find(|known| known.name() == name).ok_or_else(|| {
            let problem = format!("there is no `{name}` of this flow");
            text.error(key, problem, keys::instead_of_word(name, &words))
        })
    };
    names.iter().map(quantity).collect()
}
