//! Everything that follows from the coefficients of the finest level.

use vortice_core::{Region, Result, Row, ThreadPool};

use super::super::rows::{self, Sides};
use super::transfer::Transfer;
use super::{Multigrid, Storage};
use crate::levels::Level;
use crate::pieces::places;
use crate::plan::Ratios;
use crate::stencil;

impl Multigrid {
    /// Coefficients of all levels from those of the finest, and their inverse sums.
    pub fn prepare(&mut self) -> Result<()> {
        self.fill_halos_of_coefficients(0)?;
        for coarse in 1..self.storage.len() {
            for d in 0..self.levels.levels[coarse].directions {
                self.coarsen(coarse - 1, d)?;
            }
            self.fill_halos_of_coefficients(coarse)?;
        }
        for (level, storage) in self.levels.levels.iter().zip(&mut self.storage) {
            invert(&self.pool, level, storage);
        }
        Ok(())
    }

    fn fill_halos_of_coefficients(&mut self, level: usize) -> Result<()> {
        let level = &self.levels.levels[level];
        let c = &mut self.storage[level.number].c[..level.directions];
        let mut arrays: Vec<&mut [f64]> = c.iter_mut().map(Vec::as_mut_slice).collect();
        self.exchange.fill(level.number, &mut arrays)
    }

    /// The coefficients of one direction on the next coarser level.
    fn coarsen(&mut self, fine: usize, d: usize) -> Result<()> {
        let transfer = Transfer::new(&self.levels, fine);
        let ratios = self.levels.plan.coarsenings[fine].ratios[d];
        let all = self.levels.levels[fine + 1].cells[d];
        let ends = self.ends(fine, d)?;
        let (finer, coarser) = self.storage.split_at_mut(fine + 1);
        let (from, to) = (&finer[fine].c[d], &mut coarser[0].c[d]);
        let pieces = transfer.pieces.as_ref();
        let mut own = vec![0.0; pieces.map_or(0, |pieces| pieces.own.len())];
        let out = if pieces.is_some() { &mut own } else { &mut *to };
        transfer.low_faces(&self.pool, &self.zeros, d, &ratios, all, from, out);
        if transfer.start[d] + transfer.shape.cells[d] == all {
            let place = |face| transfer.fine_place(face);
            match ends {
                None => transfer.last_faces(d, ratios.end, |face| from[place(face)], out),
                Some(ends) => {
                    let below = self.levels.levels[fine].shape.strides()[d];
                    transfer.last_faces(d, ratios.end, |face| ends[place(face) - below], out);
                }
            }
        }
        let ranks = &*self.exchange.ranks;
        pieces.map_or(Ok(()), |pieces| pieces.put_together(ranks, Some(d), &own, to))
    }

    /// The high faces at the end of the box, each in the place of the cell below it, where they
    /// have a halo; that is needed if coarse cells have children on two ranks.
    fn ends(&self, level: usize, d: usize) -> Result<Option<Vec<f64>>> {
        let here = &self.levels.levels[level];
        if !here.ragged {
            return Ok(None);
        }
        let mut ends = vec![0.0; here.shape.len()];
        if here.start[d] + here.shape.cells[d] == here.cells[d] {
            let (mut start, mut cells) = ([0; 3], here.shape.cells);
            (start[d], cells[d]) = (cells[d] - 1, 1);
            let above = here.shape.strides()[d];
            for place in places(&here.shape, start, cells) {
                ends[place] = self.storage[level].c[d][place + above];
            }
        }
        self.exchange.fill(level, &mut [&mut ends])?;
        Ok(Some(ends))
    }
}

impl Transfer {
    /// Low faces of coarse cells; the whole box has `all` of them in direction `d`.
    fn low_faces(
        &self,
        pool: &ThreadPool,
        zeros: &[f64],
        d: usize,
        ratios: &Ratios,
        all: usize,
        from: &[f64],
        out: &mut [f64],
    ) {
        let n = self.shape.cells[d];
        let ratios: Vec<f64> = (0..n).map(|i| ratios.at(self.start[d] + i, all)).collect();
        let scale = |row: Row, sums: &mut [f64]| {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum *= ratios[[i, row.j as usize, row.k as usize][d]];
            }
        };
        self.sum(pool, zeros, Some(d), from, out, scale);
    }

    /// The high faces at the end of the box, in the same order of additions.
    fn last_faces(&self, d: usize, ratio: f64, fine: impl Fn([isize; 3]) -> f64, out: &mut [f64]) {
        let mut cells = self.shape.cells;
        cells[d] = 1;
        let end = self.shape.cells[d];
        let [low, high] = [[1, 2], [0, 2], [0, 1]][d];
        for b in 0..cells[high] {
            for a in 0..cells[low] {
                let mut cell = [end; 3];
                (cell[low], cell[high]) = (a, b);
                let value = |a: Option<isize>, b: Option<isize>| {
                    let mut face = [self.face(d, end); 3];
                    let (Some(a), Some(b)) = (a, b) else { return 0.0 };
                    (face[low], face[high]) = (a, b);
                    fine(face)
                };
                let pair = |b| in_pairs(self.children(low, cell[low]).map(|a| value(a, b)));
                let sum = in_pairs(self.children(high, cell[high]).map(pair));
                out[self.shape.index(cell.map(|i| i as isize))] = sum * ratio;
            }
        }
    }
}

/// One value, or the sum of two.
fn in_pairs(values: impl Iterator<Item = f64>) -> f64 {
    values.reduce(|a, b| a + b).unwrap_or(0.0)
}

/// One over the sums of the coefficients.
fn invert(pool: &ThreadPool, level: &Level, storage: &mut Storage) {
    let Level { shape, directions, .. } = *level;
    let Storage { c, inverse, .. } = storage;
    pool.each_row(
        &Region::own(shape),
        [inverse],
        #[inline(always)]
        |row, [inverse]| {
            let c = Sides::faces(c, &shape, directions, row.place, inverse.len());
            rows::from_diagonals(
                &c,
                directions,
                inverse,
                #[inline(always)]
                |_, diagonal| stencil::inverse(diagonal),
            );
        },
    );
}
