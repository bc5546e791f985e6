//! What the page says of one case.

use vortice_core::{Precision, Result, Until};
use vortice_plot::{Chart, Drawing, Figure, Part, Section, Tone};

use super::charts::{Over, errors, histories, nusselt, profiles};
use super::finest::Seen;
use super::forces::bodies;
use super::maps::{Map, differences, speed, vorticity};
use super::tables;
use crate::comparison::findings::Findings;
use crate::comparison::grids::counted;
use crate::comparison::plan::plain_name;
use vortice_core::format::digits;
use vortice_post::references::LeftOut;

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
        parts
            .flat_map(|part| match part {
                Part::Folded(_, parts) => parts.iter().collect(),
                part => vec![part],
            })
            .flat_map(|part| match part {
                Part::Figures { figures, .. } => figures.as_slice(),
                _ => &[],
            })
    }

    /// The same with its figures numbered on from those before it.
    pub(super) fn numbered(mut self, number: &mut usize) -> Self {
        let parts = self.topics.iter_mut().flat_map(|(_, parts)| parts);
        for part in parts {
            match part {
                Part::Folded(_, parts) => parts.iter_mut().for_each(|part| count(part, number)),
                part => count(part, number),
            }
        }
        self
    }
}

/// Puts numbers before the captions of figures.
fn count(part: &mut Part, number: &mut usize) {
    let Part::Figures { figures, .. } = part else { return };
    for figure in figures {
        *number += 1;
        figure.caption = format!("Figure {number}. {}", figure.caption);
    }
}

