//! Coefficients of the forces on bodies that tables have, in a flow.

use vortice_core::Surface;

use super::values::{Coefficient, CoefficientValue};
use crate::flow::Flow;
use crate::forces::{Forces, pressure_difference, wake_length};

/// What a flow has of the rows of a table; not a number where the case has no such body.
pub(super) fn computed(flow: &Flow<'_>, rows: &[CoefficientValue]) -> Vec<f64> {
    let forces = Forces::of(flow);
    let (case, scale) = (flow.case, flow.case.scale);
    let unit = case.density * scale.velocity * scale.velocity;
    let of = |row: &CoefficientValue| {
        let body = case.bodies.iter().position(|body| body.name == row.body)?;
        let component = |c: usize| Some(forces.on(Surface::Body(body))?.coefficients?[c]);
        match row.coefficient {
            Coefficient::Drag => component(0),
            Coefficient::Lift => component(1),
            Coefficient::Strouhal => Some(flow.course(&row.body)?.oscillation()?.strouhal.value),
            Coefficient::Swing(component, bound) => {
                flow.course(&row.body)?.number(component, bound)
            }
            Coefficient::PressureDifference => Some(pressure_difference(flow, body)? / unit),
            Coefficient::WakeLength => Some(wake_length(flow, body)? / scale.length),
        }
    };
    rows.iter().map(|row| of(row).unwrap_or(f64::NAN)).collect()
}
