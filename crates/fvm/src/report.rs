//! Derived numbers and warnings of a case, without running it.

use vortice_core::{
    Body, Case, ConvectiveOutlet, Cost, Error, Precision, Report, Result, Scalar, Side, Surfaces,
    Traffic, Walls, each_cell_of_grid,
};

use crate::options::{Choice, Convection, Coupling, Momentum, NAME, Options};
use crate::scalar::SWEEPS;
use crate::settings::Settings;
use crate::state::HALO;
use crate::step::ON_EACH_GRID;
use vortice_linear::PressureSolver;

/// Numbers of a cell: velocity now, before the iteration and after the last two steps; pressure; face
/// velocities of three times; coefficients, right-hand sides, diagonal and its inverse; and the levels of
/// the pressure correction, with their scratch.
fn numbers_per_cell(directions: usize) -> f64 {
    let d = directions as f64;
    let levels = 1.0 / (1.0 - 0.5_f64.powi(directions as i32));
    4.0 * d + 3.0 + 3.0 * d + 2.0 * d + d + 2.0 + (d + 4.0) * levels
}

/// Numbers of a cell with scalars, of each: now and after the last two steps, coefficients, inverse diagonal, residual,
/// correction; and buoyancy of one.
fn of_scalars(case: &Case) -> f64 {
    let of = |scalar: &Scalar| if scalar.is_buoyant() { 15.0 } else { 12.0 };
    case.carried().map(of).sum()
}

/// Cells of all grids of the full approximation scheme, a multiple of the finest one's.
fn of_all_grids(case: &Case) -> f64 {
    let share = 0.5_f64.powi(case.grid.directions().len() as i32);
    (0..=case.halvings() as i32).map(|n| share.powi(n)).sum()
}

/// Outer iterations of a step, as many on the finest grid as would take as long, and the cells of all grids, a multiple of
/// those of the finest one.
fn of_cycles(case: &Case) -> [f64; 2] {
    match Options::of(case) {
        Ok(options) if options.has_cycles() => {
            let grids = of_all_grids(case);
            [f64::from(ON_EACH_GRID) * grids, grids]
        }
        _ => [1.0; 2],
    }
}

/// Memory and memory traffic per cell, if nothing stays in a cache.
pub(crate) fn cost(case: &Case) -> Cost {
    let d = case.grid.directions().len() as f64;
    let [iterations, grids] = of_cycles(case);
    let numbers = numbers_per_cell(case.grid.directions().len()) + of_scalars(case);
    Cost {
        bytes_per_cell: 8.0 * grids * numbers,
        // Assembly reads 2 d + 1 and writes 4 d + 2; interpolation reads 5 d + 2 and writes 2 d + 2;
        // correction reads 3 d + 3 and writes 2 d + 1.
        bytes_per_step: iterations * 8.0 * (18.0 * d + 11.0),
        // A sweep reads coefficients, right-hand sides and diagonal and reads and writes velocities.
        bytes_per_iteration: 8.0 * (5.0 * d + 1.0),
    }
}

/// Iterations of a solver whose number depends on the flow, as it often is: conjugate gradients with
/// multigrid, other Krylov methods.
const USUAL_ITERATIONS: [f64; 2] = [2.0, 50.0];

/// Exchanges of a level in a V(2,2) cycle: after each colour of four sweeps, before and after the
/// coarser levels.
const EXCHANGES_PER_LEVEL: f64 = 10.0;

/// Levels of so few cells are held by every rank.
const HELD_BY_ALL: f64 = 4096.0;

/// Share of the bandwidth of an H200 that an outer iteration on 192^3 cells reaches, 2026-11-27.
const REACHED: f64 = 0.5;

