//! Who owns which cells: pure arithmetic, no communication.

pub(crate) mod rows;
mod shares;

use std::ops::Range;

use self::shares::{THINNEST, check_weights, starts, widths};
use crate::error::{Error, Result};

/// A box of cells cut into Px x Py x Pz subdomains, one a rank; x varies fastest with the rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Cells of the whole grid.
    pub cells: [usize; 3],
    /// Ranks per direction.
    pub ranks: [usize; 3],
    /// Which directions are periodic.
    pub periodic: [bool; 3],
    /// The first cell of each part, per direction, and then the number of cells.
    pub starts: [Vec<usize>; 3],
}

/// The part of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subdomain {
    /// The rank that owns it.
    pub rank: usize,
    /// Place among the ranks, per direction.
    pub position: [usize; 3],
    /// Own cells as global indices.
    pub cells: [Range<usize>; 3],
    /// Neighbouring ranks `[direction][low, high]`; none where the box ends. In a periodic
    /// direction with one rank the neighbour is the rank itself.
    pub neighbours: [[Option<usize>; 2]; 3],
}

/// A cell of a face that is cut takes about as long to be sent as so many cells to be computed by the
/// fastest rank.
const SENT_CELL: f64 = 3.0;

/// In each direction that is cut a rank waits for its neighbours, for some microseconds: as long as some
/// hundred cells on a processor and some ten thousand on a GPU. This lies between.
const WAIT: f64 = 5000.0;

impl Decomposition {
    /// A cut across x makes short rows, and values of messages that lie apart, each in its unit of memory; its surface
    /// counts this much more. Measured on GPUs: 6 to 16.
    pub const CUT_X_WEIGHT: f64 = 8.0;

    /// A given number of ranks per direction with equal parts: sizes differ by one cell at most, and
    /// the first parts are the larger ones.
    ///
    /// # Errors
    /// If a direction has fewer cells than ranks.
    pub fn new(cells: [usize; 3], ranks: [usize; 3], periodic: [bool; 3]) -> Result<Self> {
        let weights = vec![1.0; ranks.iter().product()];
        Self::weighted((cells, [1; 3]), ranks, periodic, &weights)
    }

    /// A given number of ranks per direction with parts that follow the weights of the ranks, each of whole blocks: so many
    /// cells per direction stay together, of which each direction has a multiple.
    ///
    /// All parts at one place of a direction are equally wide, so only the sums of their weights
    /// count. A width is its share of the blocks rounded up or down, but no rank is without one,
    /// and where they suffice none has fewer than two.
    ///
    /// # Errors
    /// If a direction has fewer blocks than ranks, or there is not one positive weight a rank.
    pub fn weighted(
        (cells, block): ([usize; 3], [usize; 3]),
        ranks: [usize; 3],
        periodic: [bool; 3],
        weights: &[f64],
    ) -> Result<Self> {
        let blocks: [usize; 3] = std::array::from_fn(|d| cells[d] / block[d]);
        if (0..3).any(|d| ranks[d] == 0 || ranks[d] > blocks[d]) {
            let (together, units) = in_words(block);
            return Err(Error::Ranks {
                problem: format!("{ranks:?} ranks do not fit a grid of {cells:?} cells{together}"),
                remedy: format!(
                    "give each direction at least one rank and no more ranks than {units}"
                ),
            });
        }
        check_weights(weights, ranks.iter().product())?;
        let starts = std::array::from_fn(|d| {
            let mut sums = vec![0.0; ranks[d]];
            for (rank, weight) in weights.iter().enumerate() {
                sums[position(ranks, rank)[d]] += weight;
            }
            starts(&widths(blocks[d], &sums)).iter().map(|start| start * block[d]).collect()
        });
        Ok(Self { cells, ranks, periodic, starts })
    }

    /// The cut into `size` equal parts that should be fastest: it communicates little surface in few
    /// directions and, if it can, does not cut x.
    ///
    /// # Errors
    /// If no cut gives every rank a cell.
    pub fn choose(cells: [usize; 3], size: usize, periodic: [bool; 3]) -> Result<Self> {
        Self::choose_weighted((cells, [1; 3]), periodic, &vec![1.0; size])
    }

