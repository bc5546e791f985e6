//! Derived numbers and warnings of a case, without running it.

use vortice_core::{Case, Cost, Error, Initial, Precision, Report, Result, Traffic};

use crate::coarser::{OfCycles, kept};
use crate::collide::Collision;
use crate::cycle::{AFTER, BEFORE};
use crate::foresee;
use crate::heat;
use crate::moments;
use crate::options::{CollisionName, NAME, Options, Storage, Streaming};
use crate::settings::{SOUND_SQUARED, Settings};
use crate::stability::{self, COARSEST};
use crate::suitability;

/// Bytes of a stored number.
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

/// Numbers of a cell of the lattice, those of scalars among them.
fn numbers(settings: &Settings) -> usize {
    let of_flow = match settings.storage {
        Storage::Moments => moments::NUMBERS,
        _ => settings.velocities,
    };
    of_flow + settings.scalars.len() * heat::VELOCITIES
}

/// Memory and memory traffic per cell of the case, if nothing stays in a cache: in a step each
/// number is read once and written once.
pub(crate) fn cost(case: &Case, settings: &Settings) -> Cost {
    let bytes = width(case, settings.storage) * numbers(settings) as f64;
    let lattices = match (settings.streaming, settings.storage) {
        (_, Storage::Moments) => moments::room(settings.case.grid.cells()),
        (Streaming::InPlace, _) => 1.0,
        (Streaming::TwoLattice, _) => 2.0,
    };
    let mask = if case.solid.is_empty() { 0.0 } else { 1.0 };
    let by_place = case.carried().filter(|scalar| scalar.source.as_number().is_none());
    let sources = width(case, settings.storage) * by_place.count() as f64;
    let OfCycles { steps, coarser_cells, .. } = OfCycles::new(settings);
    let of_coarser = bytes + width(case, settings.storage) * kept(settings.velocities) as f64;
    let all = bytes * lattices + sources + mask + coarser_cells * of_coarser;
    Cost {
        bytes_per_cell: all * parts(settings),
        bytes_per_step: steps * (2.0 * bytes + sources) * parts(settings),
        bytes_per_iteration: 0.0,
    }
}

/// Share of the bandwidth of an H200 that a step on 512^3 cells reaches, 2026-11-26.
const REACHED: f64 = 0.94;

/// What a step moves, and what it sends to other ranks: the populations that cross a face, once.
fn traffic(cost: &Cost, case: &Case, settings: &Settings) -> Traffic {
    let crossing = match (settings.storage, settings.velocities) {
        (Storage::Moments, _) => moments::NUMBERS as f64,
        (_, 9) => 3.0,
        (_, 27) => 9.0,
        _ => 5.0,
    } + settings.scalars.len() as f64;
    Traffic {
        reached: REACHED,
        moved: cost.bytes_per_step,
        sent: crossing * width(case, settings.storage) * parts(settings),
        exchanges: 1.0 + settings.scalars.len() as f64,
        reductions: 1.0 / settings.interval as f64,
        iterations: 0.0,
    }
}

