//! Who owns which cells: pure arithmetic, no communication.

use std::ops::Range;

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

/// A cut across x makes short rows and strided messages; its surface counts this much more.
const CUT_X_WEIGHT: f64 = 1.5;

impl Decomposition {
    /// A given number of ranks per direction.
    ///
    /// # Errors
    /// If a direction has fewer cells than ranks.
    pub fn new(cells: [usize; 3], ranks: [usize; 3], periodic: [bool; 3]) -> Result<Self> {
        if (0..3).any(|d| ranks[d] == 0 || ranks[d] > cells[d]) {
            return Err(Error::Ranks {
                problem: format!("{ranks:?} ranks do not fit a grid of {cells:?} cells"),
                remedy: "give each direction at least one rank and no more ranks than cells".into(),
            });
        }
        Ok(Self { cells, ranks, periodic })
    }

    /// The cut into `size` subdomains that communicates the least surface and, if it can, does not
    /// cut x.
    ///
    /// # Errors
    /// If no cut gives every rank a cell.
    pub fn choose(cells: [usize; 3], size: usize, periodic: [bool; 3]) -> Result<Self> {
        let fits = |ranks: &[usize; 3]| (0..3).all(|d| ranks[d] <= cells[d]);
        let cuts = factor_triples(size).into_iter().filter(fits);
        let best = cuts.min_by(|a, b| {
            surface(cells, *a, periodic).total_cmp(&surface(cells, *b, periodic)).then(a.cmp(b))
        });
        let ranks = best.ok_or_else(|| Error::Ranks {
            problem: format!("{size} ranks cannot share a grid of {cells:?} cells"),
            remedy: "use fewer ranks, or a number with smaller factors".into(),
        })?;
        Self::new(cells, ranks, periodic)
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.ranks.iter().product()
    }

    /// The part of a rank. Sizes differ by one cell at most; the first ranks have the larger ones.
    pub fn subdomain(&self, rank: usize) -> Subdomain {
        let [px, py, _] = self.ranks;
        let position = [rank % px, rank / px % py, rank / (px * py)];
        let cells = std::array::from_fn(|d| share(self.cells[d], self.ranks[d], position[d]));
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

    /// Global index of the first own cell.
    pub fn offset(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.cells[d].start)
    }
}

/// The cells of part `p` when `n` cells are shared by `parts`.
fn share(n: usize, parts: usize, p: usize) -> Range<usize> {
    let start = |p: usize| p * (n / parts) + p.min(n % parts);
    start(p)..start(p + 1)
}

/// Weighted surface in cells that the largest subdomain exchanges with other ranks.
fn surface(cells: [usize; 3], ranks: [usize; 3], periodic: [bool; 3]) -> f64 {
    let local: [f64; 3] = std::array::from_fn(|d| cells[d].div_ceil(ranks[d]) as f64);
    (0..3)
        .filter(|&d| ranks[d] > 1)
        .map(|d| {
            let area: f64 = (0..3).filter(|&e| e != d).map(|e| local[e]).product();
            let sides = if ranks[d] > 2 || periodic[d] { 2.0 } else { 1.0 };
            sides * area * if d == 0 { CUT_X_WEIGHT } else { 1.0 }
        })
        .sum()
}

fn factor_triples(size: usize) -> Vec<[usize; 3]> {
    let divisors = |n: usize| (1..=n).filter(move |d| n.is_multiple_of(*d));
    divisors(size).flat_map(|x| divisors(size / x).map(move |y| [x, y, size / x / y])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_one_owner_and_neighbours_agree() {
        for size in 1..=12 {
            for periodic in [[false; 3], [true, false, true]] {
                let Ok(cut) = Decomposition::choose([13, 8, 5], size, periodic) else {
                    panic!("{size} ranks fit 13 x 8 x 5 cells");
                };
                let mut owners = vec![0; 13 * 8 * 5];
                for rank in 0..size {
                    let part = cut.subdomain(rank);
                    for k in part.cells[2].clone() {
                        for j in part.cells[1].clone() {
                            for i in part.cells[0].clone() {
                                owners[i + 13 * (j + 8 * k)] += 1;
                            }
                        }
                    }
                    for d in 0..3 {
                        if let Some(there) = part.neighbours[d][1] {
                            assert_eq!(cut.subdomain(there).neighbours[d][0], Some(rank));
                        } else {
                            assert_eq!(part.cells[d].end, cut.cells[d]);
                        }
                    }
                }
                assert!(owners.iter().all(|&n| n == 1));
            }
        }
    }

    #[test]
    fn choice_minimises_surface_and_spares_x() {
        let choose = |cells, size| Decomposition::choose(cells, size, [false; 3]).unwrap().ranks;
        assert_eq!(choose([128, 128, 1], 2), [1, 2, 1]);
        assert_eq!(choose([128, 128, 1], 4), [2, 2, 1]);
        assert_eq!(choose([512, 128, 1], 2), [2, 1, 1]);
        assert_eq!(choose([64, 64, 64], 8), [2, 2, 2]);
        assert_eq!(choose([8, 8, 64], 4), [1, 1, 4]);
    }

    #[test]
    fn too_many_ranks_are_refused() {
        assert!(Decomposition::choose([2, 2, 1], 5, [false; 3]).is_err());
        assert!(Decomposition::new([4, 4, 1], [1, 1, 2], [false; 3]).is_err());
    }
}
