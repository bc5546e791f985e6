//! Profiles along the lines that references speak of, as a table and as plots.

use std::path::Path;

use vortice::references::{Reference, Values};
use vortice::{Flow, Line, Variable};
use vortice_core::{Case, Error, Result};
use vortice_output::{plain_cell, write_beside};

/// A computed profile and the published points on its line.
pub(super) struct Curve {
    variable: Variable,
    line: Line,
    computed: Vec<(f64, f64)>,
    published: Vec<(f64, f64)>,
    /// Name of the reference; empty for a line that no reference speaks of.
    reference: String,
}

/// The profiles of all references; the centrelines if none has any.
pub(super) fn curves(flow: &Flow<'_>, references: &[Reference]) -> Vec<Curve> {
    let curve = |variable, line, published: &[(f64, f64)], reference: &str| Curve {
        variable,
        line,
        computed: flow.profile(variable, line),
        published: published.to_vec(),
        reference: reference.to_string(),
    };
    let of_references = references.iter().filter_map(|reference| match &reference.values {
        Values::Profile { variable, line, points } => {
            Some(curve(*variable, *line, points, &reference.name))
        }
        _ => None,
    });
    let curves: Vec<Curve> = of_references.collect();
    if !curves.is_empty() {
        return curves;
    }
    let centre = flow.case.grid.axes.map(|axis| 0.5 * axis.length() / flow.case.scale.length);
    let centreline =
        |variable, along| curve(Variable::Velocity(variable), Line { along, at: centre }, &[], "");
    vec![centreline(0, 1), centreline(1, 0)]
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
pub(super) fn plots(case: &Case, curves: &[Curve]) -> Vec<vortice_output::ProfilePlot> {
    let plot = |curve: &Curve| {
        let along = ["x", "y", "z"][curve.line.along];
        vortice_output::ProfilePlot {
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
