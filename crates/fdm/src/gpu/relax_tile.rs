//! Several iterations in one launch, on tiles of a plane grid: `kernels/fdm/relax_tile.cu`.

use vortice_core::{Case, Context, Real, Result};
use vortice_gpu::{Buffer, Gpu, Kernel, Launch, Links, Properties, value};

use super::fields::{Fields, both_colours, outputs};
use super::margins::{self, BATCH, Margins, Wide};
use super::numbers::TABLE;
use crate::colours::Colours;
use crate::options::Kernel as Choice;
use crate::resident::tiling::Tiling;
use crate::suitability::no_kernel;

vortice_gpu::mirrored! {
    /// Numbers of a sweep, in `tile.cuh`.
    pub(crate) struct Weights<T> {
        /// 1 / h2 in 1/m2.
        inverse_h2: [T; 2],
        /// Over-relaxation.
        omega: T,
        /// 1 - over-relaxation.
        keep: T,
    }
}

vortice_gpu::mirrored! {
    /// What a launch does, in `relax_tile.cu`.
    pub(crate) struct TileSweep<T> {
        /// Numbers of its sweeps.
        weights: Weights<T>,
        /// At most those of the tiling.
        iterations: i32,
        /// Values of one colour in a padded row.
        half_row: i32,
    }
}

/// Threads of a block, a warp for each of so many rows.
const THREADS: usize = 512;

/// Blocks that share a multiprocessor.
const BLOCKS: usize = 2;

/// Shared memory that the system takes for each block, in bytes.
const RESERVED: usize = 1024;

/// Up to so many cells tiles are faster than whole sweeps because they take fewer launches; from so
/// many bytes of pressures, right-hand sides and kinds because no cache holds them. In between whole
/// sweeps do less work. Measured on an H200: benches/results.
const FEW_CELLS: usize = 512 * 512;
const MANY_BYTES: usize = 100_000_000;

fn pays<T>(cells: usize) -> bool {
    cells <= FEW_CELLS || cells * (4 * size_of::<T>() + 1) > MANY_BYTES
}

/// Tiles, and the pressures that the next launch writes. They and those of the fields then change
/// places.
pub(crate) struct Tiles<T> {
    kernel: Kernel,
    tiling: Tiling,
    spare: [Buffer<T>; 2],
    /// The same without the rows of other ranks.
    spare_of_part: [Buffer<T>; 2],
    /// Whether they have changed places an odd number of times.
    pub(super) swapped: bool,
}

/// How a part is tiled.
pub(crate) struct Plan {
    pub(crate) tiling: Tiling,
    pub(crate) margins: Margins,
}

/// The tiles of this rank, if all ranks have some.
///
/// # Errors
/// If the case asks for tiles and cannot have them.
pub(crate) fn plan_of_all<T>(
    gpu: &Gpu,
    case: &Case,
    context: &Context,
    choice: Choice,
) -> Result<Option<Plan>> {
    let (cut, ranks) = (context.decomposition(case)?, &context.ranks);
    let all_have_gpus = gpu.links().is_none_or(Links::all_have_gpus);
    let margins = Margins::of(&cut, ranks.rank(), all_have_gpus);
    let all_ask = margins.is_some();
    let plan = plan::<T>(gpu.properties(), case, choice, margins)?;
    let mut lacking = [if plan.is_none() { 1.0 } else { 0.0 }];
    if all_ask {
        ranks.max(&mut lacking)?;
    }
    Ok(plan.filter(|_| lacking == [0.0]))
}

