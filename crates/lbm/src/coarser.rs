//! The grids of [`crate::cycle`]: each has half as many cells in each direction as the one before.

use vortice_core::{
    Case, Communicator, Context, Decomposition, Halo, Real, Result, Shape, Subdomain,
};

use crate::cycle::{AFTER, BEFORE, COARSEST};
use crate::layout::Layout;
use crate::options::Options;
use crate::settings::Settings;
use crate::watch::flows;

/// Numbers of a flow in a cell: density less one and velocity. Mirrored in kernels/lbm/coarser.cuh.
pub(crate) const FLOW: usize = 4;

/// Layers of cells that a rank's part has at least.
const LAYERS: usize = 2;

/// A grid of cycles, and who has which part of it.
pub(crate) struct Grid {
    pub(crate) settings: Settings,
    pub(crate) context: Context,
}

/// The next coarser grid of a case's lattice, if steps are cycles and there is one.
///
/// # Errors
/// If the parts of ranks, as they are cut, cannot be halved, or are too thin then.
pub(crate) fn coarser(case: &Case, context: &Context, settings: &Settings) -> Result<Option<Grid>> {
    if !settings.has_cycles {
        return Ok(None);
    }
    let Some(next) = settings.coarser()? else { return Ok(None) };
    let Decomposition { starts, ranks, periodic, .. } = context.decomposition(case)?;
    let cuts = settings.refinement;
    let of_lattice = |d: usize| starts[d].iter().map(|start| start * cuts[d]).collect();
    let (cells, starts) = (settings.case.grid.cells(), std::array::from_fn(of_lattice));
    let cut = Decomposition { cells, ranks, periodic, starts };
    let grids = [&settings.case, &next.case];
    let context = context.on_coarser(grids, &cut, LAYERS, "lbm.multigrid")?;
    Ok(Some(Grid { settings: next, context }))
}

/// How often the grid of a case is halved, if its steps are cycles.
pub(crate) fn halvings(case: &Case) -> u32 {
    match Options::of(case) {
        Ok(options) if options.has_cycles(case) => case.halvings(),
        _ => 0,
    }
}

/// What cycles are, in steps of the finest grid and in cells.
pub(crate) struct OfCycles {
    /// Of all grids.
    pub(crate) grids: u32,
    /// What a cycle does, in steps of the finest grid.
    pub(crate) steps: f64,
    /// Cells of coarser grids, as a share of those of the finest.
    pub(crate) coarser_cells: f64,
}

impl OfCycles {
    /// Of a lattice; one step on one grid if there are none.
    pub(crate) fn new(settings: &Settings) -> Self {
        let none = Self { grids: 1, steps: 1.0, coarser_cells: 0.0 };
        if !settings.has_cycles {
            return none;
        }
        let halvings = settings.case.halvings();
        let directions = settings.case.grid.directions().count() as i32;
        let share = |grid: u32| 0.5_f64.powi(directions * grid as i32);
        let steps = |grid: u32| match grid {
            // What a coarser grid is asked for takes a step, too, and adding it moves as much.
            _ if grid == halvings => COARSEST,
            _ => (1 << grid) * (BEFORE + AFTER) + 1,
        };
        Self {
            grids: halvings + 1,
            steps: (0..=halvings).map(|grid| share(grid) * steps(grid) as f64).sum(),
            coarser_cells: (1..=halvings).map(share).sum(),
        }
    }
}

/// Numbers of a cell that a coarser grid keeps beside its populations: what it is asked for, for steps of both parities; two
/// flows, how the flow has changed, and whether it flows.
pub(crate) fn kept(velocities: usize) -> usize {
    2 * velocities + 3 * FLOW + 1
}

/// Own cells of a rank's part of a coarser grid, with one more on each side.
pub(crate) struct Padded<T> {
    pub(crate) shape: Shape,
    /// What ranks exchange of them.
    pub(crate) halo: Halo,
    /// One in cells that are in the flow, else zero.
    pub(crate) open: Vec<T>,
}

impl<T: Real> Padded<T> {
    /// Of a part that is laid out so, in which these own cells are solid.
    pub(crate) fn new(
        settings: &Settings,
        part: &Subdomain,
        (layout, solid): (&Layout, &[u8]),
        ranks: &dyn Communicator,
    ) -> Result<Self> {
        let mut shape = Shape { cells: part.n(), halo: [0; 3] };
        settings.case.grid.directions().for_each(|d| shape.halo[d] = 1);
        let (halo, mut open) = (Halo::new(&shape, part), vec![T::default(); shape.len()]);
        for cell in layout.own_cells().filter(|&cell| flows(solid, layout, cell)) {
            open[shape.index(cell)] = T::from_f64(1.0);
        }
        halo.exchange(ranks, &mut [&mut open])?;
        Ok(Self { shape, halo, open })
    }
}
