//! How a box of cells is shared among ranks, on every level: pure arithmetic.

use crate::error::Error;
use crate::plan::Coarsening;

/// A box of cells that one rank owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first cell, counted in the whole box.
    pub start: [usize; 3],
    /// Cells per direction.
    pub cells: [usize; 3],
}

/// A box cut into Px x Py x Pz parts, one a rank; x varies fastest with the rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Per direction, where each part begins, and then the number of cells.
    pub starts: [Vec<usize>; 3],
    /// Place of this rank among the ranks.
    pub position: [usize; 3],
}

impl Cut {
    /// The whole box for one rank.
    pub fn whole(cells: [usize; 3]) -> Self {
        Self { starts: cells.map(|n| vec![0, n]), position: [0; 3] }
    }

    /// # Errors
    /// If the parts are not what the cells are cut into.
    pub(crate) fn check(&self, cells: [usize; 3]) -> Result<(), Error> {
        let wrong = |problem| Err(Error::Cut { cells, starts: self.starts.clone(), problem });
        for d in 0..3 {
            let starts = &self.starts[d];
            if starts.first() != Some(&0) || starts.last() != Some(&cells[d]) {
                return wrong("parts begin at 0 and end with the cells");
            }
            if starts.windows(2).any(|pair| pair[0] >= pair[1]) {
                return wrong("each part needs a cell");
            }
            if self.position[d] + 1 >= starts.len() {
                return wrong("this rank is none of them");
            }
        }
        Ok(())
    }

    /// Ranks per direction.
    pub fn ranks(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.starts[d].len() - 1)
    }

    /// This rank's part.
    pub fn part(&self) -> Part {
        self.part_at(self.position)
    }

    /// The parts of all ranks, in their order.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let [px, py, pz] = self.ranks();
        (0..px * py * pz)
            .map(move |rank| self.part_at([rank % px, rank / px % py, rank / (px * py)]))
    }

    fn part_at(&self, position: [usize; 3]) -> Part {
        let start = std::array::from_fn(|d| self.starts[d][position[d]]);
        Part { start, cells: std::array::from_fn(|d| self.starts[d][position[d] + 1] - start[d]) }
    }

    /// Whether there is more than one rank.
    pub fn is_shared(&self) -> bool {
        self.ranks() != [1; 3]
    }

    /// A coarse cell belongs to the rank that owns its first fine cell.
    pub(crate) fn coarser(&self, by: &Coarsening) -> Self {
        let starts = std::array::from_fn(|d| {
            let coarse = |&start: &usize| match start {
                0 => 0,
                start => (start + by.shift[d]).div_ceil(by.factor[d]),
            };
            self.starts[d].iter().map(coarse).collect()
        });
        Self { starts, position: self.position }
    }

    /// Fewest cells of a part in a direction that is cut.
    pub(crate) fn thinnest(&self) -> usize {
        let cut = self.starts.iter().filter(|starts| starts.len() > 2);
        let widths = cut.flat_map(|starts| starts.windows(2).map(|pair| pair[1] - pair[0]));
        widths.min().unwrap_or(usize::MAX)
    }

    /// Whether some coarse cell has children on two ranks.
    pub(crate) fn is_ragged(&self, by: &Coarsening) -> bool {
        (0..3).any(|d| {
            let inner = &self.starts[d][1..self.starts[d].len() - 1];
            inner.iter().any(|start| !(start + by.shift[d]).is_multiple_of(by.factor[d]))
        })
    }
}
