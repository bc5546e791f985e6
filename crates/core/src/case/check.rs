//! From the spelling of a case to its meaning: every number checked, every default filled in.

use std::sync::Arc;

use super::bodies::bodies;
use super::devices::Devices;
use super::faces::boundaries;
use super::file::{CaseFile, GridFile, RunFile, UntilFile, WallLimitFile};
use super::film::film_options;
use super::force_times::ForceTimes;
use super::formulas::{Vector, vector_of};
use super::heat::heat;
use super::initial::{SAMPLES, exact, initial, perturbed};
use super::initial_flow::Initial;
use super::mass::check_mass;
use super::meaning::{Case, FlowScale, REYNOLDS, RunOptions, Until, WallLimit};
use super::numbers::{at_least_one, finite, positive, precision, vector};
use super::obstacles::solid_boxes;
use super::output::output_options;
use super::probes::check_free;
use super::ranks::ranks_options;
use super::scalars::scalars;
use super::text::CaseText;
use crate::body::Body;
use crate::boundary::Boundaries;
use crate::changing_force::ChangingForce;
use crate::error::Result;
use crate::expression::Expression;
use crate::format::significant;
use crate::grid::Grid;
use crate::pockets::Pockets;
use crate::scalar::Scalar;
use crate::solid::Solids;
use crate::wetted::Surface;

/// More cells than any machine holds; a slip of the finger.
const MOST_CELLS: usize = 1 << 40;

const LETTERS: [char; 3] = ['x', 'y', 'z'];

/// The meaning of a case file.
///
/// # Errors
/// If a value makes no sense; the error points at it.
pub(super) fn check(file: &CaseFile, text: &CaseText) -> Result<Case> {
    if file.title.trim().is_empty() {
        return Err(text.error("title", "is empty", "say in one line what flows here"));
    }
    if file.title.contains('\0') {
        let remedy = "leave the character \\u0000 out: no text file and no HDF5 file can hold it";
        return Err(text.error("title", "has a character of code zero", remedy));
    }
    let grid = grid(&file.grid, text)?;
    let (force, changing_force) = body_force(file, &grid, text)?;
    let mut boundaries = boundaries(&file.boundary, &grid, file.run.until, text)?;
    let solid = solid_boxes(&file.solid, &grid, text)?;
    let bodies = bodies(&file.body, &solid, &grid, &boundaries, text)?;
    if boundaries.prescribe_all() {
        let solids = Solids::new(&solid, &bodies, &grid, boundaries.periodic());
        check_mass(&mut boundaries, &grid, &solids, text)?;
    }
    let exact = exact(file, &grid, text)?;
    let initial = initial(&file.initial, exact.as_ref(), (&grid, &boundaries), text)?;
    let (heat, scalars) = {
        let around = (&grid, &bodies[..]);
        (heat(file, around, text)?, scalars(file, around, text)?)
    };
    let carried = heat.iter().map(|heat| &heat.temperature).chain(&scalars);
    let carried: Vec<_> = carried.map(|scalar| scalar.quantity).collect();
    let scale = scale(
        file,
        &grid,
        (&boundaries, &bodies),
        (&initial, heat.as_deref().or(scalars.first())),
        text,
    )?;
    let initial = perturbed(initial, &file.initial, &grid, boundaries.periodic(), text)?;
    let reynolds = significant(scale.reynolds(file.fluid.viscosity));
    let mut case = Case {
        title: file.title.replace(REYNOLDS, &reynolds),
        exact,
        references: file.references.clone(),
        output: output_options(file, &carried, &grid, text)?,
        grid,
        density: file.fluid.density,
        viscosity: file.fluid.viscosity,
        force,
        changing_force,
        heat,
        scalars,
        boundaries,
        solid,
        bodies,
        pockets: Pockets::default(),
        initial,
        scale,
        run: run_options(&file.run, text)?,
        ranks: ranks_options(&file.ranks, text)?,
        name: String::new(),
        folder: None,
        source: String::new(),
    };
    case.close_pockets();
    if matches!(case.output.forces, ForceTimes::Every(_)) && Surface::wetted(&case).is_empty() {
        let problem = "there is no body, solid box or wall that forces could act on";
        return Err(text.error("output.forces", problem, "add one, or leave it out"));
    }
    case.output
        .probes
        .iter()
        .try_for_each(|probes| check_free(probes, &case.solids(), &case.grid, text))?;
    let film = file.output.film.as_ref().map(|film| film_options(film, &case, text));
    case.output.film = film.transpose()?;
    Ok(case)
}

