//! A step of stored moments on a device: where it goes, and its launches.

use vortice_core::{Error, Halo, Real, Result, Subdomain};
use vortice_gpu::{Buffer, Gpu, Launch, value};

use super::numbers::{Layout, Rates};
use super::program::Kernels;
use crate::boundary::Site;
use crate::moments::places::{LANES, Places};
use crate::moments::walls::Walls;
use crate::settings::Settings;

vortice_gpu::mirrored! {
    /// Where a step goes, in `tile_of_moments.cuh`.
    pub(crate) struct March {
        /// Own cell (0, 0, 0) before the step.
        from: i64,
        /// And after it.
        to: i64,
        /// From one plane to the next.
        plane: i64,
        /// From one row to the next.
        row: i64,
        /// Where a face's additions begin, low and high in x, y and z; negative of a face without.
        walls: [i32; 6],
        /// Whether there are halo cells in x and y.
        halo: [i32; 2],
        /// Plane of this launch.
        first: i32,
        /// Behind the last.
        end: i32,
        /// Of a block.
        planes: i32,
        /// Nothing.
        unused: i32,
    }
}

/// Cells of a row that a block writes.
const TILE_X: usize = LANES - 2;

/// Populations of a cell that are exchanged on chip, in planes that are kept there.
const ON_CHIP: usize = 3 * 16;

/// Rows that a block writes, and planes that it goes through at most: neighbours that drift apart do not find in the
/// second-level cache what both read.
pub(super) const fn tile<T>() -> [usize; 2] {
    if size_of::<T>() == 4 { [10, 32] } else { [8, 16] }
}

/// Bytes of a tile on chip.
const fn shared<T>() -> usize {
    ON_CHIP * (LANES + 2) * (tile::<T>()[0] + 2) * size_of::<T>()
}

/// Most places of a plane.
const MOST: usize = i32::MAX as usize;

/// The moments of one subdomain on a device, but for the numbers themselves.
pub(crate) struct Moments<T> {
    pub(crate) places: Places,
    walls: Walls,
    additions: Buffer<T>,
    /// Blocks that run at the same time: one fills a multiprocessor.
    at_once: usize,
}

impl<T: Real> Moments<T> {
    /// Those of a part of the lattice.
    ///
    /// # Errors
    /// If the numbers of a plane's places, or of what its walls add, have more bits than kernels count with, or a block finds no
    /// room for a tile.
    pub(crate) fn new(
        gpu: &Gpu,
        settings: &Settings,
        site: &Site<'_>,
        part: &Subdomain,
    ) -> Result<Self> {
        let places = Places::new(part, site);
        let walls = Walls::new(settings, site, part, places.ends);
        if places.plane > MOST || walls.values.len() > MOST {
            return Err(Error::Device {
                problem: format!("a plane of a rank has {} moments", places.plane),
                remedy: "use more ranks".into(),
            });
        }
        let (needed, has) = (shared::<T>(), gpu.properties().shared_memory);
        if needed > has {
            let [needed, has] = [needed, has].map(|bytes| bytes >> 10);
            return Err(Error::Device {
                problem: format!("moments need {needed} KiB on chip for a block, and it has {has}"),
                remedy: "set lbm.storage = \"precision\"".into(),
            });
        }
        let at_once = gpu.properties().multiprocessors;
        Ok(Self { additions: gpu.upload(&walls.rounded())?, places, walls, at_once })
    }

    /// The exchange after a step of a parity.
    pub(crate) fn exchange(&self, part: &Subdomain, parity: usize) -> Halo {
        self.places.exchange(part, 1 - parity)
    }

    /// The layout of own cells as kernels see it before a step of a parity.
    pub(crate) fn layout(&self, parity: usize, of_cells: &Layout) -> Layout {
        let Places { row, plane, .. } = self.places;
        let (first, stride) = (self.places.first(parity) as i64, [1, row as i64, plane as i64]);
        Layout { first, stride, halo: [0; 3], per_row: u32::MAX / row as u32, ..*of_cells }
    }

    /// The additions with the velocities that the boundaries have at their time.
    pub(crate) fn follow(&mut self, settings: &Settings) -> Result<()> {
        self.walls.follow(&settings.case.boundaries)?;
        self.additions.write(&self.walls.rounded())
    }

    /// A step of a parity: planes go one slab after the other.
    pub(crate) fn advance<P: bytemuck::Pod>(
        &self,
        kernels: &Kernels,
        (layout, rates, parity): (&Layout, &Rates<T>, usize),
        f: &mut Buffer<P>,
        broken: &mut Buffer<i32>,
    ) -> Result<()> {
        let places = &self.places;
        let is_own_neighbour = places.halo[2] == 0;
        for slab in places.slabs(parity) {
            let (launch, planes) = self.launch(slab.len());
            let march = March {
                from: places.first(parity) as i64,
                to: places.first(1 - parity) as i64,
                plane: if is_own_neighbour { 0 } else { places.plane as i64 },
                row: places.row as i64,
                walls: self.walls.begin.map(|begin| begin.map_or(-1, |begin| begin as i32)),
                halo: [0, 1].map(|d| places.halo[d] as i32),
                first: slab.start as i32,
                end: slab.end as i32,
                planes: planes as i32,
                unused: 0,
            };
            kernels.advance_moments.launch(
                launch,
                &[
                    value("layout", layout),
                    value("march", &march),
                    value("rates", rates),
                    self.additions.input("walls"),
                    f.output("f"),
                    broken.output("broken"),
                ],
            )?;
        }
        Ok(())
    }

    /// Blocks for so many planes, and how many of them each goes through.
    fn launch(&self, slab: usize) -> (Launch, usize) {
        let Places { cells: [n, n_j, _], ends, .. } = self.places;
        let [rows, most] = tile::<T>();
        // At an end in x a tile writes one cell more.
        let [low, high] = ends[0].map(usize::from);
        let across = (n + 1 - low).saturating_sub(1 + high).div_ceil(TILE_X).max(1);
        let tiles = [across, n_j.div_ceil(rows)];
        // All blocks are done in rounds; each goes through two planes more than are its own.
        let rounds = |planes| (tiles[0] * tiles[1] * slab.div_ceil(planes)).div_ceil(self.at_once);
        let planes = (1..=most.min(slab)).min_by_key(|&planes| rounds(planes) * (planes + 2));
        let planes = planes.unwrap_or(1);
        let blocks = [tiles[0], tiles[1], slab.div_ceil(planes)].map(|n| n as u32);
        let threads = [(LANES * (rows + 2)) as u32, 1, 1];
        (Launch { blocks, threads, shared: shared::<T>() as u32, cooperative: false }, planes)
    }
}
