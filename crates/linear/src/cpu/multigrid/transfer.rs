//! From a level to the next coarser one and back.

use vortice_core::{Region, Result, Row, Shape, ThreadPool};

use super::children::{self, Along};
use super::{Multigrid, Storage};
use crate::levels::{Level, Levels};
use crate::pieces::Pieces;
use crate::plan::Coarsening;

/// The coarse cells that a rank computes from its fine ones.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    fine: Level,
    factor: [usize; 3],
    shift: [usize; 3],
    /// The first of the coarse cells.
    pub(super) start: [usize; 3],
    /// Where they lie: on the coarse level, or by themselves before they are gathered.
    pub(super) shape: Shape,
    /// If all ranks need the cells of all ranks.
    pub(super) pieces: Option<Pieces>,
}

impl Transfer {
    pub(super) fn new(levels: &Levels, fine: usize) -> Self {
        let (fine, coarse) = (levels.levels[fine], &levels.levels[fine + 1]);
        let pieces = Pieces::of(levels, coarse.number);
        let (start, shape) =
            pieces.as_ref().map_or((coarse.start, coarse.shape), |some| (some.start(), some.own));
        let Coarsening { factor, shift, .. } = levels.plan.coarsenings[fine.number];
        Self { fine, factor, shift, start, shape, pieces }
    }

    /// Local fine indices of the children of a local coarse index: none in place of those beyond
    /// the ends of the box.
    pub(super) fn children(&self, d: usize, i: usize) -> impl Iterator<Item = Option<isize>> {
        let first = ((self.start[d] + i) * self.factor[d]) as isize - self.shift[d] as isize;
        let (start, all) = (self.fine.start[d] as isize, self.fine.cells[d] as isize);
        (first..first + self.factor[d] as isize)
            .map(move |i| (0..all).contains(&i).then_some(i - start))
    }

    /// Local fine index of the face that is the low one of a local coarse index.
    pub(super) fn face(&self, d: usize, i: usize) -> isize {
        let face = ((self.start[d] + i) * self.factor[d]).saturating_sub(self.shift[d]);
        face.min(self.fine.cells[d]) as isize - self.fine.start[d] as isize
    }

    /// Place in memory of a local fine index.
    pub(super) fn fine_place(&self, cell: [isize; 3]) -> usize {
        self.fine.shape.index(cell)
    }

    /// The sums over the children of all coarse cells, or over those on their low faces in a
    /// direction; `then` may change each row of sums.
    pub(super) fn sum(
        &self,
        pool: &ThreadPool,
        zeros: &[f64],
        faces: Option<usize>,
        from: &[f64],
        out: &mut [f64],
        then: impl Fn(Row, &mut [f64]) + Sync,
    ) {
        let along = match (self.factor[0], faces) {
            (1, _) => Along::Singles,
            (_, Some(0)) => Along::Firsts,
            _ => Along::Pairs,
        };
        // Along a direction of faces the first child has the coarse face; or the second, if the
        // first does not exist.
        let of = |d: usize, i: isize| {
            let on_face = (faces == Some(d)).then(|| Some(self.face(d, i as usize)));
            let all = faces.is_none_or(|face| face != d).then(|| self.children(d, i as usize));
            on_face.into_iter().chain(all.into_iter().flatten())
        };
        let west = self.face(0, 0);
        let end = (self.fine.cells[0] - self.fine.start[0]) as isize;
        let head = self.start[0] == 0 && self.shift[0] == 1;
        pool.each_row(
            &Region::own(self.shape),
            [out],
            #[inline(always)]
            |row, [out]| {
                let wanted = self.factor[0] * out.len() - usize::from(head);
                let length = wanted.min((end - west) as usize);
                let mut rows = [&zeros[..length]; 4];
                let mut count = 0;
                for k in of(2, row.k) {
                    for j in of(1, row.j) {
                        if let (Some(j), Some(k)) = (j, k) {
                            let first = self.fine.shape.index([west, j, k]);
                            rows[count] = &from[first..][..length];
                        }
                        count += 1;
                    }
                }
                children::sum(along, head, &rows[..count], out);
                then(row, out);
            },
        );
    }
}

impl Multigrid {
    /// Sums of residuals become the right-hand side of the next level.
    pub(super) fn restrict_residual(&mut self, fine: usize) -> Result<()> {
        let transfer = Transfer::new(&self.levels, fine);
        let level = &self.levels.levels[fine];
        let (finer, coarser) = self.storage.split_at_mut(fine + 1);
        let (Storage { r, .. }, Storage { x, b, .. }) = (&mut finer[fine], &mut coarser[0]);
        if level.ragged {
            self.exchange.fill(fine, &mut [r])?;
        }
        x.fill(0.0);
        let (pool, zeros) = (&self.pool, &self.zeros);
        let Some(pieces) = &transfer.pieces else {
            transfer.sum(pool, zeros, None, r, b, as_they_are);
            return Ok(());
        };
        let mut own = vec![0.0; transfer.shape.len()];
        transfer.sum(pool, zeros, None, r, &mut own, as_they_are);
        pieces.put_together(&*self.exchange.ranks, None, &own, b)
    }

    /// Adds to each cell the value of the coarse cell that it belongs to.
    pub(super) fn add_correction(&mut self, fine: usize) {
        let Coarsening { factor, shift, .. } = self.levels.plan.coarsenings[fine];
        let (level, coarse) = (&self.levels.levels[fine], &self.levels.levels[fine + 1]);
        let (finer, coarser) = self.storage.split_at_mut(fine + 1);
        let from = &coarser[0].x;
        let parent = |d: usize, i: isize| {
            let i = (i + (level.start[d] + shift[d]) as isize) / factor[d] as isize;
            i - coarse.start[d] as isize
        };
        self.pool.each_row(
            &Region::own(level.shape),
            [&mut finer[fine].x],
            #[inline(always)]
            |row, [x]| {
                let first = [parent(0, 0), parent(1, row.j), parent(2, row.k)];
                let first = coarse.shape.index(first);
                if factor[0] == 1 {
                    let from = &from[first..][..x.len()];
                    x.iter_mut().zip(from).for_each(|(x, from)| *x += from);
                } else {
                    add_to_pairs(&from[first..], (level.start[0] + shift[0]) % 2, x);
                }
            },
        );
    }
}

/// Leaves a row of sums.
#[inline(always)]
fn as_they_are(_: Row, _: &mut [f64]) {}

/// Adds each parent to its two children; of the first parent there may be the second child only,
/// of the last the first only.
#[inline(always)]
fn add_to_pairs(from: &[f64], skipped: usize, x: &mut [f64]) {
    let (head, x) = x.split_at_mut(skipped.min(x.len()));
    head.iter_mut().for_each(|x| *x += from[0]);
    let from = &from[skipped..][..x.len().div_ceil(2)];
    let pairs = x.len() / 2;
    let (whole, tail) = x.split_at_mut(2 * pairs);
    for m in 0..pairs {
        whole[2 * m] += from[m];
        whole[2 * m + 1] += from[m];
    }
    tail.iter_mut().for_each(|x| *x += from[pairs]);
}