fn grid(file: &GridFile, text: &CaseText) -> Result<Grid> {
    for (letter, n) in LETTERS.into_iter().zip(file.cells) {
        if n < 1 {
            let problem = format!("{n} cells in {letter}");
            return Err(text.error("grid.cells", problem, "give at least one cell each way"));
        }
    }
    let cells = file.cells.map(|n| n as usize);
    let product = cells.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
    if product.is_none_or(|product| product > MOST_CELLS) {
        let problem = format!("{cells:?} are more than 2^40 cells");
        return Err(text.error("grid.cells", problem, "no machine holds them; use fewer cells"));
    }
    for size in file.size {
        positive("grid.size", size, text)?;
    }
    finite("grid.origin", file.origin, text)?;
    for d in 0..3 {
        let (origin, size) = (file.origin[d], file.size[d]);
        let high = origin + size;
        let resolved = |x: f64| x + size / cells[d] as f64 != x;
        if !high.is_finite() || !resolved(origin) || !resolved(high) {
            let letter = LETTERS[d];
            let problem = format!(
                "{origin} + {size} in {letter} cannot be cut into {} cells in \
                 double precision",
                cells[d]
            );
            let remedy = "move the origin nearer to zero, or use another unit of length";
            return Err(text.error("grid.size", problem, remedy));
        }
    }
    Ok(Grid::uniform(cells, file.size, file.origin))
}

/// The body force at t = 0 in m/s2, and what it is later.
fn body_force(
    file: &CaseFile,
    grid: &Grid,
    text: &CaseText,
) -> Result<([f64; 3], Option<ChangingForce>)> {
    positive("fluid.density", file.fluid.density, text)?;
    positive("fluid.viscosity", file.fluid.viscosity, text)?;
    let key = "fluid.force";
    let formulas = match vector_of(key, &file.fluid.force, grid, text)? {
        Vector::Numbers(force) => {
            vector(key, force, grid, text)?;
            return Ok((force, None));
        }
        Vector::Formulas(formulas) => formulas,
    };
    let changes = formulas.iter().any(Expression::changes);
    if let UntilFile::Steady = file.run.until
        && changes
    {
        let problem = "it changes with time, and the run waits for a steady flow";
        let remedy = "set run.until to a time in s, or give a force in three numbers";
        return Err(text.error(key, problem, remedy));
    }
    let force = ChangingForce::new(formulas, file.run.until.time())
        .map_err(|(problem, remedy)| text.error(key, problem, remedy))?;
    Ok((force.at(0.0), changes.then_some(force)))
}

fn scale(
    file: &CaseFile,
    grid: &Grid,
    (boundaries, bodies): (&Boundaries, &[Arc<Body>]),
    (initial, carried): (&Initial, Option<&Scalar>),
    text: &CaseText,
) -> Result<FlowScale> {
    let fastest_face = boundaries.iter().map(|(_, _, face)| face.speed()).fold(0.0, f64::max);
    let fastest_body = bodies.iter().map(|body| body.speed()).fold(0.0, f64::max);
    let initial_speed = match initial {
        Initial::Uniform(velocity) => velocity.iter().map(|u| u * u).sum::<f64>().sqrt(),
        Initial::Exact(_) => 0.0,
        initial => {
            let speed = |point| {
                let u = initial.velocity(point, |_| [0.0; 3]);
                u.iter().map(|u| u * u).sum::<f64>().sqrt()
            };
            grid.sampled_centres(SAMPLES).map(speed).fold(0.0, f64::max)
        }
    };
    let length = file.scale.length.unwrap_or(grid.axes[1].length());
    let [falling, conducted] =
        carried.map_or([0.0; 2], |one| [one.free_fall_speed(length), one.diffusivity / length]);
    let default_velocity = [fastest_face.max(fastest_body), initial_speed, falling, conducted]
        .into_iter()
        .find(|&speed| speed > 0.0)
        .unwrap_or(1.0);
    let velocity = file.scale.velocity.unwrap_or(default_velocity);
    positive("scale.length", length, text)?;
    positive("scale.velocity", velocity, text)?;
    let reynolds = length * velocity / file.fluid.viscosity;
    if !(reynolds.is_finite() && reynolds > 0.0) {
        let viscosity = file.fluid.viscosity;
        let problem = format!("{viscosity} gives a Reynolds number of {reynolds}");
        return Err(text.error("fluid.viscosity", problem, "check the units: it is in m2/s"));
    }
    Ok(FlowScale { length, velocity })
}

fn run_options(file: &RunFile, text: &CaseText) -> Result<RunOptions> {
    if file.method.trim().is_empty() {
        return Err(text.error("run.method", "is empty", "`vortice methods` lists the methods"));
    }
    let steady = file.steady.unwrap_or(1e-5);
    positive("run.steady", steady, text)?;
    let until = match file.until {
        UntilFile::Steady => Until::Steady(steady),
        UntilFile::Time(time) => Until::Time(positive("run.until", time, text)?),
    };
    let wall_limit = file.wall_limit.map(|WallLimitFile(limit)| limit);
    if let Some(WallLimit::Seconds(seconds)) = wall_limit {
        positive("run.wall-limit", seconds, text)?;
    }
    Ok(RunOptions {
        wall_limit,
        method: file.method.clone(),
        device: devices(&file.device, text)?,
        precision: precision("run.precision", &file.precision, text)?,
        until,
        max_steps: at_least_one("run.max-steps", file.max_steps.unwrap_or(10_000_000), text)?,
    })
}

fn devices(words: &str, text: &CaseText) -> Result<Devices> {
    words.parse().map_err(|problem: String| {
        let remedy = "use \"auto\", \"cpu\", \"cuda\", or \"cuda:1\" for the second GPU; with several \
                      ranks also a list, \"cuda:0,1\" or \"cuda:0,cpu\"";
        text.error("run.device", problem, remedy)
    })
}
