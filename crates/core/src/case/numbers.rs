//! Numbers that a flow can have.

use super::keys;
use super::meaning::Precision;
use super::text::CaseText;
use crate::error::Result;
use crate::grid::Grid;

/// Finite numbers.
pub(super) fn finite(key: &str, vector: [f64; 3], text: &CaseText) -> Result<()> {
    match vector.iter().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(x) => {
            let problem = format!("{x} is not a finite number");
            Err(text.error(key, problem, keys::how_to_write(key)))
        }
    }
}

/// A vector that the flow can have: finite, and in the plane if the flow is plane.
pub(super) fn vector(key: &str, vector: [f64; 3], grid: &Grid, text: &CaseText) -> Result<()> {
    finite(key, vector, text)?;
    if grid.is_plane() && vector[2] != 0.0 {
        let problem = format!("{} in z, but the flow is plane (one cell in z)", vector[2]);
        let remedy = "set the third number to 0.0, or give grid.cells more than one cell in z";
        return Err(text.error(key, problem, remedy));
    }
    Ok(())
}

pub(super) fn positive(key: &str, value: f64, text: &CaseText) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    let problem = format!("{value} is not a positive number");
    Err(text.error(key, problem, keys::how_to_write(key)))
}

pub(super) fn not_negative(key: &str, value: f64, text: &CaseText) -> Result<f64> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    let problem = format!("{value} is not zero or a positive number");
    Err(text.error(key, problem, keys::how_to_write(key)))
}

pub(super) fn at_least_one(key: &str, value: i64, text: &CaseText) -> Result<u64> {
    match u64::try_from(value) {
        Ok(value) if value > 0 => Ok(value),
        _ => Err(text.error(key, format!("{value} is less than one"), keys::how_to_write(key))),
    }
}

pub(super) fn precision(key: &str, word: &str, text: &CaseText) -> Result<Precision> {
    match word {
        "f64" => Ok(Precision::F64),
        "f32" => Ok(Precision::F32),
        other => {
            let problem = format!("there is no precision `{other}`");
            Err(text.error(key, problem, "use \"f64\" or \"f32\""))
        }
    }
}
