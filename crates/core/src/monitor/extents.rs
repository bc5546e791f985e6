//! What is asked of many small parts of a flow at once.

use std::ops::Range;

use super::{Every, Snapshot};
use crate::case::ProbeTimes;
use crate::error::Result;
use crate::extent::Extent;
use crate::field::Field;
use crate::field_later::FieldLater;
use crate::gather::exchange_extents;
use crate::quantity::Quantity;
use crate::row_block::RowBlock;
use crate::solver::Solver;
use crate::window::{Window, joined};

/// Rows of which so many times as many cells are fetched as are wanted.
const THIN: usize = 4;

impl From<ProbeTimes> for Every {
    fn from(times: ProbeTimes) -> Self {
        match times {
            ProbeTimes::Steps(steps) => Self::Steps(steps),
            ProbeTimes::Seconds(seconds) => Self::Seconds(seconds),
        }
    }
}

impl Snapshot<'_> {
    /// Velocity or pressure in some extents of the whole grid, each in a window of its own: on rank 0, nothing on the
    /// others. Only rows of cells that the extents touch are fetched from a device. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn in_extents(
        &mut self,
        quantity: Quantity,
        extents: &[Extent],
    ) -> Result<Vec<Window<'static>>> {
        let mut wanted = vec![Vec::new(); self.ranks.size()];
        wanted[0] = extents.to_vec();
        let fields = self.parts(quantity, &wanted)?;
        Ok(extents.iter().zip(fields).map(|(extent, field)| Window::of(extent, field)).collect())
    }

    /// Velocity or pressure in the extents of the whole grid that this rank wants, of those that all want.
    pub(crate) fn parts(
        &mut self,
        quantity: Quantity,
        wanted: &[Vec<Extent>],
    ) -> Result<Vec<Field>> {
        if self.ranks.size() == 1
            && let Some(Some(whole)) = self.whole.get(&quantity)
        {
            let cut_out =
                |extent: &Extent| self.with_threads(|| Window::whole(whole).cut_out(extent));
            return Ok(wanted.iter().flatten().map(cut_out).collect());
        }
        let (ranks, cut) = (self.ranks, self.cut);
        // A solver may have to do something for other ranks.
        let begun = self.rows(quantity, 0..0).map(|_| ());
        ranks.agree(begun)?;
        exchange_extents(ranks, cut, quantity.components(), wanted, |extent| {
            self.own_part(quantity, extent)
        })
    }

    /// The velocity in rows of a flow on one rank, with no need to wait until it is here: see
    /// [`Solver::velocity_later`]; nothing where there are several.
    ///
    /// # Errors
    /// If a device fails.
    pub fn velocity_later(&mut self, rows: Range<usize>) -> Result<Option<FieldLater>> {
        match self.ranks.size() {
            1 => self.ask(|solver| solver.velocity_later(rows)).map(Some),
            _ => Ok(None),
        }
    }

    /// An extent of own cells.
    fn own_part(&mut self, quantity: Quantity, own: &Extent) -> Result<Field> {
        let part = self.cut.subdomain(self.ranks.rank());
        let n = part.n();
        let [x, y, z]: [Range<usize>; 3] = std::array::from_fn(|d| {
            let (range, first) = (&own.cells[d], part.cells[d].start);
            range.start - first..range.end - first
        });
        // Most rows of layers come as all of them.
        let rows = if 2 * y.len() < n[1] { y.clone() } else { 0..n[1] };
        // Few cells of each of many rows need no room for all of these.
        let thin = x.len() * THIN < n[0];
        let together = match thin {
            true => Extent::whole([n[0], rows.len(), z.len()]).thin(),
            false => z.len().max(1),
        };
        let piece = |solver: &mut dyn Solver, k: usize| {
            let layers = k..z.end.min(k + together);
            let of_layer = rows.start + n[1] * k..rows.end + n[1] * k;
            let block = RowBlock { of_layer, layers: layers.len(), stride: n[1] };
            let field = solver.block(quantity, &block)?;
            let window = Window::at([0, rows.start, k].map(|i| i as isize), field);
            let cells = [&x, &y, &layers].map(|range| range.start as isize..range.end as isize);
            let first = cells.each_ref().map(|range| range.start);
            Ok((first, window.into_cut(&cells)))
        };
        self.wait()?;
        self.ask(|solver| {
            let pieces = z.clone().step_by(together).map(|k| piece(solver, k));
            let first = [&x, &y, &z].map(|range| range.start as isize);
            Ok(joined(first, own.n(), pieces.collect::<Result<_>>()?))
        })
    }
}
