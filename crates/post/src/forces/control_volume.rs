//! The force on a body from what enters a box around it: the momentum of a steady flow.

use std::ops::Range;

use vortice_core::{Case, Side, Solids, Until, each_cell, each_cell_of_grid};

use crate::flow::Flow;
use crate::surface::spacing;

/// Cells between a body and the box: half its width, and within these.
const MARGIN: Range<usize> = 3..16;

/// A box of cells around one body alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ControlVolume {
    cells: [Range<isize>; 3],
    /// Directions across which it has faces: not those along which body and flow go on for ever.
    across: [bool; 3],
}

impl ControlVolume {
    /// Around a body of a steady flow, as wide as [`MARGIN`] and other solids let it be; nothing if the flow changes in time, or
    /// if the box is too small.
    pub(super) fn around(case: &Case, body: usize) -> Option<Self> {
        if !matches!(case.run.until, Until::Steady(_)) || case.bodies[body].hollow {
            return None;
        }
        let solids = case.solids();
        let covered = covered(case, &solids, body)?;
        let across = std::array::from_fn(|d| {
            let whole = covered[d] == (0..case.grid.axes[d].len() as isize);
            case.grid.directions().contains(&d) && !(whole && case.boundaries.periodic()[d])
        });
        let widest = (0..3).filter(|&d| across[d]).map(|d| covered[d].len()).max()? / 2;
        let widest = widest.clamp(MARGIN.start, MARGIN.end);
        (MARGIN.start..=widest).rev().find_map(|margin| {
            let cells = std::array::from_fn(|d| {
                let margin = if across[d] { margin as isize } else { 0 };
                covered[d].start - margin..covered[d].end + margin
            });
            let volume = Self { cells, across };
            volume.is_clear(case, &solids, body).then_some(volume)
        })
    }

    /// Whether it lies in the flow, with a cell more on all sides, and holds no other solid.
    fn is_clear(&self, case: &Case, solids: &Solids, body: usize) -> bool {
        let around: [Range<isize>; 3] = std::array::from_fn(|d| {
            let more = isize::from(self.across[d]);
            self.cells[d].start - more..self.cells[d].end + more
        });
        let is_inside = (0..3)
            .all(|d| around[d].start >= 0 && around[d].end <= case.grid.axes[d].len() as isize);
        // What the body covers keeps its distance from the box.
        is_inside
            && each_cell(around)
                .all(|cell| !solids.contains(cell) || solids.body_at(cell) == Some(body))
    }

    /// What acts on the body in N, of a plane flow in N/m, eq. (P6c): what the flow around the box does to it, less what leaves it, and with what a
    /// force does inside.
    pub(super) fn force(&self, flow: &Flow<'_>) -> [f64; 3] {
        let mut sum = [0.0; 3];
        let h = spacing(flow.case);
        for d in (0..3).filter(|&d| self.across[d]) {
            let area = flow.case.density * h[(d + 1) % 3] * h[(d + 2) % 3];
            for side in Side::BOTH {
                let outward = side.outward() as f64 * area;
                let mut face = self.cells.clone();
                // The cells beyond it.
                let beyond = match side {
                    Side::Low => self.cells[d].start - 1,
                    Side::High => self.cells[d].end,
                };
                face[d] = beyond..beyond + 1;
                for cell in each_cell(face) {
                    let (pressure, rest) = self.on_face(flow, cell, d, side.opposite());
                    sum[d] -= outward * pressure;
                    (0..3).for_each(|c| sum[c] += outward * rest[c]);
                }
            }
        }
        let solids = flow.case.solids();
        let fluid =
            each_cell(self.cells.clone()).filter(|&cell| !solids.contains(cell)).count() as f64;
        let mass = flow.case.density * fluid * h.iter().product::<f64>();
        (0..3).for_each(|c| sum[c] += mass * flow.case.force[c]);
        sum
    }

    /// On the face of a cell towards the next: pressure over density, and by component friction less the flux of momentum,
    /// both over density. Means and central differences of cells: second order.
    fn on_face(&self, flow: &Flow<'_>, cell: [isize; 3], d: usize, side: Side) -> (f64, [f64; 3]) {
        let (case, next) = (flow.case, side.next(cell, d));
        let (low, high) = if side == Side::Low { (next, cell) } else { (cell, next) };
        let h = case.grid.spacing();
        let mean = |c: usize| 0.5 * (flow.velocity.at(c, low) + flow.velocity.at(c, high));
        let slope = |c: usize, e: usize| {
            if e == d {
                return (flow.velocity.at(c, high) - flow.velocity.at(c, low)) / h[e];
            }
            if !self.across[e] {
                return 0.0;
            }
            let at = |side: Side| {
                let [low, high] = [low, high].map(|cell| flow.velocity.at(c, side.next(cell, e)));
                0.5 * (low + high)
            };
            (at(Side::High) - at(Side::Low)) / (2.0 * h[e])
        };
        let pressure = 0.5 * (flow.pressure.at(0, low) + flow.pressure.at(0, high)) / case.density;
        let rest = std::array::from_fn(|c| {
            case.viscosity * (slope(c, d) + slope(d, c)) - mean(d) * mean(c)
        });
        (pressure, rest)
    }
}

/// The block of cells that a body covers; nothing if it covers none.
fn covered(case: &Case, solids: &Solids, body: usize) -> Option<[Range<isize>; 3]> {
    let block = solids.blocks().nth(case.solid.len() + body)?;
    let mut own = each_cell_of_grid(block).filter(|&cell| solids.body_at(cell) == Some(body));
    let first = own.next()?;
    let mut covered = first.map(|i| i..i + 1);
    for cell in own {
        for d in 0..3 {
            covered[d] = covered[d].start.min(cell[d])..covered[d].end.max(cell[d] + 1);
        }
    }
    Some(covered)
}