/// What a step moves, and what it sends to other ranks: of velocity, pressure and diagonal two
/// layers, and what multigrid or Krylov solvers ask for.
fn traffic(case: &Case, settings: &Settings) -> Traffic {
    let d = settings.directions as f64;
    let Cost { bytes_per_step, bytes_per_iteration, .. } = cost(case);
    let (sweeps, dots) = match settings.options.momentum() {
        Momentum::Sweeps(sweeps) => (f64::from(sweeps), 0.0),
        // Two products and some reductions per iteration.
        Momentum::Bicgstab(stop) => (f64::from(stop.max).min(5.0), 3.0),
    };
    let [with_multigrid, without] = USUAL_ITERATIONS;
    let (iterations, cycles, pressure_dots) = match settings.options.pressure {
        PressureSolver::Cycles(cycles) => (f64::from(cycles), f64::from(cycles), 0.0),
        PressureSolver::MultigridCg(stop) => {
            let iterations = with_multigrid.min(stop.max.into());
            (iterations, iterations, 2.0)
        }
        PressureSolver::JacobiCg(stop) | PressureSolver::Cg(stop) => {
            (without.min(stop.max.into()), 0.0, 2.0)
        }
    };
    let cells = case.grid.n_cells() as f64;
    let levels = ((cells / HELD_BY_ALL).log2() / d).ceil().max(1.0);
    let scalars = of_scalars_in_iteration(case);
    let layers = 2.0 * (2.0 * sweeps * d + 2.0 + scalars.layers)
        + 2.0 * EXCHANGES_PER_LEVEL * cycles
        + iterations;
    let [of_cycles, _] = of_cycles(case);
    let times = match settings.steady {
        true => of_cycles,
        false => f64::from(settings.options.outer_iterations),
    };
    Traffic {
        reached: REACHED,
        moved: times
            * (bytes_per_step / of_cycles
                + (sweeps + iterations) * bytes_per_iteration
                + 8.0 * scalars.numbers),
        sent: times * 8.0 * layers,
        exchanges: times
            * (2.0
                + 2.0 * sweeps
                + scalars.exchanges
                + EXCHANGES_PER_LEVEL * levels * cycles
                + iterations),
        // The coarsest levels are gathered once a cycle.
        reductions: times * (dots * sweeps + pressure_dots * iterations + cycles),
        iterations: times * (sweeps + iterations + scalars.sweeps),
    }
}

/// What scalars add to an outer iteration: numbers moved in a cell, layers of cells sent and exchanges, and sweeps.
#[derive(Default)]
struct ScalarsInIteration {
    numbers: f64,
    layers: f64,
    exchanges: f64,
    sweeps: f64,
}

/// Of each a sweep reads coefficients, residual and diagonal and reads and writes the correction. Assembly reads three
/// times and d velocities and writes 2 d + 2; the correction is cleared and added, which is 4; buoyancy is read
/// from one and written to d, and read by the momentum equations and at faces with two more.
fn of_scalars_in_iteration(case: &Case) -> ScalarsInIteration {
    let (d, sweeps) = (case.grid.directions().len() as f64, f64::from(SWEEPS));
    let mut all = ScalarsInIteration::default();
    for scalar in case.carried() {
        let buoyant = f64::from(u8::from(scalar.is_buoyant()));
        all.numbers += sweeps * (2.0 * d + 4.0) + (3.0 * d + 5.0) + 4.0;
        all.numbers += buoyant * ((1.0 + d) + (2.0 * d + 1.0));
        all.layers += 2.0 * sweeps + 1.0 + buoyant * d;
        all.exchanges += 2.0 * sweeps + 1.0 + buoyant;
        all.sweeps += sweeps;
    }
    all
}

/// Refuses what the method cannot do.
///
/// # Errors
/// If the case asks for single precision, there are heat or scalars beside solids, or a body is thinner than two cells all over.
pub(crate) fn suitable(case: &Case) -> Result<()> {
    ConvectiveOutlet::check(case)?;
    let unsupported = |key: String, problem: &str, remedy: String| {
        Err(Error::Unsupported { method: NAME, key, problem: problem.into(), remedy })
    };
    if case.run.precision != Precision::F64 {
        let problem = "computes in double precision only";
        return unsupported("run.precision".into(), problem, "set run.precision = \"f64\"".into());
    }
    let options = Options::of(case)?;
    if options.has_cycles()
        && let Some((key, problem)) = options.untold(case)
    {
        let remedy = "set fvm.multigrid = false, which solves it on one grid";
        return unsupported(key, problem, remedy.into());
    }
    if let Some(body) = thin_body(case) {
        let key = format!("body.{}", body.name);
        let remedy = format!("refine the grid, thicken the body, or set {key}.walls = \"stairs\"");
        return unsupported(key, "needs bodies at least two cells thick somewhere", remedy);
    }
    Ok(())
}

