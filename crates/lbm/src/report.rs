//! Derived numbers and warnings of a case, without running it.

use vortice_core::{Boundary, Case, Cost, Error, Precision, Report, Result, Traffic, face_name};

use crate::METHOD;
use crate::collide::Collision;
use crate::foresee;
use crate::options::{LatticeName, Options, Storage, Streaming};
use crate::settings::{SOUND_SQUARED, Settings};

/// Bytes of a stored population.
fn width(case: &Case, storage: Storage) -> f64 {
    match (storage, case.run.precision) {
        (Storage::F16, _) => 2.0,
        (_, Precision::F32) => 4.0,
        (_, Precision::F64) => 8.0,
    }
}

/// Cells of the lattice in one of the case's.
fn parts(settings: &Settings) -> f64 {
    settings.refinement.iter().product::<usize>() as f64
}

/// Memory and memory traffic per cell of the case, if nothing stays in a cache: in a step each
/// population is read once and written once.
pub(crate) fn cost(case: &Case, settings: &Settings) -> Cost {
    let bytes = width(case, settings.storage) * settings.velocities as f64;
    let lattices = match settings.streaming {
        Streaming::InPlace => 1.0,
        Streaming::TwoLattice => 2.0,
    };
    let mask = if case.solid.is_empty() { 0.0 } else { 1.0 };
    Cost {
        bytes_per_cell: (bytes * lattices + mask) * parts(settings),
        bytes_per_step: 2.0 * bytes * parts(settings),
        bytes_per_iteration: 0.0,
    }
}

/// What a step moves, and what it sends to other ranks: the populations that cross a face, once.
fn traffic(cost: &Cost, case: &Case, settings: &Settings) -> Traffic {
    let crossing = match settings.velocities {
        9 => 3.0,
        27 => 9.0,
        _ => 5.0,
    };
    Traffic {
        moved: cost.bytes_per_step,
        sent: crossing * width(case, settings.storage) * parts(settings),
        exchanges: 1.0,
        reductions: 1.0 / settings.interval as f64,
        iterations: 0.0,
    }
}

/// What `check` prints of this method.
pub(crate) fn check(case: &Case) -> Result<Report> {
    suitable(case)?;
    let settings = Settings::of(case)?;
    let options = Options::of(case)?;
    too_coarse(&settings)?;
    let cost = cost(case, &settings);
    let cells = case.grid.n_cells() as f64;
    let fact = |name: &str, value: String| (name.to_string(), value);
    let lattice = settings.case.grid.cells();
    let mut facts = vec![
        fact("lattice", format!("{}, {}", options.lattice.name(), options.collision.name())),
        fact("relaxation time tau", format!("{:.6} steps", settings.tau)),
        fact("Mach number", format!("{:.4}", settings.mach())),
        fact("lattice velocity", format!("{:.4}", settings.fastest / settings.velocity_unit())),
        fact("grid Reynolds number", format!("{:.3}", settings.cell_reynolds())),
        fact("time step", format!("{:.4e} s", settings.dt)),
        fact("steps per convective time", settings.interval.to_string()),
        fact("bytes per cell and step", format!("{:.0}", cost.bytes_per_step)),
    ];
    if let Some((at, speed)) = foresee::narrowest(case) {
        facts.push(fact("narrowest section", format!("at {at:.4} m, {speed:.4} m/s in the mean")));
    }
    if settings.refinement != [1; 3] {
        let [x, y, z] = lattice;
        facts.insert(1, fact("lattice cells", format!("{x} x {y} x {z}, so that they are cubes")));
    }
    let memory = cost.bytes_per_cell * cells;
    Ok(Report {
        facts,
        warnings: warnings(&settings),
        memory,
        device_memory: memory + watched_memory(case, &settings),
        traffic: traffic(&cost, case, &settings),
    })
}

/// Bytes on a GPU beside the populations: velocities of cells looked at, and density and velocity of
/// a slab of cells at a time.
fn watched_memory(case: &Case, settings: &Settings) -> f64 {
    let cells = case.grid.n_cells() as f64 * parts(settings);
    (3.0 + 4.0) * width(case, Storage::Precision) * cells.min((1 << 20) as f64)
}