/// The tiles for a case on a device, with these margins; none if launches over the whole grid serve.
///
/// # Errors
/// If the case asks for tiles and cannot have them.
pub(crate) fn plan<T>(
    device: &Properties,
    case: &Case,
    choice: Choice,
    margins: Option<Margins>,
) -> Result<Option<Plan>> {
    let [x, y, _] = case.grid.cells();
    let alone = margins.as_ref().is_none_or(Margins::is_none);
    let wanted = match choice {
        Choice::Tiled => true,
        Choice::Auto => !alone || pays::<T>(x * y),
        Choice::Plain | Choice::Fused | Choice::Resident => false,
    };
    let planned = margins.filter(|_| wanted && margins::suit(case)).and_then(|margins| {
        let tiling = fit::<T>(device, [x, margins.relaxed()])?;
        let tiling = Tiling { parity: margins.parity as i32, ..tiling };
        Some(Plan { tiling, margins })
    });
    if choice == Choice::Tiled && planned.is_none() {
        return Err(no_kernel(
            "tiled",
            "plane flows without periodic sides, cut across y alone if there are several ranks, \
             each with more than ten rows and a GPU whose shared memory holds two tiles",
        ));
    }
    Ok(planned)
}

/// The tiling that is done first: rows are shared by warps and taken by 32 pairs of cells, and a
/// device does so many blocks at the same time.
fn fit<T>(device: &Properties, cells: [usize; 2]) -> Option<Tiling> {
    let room = (device.shared_memory + RESERVED) / BLOCKS - RESERVED;
    let margins = 4 * BATCH;
    let extents = (1..=4).flat_map(|x| (2..=16).map(move |y| [64 * x, 16 * y]));
    let fitting = extents.filter(|[x, y]| bytes::<T>(x * y) <= room);
    let tilings = fitting.map(|extent| Tiling {
        // Unlike those of the resident kernel, tiles are loaded anew before each batch.
        reach: margins as i32 / 2,
        extent: extent.map(|n| n as i32),
        ..Tiling::new(cells, extent.map(|n| n - margins), BATCH)
    });
    tilings.min_by_key(|tiling| {
        let [x, y] = tiling.extent.map(|n| n as usize);
        let rounds = tiling.count().div_ceil(BLOCKS * device.multiprocessors);
        (rounds * x.div_ceil(64) * y.div_ceil(THREADS / 32), tiling.size())
    })
}

/// Shared memory of a block with so many cells.
fn bytes<T>(cells: usize) -> usize {
    TABLE * size_of::<T>() + cells * (2 * size_of::<T>() + 1)
}

impl<T: Real> Tiles<T> {
    /// Tiles for a part.
    pub(crate) fn new(
        gpu: &Gpu,
        kernel: &Kernel,
        (plan, colours): (&Plan, &Colours),
    ) -> Result<Self> {
        let Plan { tiling, margins } = plan;
        let length = margins.len(colours);
        let mut spare = [gpu.zeros(length)?, gpu.zeros(length)?];
        spare.iter_mut().try_for_each(Buffer::clear)?;
        Ok(Self {
            kernel: kernel.clone(),
            tiling: *tiling,
            spare_of_part: margins.part_of(colours, &spare),
            spare,
            swapped: false,
        })
    }

    /// One launch: iterations from the fields' pressures to the others, which then are the fields'.
    pub(super) fn launch(&mut self, fields: &mut Fields<T>, sweep: &TileSweep<T>) -> Result<()> {
        let shape = Launch {
            blocks: [self.tiling.count() as u32, 1, 1],
            threads: [THREADS as u32, 1, 1],
            shared: bytes::<T>(self.tiling.size()) as u32,
            cooperative: false,
        };
        let Fields { wide: Wide { p, right_hand_side, kinds }, inverse_diagonals, .. } = &*fields;
        let equation = both_colours(p, right_hand_side, kinds, inverse_diagonals);
        let arguments: Vec<_> = [value("tiling", &self.tiling), value("sweep", sweep)]
            .into_iter()
            .chain(equation)
            .chain(outputs(&mut self.spare, ["new_red", "new_black"]))
            .collect();
        self.kernel.launch(shape, &arguments)?;
        self.swap(fields);
        Ok(())
    }

    /// The places change.
    pub(super) fn swap(&mut self, fields: &mut Fields<T>) {
        std::mem::swap(&mut fields.wide.p, &mut self.spare);
        std::mem::swap(&mut fields.p, &mut self.spare_of_part);
        self.swapped = !self.swapped;
    }

