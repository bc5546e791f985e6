//! The charts of a study: profiles, errors, histories.

use vortice_plot::{Chart, ChartAxis, Guide, Ink, LineStyle, Series};

use super::finest::Seen;
use crate::comparison::findings::Findings;
use crate::comparison::grids::counted;
use crate::comparison::row::{Deviation, Row};
use vortice_post::references::{Reference, lines, published, published_extremes};
use vortice_post::{AlongWall, Line, NusseltProfile, Variable};

/// One chart for each line that the flow is looked at along, with the finest grid of each variant over
/// the published points.
pub(super) fn profiles(seen: &[Seen<'_>], references: &[Reference]) -> Vec<(String, Chart)> {
    let Some(first) = seen.first() else { return Vec::new() };
    let lines = lines(&first.case, references).into_iter();
    let charts = lines.enumerate().map(|(n, (variable, line))| {
        let name = format!("profile-{}-{}", n + 1, variable.name());
        (name, profile(seen, references, variable, line))
    });
    charts.collect()
}

fn profile(seen: &[Seen<'_>], references: &[Reference], variable: Variable, line: Line) -> Chart {
    let case = &seen[0].case;
    let computed = seen.iter().map(|one| Series {
        name: one.name.clone(),
        points: one.flow().profile(variable, line),
        look: LineStyle::Line,
        ink: Ink::Colour(one.number),
    });
    let published = published(references, variable, line).into_iter();
    let published = published.enumerate().map(|(n, (name, points))| Series {
        name: name.to_owned(),
        points,
        look: LineStyle::Points,
        ink: Ink::Reference(n),
    });
    let scale = if variable == Variable::Pressure { "(density velocity^2)" } else { "velocity" };
    Chart {
        title: format!("{} at {}", variable.name(), line.place(case)),
        x: ChartAxis::linear(&format!("{} / length", ["x", "y", "z"][line.along])),
        y: ChartAxis::linear(&format!("{} / {scale}", variable.name())),
        series: computed.chain(published).collect(),
        ..Chart::default()
    }
}

/// One chart for each wall whose temperature is given, of the Nusselt numbers along it.
pub(super) fn nusselt(seen: &[Seen<'_>], references: &[Reference]) -> Vec<(String, Chart)> {
    let profiles: Vec<Vec<NusseltProfile>> =
        seen.iter().map(|one| NusseltProfile::all(&one.flow())).collect();
    let walls = profiles.first().map_or(&[][..], Vec::as_slice).iter().enumerate();
    let chart = |(n, wall): (usize, &NusseltProfile)| {
        let computed = seen.iter().zip(&profiles).map(|(one, walls)| Series {
            name: one.name.clone(),
            points: walls.get(n).map(|wall| wall.points.clone()).unwrap_or_default(),
            look: LineStyle::Line,
            ink: Ink::Colour(one.number),
        });
        let published = published_extremes(references, &wall.wall).into_iter().enumerate();
        let published = published.map(|(n, (name, points))| Series {
            name: name.to_owned(),
            points,
            look: LineStyle::Points,
            ink: Ink::Reference(n),
        });
        let place = match wall.along {
            AlongWall::Direction(d) => format!("{} / length", ["x", "y", "z"][d]),
            AlongWall::Angle => "angle in degrees".into(),
        };
        let chart = Chart {
            title: format!("Nusselt number along {}", wall.wall),
            x: ChartAxis::linear(&place),
            y: ChartAxis::linear("Nu"),
            series: computed.chain(published).collect(),
            ..Chart::default()
        };
        (format!("nusselt-{}", wall.wall.replace(' ', "-")), chart)
    };
    walls.map(chart).collect()
}

/// What errors are drawn over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Cells,
    Seconds,
}

impl Over {
    /// In the name of a picture.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Seconds => "seconds",
        }
    }
}

/// The error against one reference, of all variants, over cells or wall-clock time.
pub(super) fn errors(findings: &Findings, reference: &str, over: Over) -> Chart {
    let point = |row: &Row| {
        let of = |one: &&Deviation| one.reference == reference;
        let error = row.deviations.iter().find(of)?.rms_error;
        let x = if over == Over::Cells { row.grid as f64 } else { row.expense.wall_seconds };
        (row.is_done() && error > 0.0).then_some((x, 100.0 * error))
    };
    let series = findings.study.variants.iter().enumerate().map(|(n, variant)| Series {
        name: variant.name.clone(),
        points: findings.rows_of(&variant.name).filter_map(point).collect(),
        look: LineStyle::LineAndPoints,
        ink: Ink::Colour(n),
    });
    let (words, x) = match over {
        Over::Cells => ("over cells", ChartAxis::log(counted(&findings.study.case))),
        Over::Seconds => ("over time", ChartAxis::log("wall-clock seconds")),
    };
    let grids = findings.study.grids.iter().map(|&n| n as f64).collect();
    Chart {
        title: format!("{reference} {words}"),
        x: ChartAxis { ticks: if over == Over::Cells { grids } else { Vec::new() }, ..x },
        y: ChartAxis::log("rms error in %"),
        series: series.filter(|one| !one.points.is_empty()).collect(),
        guides: if over == Over::Cells { order_guides() } else { Vec::new() },
        ..Chart::default()
    }
}

fn order_guides() -> Vec<Guide> {
    [1.0, 2.0].map(|p| Guide { label: format!("order {p}"), slope: -p }).to_vec()
}

/// How the finest runs became steady, over wall-clock time and over steps.
pub(super) fn histories(findings: &Findings) -> [(String, Chart); 2] {
    let series = |x: fn(&crate::comparison::trace::Look) -> f64| -> Vec<Series> {
        let finest = findings.finest();
        let all = finest.into_iter().map(|row| {
            let number = findings.study.variants.iter().position(|one| one.name == row.variant);
            Series {
                name: format!("{} {}", row.variant, row.grid),
                points: row.looks.iter().map(|look| (x(look), look.residual)).collect(),
                look: LineStyle::Line,
                ink: Ink::Colour(number.unwrap_or(0)),
            }
        });
        all.collect()
    };
    let chart = |title: &str, label: &str, series| Chart {
        title: title.into(),
        x: ChartAxis::log(label),
        y: ChartAxis::log("largest change of velocity in U/s"),
        series,
        ..Chart::default()
    };
    let (seconds, steps) = (series(|look| look.seconds), series(|look| look.step as f64));
    [
        (
            "history-seconds".into(),
            chart("Towards the end over time", "wall-clock seconds", seconds),
        ),
        (
            "history-steps".into(),
            chart("Towards the end over steps", "steps or outer iterations", steps),
        ),
    ]
}
