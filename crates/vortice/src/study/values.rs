//! The numbers of a flow that are compared under refinement and between methods.

use super::row::{Deviation, Value};
use crate::references::{Comparison, Reference};
use crate::{Flow, Line, Variable};

/// How far a flow is from each reference, and its numbers: those that references speak of, and the
/// extremes of the centre-line profiles.
pub(super) fn values(flow: &Flow<'_>, references: &[Reference]) -> (Vec<Deviation>, Vec<Value>) {
    let comparisons: Vec<Comparison> =
        references.iter().map(|reference| reference.compare(flow)).collect();
    let mut values: Vec<Value> = Vec::new();
    for comparison in comparisons.iter().filter(|one| has_numbers(one)) {
        for sample in &comparison.samples {
            let published = (comparison.name.clone(), sample.reference);
            add(&mut values, &sample.what, sample.computed, Some(published));
        }
    }
    if comparisons.iter().all(|one| one.kind != "lengths" && one.kind != "exact") {
        for (name, computed) in extremes(flow) {
            add(&mut values, name, computed, None);
        }
    }
    (comparisons.iter().map(Deviation::from).collect(), values)
}

/// Whether the samples of a comparison are numbers with names, not points of a line.
fn has_numbers(comparison: &Comparison) -> bool {
    !matches!(comparison.kind, "profile" | "exact")
}

/// Adds a number, or what is published of one that is there.
fn add(values: &mut Vec<Value>, name: &str, computed: f64, published: Option<(String, f64)>) {
    match values.iter_mut().find(|value| value.name == name) {
        Some(known) => known.published = published.or(known.published.take()),
        None => values.push(Value { name: name.to_owned(), computed, published }),
    }
}

/// Extremes of u on the line upwards through the centre, and of v on the one along x.
fn extremes(flow: &Flow<'_>) -> Vec<(&'static str, f64)> {
    if !flow.case.grid.is_plane() {
        return Vec::new();
    }
    let centre = flow.case.grid.axes.map(|axis| 0.5 * axis.length() / flow.case.scale.length);
    let of = |component, along, sign| {
        let line = Line { along, at: centre };
        let found = flow.extremum(Variable::Velocity(component), line, sign);
        found.map_or(f64::NAN, |(_, value)| value)
    };
    vec![("u min", of(0, 1, -1.0)), ("v max", of(1, 0, 1.0)), ("v min", of(1, 0, -1.0))]
}

impl From<&Comparison> for Deviation {
    fn from(one: &Comparison) -> Self {
        Self {
            reference: one.name.clone(),
            kind: one.kind,
            max_error: one.max_error,
            rms_error: one.rms_error,
        }
    }
}
