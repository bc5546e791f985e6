//! `vortice check`

use std::fmt::Write as _;

use vortice::references::Reference;
use vortice::registry;
use vortice_core::{Case, Report, Result};

use super::cases::cells;
use crate::arguments::Check;
use crate::say;

/// Shows what follows from a case.
pub(crate) fn execute(options: &Check) -> Result<()> {
    let case = options.choice.open(&[])?;
    let method = registry::method(&case.run.method)?;
    let report = (method.check)(&case)?;
    let references = Reference::of(&case)?;

    let mut facts = general(&case, method.about, method.name);
    facts.extend(report.facts.iter().cloned());
    facts.push(("memory".into(), memory(report.memory)));
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{}\n\n", case.title);
    for (name, value) in &facts {
        let _ = writeln!(text, "{name:width$}  {value}");
    }
    text += &list(&references);
    text += &warnings(&case, &report);
    say::result(&text)
}

/// What does not depend on the method.
fn general(case: &Case, about: &str, name: &str) -> Vec<(String, String)> {
    let grid = &case.grid;
    let directions = grid.directions();
    let lengths = |all: [f64; 3]| {
        let words: Vec<_> = directions.clone().map(|d| format!("{:.6}", all[d])).collect();
        words.join(" x ") + " m"
    };
    let size = grid.axes.map(|axis| axis.length());
    let widest = directions.clone().map(|d| grid.spacing()[d]).fold(0.0, f64::max);
    let solid = case.solids().count();
    let mut facts = vec![
        ("method".into(), format!("{name}: {about}")),
        ("cells".into(), format!("{} = {}", cells(grid.cells()), grid.n_cells())),
        ("box".into(), lengths(size)),
        ("spacing".into(), lengths(grid.spacing())),
        ("Reynolds number".into(), format!("{:.6}", case.reynolds())),
        (
            "cell Reynolds number".into(),
            format!("{:.4}", case.scale.velocity * widest / case.viscosity),
        ),
    ];
    if solid > 0 {
        facts.push(("solid cells".into(), solid.to_string()));
    }
    facts
}

fn memory(bytes: f64) -> String {
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        1e6..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.2} GB", bytes / 1e9),
    }
}

fn list(references: &[Reference]) -> String {
    references.iter().fold(String::new(), |mut text, reference| {
        let _ = write!(text, "\nreference {}\n  {}\n", reference.name, reference.citation);
        if !reference.accuracy.is_empty() {
            let _ = writeln!(text, "  accuracy: {}", reference.accuracy);
        }
        text
    })
}

fn warnings(case: &Case, report: &Report) -> String {
    let all = case.warnings().into_iter().chain(report.warnings.iter().cloned());
    all.fold(String::new(), |text, warning| text + "\nwarning: " + &warning + "\n")
}
