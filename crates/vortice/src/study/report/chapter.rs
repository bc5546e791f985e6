//! What the page says of one case.

use vortice_core::{Precision, Result, Until};
use vortice_output::{Chart, Drawing, Figure, Part, Section, Tone};

use super::charts::{Over, errors, histories, profiles};
use super::finest::Seen;
use super::maps::{differences, vorticity};
use super::tables;
use super::words::{bytes, digits};
use crate::study::findings::Findings;

/// Topics of one case, each with its parts.
pub(super) struct Chapter {
    title: String,
    pub(super) topics: Vec<(String, Vec<Part>)>,
}

impl Chapter {
    /// All topics as one section.
    pub(super) fn section(self) -> Section {
        let parts = self
            .topics
            .into_iter()
            .flat_map(|(title, parts)| std::iter::once(Part::Heading(title)).chain(parts));
        Section { title: self.title, parts: parts.collect() }
    }

    /// All figures.
    pub(super) fn figures(&self) -> impl Iterator<Item = &Figure> {
        let parts = self.topics.iter().flat_map(|(_, parts)| parts);
        parts.flat_map(|part| match part {
            Part::Figures { figures, .. } => figures.as_slice(),
            _ => &[],
        })
    }
}

/// Everything that the page says of a study.
///
/// # Errors
/// If the fields of a run cannot be read.
pub(super) fn chapter(findings: &Findings, seen: &[Seen<'_>]) -> Result<Chapter> {
    let mut topics = vec![("What was run".to_owned(), what(findings))];
    if !findings.limits.is_empty() {
        let mut parts = Vec::new();
        if findings.agreements.iter().any(|one| one.variants > 0) {
            parts.push(Part::Table(tables::agreements(findings)));
        }
        parts.push(Part::Table(tables::limits(findings)));
        topics.push(("Values and their limits".into(), parts));
    }
    if !seen.is_empty() {
        topics.push((
            "Profiles".into(),
            figures(
                findings,
                "profile",
                profiles(seen, &findings.references),
                "line: finest grid of each method; markers: published",
            ),
        ));
    }
    if !findings.references.is_empty() {
        topics.push(("Distance from the references".into(), distance(findings)));
    }
    topics.push(("Cost".into(), cost(findings)));
    if !seen.is_empty() {
        let maps = vorticity(seen).into_iter().map(|map| (map.title, map.drawing));
        let caption = "vorticity in colours, the same for all methods, and streamlines";
        topics.push((
            "Streamlines and vorticity".into(),
            vec![maps_of(findings, "vorticity", maps, caption)],
        ));
    }
    let together = Seen::on_one_grid(findings)?;
    let maps: Vec<_> =
        differences(&together).into_iter().map(|map| (map.title, map.drawing)).collect();
    if !maps.is_empty() {
        let caption =
            "magnitude of the difference of the velocities as a share of the velocity scale";
        topics.push((
            "Differences between the methods".into(),
            vec![maps_of(findings, "difference", maps.into_iter(), caption)],
        ));
    }
    Ok(Chapter { title: findings.study.case.title.clone(), topics })
}

/// Case, runs and machine, and what did not go well.
fn what(findings: &Findings) -> Vec<Part> {
    let (study, case, machine) = (&findings.study, &findings.study.case, &findings.machine);
    let grids = study.grids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let variants = study.variants.iter().map(|one| &*one.name).collect::<Vec<_>>().join(", ");
    let until = match case.run.until {
        Until::Time(end) => format!("flow time {end} s"),
        Until::Steady(tolerance) => {
            format!(
                "steady: no velocity changes by more than {tolerance:e} of the velocity scale in a second"
            )
        }
    };
    let mut devices: Vec<&str> = findings.rows.iter().map(|row| &*row.expense.device).collect();
    devices.dedup();
    let memory = machine.memory.map(|free| format!(", {} of memory free", bytes(free)));
    let facts = [
        ("flow", case.title.clone()),
        ("Reynolds number", digits(case.reynolds(), 4)),
        ("methods", variants),
        ("cells along the shortest side", grids),
        ("end of each run", until),
        (
            "numbers",
            match case.run.precision {
                Precision::F32 => "single precision (f32)".into(),
                Precision::F64 => "double precision (f64)".into(),
            },
        ),
        ("computed on", devices.join(", ")),
        (
            "machine",
            format!(
                "{}, {} cores{}, {}",
                machine.processor,
                machine.cores,
                memory.unwrap_or_default(),
                machine.system
            ),
        ),
        ("program", format!("Vortice {}", machine.version)),
        ("date", machine.date.clone()),
    ];
    let facts = facts.map(|(name, value)| (name.to_owned(), value)).to_vec();
    let mut parts = vec![Part::Facts(facts)];
    for row in findings.rows.iter().filter(|row| !row.is_done()) {
        let (word, why) = (row.ended.word(), row.ended.why());
        parts
            .push(Part::Note(Tone::Bad, format!("{} on {}: {word}: {why}", row.variant, row.grid)));
    }
    let missing = study.n_runs() - findings.rows.len();
    if missing > 0 {
        parts.push(Part::Note(
            Tone::Bad,
            format!("{missing} runs were not made: somebody interrupted the study"),
        ));
    }
    parts
}

fn distance(findings: &Findings) -> Vec<Part> {
    let mut parts = vec![Part::Table(tables::deviations(findings))];
    let charts = findings.references.iter().flat_map(|reference| {
        [Over::Cells, Over::Seconds].map(|over| errors(findings, &reference.name, over))
    });
    let charts = charts.filter(|chart| !chart.series.is_empty()).collect();
    parts.extend(figures(findings, "error", charts, "runs that reached their goal"));
    parts
}

fn cost(findings: &Findings) -> Vec<Part> {
    let mut parts = vec![Part::Table(tables::expenses(findings))];
    let charts = histories(findings).into_iter().filter(|chart| !chart.series.is_empty());
    parts.extend(figures(findings, "history", charts.collect(), "finest grid of each method"));
    parts
}

/// Charts side by side.
fn figures(findings: &Findings, name: &str, charts: Vec<Chart>, caption: &str) -> Vec<Part> {
    let drawings = charts.into_iter().map(|chart| (chart.title.clone(), chart.draw()));
    let figures: Vec<Figure> = named(findings, name, drawings, caption);
    if figures.is_empty() { Vec::new() } else { vec![Part::Figures { figures, wide: false }] }
}

/// Maps: side by side, or below each other where the flow is long.
fn maps_of(
    findings: &Findings,
    name: &str,
    maps: impl Iterator<Item = (String, Drawing)>,
    caption: &str,
) -> Part {
    let [x, y, _] = findings.study.case.grid.axes.map(|axis| axis.length());
    Part::Figures { figures: named(findings, name, maps, caption), wide: x > 2.0 * y }
}

fn named(
    findings: &Findings,
    name: &str,
    drawings: impl Iterator<Item = (String, Drawing)>,
    caption: &str,
) -> Vec<Figure> {
    let figure = |(n, (title, drawing)): (usize, (String, Drawing))| Figure {
        name: format!("{}-{name}-{}", findings.study.name, n + 1),
        caption: format!("{title}: {caption}"),
        alternative: title,
        drawing,
    };
    drawings.enumerate().map(figure).collect()
}
