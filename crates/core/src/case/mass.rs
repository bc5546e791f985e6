//! That what flows into a box can flow out of it.

use super::faces::key;
use super::text::CaseText;
use crate::boundary::Boundaries;
use crate::error::Result;
use crate::format::{percent, significant};
use crate::grid::Grid;
use crate::solid::Solids;

/// Share of what enters that may stay, for formulas whose means over few cells are not quite what they are over the whole
/// face; it is let out evenly. More is a slip.
const SMALL_EXCESS: f64 = 1e-4;

/// Refuses a box without an outflow that prescribed velocities fill up or empty, and makes what they carry in and out equal.
///
/// # Errors
/// If more enters than leaves, or less; if that changes with time.
pub(super) fn check_mass(
    boundaries: &mut Boundaries,
    grid: &Grid,
    solids: &Solids,
    text: &CaseText,
) -> Result<()> {
    let inflow = boundaries.iter().find(|(.., face)| face.is_inflow());
    let Some((d, side, _)) = inflow else { return Ok(()) };
    let key = key(d, side);
    let flow = boundaries.balance(grid, solids);
    if flow.leaves == 0.0 {
        let problem = "fluid flows in here and nowhere out";
        let remedy = "make another face an \"outflow\"; an incompressible flow cannot be filled up";
        return Err(text.error(&key, problem, remedy));
    }
    if boundaries.iter().any(|(.., face)| face.is_inflow() && face.changes()) {
        let problem = "what is prescribed here and at other ends changes with time, and no outflow takes up the difference";
        let remedy = "make another face an \"outflow\", or leave t out of the formulas";
        return Err(text.error(&key, problem, remedy));
    }
    if flow.excess().abs() <= SMALL_EXCESS {
        return Ok(());
    }
    let [enters, leaves] = [flow.enters, flow.leaves].map(significant);
    let more = if flow.excess() > 0.0 { "less" } else { "more" };
    let problem = format!(
        "{enters} m3/s are prescribed into the box and {leaves} m3/s out of it, {} {more}",
        percent(flow.excess().abs())
    );
    let remedy = "let out what flows in, or make another face an \"outflow\": an incompressible flow can be \
                  neither filled up nor emptied";
    Err(text.error(&key, problem, remedy))
}
