//! Nusselt numbers of walls that tables have, in a flow.

use super::values::NusseltValue;
use crate::flow::Flow;
use crate::heat::WallHeat;

/// What a flow has of the rows of a table; not a number where a wall has no temperature.
pub(super) fn computed(flow: &Flow<'_>, rows: &[NusseltValue]) -> Vec<f64> {
    let walls = WallHeat::all(flow);
    let of = |row: &NusseltValue| walls.iter().find(|wall| wall.face == row.face);
    rows.iter().map(|row| of(row).map_or(f64::NAN, |wall| wall.nusselt)).collect()
}
