//! Profiles along the lines that references speak of, as a table and as plots.

use std::path::Path;

use vortice_core::{Case, Error, Result, write_beside};
use vortice_output::plain_cell;
use vortice_post::references::{Reference, lines, published};
use vortice_post::{Flow, Line, Variable};

/// A computed profile and the published points on its line.
pub(super) struct Curve {
    variable: Variable,
    line: Line,
    computed: Vec<(f64, f64)>,
    published: Vec<(f64, f64)>,
    /// Name of the reference; empty for a line that no reference speaks of.
    reference: String,
}

/// The lines that a flow is looked at along, with each reference that speaks of one.
pub(super) fn curves(flow: &Flow<'_>, references: &[Reference]) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (variable, line) in lines(flow.case, references) {
        let mut published = published(references, variable, line);
        if published.is_empty() {
            published.push(("", Vec::new()));
        }
        curves.extend(published.into_iter().map(|(reference, published)| Curve {
            variable,
            line,
            computed: flow.profile(variable, line),
            published,
            reference: reference.to_string(),
        }));
    }
    curves
}

/// Writes all curves: the computed values at the cell centres, then the published points with the
/// computed values there.
pub(super) fn write(path: &Path, flow: &Flow<'_>, curves: &[Curve]) -> Result<()> {
    let cannot = |error: &dyn std::fmt::Display| {
        Error::file(path, error, "make room, or give another folder with `--out`")
    };
    let table = table(flow, curves).map_err(|error| cannot(&error))?;
    write_beside(path, |file| file.write_all(&table))
}

fn table(flow: &Flow<'_>, curves: &[Curve]) -> csv::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "reference",
        "variable",
        "along",
        "at",
        "position",
        "computed",
        "published",
    ])?;
    for curve in curves {
        let along = ["x", "y", "z"][curve.line.along];
        let (name, at) = (curve.variable.name(), curve.line.place(flow.case));
        let reference = plain_cell(&curve.reference);
        let mut row = |position: f64, computed: f64, published: String| {
            let (position, computed) = (position.to_string(), computed.to_string());
            table.write_record([&reference, name, along, &at, &position, &computed, &published])
        };
        for &(position, computed) in &curve.computed {
            row(position, computed, String::new())?;
        }
        for &(position, published) in &curve.published {
            let mut there = curve.line.at;
            there[curve.line.along] = position;
            row(position, flow.value(curve.variable, there), published.to_string())?;
        }
    }
    table.into_inner().map_err(|error| error.into_error().into())
}

/// The curves as plots beside the picture of the flow.
pub(super) fn plots(case: &Case, curves: &[Curve]) -> Vec<vortice_plot::ProfilePlot> {
    let plot = |curve: &Curve| {
        let along = ["x", "y", "z"][curve.line.along];
        vortice_plot::ProfilePlot {
            title: format!("{} at {}", curve.variable.name(), curve.line.place(case)),
            x_label: format!("{along} / length"),
            y_label: match curve.variable {
                Variable::Pressure => "p / (density velocity^2)".into(),
                velocity => format!("{} / velocity", velocity.name()),
            },
            computed: curve.computed.clone(),
            reference: curve.published.clone(),
            reference_name: curve.reference.clone(),
        }
    };
    curves.iter().map(plot).collect()
}