/// What `check` prints of this method.
pub(crate) fn check(case: &Case) -> Result<Report> {
    suitability::check(case)?;
    let settings = Settings::of(case)?;
    let options = Options::of(case)?;
    too_coarse(&settings)?;
    let cost = cost(case, &settings);
    let cells = case.grid.n_cells() as f64;
    let fact = |name: &str, value: String| (name.to_string(), value);
    let lattice = settings.case.grid.cells();
    let mut facts = vec![
        fact("lattice", scheme(&options, &settings)),
        fact("relaxation time tau", format!("{:.6} steps", settings.tau)),
        fact("Mach number", format!("{:.4}", settings.mach())),
        fact("lattice velocity", format!("{:.4}", settings.fastest / settings.velocity_unit())),
        fact(
            "grid Reynolds number",
            format!(
                "{:.3}; {} is good for {}",
                settings.lattice().cell_reynolds,
                stability::words(settings.collision),
                settings.lattice().limit(settings.collision)
            ),
        ),
        fact("time step", format!("{:.4e} s", settings.dt)),
        fact("steps per convective time", settings.interval.to_string()),
        fact("bytes per cell and step", format!("{:.0}", cost.bytes_per_step)),
    ];
    for (number, (tau, whose)) in settings.taus_of_scalars().enumerate() {
        facts.insert(
            2 + number,
            fact(&format!("relaxation time{whose}"), format!("{tau:.6} steps")),
        );
    }
    if let Some((at, speed)) = foresee::narrowest(case) {
        facts.push(fact("narrowest section", format!("at {at:.4} m, {speed:.4} m/s in the mean")));
    }
    if case.boundaries.iter().any(|(.., face)| face.is_outflow()) {
        let lets_out = settings.lattice().lets_shear_out(settings.collision);
        let words = if lets_out {
            "a developed flow leaves undisturbed"
        } else {
            "disturbs the shear of its last cells, until the grid Reynolds number is lower"
        };
        facts.push(fact("outlet", words.into()));
    }
    if settings.refinement != [1; 3] {
        let [x, y, z] = lattice;
        facts.insert(1, fact("lattice cells", format!("{x} x {y} x {z}, so that they are cubes")));
    }
    let mut warnings = warnings(&settings);
    if settings.has_cycles {
        let (smoothed, OfCycles { grids, .. }) = (BEFORE + AFTER, OfCycles::new(&settings));
        facts.push(fact(
            "a step is",
            format!("a V-cycle, {smoothed} steps on the finest of {grids} grids"),
        ));
        if grids == 1 {
            warnings.push(Case::has_no_coarser("lbm.multigrid"));
        }
    }
    let populations = cost.bytes_per_cell * cells;
    // GPUs fill in the same flow everywhere by themselves.
    let shortcuts = options.shortcuts();
    let is_same = matches!(case.initial, Initial::Uniform(_)) && shortcuts.coarser == 0;
    let (alone, saved) = (case.run.device.are_gpus() && is_same, saved(case, &settings));
    // Those of cycles lie where the flow does.
    let rounds = shortcuts.bytes(case, saved);
    let are_there = settings.rounds > 0 && case.run.device.are_gpus();
    let [kept, kept_there] = if are_there { [0.0, rounds] } else { [rounds, 0.0] };
    Ok(Report {
        facts,
        warnings,
        memory: if alone { 0.0 } else { populations },
        device_memory: populations + watched_memory(case, &settings) + kept_there,
        saved,
        kept,
        fetched: match settings.storage {
            Storage::Moments => moments::fetched(width(case, Storage::Moments) * cells),
            // Two of a pair lie together, of which one is saved.
            _ => 1.0,
        },
        traffic: traffic(&cost, case, &settings),
        scheme: scheme(&options, &settings),
    })
}

/// Lattice and collision, and whether the latter was chosen here.
fn scheme(options: &Options, settings: &Settings) -> String {
    let chosen = match (options.storage, options.collision) {
        (Storage::Moments, _) => " by its moments",
        (_, CollisionName::Auto) => " by auto",
        _ => "",
    };
    format!("{}, {}{chosen}", options.lattice.name(), stability::key(settings.collision))
}

/// Bytes of all populations, of what outlets remember and of the velocities that were looked at, in the precision of
/// the run.
fn saved(case: &Case, settings: &Settings) -> f64 {
    let watched = 3 + settings.scalars.len();
    let numbers = (numbers(settings) + 1 + watched) as f64 * parts(settings);
    width(case, Storage::Precision) * numbers * case.grid.n_cells() as f64
}

