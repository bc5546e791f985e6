//! Which own cells each launch of a step does, and in which order.

use std::ops::Range;

use vortice_core::{Error, Result, Rows, SplitRows, Subdomain};

use super::numbers::Layout;
use crate::collide::Collision;
use crate::lattice::Lattice;
use crate::settings::Settings;

vortice_gpu::mirrored! {
    /// Own cells that a launch does, in `layout.cuh`: whole rows.
    pub(crate) struct Region {
        /// In y and z.
        first: [i32; 2],
        /// Behind the last.
        end: [i32; 2],
    }
}

/// Cells from which on those beside other ranks go first: before, fewer would be done before a message
/// has left.
const SPLIT_FROM: usize = 1 << 13;

/// Own cells in the order in which a step does them.
#[derive(Default)]
pub(crate) struct Regions {
    /// Those beside other ranks; none if there is no time to be won.
    pub(crate) outer: Vec<Piece>,
    /// All others.
    pub(crate) inner: Vec<Piece>,
}

/// A region that a launch does.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) region: Region,
    /// Whether its threads do two cells each.
    pub(crate) takes_two: bool,
}

impl Regions {
    /// Those of a part.
    pub(crate) fn new(part: &Subdomain) -> Self {
        let SplitRows { outer, inner } = SplitRows::new(part, SPLIT_FROM);
        let one = |region| Piece { region, takes_two: false };
        Self {
            outer: outer.iter().flat_map(Region::of).map(one).collect(),
            inner: Region::of(&inner).map(one).collect(),
        }
    }

    /// The same with two cells a thread where no end of a plane is near.
    pub(crate) fn with_two<const Q: usize>(self, layout: &Layout) -> Self {
        let split = |pieces: Vec<Piece>| {
            let parts = pieces.into_iter().flat_map(|Piece { region, .. }| {
                let [inner, ends @ ..] = region.split_by_reach(layout, Lattice::<Q>::D);
                let ends = ends.into_iter().map(|region| Piece { region, takes_two: false });
                std::iter::once(Piece { region: inner, takes_two: true }).chain(ends)
            });
            parts.filter(|piece| !piece.region.size().contains(&0)).collect()
        };
        Self { outer: split(self.outer), inner: split(self.inner) }
    }
}

impl Region {
    /// The regions of some rows.
    pub(crate) fn of(rows: &Rows) -> impl Iterator<Item = Self> {
        let bounds = |of: [Range<usize>; 2]| Self {
            first: of.each_ref().map(|range| range.start as i32),
            end: of.each_ref().map(|range| range.end as i32),
        };
        rows.boxes().map(bounds)
    }

    /// The rows that lie within reach, see `is_within_reach` of `layout.cuh`, on a lattice of so many directions; then the planes
    /// below and above them, and the rows before and behind them.
    pub(crate) fn split_by_reach(&self, layout: &Layout, directions: usize) -> [Self; 5] {
        let Self { first: [j, k], end: [j_end, k_end] } = *self;
        let is_own_neighbour = layout.cells[2] == 1 && layout.halo[2] == 0 && layout.ends[2] == 0;
        let [mut low, mut high] = [1, layout.cells[2] - 1];
        if directions == 2 || is_own_neighbour {
            [low, high] = [0, layout.cells[2]];
        }
        let planes = [low, high].map(|plane| plane.clamp(k, k_end));
        let rows = [1, layout.cells[1] - 1].map(|row| row.clamp(j, j_end));
        let of = |[j, j_end]: [i32; 2], [k, k_end]: [i32; 2]| Self {
            first: [j, k],
            end: [j_end.max(j), k_end.max(k)],
        };
        let inner = of(rows, planes);
        let planes = if planes[1] > planes[0] { planes } else { [k_end; 2] };
        let rows = if rows[1] > rows[0] { rows } else { [j_end; 2] };
        [
            inner,
            of([j, j_end], [k, planes[0]]),
            of([j, j_end], [planes[1], k_end]),
            of([j, rows[0]], planes),
            of([rows[1], j_end], planes),
        ]
    }

    /// How many rows it has in each plane, and how many planes.
    pub(crate) fn size(&self) -> [usize; 2] {
        std::array::from_fn(|d| (self.end[d] - self.first[d]).max(0) as usize)
    }
}

/// Cells from which on threads take two each: what lies at the ends of planes takes launches of its own.
const TWO_FROM: usize = 1 << 23;

/// Whether threads stream and collide two cells each.
pub(crate) fn takes_two<const Q: usize, P>(settings: &Settings, layout: &Layout) -> Result<bool> {
    // D3Q27 has too many populations for the registers of a thread.
    let can = settings.scalars.is_empty() && Q < 27 && layout.is_for_two();
    if settings.cells_per_thread == Some(2) && !can {
        let problem = "two cells are read and written as words: without heat, but those of D3Q27, in rows of an even \
                       number of cells, more than two where ranks share x";
        let remedy = "set it to 1, or give each rank an even number of cells in x";
        return Err(Error::case("lbm.cells-per-thread", problem, remedy));
    }
    // What reads long words already is not faster so, and in 32 bits neither MRT nor what has columns.
    let is_faster = match size_of::<P>() {
        2 => true,
        4 => settings.collision != Collision::Mrt && !layout.has_columns(),
        _ => false,
    };
    let is_worth_it = is_faster && settings.threads.is_none() && layout.n_cells() >= TWO_FROM;
    Ok(can && settings.cells_per_thread.map_or(is_worth_it, |cells| cells == 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_split_without_a_gap() {
        let layout = |cells: [i32; 3], ends: i32| Layout::of_cells(cells, [0, 3, ends]);
        for (layout, directions) in [
            (layout([8, 7, 6], 3), 3),
            (layout([8, 2, 2], 3), 3),
            (layout([8, 5, 1], 0), 3),
            (layout([8, 5, 1], 3), 3),
            (layout([8, 9, 1], 0), 2),
        ] {
            let [_, y, z] = layout.cells;
            for region in [
                Region { first: [0; 2], end: [y, z] },
                Region { first: [0; 2], end: [1, z] },
                Region { first: [1, 0], end: [y, 1] },
            ] {
                let pieces = region.split_by_reach(&layout, directions);
                for (j, k) in (0..y).flat_map(|j| (0..z).map(move |k| (j, k))) {
                    let has = |of: &Region| {
                        [j, k]
                            .iter()
                            .zip(of.first.iter().zip(&of.end))
                            .all(|(at, (from, to))| (*from..*to).contains(at))
                    };
                    let count = pieces.iter().filter(|piece| has(piece)).count();
                    assert_eq!(count, usize::from(has(&region)), "{region:?} {j} {k}");
                    let is_far = (1..y - 1).contains(&j)
                        && (directions == 2
                            || (layout.cells[2] == 1 && layout.ends[2] == 0)
                            || (1..z - 1).contains(&k));
                    assert!(!has(&pieces[0]) || is_far, "{region:?} {j} {k}");
                }
            }
        }
    }
}
