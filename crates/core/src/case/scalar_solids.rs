//! What solid boxes and bodies say of a scalar: numbers, or formulas of the place on their surfaces.

use std::sync::Arc;

use super::file::CaseFile;
use super::formulas::number_at;
use super::scalar_walls::{AtWall, Given, at_wall};
use super::text::CaseText;
use crate::body::Body;
use crate::each_cell::each_cell;
use crate::error::Result;
use crate::expression::Expression;
use crate::grid::Grid;
use crate::scalar::ScalarBoundary;

/// Points along each edge of the box around a body or a solid box, on whose surface formulas are tried.
const POINTS: isize = 17;

/// What holds for a scalar at solid boxes and bodies; of formulas a mean.
pub(super) struct AtSolids {
    pub(super) solids: Vec<ScalarBoundary>,
    pub(super) bodies: Vec<ScalarBoundary>,
    /// By which formula of the place: of bodies, then of solid boxes.
    pub(super) formulas: Vec<Option<Arc<Expression>>>,
    /// What is given by numbers, and by formulas at some places.
    pub(super) numbers: Vec<ScalarBoundary>,
    pub(super) sampled: Vec<ScalarBoundary>,
}

/// What holds for a scalar at solid boxes and at bodies.
///
/// # Errors
/// As [`at_wall`], or if a formula changes with time or is no number somewhere.
pub(super) fn at_solids(
    given: &Given<'_>,
    file: &CaseFile,
    (grid, bodies): (&Grid, &[Arc<Body>]),
    text: &CaseText,
) -> Result<AtSolids> {
    let (mut numbers, mut sampled) = (Vec::new(), Vec::new());
    let (mut all, mut formulas) = (Vec::new(), Vec::new());
    for (number, (key, says)) in AtWall::of_solids(file).enumerate() {
        let (at, formula) = at_wall(given, says, &key, text)?;
        let Some(formula) = formula else {
            numbers.push(at);
            all.push(at);
            formulas.push(None);
            continue;
        };
        let [_, of_value, of_flux, _] = &given.keys;
        let key = format!("{key}.{}", if at.value().is_some() { of_value } else { of_flux });
        if formula.changes() {
            let problem = format!("`{}` has the time t in it", formula.text());
            let remedy = "leave t out: what a body or a solid box has is the same at all times";
            return Err(text.error(&key, problem, remedy));
        }
        let points = match file.solid.get(number) {
            Some(solid) => points_of_box([solid.low, solid.high], grid),
            None => points_of_body(&bodies[number - file.solid.len()], grid),
        };
        let mut sum = 0.0;
        for point in &points {
            let value = number_at(&key, &formula, *point, "all over the surface", text)?;
            sum += value;
            sampled.push(at.with(value));
        }
        all.push(at.with(sum / points.len().max(1) as f64));
        formulas.push(Some(Arc::new(formula)));
    }
    let of_bodies = all.split_off(file.solid.len());
    // Bodies come first among surfaces inside the box.
    formulas.rotate_left(file.solid.len());
    Ok(AtSolids { solids: all, bodies: of_bodies, formulas, numbers, sampled })
}

/// Evenly over a box as far as it lies in the grid, whole numbers of places along its edges beside them.
fn lattice(bounds: [[f64; 3]; 2], grid: &Grid) -> impl Iterator<Item = ([isize; 3], [f64; 3])> {
    let low: [f64; 3] = std::array::from_fn(|d| bounds[0][d].max(grid.axes[d].low()));
    let high: [f64; 3] = std::array::from_fn(|d| bounds[1][d].min(grid.axes[d].high()));
    let range = move |d: usize| 0..if grid.directions().contains(&d) { POINTS } else { 1 };
    let at = move |d: usize, place: isize| {
        let share = if range(d).len() > 1 { place as f64 / (POINTS - 1) as f64 } else { 0.5 };
        low[d] + share * (high[d] - low[d])
    };
    let point = move |place: [isize; 3]| (place, std::array::from_fn(|d| at(d, place[d])));
    each_cell([range(0), range(1), range(2)]).map(point)
}

fn points_of_box(bounds: [[f64; 3]; 2], grid: &Grid) -> Vec<[f64; 3]> {
    let is_end =
        |place: [isize; 3]| grid.directions().any(|d| place[d] == 0 || place[d] == POINTS - 1);
    lattice(bounds, grid).filter(|(place, _)| is_end(*place)).map(|(_, point)| point).collect()
}

fn points_of_body(body: &Body, grid: &Grid) -> Vec<[f64; 3]> {
    let smallest = grid.spacing().into_iter().fold(f64::INFINITY, f64::min);
    let onto_surface = |(_, point): (_, [f64; 3])| {
        let (distance, normal) = (body.distance(point), body.normal(point, smallest));
        std::array::from_fn(|d| point[d] - distance * normal[d])
    };
    lattice(body.geometry.bounds(), grid).map(onto_surface).collect()
}
