//! Boxes of cells: what is looked at of a flow, a part at a time.

use std::ops::Range;

/// A box of cells, by their indices in the whole grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Per direction.
    pub cells: [Range<usize>; 3],
}

/// Cells that are looked at together, if a few layers of the grid are not more.
const TOGETHER: usize = 1 << 20;

/// Layers that are looked at together at least: what derivatives need of the layers beside them is looked at twice.
const LAYERS: usize = 16;

/// The same two where the layers beside them are kept for the next.
const SWEPT: (usize, usize) = (1 << 19, 4);

/// Cells of a layer from which on it is swept over in strips of rows, and the fewest of their rows: rows beside a strip are
/// looked at twice.
const STRIP: (usize, usize) = (1 << 18, 32);

impl Extent {
    /// All cells of a grid.
    pub fn whole(cells: [usize; 3]) -> Self {
        Self { cells: cells.map(|n| 0..n) }
    }

    /// Cells per direction.
    pub fn n(&self) -> [usize; 3] {
        self.cells.each_ref().map(ExactSizeIterator::len)
    }

    /// Cells in all.
    pub fn n_cells(&self) -> usize {
        self.n().iter().product()
    }

    /// The first cell.
    pub fn offset(&self) -> [usize; 3] {
        self.cells.each_ref().map(|range| range.start)
    }

    /// As many cells further on.
    pub(crate) fn moved(&self, by: [usize; 3]) -> Self {
        let moved = |d: usize| self.cells[d].start + by[d]..self.cells[d].end + by[d];
        Self { cells: std::array::from_fn(moved) }
    }

    /// The rows along x from its first to its last one, by their numbers j + n_y k in a grid of so many cells in y.
    pub(crate) fn rows(&self, n_y: usize) -> Range<usize> {
        let [_, y, z] = &self.cells;
        y.start + n_y * z.start..y.end + n_y * (z.end - 1)
    }

    /// The cells that are in both; nothing if there is none.
    pub fn common(&self, other: &[Range<usize>; 3]) -> Option<Self> {
        let cells: [Range<usize>; 3] = std::array::from_fn(|d| {
            let (one, other) = (&self.cells[d], &other[d]);
            one.start.max(other.start)..one.end.min(other.end)
        });
        cells.iter().all(|range| !range.is_empty()).then_some(Self { cells })
    }

    /// The most cells of a grid that are looked at together.
    pub(crate) fn looked_at(cells: [usize; 3]) -> usize {
        let all = Self::whole(cells);
        let most = all.slabs(1).map(|slab| slab.n_cells()).max();
        most.unwrap_or(0)
    }

    /// The most cells of a grid that are swept over together.
    pub(crate) fn swept(cells: [usize; 3]) -> usize {
        let strips = Self::whole(cells).strips();
        let most = strips.iter().map(|strip| (strip.thin() * strip.layer()).min(strip.n_cells()));
        most.max().unwrap_or(0)
    }

    /// Extents dealt to the first `takers` of so many ranks, to each some that follow each other: what each rank takes at a
    /// time, round by round.
    pub fn rounds(
        extents: &[Self],
        takers: usize,
        ranks: usize,
    ) -> impl Iterator<Item = Vec<Option<Self>>> {
        let until = move |rank: usize| extents.len() * rank.min(takers) / takers.max(1);
        let most = (0..takers).map(|rank| until(rank + 1) - until(rank)).max().unwrap_or(0);
        let taken = move |rank| &extents[until(rank)..until(rank + 1)];
        (0..most).map(move |round| (0..ranks).map(|rank| taken(rank).get(round).cloned()).collect())
    }

    /// The direction that slabs lie across: z, or y where there is one layer of cells in z.
    pub(crate) fn across(&self) -> usize {
        if self.cells[2].len() > 1 { 2 } else { 1 }
    }

    /// Slabs across z, or across y where there is one layer of cells in z, one after the other; of as many cells
    /// as are looked at together, and of a multiple of `layers`.
    pub fn slabs(&self, layers: usize) -> impl Iterator<Item = Self> + use<> {
        self.of_layers(self.together((TOGETHER, LAYERS)).next_multiple_of(layers))
    }

    /// The same for what is looked at without the layers beside it: slabs that stay in the processor's caches.
    pub fn plain_slabs(&self, layers: usize) -> impl Iterator<Item = Self> + use<> {
        self.of_layers(self.together((SWEPT.0, 1)).next_multiple_of(layers))
    }