/// Everything that the page says of a study, from what was run to what the flows look like.
///
/// # Errors
/// If the fields of a run cannot be read.
pub(super) fn chapter(findings: &Findings, seen: &[Seen<'_>]) -> Result<Chapter> {
    let others;
    let together = if Seen::share_a_grid(seen) {
        seen
    } else {
        others = Seen::on_one_grid(findings)?;
        &others
    };
    let topics = [
        ("Findings", found(findings, seen)),
        ("Values and their limits", limits(findings)),
        ("Forces over time", forces(findings, seen)),
        (
            "Profiles",
            folded(
                figures(findings, profiles(seen, &findings.references), LINES),
                MOST_LINES,
                "on other lines",
            ),
        ),
        ("Heat of walls", figures(findings, nusselt(seen, &findings.references), WALLS)),
        ("Distance from the references", distance(findings)),
        ("Cost", cost(findings)),
        ("Streamlines and vorticity", maps(findings, seen, vorticity(seen), VORTICITY)),
        (
            "Differences between the methods",
            maps(findings, together, differences(together), DIFFERENCE),
        ),
        ("What was run", what(findings)?),
    ];
    let topics = topics.into_iter().filter(|(_, parts)| !parts.is_empty());
    let topics = topics.map(|(title, parts)| (title.to_owned(), parts)).collect();
    Ok(Chapter { title: findings.study.case.title.clone(), topics })
}

/// What was found, in sentences, beside the flow.
fn found(findings: &Findings, seen: &[Seen<'_>]) -> Vec<Part> {
    let sentences = findings.sentences();
    let mut parts: Vec<Part> = sentences.into_iter().map(Part::Text).collect();
    parts.extend(maps(findings, seen, speed(seen), ""));
    parts
}

const LINES: &str = "lines: finest grid of each method; markers: published";
/// Lines whose profiles are seen at once.
const MOST_LINES: usize = 4;
const WALLS: &str =
    "lines: finest grid of each method, at cells beside the wall; markers: published extremes";
const VORTICITY: &str = "vorticity in colours, the same for all methods, and streamlines";
const DIFFERENCE: &str = "size of the difference of the velocities in per cent of the velocity scale; \
                          a tip on the bar says how far it goes beyond the colours";

/// Case, runs and machine, and what did not go well.
fn what(findings: &Findings) -> Result<Vec<Part>> {
    let facts = facts(findings).into_iter().map(|(name, value)| (name.to_owned(), value));
    let mut parts = vec![Part::Facts(facts.collect())];
    let missing = findings.study.n_runs() - findings.rows.len();
    if missing > 0 {
        let text = format!("{missing} runs were not made: somebody interrupted the study");
        parts.push(Part::Note(Tone::Bad, text));
    }
    let left_out = LeftOut::of(&findings.study.case)?;
    parts.extend(left_out.iter().map(|one| Part::Note(Tone::Plain, capital(&one.to_string()))));
    Ok(parts)
}

/// The same words as a sentence.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn facts(findings: &Findings) -> Vec<(&'static str, String)> {
    let (study, case, machine) = (&findings.study, &findings.study.case, &findings.machine);
    let listed = |words: Vec<String>| words.join(", ");
    let until = match case.run.until {
        Until::Time(end) => format!("flow time {end} s"),
        Until::Steady(tolerance) => format!(
            "steady: no velocity is farther from its end than {tolerance:e} of the velocity scale"
        ),
    };
    let precision = match case.run.precision {
        Precision::F32 => "single precision (f32)",
        Precision::F64 => "double precision (f64)",
    };
    let mut devices: Vec<String> =
        findings.rows.iter().map(|row| row.expense.device.clone()).collect();
    devices.retain(|device| !device.is_empty());
    devices.dedup();
    let cores = format!("{}, {} cores, {}", machine.processor, machine.cores, machine.system);
    vec![
        ("flow", case.title.clone()),
        ("Reynolds number", digits(case.reynolds(), 4)),
        ("methods", listed(study.variants.iter().map(|one| one.name.clone()).collect())),
        ("chosen by the methods", listed(schemes(findings))),
        (counted(case), listed(study.grids.iter().map(usize::to_string).collect())),
        ("end of each run", until),
        ("numbers", precision.into()),
        ("computed on", listed(devices)),
        ("machine", cores),
        ("program", format!("Vortice {}", machine.version)),
        ("date", machine.date.clone()),
    ]
}

/// What methods chose by themselves, and on which grids: `lbm: D3Q19, mrt by auto on 32`.
fn schemes(findings: &Findings) -> Vec<String> {
    let mut words: Vec<(String, String)> = Vec::new();
    for row in findings.rows.iter().filter(|row| !row.scheme.is_empty()) {
        let scheme = format!("{}: {}", row.variant, row.scheme);
        match words.iter_mut().find(|(known, _)| *known == scheme) {
            Some((_, grids)) => *grids += &format!(" and {}", row.grid),
            None => words.push((scheme, row.grid.to_string())),
        }
    }
    words.into_iter().map(|(scheme, grids)| format!("{scheme} on {grids}")).collect()
}

/// References whose pictures are seen at once.
const SEEN_AT_ONCE: usize = 2;

fn limits(findings: &Findings) -> Vec<Part> {
    if findings.limits.is_empty() {
        return Vec::new();
    }
    vec![Part::Table(tables::agreements(findings)), Part::Table(tables::limits(findings))]
}

fn distance(findings: &Findings) -> Vec<Part> {
    if findings.references.is_empty() {
        return Vec::new();
    }
    let mut parts = vec![Part::Table(tables::deviations(findings))];
    let charts = findings.references.iter().flat_map(|reference| {
        [Over::Cells, Over::Seconds].map(|over| {
            let name = format!("error-{}-{}", reference.name, over.word());
            (name, errors(findings, &reference.name, over))
        })
    });
    let charts = charts.filter(|(_, chart)| !chart.series.is_empty());
    // Over cells and over time.
    let charts = figures(findings, charts, "runs that reached their goal");
    parts.extend(folded(charts, SEEN_AT_ONCE, "of the other references"));
    parts
}

/// The same figures, but for the first ones folded.
fn folded(parts: Vec<Part>, at_once: usize, what: &str) -> Vec<Part> {
    let fold = |part| match part {
        Part::Figures { mut figures, wide } if figures.len() > at_once => {
            let rest = figures.split_off(at_once);
            let words = format!("{} more figures {what}", rest.len());
            vec![
                Part::Figures { figures, wide },
                Part::Folded(words, vec![Part::Figures { figures: rest, wide }]),
            ]
        }
        other => vec![other],
    };
    parts.into_iter().flat_map(fold).collect()
}

fn cost(findings: &Findings) -> Vec<Part> {
    let of_accuracy = Some(tables::accuracies(findings)).filter(|table| !table.rows.is_empty());
    let tables = of_accuracy.into_iter().chain([tables::expenses(findings)]);
    let mut parts: Vec<Part> = tables.map(Part::Table).collect();
    let remarks = tables::remarks(findings).into_iter();
    parts.extend(remarks.map(|remark| Part::Note(Tone::Bad, remark.text)));
    let charts = histories(findings).into_iter().filter(|(_, chart)| !chart.series.is_empty());
    parts.extend(figures(findings, charts, "finest grid of each method"));
    parts
}

/// The forces on bodies: what does not repeat itself, curves and spectra.
fn forces(findings: &Findings, seen: &[Seen<'_>]) -> Vec<Part> {
    let missing = findings.study.forces_missing().into_iter();
    let mut parts: Vec<Part> = missing.map(|one| Part::Note(Tone::Plain, capital(&one))).collect();
    for body in bodies(findings, seen) {
        let caption = format!("finest grid of each method, {}", body.shown);
        let over_time = figures(findings, body.over_time, &caption);
        parts.extend(over_time.into_iter().map(below_each_other));
        let caption = format!("finest grid of each method, {}", body.window);
        parts.extend(figures(findings, body.spectra, &caption));
    }
    let ends = tables::ends(findings);
    if !ends.rows.is_empty() {
        parts.push(Part::Table(ends));
    }
    parts
}

/// The same figures, each with a row of the page to itself.
fn below_each_other(part: Part) -> Part {
    match part {
        Part::Figures { figures, .. } => Part::Figures { figures, wide: true },
        other => other,
    }
}

/// Charts side by side.
fn figures(
    findings: &Findings,
    charts: impl IntoIterator<Item = (String, Chart)>,
    caption: &str,
) -> Vec<Part> {
    let drawn = |(name, chart): (String, Chart)| {
        let drawing = chart.draw();
        (name, chart.title, drawing)
    };
    let figures = named(findings, charts.into_iter().map(drawn));
    under(caption, figures, false)
}

/// Maps: side by side, or below each other where the flow is long.
fn maps(findings: &Findings, seen: &[Seen<'_>], maps: Vec<Map>, caption: &str) -> Vec<Part> {
    let Some(shown) = seen.first().filter(|_| !maps.is_empty()) else { return Vec::new() };
    let case = &shown.case;
    let [right, up] = case.plane_shown().directions().map(|d| case.grid.axes[d].length());
    let drawn = maps.into_iter().map(|map| (map.name, map.title, map.drawing));
    let place = match case.grid.is_plane() {
        true => String::new(),
        false => format!(", in the plane {}", case.plane_shown()),
    };
    let caption = format!("{caption}{place}");
    under(&capital(&caption), named(findings, drawn), right > 2.0 * up)
}

/// Figures under what is to be known of all of them, which is said once.
fn under(caption: &str, figures: Vec<Figure>, wide: bool) -> Vec<Part> {
    if figures.is_empty() {
        return Vec::new();
    }
    let words = match caption.trim_start_matches(", ") {
        "" => String::new(),
        words => capital(words) + ".",
    };
    let about = (!words.is_empty()).then_some(Part::Text(words));
    about.into_iter().chain([Part::Figures { figures, wide }]).collect()
}

/// Figures with names that no other case of the page has.
fn named(
    findings: &Findings,
    drawn: impl Iterator<Item = (String, String, Drawing)>,
) -> Vec<Figure> {
    let figure = |(name, title, drawing): (String, String, Drawing)| Figure {
        name: plain_name(&[&findings.study.name, &name]),
        caption: title.clone(),
        alternative: title,
        drawing,
    };
    drawn.map(figure).collect()
}
