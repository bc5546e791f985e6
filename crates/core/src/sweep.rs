//! A part of a flow, swept over once: what derivatives need of the slabs before is kept, and of what lies beside the own
//! part of a rank the other ranks tell it before.

use std::ops::Range;

use crate::case::Case;
use crate::decomposition::Decomposition;
use crate::derived::{EnergySum, REACH};
use crate::extent::Extent;
use crate::window::{Piece, Window, within_grid};

/// A part of the grid, of which slabs come one after the other.
pub(crate) struct Sweep<'a> {
    case: &'a Case,
    part: Extent,
    /// The direction that slabs lie across.
    across: usize,
    /// Velocities of the cells beside the own part of the rank, as far as there are any.
    beside: &'a [Window<'static>],
    /// The velocity in the slabs that are still to be looked at, or that lie beside such.
    slabs: Vec<Window<'static>>,
    /// The first layer that is still to be looked at.
    next: usize,
}

/// The cells beside a rank's part of a grid that derivatives in it look at, and where they lie as the part counts.
pub(crate) fn beside_part(case: &Case, cut: &Decomposition, rank: usize) -> Vec<Piece> {
    let part = Extent { cells: cut.subdomain(rank).cells };
    let mut endless = case.boundaries.periodic();
    endless[2] |= case.grid.is_plane();
    let mut all = Vec::new();
    for d in 0..3 {
        let range = part.cells[d].start as isize..part.cells[d].end as isize;
        // Rows have all cells of a direction, or are swept over with those across its periodic ends.
        if range.len() == cut.cells[d] && (d == 0 || (d == 2 && d != part.across())) {
            continue;
        }
        let reach = REACH as isize;
        for side in [range.start - reach..range.start, range.end..range.end + reach] {
            for inside in within_grid(side, cut.cells[d], endless[d]) {
                let (mut extent, mut first) = (part.clone(), part.offset().map(|i| i as isize));
                (extent.cells[d], first[d]) = (inside.cells, inside.first);
                all.push(Piece { extent, first });
            }
        }
    }
    all
}

/// Rows in y of a part that is swept over in strips, of which the rank has so many: with those beside them that are its own.
pub(crate) fn with_rows_beside(rows: &Range<usize>, n_y: usize) -> Range<usize> {
    rows.start.saturating_sub(REACH)..n_y.min(rows.end + REACH)
}

impl<'a> Sweep<'a> {
    /// Of a part, with the velocities of the cells beside what the rank has.
    pub(crate) fn new(case: &'a Case, part: Extent, beside: &'a [Window<'static>]) -> Self {
        let across = part.across();
        let next = part.cells[across].start;
        Self { case, part, across, beside, slabs: Vec::new(), next }
    }

    /// Goes on with the velocity in the next slab of the part, and perhaps of rows beside it; returns the sums of those cells
    /// whose neighbours are all there by now. The threads of the pool that this is called in share the work.
    pub(crate) fn go_on(&mut self, slab: Window<'static>) -> EnergySum {
        let across = self.across;
        let end_of =
            |slab: &Window<'_>| slab.first()[across] as usize + slab.field().shape.cells[across];
        let end = end_of(&slab);
        let is_last = end >= self.part.cells[across].end;
        let known = if is_last { end } else { end.saturating_sub(REACH) }.max(self.next);
        self.slabs.push(slab);
        let mut ready = self.part.clone();
        ready.cells[across] = self.next..known;
        let sum = match ready.n_cells() {
            0 => EnergySum::default(),
            _ => {
                let velocity = self.slabs.iter().chain(self.beside).collect();
                EnergySum::of(self.case, &ready, velocity)
            }
        };
        self.next = known;
        self.slabs.retain(|slab| !is_last && end_of(slab) + REACH > known);
        sum
    }
}
