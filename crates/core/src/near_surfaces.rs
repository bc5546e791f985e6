//! The cells of a part of the grid near its bodies, solid boxes and walls, without looking at all others.

use std::ops::Range;

use crate::case::Case;
use crate::decomposition::Subdomain;
use crate::shared_loop::share_each;
use crate::surface_force::SurfaceParts;
use crate::wetted::Surface;

/// Low and high corners, the high one outside.
type Corners = [[isize; 3]; 2];

/// Where a block of the whole grid and so many cells more on all sides lies as seen by a part, across periodic ends
/// too: low and high corners.
pub fn around(case: &Case, part: &Subdomain, block: &[Range<usize>; 3], by: isize) -> Vec<Corners> {
    let all = case.grid.cells().map(|n| n as isize);
    let shifts = |d: usize| -> Vec<isize> {
        if case.boundaries.periodic()[d] { vec![-all[d], 0, all[d]] } else { vec![0] }
    };
    let mut places = Vec::new();
    for x in shifts(0) {
        for y in shifts(1) {
            for z in shifts(2) {
                let shift = [x, y, z];
                let at = |d: usize, i: usize| i as isize + shift[d] - part.offset()[d] as isize;
                places.push([
                    std::array::from_fn(|d| at(d, block[d].start) - by),
                    std::array::from_fn(|d| at(d, block[d].end) + by),
                ]);
            }
        }
    }
    places
}

/// The cells of a part, and of so many layers beyond it, that are not further than `by` cells from a surface of
/// [`Surface::wetted`], of a body from the block around it, by the part's indices: each once, x fastest.
pub fn cells_near_surfaces(
    case: &Case,
    part: &Subdomain,
    layers: [usize; 3],
    by: isize,
) -> impl Iterator<Item = [isize; 3]> + use<> {
    let [x, y, z] = std::array::from_fn(|d| {
        let layers = layers[d] as isize;
        -layers..part.n()[d] as isize + layers
    });
    let meets = {
        let all = [x.clone(), y.clone(), z.clone()];
        move |[low, high]: &Corners| (0..3).all(|d| low[d] < all[d].end && high[d] > all[d].start)
    };
    let solids = case.solids();
    let walls = Surface::wetted(case).into_iter().filter_map(|surface| surface.beyond(case));
    let all: Vec<_> = solids.blocks().cloned().chain(walls).collect();
    let blocks = all.iter().flat_map(|block| around(case, part, block, by));
    let blocks: Vec<Corners> = blocks.filter(meets).collect();
    let row = move |[j, k]: [isize; 2]| {
        let is_here = |[low, high]: &&Corners| {
            (low[1]..high[1]).contains(&j) && (low[2]..high[2]).contains(&k)
        };
        let mut ranges: Vec<[isize; 2]> = blocks
            .iter()
            .filter(is_here)
            .map(|[low, high]| [low[0].max(x.start), high[0].min(x.end)])
            .collect();
        ranges.sort_unstable();
        let mut next = x.start;
        ranges.into_iter().flat_map(move |[from, to]| {
            let new = from.max(next)..to;
            next = next.max(to);
            new.map(move |i| [i, j, k])
        })
    };
    z.flat_map(move |k| y.clone().map(move |j| [j, k])).flat_map(row)
}

/// Cells that a thread takes at a time.
const TOGETHER: usize = 1 << 11;

/// Parts of surfaces that `add` finds in the cells of a part of the grid not further than `by` cells from them, each with the number of its
/// surface among those of [`Surface::wetted`]; by the threads of the pool that this is called in.
pub fn parts_near_surfaces<P: Send>(
    case: &Case,
    part: &Subdomain,
    by: isize,
    add: impl Fn([isize; 3], &mut Vec<(usize, P)>) + Sync,
) -> SurfaceParts<P> {
    let cells: Vec<_> = cells_near_surfaces(case, part, [0; 3], by).collect();
    let some = cells.chunks(TOGETHER).map(|cells| (cells, Vec::new()));
    let some = share_each(some, 1, |_, (cells, parts)| {
        cells.iter().for_each(|&cell| add(cell, parts));
    });
    SurfaceParts::new(case, some.into_iter().flat_map(|(_, parts)| parts).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;
    use crate::each_cell::each_cell;

    #[test]
    fn they_are_those_beside_the_blocks_and_walls_in_the_order_of_all_cells() {
        let text = "title = 'balls'\ngrid = { cells = [14, 12, 10], size = [1.4, 1.2, 1.0] }\n\
            fluid = { viscosity = 0.01 }\nscale = { length = 1.0, velocity = 1.0 }\nrun = { until = 1.0 }\n\
            body.one = { sphere = { centre = [0.25, 0.3, 0.72], radius = 0.2 } }\n\
            body.other = { sphere = { centre = [0.6, 0.45, 0.62], radius = 0.15 } }\n[boundary]\n\
            x-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = 'wall'\n\
            z-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "balls").unwrap();
        let (solids, n) = (case.solids(), [14, 12, 10_isize]);
        let is_near = |cell: [isize; 3]| {
            let at_wall = (-2..2).contains(&cell[1]) || (n[1] - 2..n[1] + 2).contains(&cell[1]);
            at_wall
                || solids.body_blocks().any(|block| {
                    (0..3).all(|d| {
                        let near = block[d].start as isize - 2..block[d].end as isize + 2;
                        let shifts = if d == 1 { vec![0] } else { vec![-n[d], 0, n[d]] };
                        shifts.into_iter().any(|shift| near.contains(&(cell[d] + shift)))
                    })
                })
        };
        for layout in [[1, 1, 1], [2, 1, 3], [1, 3, 2]] {
            let cut = Decomposition::new([14, 12, 10], layout, [true, false, true]).unwrap();
            for rank in 0..layout.iter().product() {
                let part = cut.subdomain(rank);
                for layers in [[0; 3], [1, 2, 0]] {
                    let near: Vec<_> = cells_near_surfaces(&case, &part, layers, 2).collect();
                    let whole = [0, 1, 2].map(|d| {
                        let more = layers[d] as isize;
                        -more..part.n()[d] as isize + more
                    });
                    let offset = part.offset().map(|i| i as isize);
                    let global = |cell: [isize; 3]| std::array::from_fn(|d| cell[d] + offset[d]);
                    let expected: Vec<_> =
                        each_cell(whole).filter(|&cell| is_near(global(cell))).collect();
                    assert_eq!(near, expected, "{layout:?} {rank} {layers:?}");
                }
            }
        }
    }
}