    /// The cut that should be fastest if ranks compute as many cells a second as their weights say, in
    /// any unit; blocks stay together as in [`Self::weighted`].
    ///
    /// # Errors
    /// If no cut gives every rank a block, or a weight is not positive.
    pub fn choose_weighted(
        (cells, block): ([usize; 3], [usize; 3]),
        periodic: [bool; 3],
        weights: &[f64],
    ) -> Result<Self> {
        check_weights(weights, weights.len())?;
        let best = Self::layouts(cells, weights.len()).into_iter().filter_map(|ranks| {
            let cut = Self::weighted((cells, block), ranks, periodic, weights).ok()?;
            Some((cut.is_thin(block), cut.cost(weights), cut))
        });
        let best = best.min_by(|(thin, cost, cut), (thin_too, other, cut_too)| {
            let order = thin.cmp(thin_too).then(cost.total_cmp(other));
            order.then(cut.ranks.cmp(&cut_too.ranks))
        });
        best.map(|(.., cut)| cut).ok_or_else(|| {
            let (size, (together, _)) = (weights.len(), in_words(block));
            let problem = format!("{size} ranks cannot share a grid of {cells:?} cells{together}");
            let remedy = "use fewer ranks, or a number with smaller factors".into();
            Error::Ranks { problem, remedy }
        })
    }

    /// All ranks per direction that give each of `size` ranks a cell.
    pub fn layouts(cells: [usize; 3], size: usize) -> Vec<[usize; 3]> {
        let fits = |ranks: &[usize; 3]| (0..3).all(|d| ranks[d] <= cells[d]);
        factor_triples(size).into_iter().filter(fits).collect()
    }

    /// Whether a part is too thin for some methods where it is cut.
    fn is_thin(&self, block: [usize; 3]) -> bool {
        let is_thin = |(starts, block): (&Vec<usize>, usize)| {
            starts.len() > 2 && starts.windows(2).any(|pair| pair[1] - pair[0] < THINNEST * block)
        };
        self.starts.iter().zip(block).any(is_thin)
    }

    /// How long the slowest rank takes, in units of a cell at a weight of one.
    fn cost(&self, weights: &[f64]) -> f64 {
        // To send takes no longer for a slow rank than for a fast one.
        let fastest = weights.iter().copied().fold(0.0, f64::max);
        let waiting = WAIT * self.ranks.iter().filter(|&&ranks| ranks > 1).count() as f64;
        let cost = |(rank, weight): (usize, &f64)| {
            let part = self.subdomain(rank);
            let faces = part.cut_faces();
            let surface = Self::CUT_X_WEIGHT * faces[0] as f64 + (faces[1] + faces[2]) as f64;
            part.n_cells() as f64 / weight + (SENT_CELL * surface + waiting) / fastest
        };
        weights.iter().enumerate().map(cost).fold(0.0, f64::max)
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.ranks.iter().product()
    }

    /// The part of a rank.
    pub fn subdomain(&self, rank: usize) -> Subdomain {
        let [px, py, _] = self.ranks;
        let position = position(self.ranks, rank);
        let cells =
            std::array::from_fn(|d| self.starts[d][position[d]]..self.starts[d][position[d] + 1]);
        let neighbours = std::array::from_fn(|d| {
            [-1isize, 1].map(|step| {
                let n = self.ranks[d] as isize;
                let mut there = position.map(|p| p as isize);
                there[d] += step;
                if self.periodic[d] {
                    there[d] = there[d].rem_euclid(n);
                }
                (0..n).contains(&there[d]).then(|| {
                    let [x, y, z] = there.map(|p| p as usize);
                    x + px * (y + py * z)
                })
            })
        });
        Subdomain { rank, position, cells, neighbours }
    }
}

impl Subdomain {
    /// Own cells per direction.
    pub fn n(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.cells[d].len())
    }

    /// Own cells in all.
    pub fn n_cells(&self) -> usize {
        self.n().iter().product()
    }

    /// Global index of the first own cell.
    pub fn offset(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.cells[d].start)
    }

    /// A cell of the part as a cell of the whole grid.
    pub fn global(&self, cell: [isize; 3]) -> [isize; 3] {
        std::array::from_fn(|d| cell[d] + self.cells[d].start as isize)
    }

    /// Own cells at faces to other ranks, per direction, both sides together.
    pub fn cut_faces(&self) -> [usize; 3] {
        let n = self.n();
        std::array::from_fn(|d| {
            let area: usize = (0..3).filter(|&e| e != d).map(|e| n[e]).product();
            let others = self.neighbours[d].iter().flatten().filter(|rank| **rank != self.rank);
            area * others.count()
        })
    }
}

/// What an error says of blocks, and what ranks are counted in.
fn in_words(block: [usize; 3]) -> (String, &'static str) {
    match block {
        [1, 1, 1] => (String::new(), "cells"),
        _ => (format!(", of which blocks of {block:?} stay together"), "blocks"),
    }
}

/// Place of a rank among the ranks, per direction.
fn position([px, py, _]: [usize; 3], rank: usize) -> [usize; 3] {
    [rank % px, rank / px % py, rank / (px * py)]
}

fn factor_triples(size: usize) -> Vec<[usize; 3]> {
    let divisors = |n: usize| (1..=n).filter(move |d| n.is_multiple_of(*d));
    divisors(size).flat_map(|x| divisors(size / x).map(move |y| [x, y, size / x / y])).collect()
}

#[cfg(test)]
mod tests;
