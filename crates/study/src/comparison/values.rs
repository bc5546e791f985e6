//! The numbers of a flow that are compared under refinement and between methods.

use super::row::{Deviation, Value};
use vortice_post::references::{Coefficient, Comparison, Reference};
use vortice_post::{Flow, ForceCourse, Line, Variable};

/// How far a flow is from each reference that holds for it, and its numbers: those that references speak of, and the
/// extremes of the centre-line profiles.
pub(super) fn values(flow: &Flow<'_>, references: &[Reference]) -> (Vec<Deviation>, Vec<Value>) {
    let comparisons: Vec<Comparison> =
        holding(references, flow).map(|reference| reference.compare(flow)).collect();
    let mut values: Vec<Value> = Vec::new();
    for comparison in comparisons.iter().filter(|one| has_numbers(one)) {
        for sample in &comparison.samples {
            let published = (comparison.name.clone(), sample.reference);
            add(&mut values, &sample.what, sample.computed, Some(published));
        }
    }
    for (name, computed) in flow.courses.iter().flat_map(of_course) {
        add(&mut values, &name, computed, None);
    }
    // Of a flow that swings one moment says nothing.
    let is_closed = flow.courses.is_empty()
        && comparisons.iter().all(|one| one.kind != "lengths" && one.kind != "exact");
    if is_closed && flow.case.grid.is_plane() {
        let own = extremes(flow).into_iter().chain(primary_vortex(flow));
        own.for_each(|(name, computed)| add(&mut values, name, computed, None));
    }
    (comparisons.iter().map(Deviation::from).collect(), values)
}

/// Those that hold for the flow: a setting that is varied may be the viscosity.
fn holding<'a>(
    references: &'a [Reference],
    flow: &Flow<'_>,
) -> impl Iterator<Item = &'a Reference> {
    references.iter().filter(|reference| reference.objection(flow.case).is_none())
}

/// Whether the samples of a comparison are numbers with names, not points of a line.
fn has_numbers(comparison: &Comparison) -> bool {
    !matches!(comparison.kind, "profile" | "exact")
}

/// Adds a number, or what is published of one that is there.
fn add(values: &mut Vec<Value>, name: &str, computed: f64, published: Option<(String, f64)>) {
    match values.iter_mut().find(|value| value.name == name) {
        Some(known) => known.published = published.or_else(|| known.published.take()),
        None => values.push(Value { name: name.to_owned(), computed, published }),
    }
}

/// Extremes of u on the line upwards through the centre, and of v on the one along x.
fn extremes(flow: &Flow<'_>) -> [(&'static str, f64); 3] {
    let centre = flow.case.grid.axes.map(|axis| 0.5 * axis.length() / flow.case.scale.length);
    let of = |component, along, sign| {
        let line = Line { along, at: centre };
        let found = flow.extremum(Variable::Velocity(component), line, sign);
        found.map_or(f64::NAN, |(_, value)| value)
    };
    [("u min", of(0, 1, -1.0)), ("v max", of(1, 0, 1.0)), ("v min", of(1, 0, -1.0))]
}

/// What tables of coefficients call the numbers of a body over time, and these.
fn of_course(course: &ForceCourse) -> Vec<(String, f64)> {
    let known = |coefficient: Coefficient| {
        let number = match coefficient {
            Coefficient::Swing(component, bound) => course.number(component, bound),
            Coefficient::Strouhal => course.oscillation().map(|found| found.strouhal.value),
            Coefficient::Drag
            | Coefficient::Lift
            | Coefficient::PressureDifference
            | Coefficient::WakeLength => None,
        };
        number.map(|number| (format!("{} {}", course.body(), coefficient.name()), number))
    };
    Coefficient::ALL.into_iter().filter_map(known).collect()
}

/// Centre and strength of the strongest vortex, in units of the case's scale; nothing if there is none.
fn primary_vortex(flow: &Flow<'_>) -> Vec<(&'static str, f64)> {
    let case = flow.case;
    let Some(vortex) = flow.vortices().named("primary") else { return Vec::new() };
    let (length, speed) = (case.scale.length, case.scale.velocity);
    let place = |d: usize| (vortex.centre[d] - case.grid.axes[d].low()) / length;
    vec![
        ("primary x", place(0)),
        ("primary y", place(1)),
        ("primary psi", vortex.stream_function / (length * speed)),
        ("primary omega", vortex.vorticity * length / speed),
    ]
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
