//! Where the cells of every level are: which rank has them, and where in its memory.

use crate::cut::{Cut, Part};
use crate::error::Error;
use crate::halo;
use crate::layout::Layout;
use crate::plan::{Grid, Plan};
use crate::ranks::Ranks;

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
    pub layout: Layout,
    /// The rank's own cells in the whole box.
    pub part: Part,
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
    /// Fills the halos of arrays with the values of the cells that they stand for; halos beyond
    /// the ends of the box are left as they are.
    ///
    /// # Errors
    /// If a neighbour has stopped.
    pub fn fill_halo<R: Ranks>(
        &self,
        ranks: &R,
        arrays: &mut [&mut [f64]],
    ) -> Result<(), R::Error> {
        if !self.whole {
            return ranks.exchange(self.number, &self.layout, arrays);
        }
        for array in arrays {
            halo::wrap(&self.layout, self.periodic, array);
        }
        Ok(())
    }

    /// Sum of the global indices of the first own cell, for its colour.
    pub(crate) fn parity(&self) -> usize {
        self.part.start.iter().sum::<usize>() % 2
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
    pub cuts: Vec<Cut>,
}

impl Levels {
    /// The levels of a grid that is cut among ranks, with `halo` layers on the finest level and
    /// one on the others.
    ///
    /// # Errors
    /// If the grid makes no sense, or is not cut as it must be.
    pub fn new(grid: &Grid, cut: &Cut, halo: [usize; 3]) -> Result<Self, Error> {
        let plan = Plan::new(grid)?;
        cut.check(grid.cells)?;
        let wrong = |problem| Error::Grid { cells: grid.cells, widths: grid.widths, problem };
        if (0..grid.directions).any(|d| halo[d] == 0) || (grid.directions == 2 && halo[2] > 0) {
            return Err(wrong("each direction of the problem needs a halo, and no other"));
        }
        if cut.thinnest() < THINNEST.max(*halo.iter().max().unwrap_or(&0)) {
            return Err(wrong("parts are thinner than the halo or than two cells"));
        }
        let mut cuts = vec![cut.clone()];
        for coarsening in &plan.coarsenings {
            let coarse = cuts[cuts.len() - 1].coarser(coarsening);
            cuts.push(coarse);
        }
        let mut levels: Vec<Level> = Vec::with_capacity(cuts.len());
        for (number, cut) in cuts.iter().enumerate() {
            let cells = plan.extents[number].cells;
            let whole = levels.last().is_some_and(|finer| finer.whole)
                || !cut.is_shared()
                || (number > 0
                    && (cells.iter().product::<usize>() <= EVERYWHERE
                        || cut.thinnest() < THINNEST));
            let part = if whole { Part { start: [0; 3], cells } } else { cut.part() };
            let one = std::array::from_fn(|d| usize::from(d < grid.directions));
            let halo = if number == 0 { halo } else { one };
            let ragged =
                !whole && plan.coarsenings.get(number).is_some_and(|next| cut.is_ragged(next));
            levels.push(Level {
                number,
                layout: Layout { cells: part.cells, halo },
                part,
                cells,
                periodic: grid.periodic,
                directions: grid.directions,
                whole,
                ragged,
            });
        }
        Ok(Self { plan, levels, cuts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coarse_cell_has_one_owner() {
        let grid =
            Grid { cells: [303, 98, 1], widths: [1.0; 3], periodic: [false; 3], directions: 2 };
        let starts = [vec![0, 101, 203, 303], vec![0, 49, 98], vec![0, 1]];
        let mut owned = vec![vec![0; 303 * 98]; 3];
        let mut shared = 0;
        for position in (0..6).map(|rank| [rank % 3, rank / 3, 0]) {
            let cut = Cut { starts: starts.clone(), position };
            let levels = Levels::new(&grid, &cut, [2, 2, 0]).expect("a sound cut");
            for level in levels.levels.iter().filter(|level| !level.whole) {
                shared = shared.max(level.number + 1);
                assert!(level.ragged, "level {}", level.number);
                let Part { start, cells } = level.part;
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
}
