//! Numbers that a flow can have.

use super::keys;
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
