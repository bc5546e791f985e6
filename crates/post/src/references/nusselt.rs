//! Nusselt numbers of walls that tables have, in a flow.

use vortice_core::Surface;

use super::values::{NusseltQuantity, NusseltValue, Reference, Values};
use crate::body_heat::BodyHeat;
use crate::body_nusselt::{angle, middle};
use crate::flow::Flow;
use crate::heat::WallHeat;
use crate::local_nusselt::NusseltExtreme;

/// What a flow has of the rows of a table; not a number where a wall has no temperature.
pub(super) fn computed(flow: &Flow<'_>, rows: &[NusseltValue]) -> Vec<f64> {
    let (walls, bodies) = (WallHeat::all(flow), BodyHeat::all(flow));
    let of = |row: &NusseltValue| {
        let wall = walls.iter().find(|wall| wall.face == row.face);
        let body = bodies.iter().find(|body| body.body == row.face);
        let of_body = body.map(|body| on_body(flow, body, row.quantity));
        wall.map(|wall| number(flow, wall, row.quantity)).or(of_body).unwrap_or(f64::NAN)
    };
    rows.iter().map(of).collect()
}

/// Of a body or a solid box, whose places are angles in degrees.
fn on_body(flow: &Flow<'_>, body: &BodyHeat, quantity: NusseltQuantity) -> f64 {
    let surface = Surface::inner(flow.case).find(|one| one.name(flow.case) == body.body);
    let middle = surface.map(|surface| middle(flow.case, surface));
    let place = |extreme: NusseltExtreme| Some(angle(extreme.place, middle?));
    let number = match quantity {
        NusseltQuantity::Mean => body.nusselt,
        NusseltQuantity::Max => body.largest.map(|one| one.nusselt),
        NusseltQuantity::Min => body.smallest.map(|one| one.nusselt),
        NusseltQuantity::MaxAt => body.largest.and_then(place),
        NusseltQuantity::MinAt => body.smallest.and_then(place),
    };
    number.unwrap_or(f64::NAN)
}

fn number(flow: &Flow<'_>, wall: &WallHeat, quantity: NusseltQuantity) -> f64 {
    let place = |extreme: &NusseltExtreme| {
        // A wall of a plane flow is a line along x or y.
        let grid = &flow.case.grid;
        let along = grid.directions().find(|&d| !wall.face.starts_with(["x", "y", "z"][d]));
        let along = along.filter(|_| grid.is_plane());
        let from_low = |d: usize| (extreme.place[d] - grid.axes[d].low()) / flow.case.scale.length;
        along.map_or(f64::NAN, from_low)
    };
    match quantity {
        NusseltQuantity::Mean => wall.nusselt,
        NusseltQuantity::Max => wall.largest.nusselt,
        NusseltQuantity::Min => wall.smallest.nusselt,
        NusseltQuantity::MaxAt => place(&wall.largest),
        NusseltQuantity::MinAt => place(&wall.smallest),
    }
}

/// Largest and smallest Nusselt numbers that are published of a wall, with their places, and by which references.
pub fn published_extremes<'a>(
    references: &'a [Reference],
    face: &str,
) -> Vec<(&'a str, Vec<(f64, f64)>)> {
    let of = |one: &'a Reference| {
        let Values::Nusselt(rows) = &one.values else { return None };
        let number = |quantity| {
            let row = rows.iter().find(|row| row.face == face && row.quantity == quantity);
            row.map(|row| row.value)
        };
        let pairs = [
            (NusseltQuantity::MaxAt, NusseltQuantity::Max),
            (NusseltQuantity::MinAt, NusseltQuantity::Min),
        ];
        let points = pairs.into_iter().filter_map(|(at, of)| Some((number(at)?, number(of)?)));
        Some((&*one.name, points.collect::<Vec<_>>())).filter(|(_, points)| !points.is_empty())
    };
    references.iter().filter_map(of).collect()
}