    /// The same for what is swept over once: slabs of fewer layers, if these are large.
    pub(crate) fn thin_slabs(&self) -> impl Iterator<Item = Self> + use<> {
        self.of_layers(self.thin())
    }

    /// Strips of rows whose slabs are not too large, one after the other across y; all, where slabs lie across y.
    pub(crate) fn strips(&self) -> Vec<Self> {
        let (rows, most) = (self.cells[1].clone(), STRIP.0 / self.n()[0].max(1));
        if self.across() == 1 || self.layer() <= STRIP.0 {
            return vec![self.clone()];
        }
        let some = rows.len().div_ceil(rows.len().div_ceil((most / 2).max(STRIP.1)));
        let strip = |first: usize| {
            let mut strip = self.clone();
            strip.cells[1] = first..rows.end.min(first + some);
            strip
        };
        rows.clone().step_by(some).map(strip).collect()
    }

    /// Layers of such a slab.
    pub(crate) fn thin(&self) -> usize {
        self.together(SWEPT)
    }

    /// Layers of a slab of so many cells, so many at least.
    fn together(&self, (cells, fewest): (usize, usize)) -> usize {
        (cells / self.layer()).max(fewest)
    }

    /// Cells of a layer of slabs.
    fn layer(&self) -> usize {
        (self.n_cells() / self.n()[self.across()].max(1)).max(1)
    }

    /// Slabs of so many layers.
    fn of_layers(&self, some: usize) -> impl Iterator<Item = Self> + use<> {
        let across = self.across();
        let (all, extent) = (self.cells[across].clone(), self.clone());
        all.clone().step_by(some).map(move |first| {
            let mut slab = extent.clone();
            slab.cells[across] = first..all.end.min(first + some);
            slab
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slabs_are_all_cells_in_their_order() {
        for cells in [[512, 512, 100], [4096, 5000, 1], [3, 2, 2], [70_000_000, 1, 1]] {
            for layers in [1, 3] {
                let extent = Extent::whole(cells);
                let slabs: Vec<_> = extent.slabs(layers).collect();
                assert_eq!(slabs.iter().map(Extent::n_cells).sum::<usize>(), extent.n_cells());
                let across = if cells[2] > 1 { 2 } else { 1 };
                for pair in slabs.windows(2) {
                    assert_eq!(pair[0].cells[across].end, pair[1].cells[across].start);
                    assert!(pair[0].cells[across].len().is_multiple_of(layers));
                }
            }
        }
        assert_eq!(Extent::whole([512, 512, 100]).slabs(1).count(), 7);
    }

    #[test]
    fn strips_of_large_layers_are_all_cells() {
        for (cells, count) in [([512, 512, 40], 1), ([4096, 5000, 1], 1), ([2000, 1000, 9], 16)] {
            let strips = Extent::whole(cells).strips();
            assert_eq!(strips.len(), count);
            assert_eq!(strips.iter().map(Extent::n_cells).sum::<usize>(), cells.iter().product());
            assert!(strips.windows(2).all(|two| two[0].cells[1].end == two[1].cells[1].start));
        }
        assert_eq!(Extent::swept([2000, 1000, 9]), 4 * 63 * 2000);
    }

    #[test]
    fn all_extents_are_dealt_once_and_in_their_order() {
        let slabs: Vec<_> = Extent::whole([512, 512, 100]).slabs(1).collect();
        for (takers, ranks) in [(1, 1), (3, 3), (1, 4), (9, 9)] {
            let rounds: Vec<_> = Extent::rounds(&slabs, takers, ranks).collect();
            assert!(rounds.iter().all(|round| round.len() == ranks));
            let of = |rank: usize| rounds.iter().filter_map(move |round| round[rank].clone());
            assert!((0..ranks).flat_map(of).eq(slabs.iter().cloned()), "{takers} of {ranks}");
            assert!((takers..ranks).all(|rank| of(rank).count() == 0));
        }
    }

    #[test]
    fn extents_have_cells_in_common_or_none() {
        let extent = Extent { cells: [2..5, 0..4, 1..2] };
        assert_eq!(extent.common(&[0..3, 1..9, 0..7]), Some(Extent { cells: [2..3, 1..4, 1..2] }));
        assert_eq!(extent.common(&[5..6, 0..4, 1..2]), None);
        assert_eq!((extent.n(), extent.offset()), ([3, 4, 1], [2, 0, 1]));
    }
}
