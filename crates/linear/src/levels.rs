//! Where the cells of every level are: which rank has them, and where in its memory.

use vortice_core::{Decomposition, Error, Grid, Result, Shape, Subdomain};

use crate::plan::{Coarsening, Plan};

/// Levels of at most so many cells are held by every rank as a whole: computing them everywhere
/// takes less time than talking about them.
const EVERYWHERE: usize = 4096;

/// Fewest cells of a part across a cut.
const THINNEST: usize = 2;

/// One level as one rank has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its number; 0 is the finest.
    pub number: usize,
    /// The rank's own cells in its memory.
    pub shape: Shape,
    /// Global number of the rank's first own cell.
    pub start: [usize; 3],
    /// Cells of the whole box.
    pub cells: [usize; 3],
    /// Which directions are periodic.
    pub periodic: [bool; 3],
    /// 2 or 3.
    pub directions: usize,
    /// Whether this rank has all cells.
    pub whole: bool,
    /// Whether coarse cells of the next level have children on two ranks.
    pub ragged: bool,
}

impl Level {
    /// Sum of the global indices of the first own cell, for its colour.
    pub fn parity(&self) -> usize {
        self.start.iter().sum::<usize>() % 2
    }

    /// Whether this rank has all of it, and colours stay apart around periodic directions.
    pub fn is_alone(&self) -> bool {
        let even = |d: usize| !self.periodic[d] || self.cells[d].is_multiple_of(2);
        self.whole && (0..self.directions).all(even)
    }
}

/// All levels of a grid on one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// The coarsenings.
    pub plan: Plan,
    /// The levels, the finest first.
    pub levels: Vec<Level>,
    /// How each level would be cut if none were held as a whole.
    pub cuts: Vec<Decomposition>,
    /// The rank that has these.
    pub rank: usize,
}

impl Levels {
    /// The levels of a grid that is cut among ranks as one of them has them, with `halo` layers on the
    /// finest level and one on the others.
    ///
    /// # Errors
    /// If parts are too thin.
    pub fn new(grid: &Grid, cut: &Decomposition, rank: usize, halo: [usize; 3]) -> Result<Self> {
        let fewest = THINNEST.max(halo.into_iter().max().unwrap_or(0));
        if thinnest(cut) < fewest {
            return Err(Error::Ranks {
                problem: format!(
                    "{:?} cells cut among {:?} ranks leave parts of fewer than {fewest} cells",
                    cut.cells, cut.ranks
                ),
                remedy: "use fewer ranks, or a grid with more cells in the directions that are cut"
                    .into(),
            });
        }
        let plan = Plan::new(grid, cut.periodic);
        let mut cuts = vec![cut.clone()];
        for coarsening in &plan.coarsenings {
            cuts.push(coarser(&cuts[cuts.len() - 1], coarsening));
        }
        let mut levels = Self { plan, levels: Vec::with_capacity(cuts.len()), cuts, rank };
        for number in 0..levels.cuts.len() {
            let level = levels.level(number, halo);
            levels.levels.push(level);
        }
        Ok(levels)
    }

    /// A level, when the finer ones are known.
    fn level(&self, number: usize, halo: [usize; 3]) -> Level {
        let (cut, directions) = (&self.cuts[number], self.plan.directions);
        let few = cut.cells.iter().product::<usize>() <= EVERYWHERE || thinnest(cut) < THINNEST;
        let whole = self.levels.last().is_some_and(|finer| finer.whole)
            || cut.size() == 1
            || (number > 0 && few);
        let part = cut.subdomain(self.rank);
        let (start, cells) = if whole { ([0; 3], cut.cells) } else { (part.offset(), part.n()) };
        let one = std::array::from_fn(|d| usize::from(d < directions));
        let next = self.plan.coarsenings.get(number);
        Level {
            number,
            shape: Shape { cells, halo: if number == 0 { halo } else { one } },
            start,
            cells: cut.cells,
            periodic: std::array::from_fn(|d| cut.periodic[d] && d < directions),
            directions,
            whole,
            ragged: !whole && next.is_some_and(|next| is_ragged(cut, next)),
        }
    }

    /// The cells of a level that this rank has, with the ranks beside it: itself around a whole ring.
    pub fn part(&self, number: usize) -> Subdomain {
        let level = &self.levels[number];
        let mut part = self.cuts[number].subdomain(self.rank);
        if level.whole {
            part.cells = level.cells.map(|n| 0..n);
            part.neighbours = level.periodic.map(|around| [around.then_some(self.rank); 2]);
        }
        part
    }
}

/// A coarse cell belongs to the rank that owns its first fine cell.
fn coarser(cut: &Decomposition, by: &Coarsening) -> Decomposition {
    let coarse = |d: usize, start: usize| match start {
        0 => 0,
        start => (start + by.shift[d]).div_ceil(by.factor[d]),
    };
    let starts: [Vec<usize>; 3] =
        std::array::from_fn(|d| cut.starts[d].iter().map(|&start| coarse(d, start)).collect());
    let cells = std::array::from_fn(|d| coarse(d, cut.cells[d]));
    Decomposition { cells, starts, ..*cut }
}

/// Fewest cells of a part in a direction that is cut.
fn thinnest(cut: &Decomposition) -> usize {
    let starts = cut.starts.iter().filter(|starts| starts.len() > 2);
    let widths = starts.flat_map(|starts| starts.windows(2).map(|pair| pair[1] - pair[0]));
    widths.min().unwrap_or(usize::MAX)
}

/// Whether some coarse cell has children on two ranks.
fn is_ragged(cut: &Decomposition, by: &Coarsening) -> bool {
    (0..3).any(|d| {
        let inner = &cut.starts[d][1..cut.starts[d].len() - 1];
        inner.iter().any(|start| !(start + by.shift[d]).is_multiple_of(by.factor[d]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coarse_cell_has_one_owner() {
        let grid = Grid::uniform([303, 98, 1], [303.0, 98.0, 1.0], [0.0; 3]);
        let cut = Decomposition::new(grid.cells(), [3, 2, 1], [false; 3]).expect("a sound cut");
        let mut owned = vec![vec![0; 303 * 98]; 3];
        let mut shared = 0;
        for rank in 0..cut.size() {
            let levels = Levels::new(&grid, &cut, rank, [2, 2, 0]).expect("a sound cut");
            for level in levels.levels.iter().filter(|level| !level.whole) {
                shared = shared.max(level.number + 1);
                assert!(level.ragged, "level {}", level.number);
                let (start, cells) = (level.start, level.shape.cells);
                for j in start[1]..start[1] + cells[1] {
                    for i in start[0]..start[0] + cells[0] {
                        owned[level.number][i + level.cells[0] * j] += 1;
                    }
                }
            }
        }
        assert_eq!(shared, 2, "76 x 25 cells are held everywhere");
        for (level, cells) in [(0, 303 * 98), (1, 152 * 49)] {
            assert!(owned[level][..cells].iter().all(|&owners| owners == 1));
        }
    }

    #[test]
    fn thin_parts_are_refused() {
        let grid = Grid::uniform([16, 8, 1], [16.0, 8.0, 1.0], [0.0; 3]);
        let refused = |ranks, halo| {
            let cut = Decomposition::new(grid.cells(), ranks, [false; 3]).expect("a sound cut");
            Levels::new(&grid, &cut, 0, halo).is_err()
        };
        assert!(!refused([2, 4, 1], [2, 2, 0]));
        assert!(refused([2, 4, 1], [3, 3, 0]));
        assert!(refused([1, 5, 1], [1, 1, 0]));
    }
}
