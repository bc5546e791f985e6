//! How a plane grid is cut into the tiles of `kernels/fdm/tile.cuh`.

vortice_gpu::mirrored! {
    /// How a plane grid is cut into tiles, twin of the one in `tile.cuh`.
    pub(crate) struct Tiling {
        /// Cells of the grid.
        cells: [i32; 2],
        /// Cells of a tile, even.
        own: [i32; 2],
        /// Tiles.
        tiles: [i32; 2],
        /// Cells of the low margins, even.
        reach: i32,
        /// Cells of a tile with its margins, even.
        extent: [i32; 2],
        /// Most iterations without word from the neighbours.
        batch: i32,
        /// Parity of the indices of the grid's first cell.
        parity: i32,
        /// Padded row length of the fields.
        pitch: i32,
    }
}

impl Tiling {
    /// Tiles of at least `own` cells, with the margins that `batch` iterations and the velocity
    /// around them need.
    pub(crate) fn new(cells: [usize; 2], own: [usize; 2], batch: usize) -> Self {
        let own = own.map(|n| n.next_multiple_of(2));
        // An iteration needs two cells; the test, the prediction and the ghosts beyond need more.
        let (reach, beyond) = (2 * batch + 2, 2 * batch + 4);
        let number = |n: usize| n as i32;
        Self {
            cells: cells.map(number),
            own: own.map(number),
            tiles: [0, 1].map(|d| number(cells[d].div_ceil(own[d]))),
            reach: number(reach),
            extent: own.map(|n| number(n + reach + beyond)),
            batch: number(batch),
            parity: 0,
            pitch: number(cells[0] + 2),
        }
    }

    /// Number of tiles.
    pub(crate) fn count(&self) -> usize {
        (self.tiles[0] * self.tiles[1]) as usize
    }

    /// Cells of a tile with its margins.
    pub(crate) fn size(&self) -> usize {
        (self.extent[0] * self.extent[1]) as usize
    }

    /// First cell of a tile, margins included.
    fn first(&self, tile: usize) -> [i32; 2] {
        let [x, _] = self.tiles;
        let number = [tile as i32 % x, tile as i32 / x];
        [0, 1].map(|d| number[d] * self.own[d] - self.reach)
    }

    /// All cells of a tile, margins included, also those outside the grid.
    pub(crate) fn cells_of(&self, tile: usize) -> impl Iterator<Item = [i32; 2]> + use<> {
        let ([x, y], [n, m]) = (self.first(tile), self.extent);
        (y..y + m).flat_map(move |j| (x..x + n).map(move |i| [i, j]))
    }

    /// The tiles whose cells or margins hold a cell.
    pub(crate) fn tiles_with(&self, cell: [i32; 2]) -> impl Iterator<Item = usize> + use<> {
        let tiling = *self;
        let range = move |d: usize| {
            let behind = tiling.extent[d] - tiling.own[d] - tiling.reach;
            let first = (cell[d] - behind).div_euclid(tiling.own[d]).max(0);
            let last = (cell[d] + tiling.reach).div_euclid(tiling.own[d]).min(tiling.tiles[d] - 1);
            first..last + 1
        };
        range(1).flat_map(move |y| range(0).map(move |x| (x + y * tiling.tiles[0]) as usize))
    }

    /// Whether a cell is a tile's own.
    pub(crate) fn owns(&self, tile: usize, cell: [i32; 2]) -> bool {
        let first = self.first(tile).map(|i| i + self.reach);
        (0..2).all(|d| (first[d]..first[d] + self.own[d]).contains(&cell[d]))
    }

    /// Place of a cell in a tile in natural order, if it is there.
    pub(crate) fn natural(&self, tile: usize, cell: [i32; 2]) -> Option<i32> {
        let first = self.first(tile);
        let [i, j] = [cell[0] - first[0], cell[1] - first[1]];
        let there = (0..self.extent[0]).contains(&i) && (0..self.extent[1]).contains(&j);
        there.then_some(j * self.extent[0] + i)
    }

