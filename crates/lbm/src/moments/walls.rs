//! What moving walls add to the populations that they return; eq. (L13).

use vortice_core::{Boundaries, Real, Result, Subdomain};

use super::collide::VELOCITIES;
use crate::boundary::{Link, Patch, Site};
use crate::lattice::{Lattice, opposite};
use crate::links::{addition, special_cells};
use crate::settings::Settings;

const Q: usize = VELOCITIES;
const PAIRS: usize = (Q - 1) / 2;

/// Additions of one subdomain: of each face that has some those of each pair of velocities, of all cells of the face.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walls {
    /// Own cells.
    cells: [usize; 3],
    /// Where those of a face begin, low and high in x, y and z.
    pub(crate) begin: [Option<usize>; 6],
    pub(crate) values: Vec<f64>,
    /// Those that change with time: place, number of what leaves, and what it meets.
    changing: Vec<(usize, usize, Vec<Patch>)>,
}

/// The end from which a wall returns what would come along `q` in a direction; in kernels/lbm/tile_of_moments.cuh.
pub(crate) fn end_behind(q: usize, d: usize) -> usize {
    2 * d + usize::from(Lattice::<Q>::C[q][d] < 0)
}

/// The first end that what comes along `q` to a cell at these ends would have to come from; nothing if it comes from a cell.
pub(crate) fn returned_by(at_ends: [bool; 6], q: usize) -> Option<usize> {
    let crossed = (0..3).filter(|&d| Lattice::<Q>::C[q][d] != 0);
    crossed.map(|d| end_behind(q, d)).find(|&end| at_ends[end])
}

impl Walls {
    /// Those of a part of the lattice, which ends at these sides.
    pub(crate) fn new(
        settings: &Settings,
        site: &Site<'_>,
        part: &Subdomain,
        ends: [[bool; 2]; 3],
    ) -> Self {
        let mut walls = Self { cells: part.n(), ..Self::default() };
        for cell in special_cells(settings, part) {
            let at_ends = walls.at_ends(cell, ends);
            for q in 1..Q {
                let Some(end) = returned_by(at_ends, q) else { continue };
                let away = opposite(q);
                let (link, patches) = site.changing_link(part.global(cell), Lattice::<Q>::C[away]);
                let Link::Wall(velocity) = link else { continue };
                let add = addition::<Q>(away, velocity);
                if add == 0.0 && patches.is_empty() {
                    continue;
                }
                let place = walls.place_for(end, cell, q);
                walls.values[place] = add;
                if !patches.is_empty() {
                    walls.changing.push((place, away, patches));
                }
            }
        }
        walls
    }

    /// The ends that a cell lies at, low and high in x, y and z.
    pub(crate) fn at_ends(&self, cell: [isize; 3], ends: [[bool; 2]; 3]) -> [bool; 6] {
        std::array::from_fn(|end| {
            let (d, is_high) = (end / 2, end % 2 == 1);
            let last = self.cells[d] as isize - 1;
            ends[d][end % 2] && cell[d] == if is_high { last } else { 0 }
        })
    }

    /// The additions with the velocities that the boundaries have at their time.
    ///
    /// # Errors
    /// If one is no number.
    pub(crate) fn follow(&mut self, boundaries: &Boundaries) -> Result<()> {
        for (place, away, patches) in &self.changing {
            self.values[*place] = addition::<Q>(*away, Patch::sum(patches, boundaries)?);
        }
        Ok(())
    }

    /// In another number type.
    pub(crate) fn rounded<T: Real>(&self) -> Vec<T> {
        self.values.iter().map(|&x| T::from_f64(x)).collect()
    }

    /// The place of what comes back along `q` to a cell from an end; nothing if that adds nothing.
    pub(crate) fn place(&self, end: usize, [i, j, k]: [isize; 3], q: usize) -> Option<usize> {
        let begin = self.begin[end]?;
        let [i, j, k] = [i, j, k].map(|at| at as usize);
        let [nx, ny, _] = self.cells;
        let in_face = match end / 2 {
            0 => j + ny * k,
            1 => i + nx * k,
            _ => i + nx * j,
        };
        Some(begin + (q - 1) / 2 * self.cells_of(end) + in_face)
    }

    /// The same with room for it.
    fn place_for(&mut self, end: usize, cell: [isize; 3], q: usize) -> usize {
        if self.begin[end].is_none() {
            self.begin[end] = Some(self.values.len());
            self.values.resize(self.values.len() + PAIRS * self.cells_of(end), 0.0);
        }
        self.place(end, cell, q).unwrap_or_default()
    }

    fn cells_of(&self, end: usize) -> usize {
        (0..3).filter(|&d| d != end / 2).map(|d| self.cells[d]).product()
    }
}