/// A body met at its surface that has flow on two opposite sides of each of its cells: a plate, which may lie between
/// the centres of two cells unseen. A thin edge does no harm: each face has its own value.
fn thin_body(case: &Case) -> Option<&Body> {
    let (solids, surfaces) = (case.solids(), Surfaces::new(case));
    let is_thin = |cell: [isize; 3]| {
        let flows = |d: usize| Side::BOTH.iter().all(|side| surfaces.flows(side.next(cell, d)));
        case.grid.directions().any(flows)
    };
    let blocks = solids.body_blocks();
    let mut bodies = case.bodies.iter().zip(blocks).enumerate();
    let thin = bodies.find(|(number, (body, block))| {
        let own = each_cell_of_grid(block);
        let mut own = own.filter(|&cell| solids.body_at(cell) == Some(*number)).peekable();
        body.walls == Walls::Exact && own.peek().is_some() && own.all(is_thin)
    });
    thin.map(|(_, (body, _))| &**body)
}

/// Bytes of pressure and, at three times, of velocities and what passes through faces, with the cells beyond the ends
/// of the grid.
fn saved(case: &Case) -> f64 {
    (1 + 3 * case.carried().count() + 3 * 2 * case.grid.directions().len()) as f64 * of_number(case)
}

/// Bytes of a number for each cell, with the cells beyond the ends of the grid.
fn of_number(case: &Case) -> f64 {
    let padded = |d: usize| (case.grid.axes[d].len() + 2 * HALO as usize) as f64;
    8.0 * case.grid.directions().map(padded).product::<f64>()
}

/// What `check` prints of this method.
pub(crate) fn check(case: &Case) -> Result<Report> {
    suitable(case)?;
    let settings = Settings::of(case)?;
    let [vectors, shared] = settings.options.vectors().map(|n| (8 * n) as f64);
    let cells = case.grid.n_cells() as f64;
    let fields = cost(case).bytes_per_cell;
    // With the cells beyond the ends of the grid, flows hold at three times what a checkpoint does, and faces what is
    // prescribed: on the way to a GPU the flow now, else all of them. A third of what is prescribed is never touched there.
    let number = of_number(case);
    let prescribed = 2 * settings.directions;
    let scalars = 1 + case.carried().count();
    let memory = match case.run.device.are_gpus() {
        true => number * (2 * settings.directions + scalars + 2 * prescribed / 3) as f64,
        false => cells * vectors + number * (fields / 8.0 + prescribed as f64 + 2.0),
    };
    // Rounds of a flow without scalars lie where it does.
    let mixed = (1 + case.carried().count() + 2 * settings.directions) as f64 * number;
    let rounds = settings.options.shortcuts().bytes(case, mixed);
    let is_there = case.run.device.are_gpus() && case.carried().next().is_none();
    let [kept, kept_there] = if is_there { [0.0, rounds] } else { [rounds, 0.0] };
    let device_memory = cells * (fields + shared) + kept_there;
    let widest = case.grid.directions().map(|d| settings.spacing[d]).fold(0.0, f64::max);
    let cell_reynolds = case.scale.velocity * widest / case.viscosity;
    let mut facts = vec![
        fact("cell Reynolds number", format!("{cell_reynolds:.3}")),
        fact("convection", convection(&settings)),
        fact("coupling", coupling(&settings)),
        fact("momentum", momentum(&settings)),
        fact("pressure", settings.options.pressure.to_string()),
    ];
    if settings.options.has_cycles() {
        let grids = case.halvings() + 1;
        let cycle = format!("a V-cycle, {ON_EACH_GRID} iterations on each of {grids} grids");
        facts.push(fact("outer iteration", cycle));
    }
    if settings.steady {
        facts.extend(case.carried().map(|scalar| {
            (scalar.key(), format!("relaxation {:.3}", settings.relaxation_of(scalar)))
        }));
    }
    if !settings.steady {
        let dt = settings.dt;
        facts.push(fact("time step", format!("{dt:.4e} s at most")));
    }
    let mut warnings = warnings(&settings, cell_reynolds);
    if settings.options.has_cycles() && case.halvings() == 0 {
        warnings.push(Case::has_no_coarser("fvm.multigrid"));
    }
    let traffic = traffic(case, &settings);
    let saved = saved(case);
    let fetched = 2.0;
    let scheme = String::new();
    Ok(Report { facts, warnings, memory, device_memory, saved, fetched, kept, traffic, scheme })
}

