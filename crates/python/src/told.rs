//! What there is to say of a run that has ended, as JSON.

use serde_json::{Value, json};
use vortice_core::Result;
use vortice_post::references::{LeftOut, Reference, Values};
use vortice_post::{Flow, Line, Variable};
use vortice_study::Ran;

/// Places along a line at which a profile is computed.
const PLACES: usize = 201;

/// How it ended, and how far it is from published tables.
pub(crate) fn of(ran: &Ran) -> Result<String> {
    let (flow, outcome) = (ran.flow(), &ran.outcome);
    let references = Reference::of(&ran.case)?;
    let comparisons: Vec<_> = references.iter().map(|one| one.compare(&flow)).collect();
    let left_out: Vec<String> = LeftOut::of(&ran.case)?.iter().map(ToString::to_string).collect();
    let profiles: Vec<Value> = references.iter().filter_map(|one| profile(one, &flow)).collect();
    let told = json!({
        "steps": outcome.steps,
        "step": outcome.step.number,
        "time": outcome.step.time,
        "dt": outcome.step.dt,
        "residual": outcome.step.residual,
        "iteration_error": outcome.iteration_error(&ran.case),
        "converged": outcome.converged,
        "reason": outcome.reason,
        "iterations": outcome.iterations,
        "seconds": outcome.wall_seconds,
        "cells_per_second": outcome.cells_per_second(),
        "findings": outcome.findings.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "warnings": outcome.warnings,
        "courses": ran.courses.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "summary": outcome.to_string(),
        "references": comparisons,
        "left_out": left_out,
        "profiles": profiles,
    });
    Ok(told.to_string())
}

/// A published profile with the computed one along all of its line.
fn profile(reference: &Reference, flow: &Flow<'_>) -> Option<Value> {
    let Values::Profile { variable, line, points } = &reference.values else { return None };
    let axis = &flow.case.grid.axes[line.along];
    let end = axis.length() / flow.case.scale.length;
    let places = (0..PLACES).map(|n| end * n as f64 / (PLACES - 1) as f64);
    let computed: Vec<[f64; 2]> =
        places.map(|place| [place, value(flow, *variable, *line, place)]).collect();
    let along = ["x", "y", "z"][line.along];
    Some(json!({
        "reference": reference.name,
        "citation": reference.citation,
        "variable": variable.name(),
        "along": along,
        "place": line.place(flow.case),
        "published": points,
        "computed": computed,
    }))
}

fn value(flow: &Flow<'_>, variable: Variable, line: Line, place: f64) -> f64 {
    let mut point = line.at;
    point[line.along] = place;
    flow.value(variable, point)
}
