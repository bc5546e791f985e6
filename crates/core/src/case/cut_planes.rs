//! Planes across the box, in words.

use super::keys;
use super::text::CaseText;
use crate::cut::CutPlane;
use crate::error::Result;
use crate::grid::Grid;

/// A plane of a flow in space that is shown.
///
/// # Errors
/// If there is no such plane.
pub(super) fn plane_of(key: &str, words: &str, grid: &Grid, text: &CaseText) -> Result<CutPlane> {
    if grid.is_plane() {
        let problem = format!("`{words}` is a plane of a flow in space, and this flow is plane");
        return Err(text.error(key, problem, "leave it out"));
    }
    cut_plane(key, words, grid, text)
}

/// Any plane across the box.
///
/// # Errors
/// If there is no such plane.
pub(super) fn cut_plane(key: &str, words: &str, grid: &Grid, text: &CaseText) -> Result<CutPlane> {
    CutPlane::parse(words, grid).ok_or_else(|| {
        text.error(key, format!("`{words}` is no plane across the box"), keys::how_to_write(key))
    })
}
