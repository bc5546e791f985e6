//! Points of the flow whose values are written over time.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::keys;
use super::numbers::{at_least_one, finite, positive};
use super::probe_options::{Probe, ProbeOptions, ProbeTimes};
use super::text::CaseText;
use super::three::three;
use crate::error::Result;
use crate::grid::Grid;
use crate::quantity::Quantity;
use crate::solid::Solids;

/// Points of all probes together, at most: what is looked at in more places is a plane or a box.
const MOST: usize = 10_000;

/// Steps between lines, unless the case says when.
const STEPS: i64 = 10;

/// The table `output.probes`.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct ProbesFile {
    steps: Option<i64>,
    seconds: Option<f64>,
    pub(super) quantities: Option<Vec<String>>,
    #[serde(default)]
    points: BTreeMap<String, PointFile>,
    #[serde(default)]
    lines: BTreeMap<String, LineFile>,
}

/// A point in m.
#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
struct PointFile(#[serde(deserialize_with = "three")] [f64; 3]);

/// Points between two ends, which belong to them, at equal distances.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct LineFile {
    #[serde(deserialize_with = "three")]
    from: [f64; 3],
    #[serde(deserialize_with = "three")]
    to: [f64; 3],
    points: i64,
}

/// The meaning of the table `output.probes`.
///
/// # Errors
/// If a key makes no sense.
pub(super) fn probe_options(
    file: &ProbesFile,
    quantities: Vec<Quantity>,
    is_steady: bool,
    grid: &Grid,
    text: &CaseText,
) -> Result<ProbeOptions> {
    let mut probes = Vec::new();
    for (name, PointFile(point)) in &file.points {
        let key = format!("output.probes.points.{name}");
        check_name(&key, name, text)?;
        check_inside(&key, *point, grid, text)?;
        probes.push(Probe { name: name.clone(), point: *point, key });
    }
    for (name, line) in &file.lines {
        let key = format!("output.probes.lines.{name}");
        check_name(&key, name, text)?;
        if file.points.contains_key(name) {
            let problem = format!("a point and a line are both called `{name}`");
            return Err(text.error(&key, problem, "give each its own name"));
        }
        probes.extend(points_of_line(
            &key,
            name,
            line,
            MOST.saturating_sub(probes.len()),
            grid,
            text,
        )?);
    }
    if probes.is_empty() {
        let problem = "there is neither a point nor a line";
        return Err(text.error("output.probes", problem, keys::how_to_write("output.probes")));
    }
    if probes.len() > MOST {
        let problem = format!("{} points are more than {MOST}", probes.len());
        return Err(text.error("output.probes", problem, TOO_MANY));
    }
    Ok(ProbeOptions { times: times(file, is_steady, text)?, quantities, probes })
}

/// Refuses points in solids, where nothing flows.
///
/// # Errors
/// If there is one.
pub(super) fn check_free(
    options: &ProbeOptions,
    solids: &Solids,
    grid: &Grid,
    text: &CaseText,
) -> Result<()> {
    let in_solid = |probe: &&Probe| solids.contains(grid.cell_at(probe.point));
    let Some(Probe { name, point, key }) = options.probes.iter().find(in_solid) else {
        return Ok(());
    };
    let problem = format!("`{name}` at {point:?} lies inside a solid, where nothing flows");
    Err(text.error(key, problem, "move it into the flow, or let the line end beside the solid"))
}

const TOO_MANY: &str = "take fewer, or record a plane or a box (`output.planes`, `output.boxes`)";

fn times(file: &ProbesFile, is_steady: bool, text: &CaseText) -> Result<ProbeTimes> {
    let Some(seconds) = file.seconds else {
        let steps = file.steps.unwrap_or(STEPS);
        return at_least_one("output.probes.steps", steps, text).map(ProbeTimes::Steps);
    };
    let key = "output.probes.seconds";
    if file.steps.is_some() {
        let problem = "a time and a number of steps between lines are both given";
        return Err(text.error(key, problem, "keep one of `seconds` and `steps`"));
    }
    if is_steady {
        let problem = "a flow that is to become steady is not followed in time";
        return Err(text.error(key, problem, "give `steps` in its place"));
    }
    positive(key, seconds, text).map(ProbeTimes::Seconds)
}

/// The points of a line, of which no more than `most` are allowed.
fn points_of_line(
    key: &str,
    name: &str,
    line: &LineFile,
    most: usize,
    grid: &Grid,
    text: &CaseText,
) -> Result<Vec<Probe>> {
    let LineFile { from, to, points } = line;
    check_inside(&format!("{key}.from"), *from, grid, text)?;
    check_inside(&format!("{key}.to"), *to, grid, text)?;
    let count_key = format!("{key}.points");
    let count = at_least_one(&count_key, *points, text)?;
    if count < 2 {
        let remedy = "give at least 2, or name a point in `output.probes.points`";
        return Err(text.error(&count_key, "a line has two ends", remedy));
    }
    if count > most as u64 {
        let problem = format!("{count} points are too many: all probes together may be {MOST}");
        return Err(text.error(&count_key, problem, TOO_MANY));
    }
    let point = |n: u64| {
        let share = n as f64 / (count - 1) as f64;
        // Both ends are met exactly.
        std::array::from_fn(|d| (1.0 - share) * from[d] + share * to[d])
    };
    let probe = |n| Probe { name: format!("{name}.{}", n + 1), point: point(n), key: key.into() };
    Ok((0..count).map(probe).collect())
}

fn check_name(key: &str, name: &str, text: &CaseText) -> Result<()> {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if !name.is_empty() && name.chars().all(is_usual) {
        return Ok(());
    }
    let problem = format!("`{name}` is no name for columns of a table");
    Err(text.error(key, problem, "use letters, digits, `_` and `-`"))
}

fn check_inside(key: &str, point: [f64; 3], grid: &Grid, text: &CaseText) -> Result<()> {
    finite(key, point, text)?;
    for d in grid.directions() {
        let (x, axis, letter) = (point[d], &grid.axes[d], ["x", "y", "z"][d]);
        let (low, high, slack) = (axis.low(), axis.high(), 1e-9 * axis.length());
        if x < low - slack || x > high + slack {
            let problem = format!("{x} in {letter} is outside the box");
            let remedy = format!("the box reaches from {low} to {high} m in {letter}");
            return Err(text.error(key, problem, remedy));
        }
    }
    Ok(())
}
