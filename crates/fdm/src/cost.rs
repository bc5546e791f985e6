//! Memory and memory traffic of a case, without running it.

use vortice_core::{Case, Cost, Scalar, Traffic};
use vortice_linear::PressureSolver;

use crate::coarser::halvings;
use crate::cycle::{AFTER, BEFORE, COARSEST, CYCLES};
use crate::gpu::margins;
use crate::options::{Kernel, Stop};
use crate::scalar::LAYERS;
use crate::settings::Settings;

/// Fields that cycles keep beside the flow: three of each direction, and its pressure.
pub(crate) fn kept(settings: &Settings) -> usize {
    if settings.has_cycles { 3 * settings.directions + 1 } else { 0 }
}

/// Fields of a cell: three velocities and predictions, three open flags, rates of change if they are
/// kept, pressure twice, right-hand side, diagonal; two each in the plane; each scalar twice.
fn numbers_per_cell(settings: &Settings) -> usize {
    let in_plane = settings.directions == 2;
    let scalars = 2 * settings.scalars.len();
    let flow = vectors(settings, 3) * settings.directions + 4 + if in_plane { 3 } else { 0 };
    flow + scalars + kept(settings)
}

/// So many fields for each direction, and the rates of change if they are kept.
pub(crate) fn vectors(settings: &Settings, without_rates: usize) -> usize {
    without_rates + usize::from(settings.second_order)
}

/// Bytes of a number.
pub(crate) fn width(case: &Case) -> f64 {
    case.run.precision.bytes() as f64
}

/// Bytes on a GPU: velocities and predictions, pressure and right-hand side, what faces and cells
/// are, in the plane the pressure that tiles are read from, and each scalar twice. The resident kernel has a few arrays
/// more, but only of grids so small that they fit on the chip.
pub(crate) fn device_memory(case: &Case, settings: &Settings) -> f64 {
    let directions = case.grid.directions();
    let flow = vectors(settings, 2) * directions.len() + 2 + usize::from(case.grid.is_plane());
    let numbers = flow + kept(settings);
    let scalars = 2.0 * width(case) * settings.scalars.len() as f64;
    let fields = width(case) * numbers as f64 + 2.0 + solver_bytes(settings);
    padded(case, 1) * of_cycles(case, settings).cells * fields + padded(case, LAYERS) * scalars
}

/// Cells with so many layers of others beyond the ends of the grid.
pub(crate) fn padded(case: &Case, layers: usize) -> f64 {
    case.grid.directions().map(|d| (case.grid.axes[d].len() + 2 * layers) as f64).product()
}

/// Bytes of a cell that multigrid and conjugate gradients need, if they are asked for: coefficients and
/// four arrays on all levels, and vectors.
pub(crate) fn solver_bytes(settings: &Settings) -> f64 {
    let Some(solver) = settings.solver else { return 0.0 };
    let levels = 1.0 / (1.0 - 0.5_f64.powi(settings.directions as i32));
    8.0 * ((settings.directions as f64 + 4.0) * levels + solver.vectors() as f64)
}

/// What a step is with cycles over coarser grids: so many steps of the finest, and the cells of all grids as a multiple of
/// those of the finest.
struct OfCycles {
    steps: f64,
    cells: f64,
}

fn of_cycles(case: &Case, settings: &Settings) -> OfCycles {
    if !settings.has_cycles {
        return OfCycles { steps: 1.0, cells: 1.0 };
    }
    let share = |grid: u32| 0.5_f64.powi((settings.directions as u32 * grid) as i32);
    let coarsest = halvings(case);
    let longest = settings.longest_row >> coarsest;
    let steps = |grid: u32| match grid {
        _ if grid == coarsest => 1 + COARSEST.max(longest),
        _ => BEFORE + 2 + AFTER,
    };
    let cycle: f64 = (0..=coarsest).map(|grid| share(grid) * f64::from(steps(grid))).sum();
    let cells = (0..=coarsest).map(share).sum();
    OfCycles { steps: f64::from(CYCLES) * cycle, cells }
}

