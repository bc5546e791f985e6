//! Coefficients of the forces on bodies, beside published ones.

use super::Sample;
use crate::flow::Flow;
use crate::forces::{Forces, pressure_difference};
use crate::references::{Coefficient, CoefficientValue};
use crate::surface::Surface;

/// The coefficients of a flow that a table has; not a number where the case has no such body.
pub(super) fn samples(flow: &Flow<'_>, values: &[CoefficientValue]) -> Vec<Sample> {
    let forces = Forces::of(flow);
    let (case, scale) = (flow.case, flow.case.scale);
    let unit = case.density * scale.velocity * scale.velocity;
    let of = |row: &CoefficientValue| {
        let body = case.bodies.iter().position(|body| body.name == row.body)?;
        let component = |c: usize| Some(forces.on(Surface::Body(body))?.coefficients?[c]);
        match row.coefficient {
            Coefficient::Drag => component(0),
            Coefficient::Lift => component(1),
            Coefficient::PressureDifference => Some(pressure_difference(flow, body)? / unit),
        }
    };
    let sample = |row: &CoefficientValue| Sample {
        what: format!("{} {}", row.body, row.coefficient.name()),
        position: f64::NAN,
        reference: row.value,
        computed: of(row).unwrap_or(f64::NAN),
        accuracy: f64::NAN,
    };
    values.iter().map(sample).collect()
}
