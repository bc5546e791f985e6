//! What must be done between two steps where heat does not simply cross to the next cell; eq. (H17). Walls and mirrors that
//! let no heat pass need nothing: what they send back lies there already, see [`crate::layout`].

use std::sync::Arc;

use vortice_core::{Expression, Scalar, ScalarBoundary, Side, Subdomain, Surface};

use super::sources::source_in;
use super::{VELOCITIES, diffusivity};
use crate::boundary::{Link, Site};
use crate::lattice::{Lattice, opposite};
use crate::layout::Layout;
use crate::links::{BodyLink, Outlet, Weights, flows_and_is_own, number, special_cells};
use crate::options::Interpolation;
use crate::settings::Settings;

/// The lists of one subdomain.
#[derive(Debug, Default)]
pub(crate) struct HeatLinks {
    /// Faces whose temperature is given.
    pub(crate) fixed: Vec<Fixed>,
    /// Place, and what is added there: what a given flux brings in a step.
    pub(crate) fluxes: Vec<(usize, f64)>,
    /// Those faces of both kinds that formulas give.
    changing: Vec<Changing>,
    /// Links that solid boxes and bodies meet, by the numbers of [`Surface::inner`]; eq. (H25).
    pub(crate) bodies: Vec<(usize, BodyLink)>,
    /// What leaves through an outlet, by number, for each of the flow's cells before one.
    pub(crate) outlets: Vec<Vec<usize>>,
}

/// The own links that meet a face whose temperature is given.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) direction: usize,
    pub(crate) side: Side,
    pub(crate) places: Vec<usize>,
    /// What comes back and what left, together, at each place.
    pub(crate) sums: Vec<f64>,
}

/// What a formula gives at a face, to be taken anew in each step.
#[derive(Debug)]
struct Changing {
    formula: Arc<Expression>,
    /// Where links meet the face, in m.
    points: Vec<[f64; 3]>,
    /// What is subtracted of it, what it is multiplied by, and what is added.
    reference: f64,
    factor: f64,
    add: Vec<f64>,
    /// The number of the face in `fixed`, or of the first of its fluxes.
    first: usize,
    is_fixed: bool,
}

impl Changing {
    fn at(&self, time: f64) -> Vec<f64> {
        let value = |point: &[f64; 3]| self.formula.value(*point, time) - self.reference;
        let points = self.points.iter().zip(&self.add);
        points.map(|(point, add)| value(point) * self.factor + add).collect()
    }
}

impl HeatLinks {
    /// The lists of a part of the lattice; `outlets` are the flow's.
    pub(crate) fn new(
        (settings, scalar): (&Settings, &Scalar),
        site: &Site<'_>,
        layout: &Layout,
        part: &Subdomain,
        outlets: &[Outlet],
    ) -> Self {
        let mut links = Self::default();
        let unit = settings.spacing / settings.dt * scalar.difference;
        for d in settings.case.grid.directions() {
            for side in
                Side::BOTH.into_iter().filter(|&side| part.neighbours[d][side as usize].is_none())
            {
                let mut c = [0; 3];
                c[d] = side.outward() as i8;
                let q = number::<VELOCITIES>(c);
                let flows = |cell: &[isize; 3]| !site.surfaces.is_solid(global(part, *cell));
                let cells: Vec<_> = beside(layout, d, side).filter(flows).collect();
                let places = cells.iter().map(|&cell| layout.leaving::<VELOCITIES>(0, cell, q));
                let places: Vec<usize> = places.collect();
                let weight = Lattice::<VELOCITIES>::W[q];
                let source = |cell: &[isize; 3]| source_in((settings, scalar), global(part, *cell));
                let (is_fixed, reference, factor) = match scalar.at(d, side) {
                    ScalarBoundary::Value(_) => {
                        (true, scalar.reference, 2.0 * weight / scalar.difference)
                    }
                    ScalarBoundary::Flux(_) => (false, 0.0, 1.0 / unit),
                    _ => continue,
                };
                // With half of what comes into the cell on both ways; eq. (H20).
                let add = |cell| if is_fixed { weight * source(cell) } else { 0.0 };
                let add: Vec<f64> = cells.iter().map(add).collect();
                let number = scalar.at(d, side).value().unwrap_or(scalar.at(d, side).flux());
                let one = (number - reference) * factor;
                let mut given: Vec<f64> = add.iter().map(|add| one + add).collect();
                if let Some(formula) = scalar.formula(d, side) {
                    let grid = &settings.case.grid;
                    let axis = &grid.axes[d];
                    let point = |cell: &[isize; 3]| {
                        let mut point = grid.centre(global(part, *cell));
                        point[d] = if side == Side::Low { axis.low() } else { axis.high() };
                        point
                    };
                    let (formula, points) = (formula.clone(), cells.iter().map(point).collect());
                    let first = if is_fixed { links.fixed.len() } else { links.fluxes.len() };
                    let changing =
                        Changing { formula, points, reference, factor, add, first, is_fixed };
                    given = changing.at(0.0);
                    links.changing.push(changing);
                } else if !is_fixed && number == 0.0 {
                    continue;
                }
                if is_fixed {
                    links.fixed.push(Fixed { direction: d, side, places, sums: given });
                } else {
                    links.fluxes.extend(places.into_iter().zip(given));
                }
            }
        }
        if !site.surfaces.has_no_solids() {
            let own = special_cells(settings, part).into_iter();
            for cell in own.filter(|&cell| !site.surfaces.is_solid(global(part, cell))) {
                links.add_solids((settings, scalar), site, (layout, part), cell);
            }
            links.bodies.sort_by_key(|(surface, link)| (*surface, link.places));
        }
        links.outlets = outlets.iter().map(|outlet| leaving(site, part, outlet.cell)).collect();
        links
    }
}

