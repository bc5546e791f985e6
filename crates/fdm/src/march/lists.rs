//! The boundary values of each tile; see `kernels/fdm/boundary_tile.cuh`.

use std::collections::HashMap;

use vortice_core::Real;

use super::tiling::Tiling;
use crate::walls::{self, Walls};

vortice_gpu::mirrored! {
    /// A prescribed value, of velocity and prediction.
    pub(crate) struct Fixed<T> {
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
    pub(crate) struct Ghost<T> {
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
    pub(crate) struct Outlet<T> {
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
    pub(crate) fixed: Vec<Fixed<T>>,
    pub(crate) ghosts: Vec<Ghost<T>>,
    pub(crate) outlets: Vec<Outlet<T>>,
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
fn cell_of(tiling: &Tiling, at: usize) -> [i32; 2] {
    let pitch = tiling.pitch as usize;
    [(at % pitch) as i32 - 1, (at / pitch) as i32 - 1]
}

fn fixed<T: Real>(tiling: &Tiling, walls: &Walls<T>) -> Vec<Vec<Fixed<T>>> {
    let mut lists = vec![Vec::new(); tiling.count()];
    for a in 0..2 {
        for &(at, value) in &walls.fixed[a] {
            add_fixed(tiling, &mut lists, a, cell_of(tiling, at), value);
        }
    }
    // Closed faces in an outflow at a high end are no cell's low face, so nothing computes them.
    for side in walls.outlets.iter().filter(|side| side.gradient > T::default()) {
        let d = side.direction;
        let open: Vec<[i32; 2]> =
            side.outlets.iter().map(|outlet| cell_of(tiling, outlet.face)).collect();
        for along in -1..=tiling.cells[1 - d] {
            let mut face = [along; 2];
            face[d] = tiling.cells[d];
            if !open.contains(&face) {
                add_fixed(tiling, &mut lists, d, face, T::default());
            }
        }
    }
    lists
}

fn add_fixed<T: Real>(
    tiling: &Tiling,
    lists: &mut [Vec<Fixed<T>>],
    a: usize,
    cell: [i32; 2],
    value: T,
) {
    for tile in tiling.tiles_with(cell) {
        if let Some(target) = tiling.natural(tile, cell) {
            lists[tile].push(Fixed { target, component: a as i32, value });
        }
    }
}

fn outlets<T: Real>(tiling: &Tiling, walls: &Walls<T>) -> Vec<Vec<Outlet<T>>> {
    let mut lists = vec![Vec::new(); tiling.count()];
    let loads: HashMap<[i32; 2], T> = walls
        .prescribed_pressures()
        .map(|(cell, load)| ([cell[0] as i32, cell[1] as i32], load))
        .collect();
    for side in &walls.outlets {
        for outlet in &side.outlets {
            let cell = [outlet.cell[0] as i32, outlet.cell[1] as i32];
            let face = cell_of(tiling, outlet.face);
            for tile in tiling.tiles_with(face) {
                let place = |at: usize| tiling.natural(tile, cell_of(tiling, at));
                let (Some(face), Some(inner)) = (place(outlet.face), place(outlet.inner)) else {
                    continue;
                };
                let memory = if tiling.owns(tile, cell) { outlet.face as i64 } else { -1 };
                lists[tile].push(Outlet {
                    face,
                    inner,
                    cell: tiling.split(tile, cell).unwrap_or(-1),
                    component: side.direction as i32,
                    memory,
                    pressure: side.pressure,
                    gradient: side.gradient,
                    load: loads.get(&cell).copied().unwrap_or_default(),
                    unused: T::default(),
                });
            }
        }
    }
    lists
}

/// Ghosts of each tile and level, tile after tile, and the number of levels.
fn ghosts<T: Real>(tiling: &Tiling, walls: &Walls<T>) -> (Vec<Vec<Ghost<T>>>, usize) {
    let levels = [0, 1].map(|a| levels(&walls.ghosts[a]));
    let count = levels.iter().flatten().max().map_or(0, |most| most + 1);
    let mut lists = vec![Vec::new(); tiling.count() * count];
    for a in 0..2 {
        for (ghost, &level) in walls.ghosts[a].iter().zip(&levels[a]) {
            let target = cell_of(tiling, ghost.target);
            for tile in tiling.tiles_with(target) {
                let place = |at: usize| tiling.natural(tile, cell_of(tiling, at));
                let [first, second] = ghost.sources.map(place);
                // At the outermost margin sources may be missing; nothing needs that ghost.
                if let (Some(target), Some(first), Some(second)) =
                    (place(ghost.target), first, second)
                {
                    let (component, sign, add) = (a as i32, ghost.sign, ghost.add);
                    let ghost = Ghost { target, first, second, component, sign, add };
                    lists[tile * count + level].push(ghost);
                }
            }
        }
    }
    (lists, count)
}

/// Levels such that filling ghosts level by level, in any order within one, gives what filling them
/// one by one gives.
fn levels<T: Real>(ghosts: &[walls::Ghost<T>]) -> Vec<usize> {
    // The first level that may read a place, and the first that may write it.
    let mut free: HashMap<usize, [usize; 2]> = HashMap::new();
    let mut of = |ghost: &walls::Ghost<T>| {
        let mut known = |at: usize| *free.entry(at).or_insert([0, 0]);
        let read = ghost.sources.map(|at| known(at)[0]);
        let level = read.into_iter().fold(known(ghost.target)[1], usize::max);
        for at in ghost.sources {
            let [_, write] = free.get_mut(&at).expect("just seen");
            *write = (*write).max(level + 1);
        }
        free.insert(ghost.target, [level + 1, level + 1]);
        level
    };
    ghosts.iter().map(&mut of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_keep_the_order_of_dependent_ghosts() {
        let ghost =
            |target, source| walls::Ghost { target, sources: [source; 2], sign: 1.0_f64, add: 0.0 };
        // 1 <- 2; 3 <- 1 reads what was written; 2 <- 4 overwrites what was read; 5 <- 6 is alone.
        let list = [ghost(1, 2), ghost(3, 1), ghost(2, 4), ghost(5, 6), ghost(1, 7)];
        assert_eq!(levels(&list), [0, 1, 1, 0, 2]);
    }
}