/// Bytes on a GPU beside the populations: velocities of cells looked at, and density and velocity of
/// a slab of cells at a time.
fn watched_memory(case: &Case, settings: &Settings) -> f64 {
    let cells = case.grid.n_cells() as f64 * parts(settings);
    (3.0 + 4.0) * width(case, Storage::Precision) * cells.min((1 << 20) as f64)
}

/// Cells per unit of length with which a collision is stable.
fn needed(settings: &Settings, collision: Collision) -> f64 {
    let case = &settings.case;
    let fastest = case.scale.velocity.max(foresee::free_fall(case));
    (case.scale.length * fastest / case.viscosity / settings.lattice().limit(collision)).ceil()
}

/// The collision to take instead: the one that stands the coarsest lattice, if that is another one and
/// more than this.
fn instead(settings: &Settings) -> Option<(Collision, f64)> {
    let lattice = settings.lattice();
    let limit = lattice.limit(COARSEST);
    (limit > lattice.limit(settings.collision)).then_some((COARSEST, limit))
}

/// "use 40 cells per scale.length or lbm.collision = "mrt" (good for 50)".
fn remedy(settings: &Settings) -> String {
    let cells = needed(settings, settings.collision);
    let other = instead(settings).map_or_else(String::new, |(other, limit)| {
        format!(" or lbm.collision = \"{}\" (good for {limit})", stability::key(other))
    });
    format!("use at least {cells:.0} cells per scale.length{other}")
}

fn too_coarse(settings: &Settings) -> Result<()> {
    let lattice = settings.lattice();
    let (limit, re) = (lattice.limit(settings.collision), lattice.cell_reynolds);
    if re <= 4.0 * limit {
        return Ok(());
    }
    let name = stability::words(settings.collision);
    Err(Error::Unsupported {
        method: NAME,
        key: "grid.cells".into(),
        problem: format!(
            "diverges at a grid Reynolds number of {re:.1}; {name} is good for {limit}"
        ),
        remedy: remedy(settings),
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
    if !settings.depends_on_steps() {
        return warnings;
    }
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

/// What to change when a flow diverges, as the rest of "set ...".
pub(crate) fn when_it_diverges(case: &Case) -> String {
    let Ok(settings) = Settings::of(case) else { return "`lbm.mach` below 0.1".into() };
    let mut advice = Vec::new();
    if let Some((other, _)) = instead(&settings) {
        let key = stability::key(other);
        advice.push(format!("`lbm.collision = \"{key}\"`, which stands coarser grids"));
    }
    if settings.storage == Storage::F16 {
        advice.push("`lbm.storage = \"precision\"`".into());
    }
    if case.pushes().contains(&true) {
        let speed = case.scale.velocity;
        advice.push(format!(
            "`scale.velocity` to what the force drives the flow to, if that is more than {speed} m/s"
        ));
    }
    if advice.is_empty() {
        advice.push(format!("`lbm.mach` below {:.2}", settings.mach()));
    }
    advice.join(", or ")
}

fn warnings(settings: &Settings) -> Vec<String> {
    let mut warnings = Vec::new();
    let lattice = settings.lattice();
    if !lattice.stands(settings.collision) {
        let (name, limit) =
            (stability::words(settings.collision), lattice.limit(settings.collision));
        warnings.push(format!(
            "grid Reynolds number {:.1}: {name} is good for {limit}, beyond it expect noise or \
             divergence; {}",
            lattice.cell_reynolds,
            remedy(settings)
        ));
    }
    if !settings.depends_on_steps() {
        return warnings;
    }
    let mach = settings.mach();
    if mach > MOST_MACH {
        warnings.push(too_fast(mach));
    }
    let of_flow = std::iter::once((settings.tau, String::new()));
    for (tau, whose) in of_flow.chain(settings.taus_of_scalars()).filter(|(tau, _)| *tau > 2.0) {
        warnings.push(format!(
            "relaxation time{whose} {tau:.2}: errors grow with its square; lower lbm.mach or refine the grid"
        ));
    }
    warnings
}