/// Memory and memory traffic per cell, if nothing stays in a cache.
pub(crate) fn cost(case: &Case, settings: &Settings) -> Cost {
    let bytes = width(case);
    let d = settings.directions as f64;
    let rates = if settings.second_order { 2.0 * d } else { 0.0 };
    // Twice reads a scalar and d and writes it, once from two; buoyancy reads it and d open, and reads and writes d.
    let of_scalar = |scalar: &Scalar| {
        2.0 * (2.0 + d) + 1.0 + if scalar.is_buoyant() { 1.0 + 3.0 * d } else { 0.0 }
    };
    let scalars: f64 = settings.scalars.iter().map(of_scalar).sum();
    let OfCycles { steps, cells: grids } = of_cycles(case, settings);
    Cost {
        bytes_per_cell: grids
            * (bytes * numbers_per_cell(settings) as f64 + solver_bytes(settings)),
        // Predict reads d + d open and writes d, and reads and writes d rates if they are kept;
        // divergence reads d and writes 1; merge 2; project reads 2d + 1 and reads and writes d.
        bytes_per_step: steps
            * bytes
            * (scalars + 3.0 * d + rates + d + 1.0 + 2.0 + 2.0 * d + 1.0 + 2.0 * d),
        // Each colour reads its neighbours, its own half of p, b and d, and writes its half of p.
        bytes_per_iteration: bytes * 5.0,
    }
}

/// Share of the bandwidth of an H200 that iterations on 512^3 cells reach, 2026-11-26.
const REACHED: f64 = 1.0;

/// How often ranks send something in the iterations of a step, and how many values of each cell at a face: half of the pressures
/// after each colour; or, where GPUs do tiles with rows of their neighbours, as those say.
fn messages(case: &Case, settings: &Settings, iterations: f64) -> [f64; 2] {
    let chosen = matches!(settings.kernel, Kernel::Auto | Kernel::Tiled);
    match margins::suit(case) && case.run.device.are_gpus() && chosen {
        true => margins::messages(iterations),
        false => [2.0 * iterations, iterations],
    }
}

/// What a step moves, and what it sends to other ranks: prediction, velocity, each scalar twice, and pressures.
pub(crate) fn traffic(case: &Case, cost: &Cost, settings: &Settings) -> Traffic {
    if let Some(solver) = settings.solver {
        return solver_traffic(case, cost, settings, solver);
    }
    let every = f64::from(settings.test_every);
    let (iterations, tests) = match &settings.stop {
        Stop::Iterations(count) => (f64::from(count.in_step(u64::MAX)), 0.0),
        // What a flow needs that changes little from step to step.
        _ => (every, 1.0),
    };
    let [layers, exchanges] = scalar_messages(settings);
    let [times, values] = messages(case, settings, iterations);
    let velocities = 2.0 * case.grid.directions().len() as f64;
    Traffic {
        reached: REACHED,
        moved: cost.bytes_per_step + iterations * cost.bytes_per_iteration,
        sent: width(case) * (velocities + layers + values),
        exchanges: 2.0 + exchanges + times,
        reductions: 1.0 + tests,
        iterations,
    }
}

/// Layers of cells that a step sends of scalars, and in how many exchanges.
fn scalar_messages(settings: &Settings) -> [f64; 2] {
    [2.0 * LAYERS as f64, 2.0].map(|of_one| of_one * settings.scalars.len() as f64)
}

/// The same with multigrid or conjugate gradients, whose iterations depend on the flow: few with
/// multigrid, many without.
fn solver_traffic(
    case: &Case,
    cost: &Cost,
    settings: &Settings,
    solver: PressureSolver,
) -> Traffic {
    let [layers, exchanges] = scalar_messages(settings);
    let d = case.grid.directions().len() as f64;
    let (iterations, cycles) = match solver {
        PressureSolver::Cycles(count) => (f64::from(count), f64::from(count)),
        PressureSolver::MultigridCg(_) => (4.0, 4.0),
        PressureSolver::JacobiCg(_) | PressureSolver::Cg(_) => (100.0, 0.0),
    };
    // A cycle sweeps four times on levels that add up to twice the finest.
    let cells_moved = 8.0 * (cycles * 2.0 * 4.0 * (d + 3.0) + iterations * (d + 10.0));
    let steps = of_cycles(case, settings).steps;
    Traffic {
        reached: REACHED,
        moved: cost.bytes_per_step + steps * cells_moved,
        sent: steps * (width(case) * (2.0 * d + layers) + 8.0 * (iterations + 10.0 * cycles)),
        exchanges: steps * (2.0 + exchanges + iterations + 40.0 * cycles),
        reductions: steps * (1.0 + 2.0 * iterations + cycles),
        iterations: steps * iterations,
    }
}
