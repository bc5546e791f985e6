//! Quantities derived from the velocity at cell centres, the same for all methods.
//!
//! The velocity covers the whole grid. Where it ends, at the box and at solid cells, the
//! boundary's own velocity takes part, so that all of them are second order everywhere.

mod energy;
mod neighbours;

use crate::boundary::{Condition, Side};
use crate::case::Case;
use crate::extent::Extent;
use crate::field::Field;
use crate::fill_rows::fill_rows;
use crate::surface::FaceKind;
use crate::vectorised::vectorised;
use crate::window::{Window, zeros};
pub use energy::Energy;
pub(crate) use energy::EnergySum;
use neighbours::{Neighbours, Row};

/// Cells beside an extent that derivatives in it look at.
pub(crate) const REACH: usize = 2;

/// Vorticity in 1/s, three components at cell centres, without halo; only z is not zero in a plane
/// flow. Zero in solid cells.
pub fn vorticity(case: &Case, velocity: &Field) -> Field {
    vorticity_in(case, &Extent::whole(case.grid.cells()), &Window::whole(velocity))
}

/// The same in an extent, from a window for derivatives.
pub(crate) fn vorticity_in(case: &Case, extent: &Extent, velocity: &Window<'_>) -> Field {
    let around = Neighbours::new(case, extent, velocity);
    let mut vorticity = zeros(extent.n(), 3);
    let n = extent.n()[0];
    for c in if case.grid.is_plane() { 2..3 } else { 0..3 } {
        let [a, b] = [(c + 1) % 3, (c + 2) % 3];
        each_row(&around, vorticity.component_mut(c), |row, to| {
            let mut slope = vec![0.0; n];
            vectorised(
                #[inline(always)]
                || {
                    around.derivatives(row, b, a, to);
                    around.derivatives(row, a, b, &mut slope);
                    to.iter_mut().zip(&slope).for_each(|(to, slope)| *to -= slope);
                },
            );
            if !around.surfaces.has_no_solids() {
                let solid = (0..n).filter(|&i| around.surfaces.is_solid(row.cell(i)));
                solid.for_each(|i| to[i] = 0.0);
            }
        });
    }
    vorticity
}

/// Q criterion in 1/s2, one component at cell centres, without halo: half of what the squares of
/// rotation exceed those of strain by, eq. (P9). Positive where a vortex turns, zero in solid cells.
///
/// It is the second invariant of the velocity gradient of a flow without divergence: J. C. R. Hunt,
/// A. A. Wray, P. Moin, Center for Turbulence Research Report CTR-S88 (1988).
pub fn q_criterion(case: &Case, velocity: &Field) -> Field {
    let (extent, velocity) = (Extent::whole(case.grid.cells()), Window::whole(velocity));
    let around = Neighbours::new(case, &extent, &velocity);
    let mut q = zeros(extent.n(), 1);
    each_row(&around, &mut q.values, |row, to| {
        let gradients = around.gradients(row);
        for (i, to) in to.iter_mut().enumerate() {
            if !around.surfaces.is_solid(row.cell(i)) {
                let gradient = gradients.at(i);
                *to = 0.5 * (gradient.rotation() - gradient.strain());
            }
        }
    });
    q
}

/// Stream function of a plane flow in m2/s at cell centres, without halo: u = d(psi)/dy,
/// v = -d(psi)/dx, zero in the corner of x-low and y-low.
///
/// The flux of u is summed from y-low upwards. It is zero in solid cells, so that the stream
/// function is constant through them; along y-low it follows the flow through that face, and is
/// zero where that is a wall.
pub fn stream_function(case: &Case, velocity: &Field) -> Field {
    let (extent, velocity) = (Extent::whole(case.grid.cells()), Window::whole(velocity));
    let around = Neighbours::new(case, &extent, &velocity);
    let [nx, ny, _] = case.grid.cells().map(|n| n as isize);
    let [hx, hy, _] = case.grid.spacing();
    let mut psi = zeros(extent.n(), 1);
    let mut corner = 0.0;
    for i in 0..nx {
        let flow_up = through_bottom(case, &around, i) * hx;
        let mut low = corner - 0.5 * flow_up;
        corner -= flow_up;
        for j in 0..ny {
            let flow = around.velocity([i, j, 0])[0] * hy;
            psi[[i, j, 0]] = low + 0.5 * flow;
            low += flow;
        }
    }
    psi
}

/// Fills every row of the extent.
fn each_row(around: &Neighbours<'_>, values: &mut [f64], fill: impl Fn(&Row, &mut [f64]) + Sync) {
    fill_rows([values], around.n()[0], |number, [to]| fill(&around.row(number), to));
}

/// Velocity in m/s through the y-low face of column `i`.
fn through_bottom(case: &Case, around: &Neighbours<'_>, i: isize) -> f64 {
    let v = |j| around.velocity([i, j, 0])[1];
    let ny = case.grid.cells()[1] as isize;
    if around.surfaces.is_solid([i, 0, 0]) {
        return 0.0;
    }
    match around.surfaces.face([i, 0, 0], 1, Side::Low) {
        FaceKind::Open | FaceKind::Solid => 0.5 * (v(ny - 1) + v(0)),
        FaceKind::End(_, Condition::Pressure(_) | Condition::Convective) if ny > 1 => {
            1.5 * v(0) - 0.5 * v(1)
        }
        FaceKind::End(_, Condition::Pressure(_) | Condition::Convective) => v(0),
        FaceKind::End(_, Condition::Velocity) => {
            around.surfaces.velocity([i, 0, 0], 1, Side::Low)[1]
        }
        FaceKind::End(_, Condition::Mirror) | FaceKind::Beyond => 0.0,
    }
}

#[cfg(test)]
mod tests;