    /// Place of a cell in a tile in split order, if it is there.
    pub(crate) fn split(&self, tile: usize, cell: [i32; 2]) -> Option<i32> {
        let half = self.extent[0] / 2;
        let black = (cell[0] + cell[1] + self.parity).rem_euclid(2);
        let natural = self.natural(tile, cell)?;
        let (row, column) = (natural / self.extent[0], natural % self.extent[0]);
        Some(row * self.extent[0] + black * half + column / 2)
    }
}

/// What a launch whose blocks wait for each other may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Blocks that run at the same time.
    pub(crate) blocks: usize,
    /// Shared memory of a block in bytes.
    pub(crate) shared: usize,
    /// Threads of a block.
    pub(crate) threads: usize,
}

/// Most rows of which a thread holds its cells in registers, as in `registers.cuh`.
const KEPT: usize = 16;

/// The tiling with the least work for a thread, if any fits; `bytes` is the shared memory
/// of a block with so many cells.
pub(crate) fn choose(
    cells: [usize; 2],
    batch: usize,
    room: Room,
    bytes: impl Fn(usize) -> usize,
) -> Option<Tiling> {
    let mut best: Option<(usize, Tiling)> = None;
    for across in 1..=room.blocks {
        for along in 1..=room.blocks / across {
            let own = [cells[0].div_ceil(across), cells[1].div_ceil(along)];
            let tiling = Tiling::new(cells, own, batch);
            let least = tiling.extent[0] - tiling.own[0];
            // Margins come from the nearest neighbours only.
            let near =
                (0..2).all(|d| tiling.tiles[d] == 1 || tiling.own[d] >= least - tiling.reach);
            let rows = rows(&tiling, room.threads);
            if !near || rows > KEPT || bytes(tiling.size()) > room.shared {
                continue;
            }
            let better = |(least, known): &(usize, Tiling)| {
                (rows, tiling.size(), tiling.count()) < (*least, known.size(), known.count())
            };
            if best.as_ref().is_none_or(better) {
                best = Some((rows, tiling));
            }
        }
    }
    best.map(|(_, tiling)| tiling)
}

/// Rows of a tile that each thread works on: a warp beside another until a row is full.
pub(crate) fn rows(tiling: &Tiling, threads: usize) -> usize {
    let [x, y] = tiling.extent.map(|n| n as usize);
    match threads / 32 / (x / 2).div_ceil(32) {
        0 => usize::MAX,
        bands => y.div_ceil(bands),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_one_owner_and_a_place_in_the_tiles_around_it() {
        for (cells, own, batch) in [([37, 23], [16, 14], 2), ([64, 64], [20, 64], 5)] {
            let tiling = Tiling::new(cells, own, batch);
            for j in -1..=cells[1] as i32 {
                for i in -1..=cells[0] as i32 {
                    let with: Vec<usize> = tiling.tiles_with([i, j]).collect();
                    let known = |tile: &usize| tiling.natural(*tile, [i, j]).is_some();
                    let all: Vec<usize> = (0..tiling.count()).filter(known).collect();
                    assert_eq!(with, all, "cell {i}, {j}");
                    let inside = (0..2).all(|d| (0..cells[d] as i32).contains(&[i, j][d]));
                    let owners = with.iter().filter(|tile| tiling.owns(**tile, [i, j])).count();
                    assert!(!inside || owners == 1);
                }
            }
            let mut places: Vec<i32> =
                tiling.cells_of(1).filter_map(|cell| tiling.split(1, cell)).collect();
            places.sort_unstable();
            assert_eq!(places, (0..tiling.size() as i32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_largest_grid_of_menenguci_fits_an_h200() {
        // Four fields in single precision or two in double.
        let room = Room { blocks: 132, shared: 232_448, threads: 512 };
        let tiling = choose([1024, 1024], 5, room, |n| 17 * n + 1000).expect("a tiling");
        assert!(tiling.count() <= 132 && 17 * tiling.size() + 1000 <= room.shared);
        assert!(choose([4096, 4096], 5, room, |n| 17 * n).is_none());
    }
}