    /// Gives the other pressures all values of the fields', of which only halos are needed.
    pub(super) fn complete(&mut self, fields: &Fields<T>) -> Result<()> {
        self.spare.iter_mut().zip(&fields.wide.p).try_for_each(|(spare, p)| spare.copy_from(p))
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::PROGRAM;
    use super::*;
    use vortice_core::{Decomposition, Device as Choose};
    use vortice_gpu::differences;

    fn source(name: &str) -> &'static str {
        let mut texts = PROGRAM.headers.iter().chain(PROGRAM.kernels);
        texts.find(|(file, _)| *file == name).expect("a source").1
    }

    #[test]
    fn structures_and_constants_equal_their_twins() {
        let kernel = source("fdm/relax_tile.cu");
        assert_eq!(differences(source("fdm/tile.cuh"), "Weights", Weights::<f32>::FIELDS), [""; 0]);
        assert_eq!(differences(kernel, "TileSweep", TileSweep::<f32>::FIELDS), [""; 0]);
        assert!(kernel.contains(&format!("constexpr int TABLE = {TABLE};")));
        let bound = format!("#define HALF_BLOCK __launch_bounds__({THREADS}, {BLOCKS})");
        assert!(source("device.cuh").contains(&bound), "{bound}");
    }

    fn device(multiprocessors: usize, shared_memory: usize) -> Properties {
        let name = "a GPU".to_string();
        let architecture = [9, 0];
        Properties {
            name,
            memory: 0,
            multiprocessors,
            shared_memory,
            threads: 1024,
            architecture,
            cooperative: true,
            nominal_bandwidth: None,
            ecc: false,
        }
    }

    #[test]
    fn two_tiles_fill_a_multiprocessor() {
        let large = [4096, 4096];
        let h200 = device(132, 232_448);
        let single = fit::<f32>(&h200, large).expect("a tiling");
        assert_eq!((single.own, single.extent, single.reach), ([108, 76], [128, 96], 10));
        let double = fit::<f64>(&h200, large).expect("a tiling");
        assert_eq!((double.own, double.extent), ([44, 76], [64, 96]));
        for tiling in [single, double] {
            let reached = [0, 1].map(|d| tiling.tiles[d] * tiling.own[d]);
            assert!(reached.iter().all(|n| *n >= 4096));
        }
        // Small grids are cut finer: every multiprocessor shall have something to do.
        assert!(fit::<f32>(&h200, [600, 600]).expect("a tiling").size() < single.size());
        assert!(fit::<f64>(&device(132, 60_000), large).is_none());
    }

    #[test]
    fn tiles_are_for_plane_flows_alone() {
        let text = include_str!("../../../../cases/cavity.toml");
        let case = Case::parse(text, "cavity").expect("a case").device(Choose::Cuda(0));
        let device = device(132, 232_448);
        let of = |choice, layout, all_have_gpus| {
            let cut = Decomposition::new(case.grid.cells(), layout, [false; 3]).expect("parts");
            plan::<f64>(&device, &case, choice, Margins::of(&cut, 0, all_have_gpus))
        };
        assert!(of(Choice::Tiled, [1; 3], true).expect("can be").is_some());
        assert!(of(Choice::Plain, [1; 3], true).expect("can be").is_none());
        assert!(of(Choice::Auto, [1; 3], true).expect("is small").is_some());
        assert!(of(Choice::Tiled, [1, 2, 1], true).expect("can be").is_some());
        for (layout, all_have_gpus) in [([1, 2, 1], false), ([2, 1, 1], true), ([1, 12, 1], true)] {
            let error = of(Choice::Tiled, layout, all_have_gpus).err().expect("has no tiles");
            assert!(error.to_string().contains("cut across y alone"), "{error}");
            assert!(of(Choice::Auto, layout, all_have_gpus).expect("another kernel").is_none());
        }
    }

    #[test]
    fn tiles_pay_on_small_grids_and_on_those_that_no_cache_holds() {
        let side = |n: usize| n * n;
        assert!(pays::<f32>(side(512)) && pays::<f64>(side(512)));
        assert!(!pays::<f32>(side(1024)) && !pays::<f64>(side(1024)));
        assert!(!pays::<f32>(side(2048)) && pays::<f64>(side(2048)));
        assert!(pays::<f32>(side(4096)));
    }
}