/// What to change when a flow diverges, as the rest of "set ...".
pub(crate) fn when_it_diverges(case: &Case) -> String {
    let Ok(settings) = Settings::of(case) else { return "a lower `fvm.relax-velocity`".into() };
    let pace = match (settings.steady, settings.options.dt) {
        (true, _) => {
            let one_grid =
                if settings.options.has_cycles() { ", `fvm.multigrid = false`" } else { "" };
            format!("`fvm.relax-velocity` below {}{one_grid}", settings.options.alpha_u())
        }
        (false, Choice::Number(dt)) => format!("`fvm.dt` below {dt:e} s"),
        (false, Choice::Word(_)) => format!("`fvm.courant` below {}", settings.options.courant),
    };
    match settings.options.convection {
        Convection::Upwind => pace,
        _ => format!("{pace}, or `fvm.convection = \"upwind\"` to begin with"),
    }
}

fn fact(name: &str, value: String) -> (String, String) {
    (name.to_string(), value)
}

fn convection(settings: &Settings) -> String {
    match settings.options.convection {
        Convection::Upwind => "upwind, first order",
        Convection::Central => "central, second order",
        Convection::Quick => "QUICK, second order at least",
        Convection::VanLeer => "van Leer, second order and bounded",
    }
    .into()
}

fn coupling(settings: &Settings) -> String {
    let options = &settings.options;
    let name = match options.coupling {
        Coupling::Simple => "SIMPLE",
        Coupling::Simplec => "SIMPLEC",
    };
    if settings.steady {
        format!("{name}, relaxation {} and {}", options.alpha_u(), options.alpha_p())
    } else {
        format!("{name}, {} iterations a time step", options.outer_iterations)
    }
}

fn momentum(settings: &Settings) -> String {
    match settings.options.momentum() {
        Momentum::Sweeps(sweeps) => format!("{sweeps} red-black sweeps"),
        Momentum::Bicgstab(stop) => format!("BiCGSTAB to {:e}, {} at most", stop.retol, stop.max),
    }
}

fn warnings(settings: &Settings, cell_reynolds: f64) -> Vec<String> {
    let mut warnings = Vec::new();
    let options = &settings.options;
    if options.convection == Convection::Upwind && cell_reynolds > 2.0 {
        warnings.push(format!(
            "upwind differences add numerical viscosity, {:.1} times the fluid's at most; \
             fvm.convection = \"quick\" is second order",
            cell_reynolds / 2.0
        ));
    }
    if !options.rhie_chow {
        warnings.push(
            "without Rhie and Chow's interpolation the pressure is a checkerboard; leave out \
             fvm.rhie-chow = false"
                .into(),
        );
    }
    let sum = options.alpha_u() + options.alpha_p();
    if settings.steady && options.coupling == Coupling::Simple && sum > 1.2 {
        warnings.push(format!(
            "SIMPLE with relaxation {} and {} may diverge: their sum should be about 1",
            options.alpha_u(),
            options.alpha_p()
        ));
    }
    warnings
}