/// Refuses what the method cannot do.
///
/// # Errors
/// If the flow is not plane and the lattice is.
pub(crate) fn suitable(case: &Case) -> Result<()> {
    let options = Options::of(case)?;
    if options.lattice == LatticeName::D2q9 && !case.grid.is_plane() {
        let n = case.grid.cells()[2];
        return Err(Error::Unsupported {
            method: METHOD.name,
            key: "lbm.lattice".into(),
            problem: format!("has D2Q9 for plane flows, and this one has {n} cells in z"),
            remedy: "set lbm.lattice = \"d3q19\", or grid.cells with 1 in z".into(),
        });
    }
    one_outflow_pressure(case)
}

/// The density is measured from that at the outflows, so these must agree.
fn one_outflow_pressure(case: &Case) -> Result<()> {
    let mut outflows = case.boundaries.iter().filter_map(|(d, side, face)| match face {
        Boundary::Outflow { pressure } => Some((face_name(d, side), *pressure)),
        _ => None,
    });
    let Some((first, pressure)) = outflows.next() else { return Ok(()) };
    match outflows.find(|(_, other)| *other != pressure) {
        None => Ok(()),
        Some((second, other)) => Err(Error::Unsupported {
            method: METHOD.name,
            key: format!("boundary.{second}"),
            problem: format!(
                "has one pressure at outflows: not {other} Pa beside {pressure} Pa at {first}"
            ),
            remedy: "give the outflows one pressure, or drive the flow by fluid.force or an inflow"
                .into(),
        }),
    }
}

/// The grid Reynolds number up to which a collision is stable in the cavity, and its name; notes on
/// stability in docs/src/theory/lbm.md.
fn stable_below(collision: Collision) -> (f64, &'static str) {
    match collision {
        Collision::Srt => (12.0, "SRT"),
        Collision::Trt => (25.0, "TRT"),
        Collision::Regularised => (25.0, "the regularised collision"),
        Collision::Mrt => (50.0, "MRT"),
    }
}

/// Cells per unit of length that a collision needs.
fn needed(settings: &Settings, limit: f64) -> f64 {
    (settings.case.reynolds() / limit).ceil()
}

fn too_coarse(settings: &Settings) -> Result<()> {
    let (limit, name) = stable_below(settings.collision);
    let re = settings.cell_reynolds();
    if re <= 4.0 * limit {
        return Ok(());
    }
    let cells = needed(settings, limit);
    Err(Error::Unsupported {
        method: METHOD.name,
        key: "grid.cells".into(),
        problem: format!(
            "diverges at a grid Reynolds number of {re:.1}; {name} is good for {limit}"
        ),
        remedy: format!(
            "use at least {cells:.0} cells per scale.length, or lbm.collision = \"mrt\", good for 50"
        ),
    })
}

/// Mach number above which a flow is no longer that of an incompressible fluid.
const MOST_MACH: f64 = 0.3;
/// The same for the share by which the density may differ from one.
const MOST_DEVIATION: f64 = 0.1;

fn too_fast(mach: f64) -> String {
    let share = 100.0 * mach * mach * SOUND_SQUARED;
    format!(
        "Mach number {mach:.2}: compressibility costs some {share:.0} % of accuracy; set lbm.mach = 0.1, \
         or lower if it is"
    )
}

/// What is to be said of a run whose fastest cell had this Mach number, and whose density differed from
/// one by so much.
pub(crate) fn compressible(settings: &Settings, [mach, deviation]: [f64; 2]) -> Vec<String> {
    let foreseen = settings.mach();
    let mut warnings = Vec::new();
    if mach > MOST_MACH {
        warnings.push(format!("{} (foreseen: {foreseen:.2})", too_fast(mach)));
    }
    if deviation > MOST_DEVIATION {
        let share = 100.0 * deviation;
        warnings.push(format!(
            "the density differed from one by up to {share:.0} %, which takes as much from what an \
             unsteady flow carries along; halve lbm.mach for a quarter of it"
        ));
    }
    warnings
}

fn warnings(settings: &Settings) -> Vec<String> {
    let mut warnings = Vec::new();
    let (limit, name) = stable_below(settings.collision);
    let re = settings.cell_reynolds();
    if re > limit {
        let cells = needed(settings, limit);
        warnings.push(format!(
            "grid Reynolds number {re:.1}: {name} is good for {limit}, beyond it expect noise or \
             divergence; use {cells:.0} cells per scale.length or lbm.collision = \"mrt\" (good for 50)"
        ));
    }
    let mach = settings.mach();
    if mach > MOST_MACH {
        warnings.push(too_fast(mach));
    }
    if settings.tau > 2.0 {
        warnings.push(format!(
            "relaxation time {:.2}: errors grow with its square; lower lbm.mach or refine the grid",
            settings.tau
        ));
    }
    warnings
}