impl HeatLinks {
    /// Takes what is given at a time in s; whether anything changes with time.
    pub(crate) fn follow(&mut self, time: f64) -> bool {
        let mut any = false;
        for one in self.changing.iter().filter(|one| one.formula.changes()) {
            let given = one.at(time);
            if one.is_fixed {
                self.fixed[one.first].sums = given;
            } else {
                let fluxes = self.fluxes[one.first..].iter_mut();
                fluxes.zip(given).for_each(|((_, flux), given)| *flux = given);
            }
            any = true;
        }
        any
    }

    /// Adds the links of an own cell of the flow that solid boxes and bodies meet.
    fn add_solids(
        &mut self,
        (settings, scalar): (&Settings, &Scalar),
        site: &Site<'_>,
        (layout, part): (&Layout, &Subdomain),
        cell: [isize; 3],
    ) {
        let here = global(part, cell);
        let along = |q: usize| Lattice::<VELOCITIES>::C[q];
        for q in (1..VELOCITIES).filter(|&q| !site.leaves(here, along(q))) {
            let share = match site.link(here, along(q)) {
                Link::Body { share, .. } => share,
                // Between two cells of the flow a link is met from both.
                Link::Wall(_)
                    if q % 2 == 0 && flows_and_is_own(site, layout, cell, here, along(q)) =>
                {
                    continue;
                }
                Link::Wall(_) => 0.5,
                _ => continue,
            };
            let surface = site.surface(here, along(q));
            let source = source_in((settings, scalar), here);
            let d = (0..3).find(|&d| along(q)[d] != 0).unwrap_or(0);
            let side = if along(q)[d] < 0 { Side::Low } else { Side::High };
            let at = scalar.at_wall(&settings.case, surface, (here, d, side), share);
            let weights = weights((settings, scalar), q, (share, source), at);
            let number = |of| Surface::inner(&settings.case).position(|inner| Some(inner) == of);
            let leaving = |parity, q| layout.leaving::<VELOCITIES>(parity, cell, q);
            let back = opposite(q);
            let places = [leaving(0, q), leaving(1, q), leaving(1, back), leaving(0, back)];
            self.bodies.push((number(surface).unwrap_or(0), BodyLink { places, weights }));
        }
    }
}

/// What comes back from a wall this share of the link along `q` away to a cell into which so much comes in a step; eq. (H25).
fn weights(
    (settings, scalar): (&Settings, &Scalar),
    q: usize,
    (share, source): (f64, f64),
    at: ScalarBoundary,
) -> Weights {
    let ScalarBoundary::Value(value) = at else {
        // Between cells as the flow comes back, so that what it carries through the halfway point is not held up there.
        let Weights { of, .. } = Interpolation::Linear.weights::<VELOCITIES>(q, share, [0.0; 3]);
        let flux = at.flux() / (settings.spacing / settings.dt * scalar.difference);
        let slope =
            Lattice::<VELOCITIES>::W[q] / diffusivity(scalar, settings.spacing, settings.dt);
        let apart = 1.0 - 2.0 * share;
        let add = if share < 0.5 {
            flux * (1.0 + apart * slope)
        } else {
            flux * (1.0 - apart * slope) / (2.0 * share)
        };
        return Weights { of, add };
    };
    let relative = (value - scalar.reference) / scalar.difference;
    let add = Lattice::<VELOCITIES>::W[q] * (2.0 * relative + source);
    if share < 0.5 {
        Weights { of: [-2.0 * share, 2.0 * share - 1.0, 0.0], add }
    } else {
        let first = 0.5 / share;
        Weights { of: [-first, 0.0, 1.0 - first], add: first * add }
    }
}

/// An own cell as one of the whole grid.
fn global(part: &Subdomain, cell: [isize; 3]) -> [isize; 3] {
    std::array::from_fn(|d| cell[d] + part.offset()[d] as isize)
}

/// Own cells beside an end of the box.
fn beside(layout: &Layout, d: usize, side: Side) -> impl Iterator<Item = [isize; 3]> {
    let at = if side == Side::Low { 0 } else { layout.shape.cells[d] as isize - 1 };
    layout.own_cells().filter(move |cell| cell[d] == at)
}

/// Numbers of what leaves an own cell through an outlet.
fn leaving(site: &Site<'_>, part: &Subdomain, cell: [isize; 3]) -> Vec<usize> {
    let here = global(part, cell);
    let leaves = |q: &usize| {
        let link = site.link(here, Lattice::<VELOCITIES>::C[*q]);
        matches!(link, Link::Outlet { .. })
    };
    (1..VELOCITIES).filter(leaves).collect()
}
