//! What must be done between two steps where heat does not simply cross to the next cell; eq. (H17). Walls and mirrors that
//! let no heat pass need nothing: what they send back lies there already, see [`crate::layout`].

use vortice_core::{Scalar, ScalarBoundary, Side, Subdomain};

use super::{HeatRates, VELOCITIES};
use crate::boundary::{Link, Site};
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::links::{Outlet, number};
use crate::settings::Settings;

/// The lists of one subdomain.
#[derive(Debug, Default)]
pub(crate) struct HeatLinks {
    /// Faces whose temperature is given.
    pub(crate) fixed: Vec<Fixed>,
    /// Place, and what is added there: what a given flux brings in a step.
    pub(crate) fluxes: Vec<(usize, f64)>,
    /// What leaves through an outlet, by number, for each of the flow's cells before one.
    pub(crate) outlets: Vec<Vec<usize>>,
}

/// The own links that meet a face whose temperature is given.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) direction: usize,
    pub(crate) side: Side,
    /// What comes back and what left, together.
    pub(crate) sum: f64,
    pub(crate) places: Vec<usize>,
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
        let source = HeatRates::new(scalar, settings.spacing, settings.dt).source;
        for d in settings.case.grid.directions() {
            for side in
                Side::BOTH.into_iter().filter(|&side| part.neighbours[d][side as usize].is_none())
            {
                let mut c = [0; 3];
                c[d] = side.outward() as i8;
                let q = number::<VELOCITIES>(c);
                let places =
                    || beside(layout, d, side).map(|cell| layout.leaving::<VELOCITIES>(0, cell, q));
                match scalar.at(d, side) {
                    ScalarBoundary::Value(fixed) => {
                        let relative = (fixed - scalar.reference) / scalar.difference;
                        // With half of what comes into the cell on both ways; eq. (H20).
                        let sum = Lattice::<VELOCITIES>::W[q] * (2.0 * relative + source);
                        let places = places().collect();
                        links.fixed.push(Fixed { direction: d, side, sum, places });
                    }
                    ScalarBoundary::Flux(flux) if flux != 0.0 => {
                        links.fluxes.extend(places().map(|place| (place, flux / unit)));
                    }
                    _ => {}
                }
            }
        }
        links.outlets = outlets.iter().map(|outlet| leaving(site, part, outlet.cell)).collect();
        links
    }
}

/// Own cells beside an end of the box.
fn beside(layout: &Layout, d: usize, side: Side) -> impl Iterator<Item = [isize; 3]> {
    let at = if side == Side::Low { 0 } else { layout.shape.cells[d] as isize - 1 };
    layout.own_cells().filter(move |cell| cell[d] == at)
}

/// Numbers of what leaves an own cell through an outlet.
fn leaving(site: &Site<'_>, part: &Subdomain, cell: [isize; 3]) -> Vec<usize> {
    let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
    let leaves = |q: &usize| {
        let link = site.link(global, Lattice::<VELOCITIES>::C[*q]);
        matches!(link, Link::Outlet { .. })
    };
    (1..VELOCITIES).filter(leaves).collect()
}
