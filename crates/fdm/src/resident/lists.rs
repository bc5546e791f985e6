//! The boundary values of each tile; see `kernels/fdm/resident/boundary.cuh`.

use std::collections::HashMap;

use vortice_core::Real;

use super::tiling::Tiling;
use crate::boundary::{Ghost, Walls};

vortice_gpu::mirrored! {
    /// A prescribed value, of velocity and prediction.
    pub(crate) struct TileFixed<T> {
        /// Natural place.
        target: i32,
        /// 0 for u, 1 for v.
        component: i32,
        /// In m/s.
        value: T,
    }
}

vortice_gpu::mirrored! {
    /// target = add + sign (first + second) / 2.
    pub(crate) struct TileGhost<T> {
        /// Natural place.
        target: i32,
        /// Natural place.
        first: i32,
        /// Natural place.
        second: i32,
        /// 0 for u, 1 for v.
        component: i32,
        /// 1 or -1.
        sign: T,
        /// In m/s.
        add: T,
    }
}

vortice_gpu::mirrored! {
    /// A face through which the flow leaves.
    pub(crate) struct TileOutlet<T> {
        /// Natural place.
        face: i32,
        /// Natural place of the face before it.
        inner: i32,
        /// Split place of the last cell before it; negative if not in the tile.
        cell: i32,
        /// 0 for u, 1 for v.
        component: i32,
        /// Place in the padded field if this tile writes it, else negative.
        memory: i64,
        /// In m2/s2, at the face.
        pressure: T,
        /// Twice the inverse spacing, outward, in 1/m.
        gradient: T,
        /// Prescribed pressure over half the squared spacing, in 1/s2.
        load: T,
        /// To fill the structure.
        unused: T,
    }
}

/// The lists of all tiles, one tile after the other.
pub(crate) struct Lists<T> {
    pub(crate) fixed: Vec<TileFixed<T>>,
    pub(crate) ghosts: Vec<TileGhost<T>>,
    pub(crate) outlets: Vec<TileOutlet<T>>,
    /// Where they begin: the fixed values of each tile, the outlets, the ghosts of each level.
    pub(crate) starts: Vec<i32>,
    /// Levels of ghosts: those of one depend on the ones before.
    pub(crate) levels: usize,
}

impl<T: Real> Lists<T> {
    /// The lists of a whole plane grid.
    pub(crate) fn new(tiling: &Tiling, walls: &Walls<T>) -> Self {
        let (ghosts, levels) = ghosts(tiling, walls);
        let (mut all_fixed, mut all_ghosts, mut all_outlets) = (vec![], vec![], vec![]);
        let mut starts = vec![0];
        for mut some in fixed(tiling, walls) {
            all_fixed.append(&mut some);
            starts.push(all_fixed.len() as i32);
        }
        starts.push(0);
        for mut some in outlets(tiling, walls) {
            all_outlets.append(&mut some);
            starts.push(all_outlets.len() as i32);
        }
        starts.push(0);
        for mut some in ghosts {
            all_ghosts.append(&mut some);
            starts.push(all_ghosts.len() as i32);
        }
        Self { fixed: all_fixed, ghosts: all_ghosts, outlets: all_outlets, starts, levels }
    }
}

/// The cell of a place in a padded field.
fn cell_of(tiling: &Tiling, place: i64) -> [i32; 2] {
    let pitch = i64::from(tiling.pitch);
    [place % pitch, place / pitch].map(|i| i as i32 - 1)
}

fn fixed<T: Real>(tiling: &Tiling, walls: &Walls<T>) -> Vec<Vec<TileFixed<T>>> {
    let mut lists = vec![Vec::new(); tiling.count()];
    for fixed in &walls.fixed {
        let (cell, component, value) =
            (cell_of(tiling, fixed.target), fixed.component, fixed.value);
        for tile in tiling.tiles_with(cell) {
            if let Some(target) = tiling.natural(tile, cell) {
                lists[tile].push(TileFixed { target, component, value });
            }
        }
    }
    lists
}

fn outlets<T: Real>(tiling: &Tiling, walls: &Walls<T>) -> Vec<Vec<TileOutlet<T>>> {
    let mut lists = vec![Vec::new(); tiling.count()];
    for outlet in &walls.outlets {
        let [face, inner, cell] =
            [outlet.face, outlet.inner, outlet.cell].map(|place| cell_of(tiling, place));
        for tile in tiling.tiles_with(face) {
            let [face, inner] = [face, inner].map(|cell| tiling.natural(tile, cell));
            let (Some(face), Some(inner)) = (face, inner) else { continue };
            lists[tile].push(TileOutlet {
                face,
                inner,
                cell: tiling.split(tile, cell).unwrap_or(-1),
                component: outlet.component,
                memory: if tiling.owns(tile, cell) { outlet.face } else { -1 },
                pressure: outlet.pressure,
                gradient: outlet.gradient,
                load: outlet.load(),
                unused: T::default(),
            });
        }
    }
    lists
}

/// Ghosts of each tile and level, tile after tile, and the number of levels.
fn ghosts<T: Real>(tiling: &Tiling, walls: &Walls<T>) -> (Vec<Vec<TileGhost<T>>>, usize) {
    let levels = levels(&walls.ghosts);
    let count = levels.iter().max().map_or(0, |most| most + 1);
    let mut lists = vec![Vec::new(); tiling.count() * count];
    for (&Ghost { target, first, second, component, sign, add, .. }, level) in
        walls.ghosts.iter().zip(levels)
    {
        let cells = [target, first, second].map(|place| cell_of(tiling, place));
        for tile in tiling.tiles_with(cells[0]) {
            // At the outermost margin sources may be missing; nothing needs that ghost.
            if let [Some(target), Some(first), Some(second)] =
                cells.map(|cell| tiling.natural(tile, cell))
            {
                let ghost = TileGhost { target, first, second, component, sign, add };
                lists[tile * count + level].push(ghost);
            }
        }
    }
    (lists, count)
}

/// Levels such that filling ghosts level by level, in any order within one, gives what filling them
/// one by one gives.
fn levels<T: Real>(ghosts: &[Ghost<T>]) -> Vec<usize> {
    // The first level that may read a place of a component, and the first that may write it.
    let mut free: HashMap<(i32, i64), [usize; 2]> = HashMap::new();
    let mut of = |ghost: &Ghost<T>| {
        let mut known = |at: i64| *free.entry((ghost.component, at)).or_insert([0, 0]);
        let sources = [ghost.first, ghost.second];
        let read = sources.map(|at| known(at)[0]);
        let level = read.into_iter().fold(known(ghost.target)[1], usize::max);
        for at in sources {
            let [_, write] = free.get_mut(&(ghost.component, at)).expect("just seen");
            *write = (*write).max(level + 1);
        }
        free.insert((ghost.component, ghost.target), [level + 1, level + 1]);
        level
    };
    ghosts.iter().map(&mut of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_keep_the_order_of_dependent_ghosts() {
        let ghost = |target, first| Ghost {
            target,
            first,
            second: first,
            group: 0,
            component: 0,
            sign: 1.0_f64,
            add: 0.0,
        };
        // 1 <- 2; 3 <- 1 reads what was written; 2 <- 4 overwrites what was read; 5 <- 6 is alone.
        let list = [ghost(1, 2), ghost(3, 1), ghost(2, 4), ghost(5, 6), ghost(1, 7)];
        assert_eq!(levels(&list), [0, 1, 1, 0, 2]);
    }
}
