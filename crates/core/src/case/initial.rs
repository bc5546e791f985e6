//! The flow that a case begins with, from its spelling to its meaning.

use std::sync::Arc;

use super::file::CaseFile;
use super::formulas::{Component, Vector, number_at, vector_of};
use super::initial_file::{InitialBoxFile, InitialFile, PerturbationFile};
use super::initial_flow::{Initial, InitialBox};
use super::keys;
use super::numbers::{positive, vector};
use super::obstacles::box_of_cells;
use super::stored_initial::stored;
use super::text::CaseText;
use crate::boundary::Boundaries;
use crate::error::Result;
use crate::exact::ExactFlow;
use crate::expression::Expression;
use crate::grid::Grid;
use crate::perturbation::Perturbation;

/// Cells along each direction in which initial formulas are tried, at most.
pub(super) const SAMPLES: usize = 64;

/// The exact flow of the table `[exact]`.
///
/// # Errors
/// If a component is no formula.
pub(super) fn exact(file: &CaseFile, grid: &Grid, text: &CaseText) -> Result<Option<Formulas>> {
    let Some(exact) = &file.exact else { return Ok(None) };
    let key = "exact.velocity";
    let formulas = match vector_of(key, &exact.velocity, grid, text)? {
        Vector::Numbers(velocity) => {
            vector(key, velocity, grid, text)?;
            velocity.map(Expression::number)
        }
        Vector::Formulas(formulas) => formulas,
    };
    Ok(Some(Arc::new(formulas)))
}

/// Formulas of the velocity's components.
pub(super) type Formulas = Arc<[Expression; 3]>;

/// The flow at t = 0 without its perturbation.
///
/// # Errors
/// If it is not given in one way, or makes no sense.
pub(super) fn initial(
    file: &InitialFile,
    exact: Option<&Formulas>,
    (grid, boundaries): (&Grid, &Boundaries),
    text: &CaseText,
) -> Result<Initial> {
    if file.boxes.is_empty() {
        return initial_elsewhere(file, exact, (grid, boundaries), text);
    }
    if file.flow.is_some() {
        let problem = "boxes stand beside an exact flow";
        return Err(text.error("initial.box", problem, "leave out the boxes, or `flow`"));
    }
    let one = |(name, file): (&String, &InitialBoxFile)| {
        let key = format!("initial.box.{name}");
        box_of_cells(&key, file.low, file.high, grid, text)?;
        vector(&format!("{key}.velocity"), file.velocity, grid, text)?;
        let InitialBoxFile { low, high, velocity } = *file;
        Ok(InitialBox { name: name.clone(), low, high, velocity })
    };
    let boxes = file.boxes.iter().map(one).collect::<Result<_>>()?;
    Ok(Initial::Boxes {
        elsewhere: Arc::new(initial_elsewhere(file, exact, (grid, boundaries), text)?),
        boxes,
    })
}

/// The flow at t = 0 with its perturbation, if it has one.
///
/// # Errors
/// If its amplitude is not positive, or its seed is negative.
pub(super) fn perturbed(
    flow: Initial,
    file: &InitialFile,
    grid: &Grid,
    periodic: [bool; 3],
    text: &CaseText,
) -> Result<Initial> {
    let Some(PerturbationFile { amplitude, seed }) = file.perturbation else { return Ok(flow) };
    let amplitude = positive("initial.perturbation.amplitude", amplitude, text)?;
    let seed = u64::try_from(seed).map_err(|_| {
        let key = "initial.perturbation.seed";
        text.error(key, format!("{seed} is below zero"), keys::how_to_write(key))
    })?;
    let perturbation = Perturbation::new(amplitude, seed, grid, periodic);
    Ok(Initial::Perturbed { flow: Arc::new(flow), perturbation })
}

/// The flow at t = 0 where no box gives it.
fn initial_elsewhere(
    file: &InitialFile,
    exact: Option<&Formulas>,
    (grid, boundaries): (&Grid, &Boundaries),
    text: &CaseText,
) -> Result<Initial> {
    let given = [
        ("velocity", file.velocity.is_some()),
        ("flow", file.flow.is_some()),
        ("file", file.file.is_some()),
    ];
    let mut given = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
    if let (Some(one), Some(other)) = (given.next(), given.next()) {
        let problem = format!("{one} and {other} are both given");
        return Err(text.error("initial", problem, "keep one of them"));
    }
    if let Some(name) = &file.file {
        return stored(name, file, grid, boundaries, text);
    }
    for (key, is_given) in
        [("initial.step", file.step.is_some()), ("initial.time", file.time.is_some())]
    {
        if is_given {
            let problem = "there is no file that it would be of";
            return Err(text.error(key, problem, "remove it, or write file = \"fields.vtkhdf\""));
        }
    }
    if let Some(velocity) = &file.velocity {
        return initial_velocity(velocity, grid, text);
    }
    match &file.flow {
        None => Ok(Initial::Uniform([0.0; 3])),
        Some(flow) if *flow == ExactFlow::Formula.name() => {
            let problem = "is \"exact\", and the case gives no exact flow";
            let remedy = "give its velocity: exact.velocity = [\"4*y*(1 - y)\", 0.0, 0.0]";
            let formulas = exact.ok_or_else(|| text.error("initial.flow", problem, remedy))?;
            are_numbers("exact.velocity", &formulas[..], grid, text)?;
            Ok(Initial::Formula(formulas.clone()))
        }
        Some(flow) => {
            let known = ExactFlow::ALL.into_iter().find(|exact| exact.name() == flow);
            known.map(Initial::Exact).ok_or_else(|| {
                let names = ExactFlow::ALL.map(|exact| exact.name().to_owned());
                let problem = format!("there is no exact flow `{flow}`");
                text.error("initial.flow", problem, keys::instead_of_word(flow, &names))
            })
        }
    }
}

fn initial_velocity(velocity: &[Component; 3], grid: &Grid, text: &CaseText) -> Result<Initial> {
    let key = "initial.velocity";
    let formulas = match vector_of(key, velocity, grid, text)? {
        Vector::Numbers(velocity) => {
            vector(key, velocity, grid, text)?;
            return Ok(Initial::Uniform(velocity));
        }
        Vector::Formulas(formulas) => formulas,
    };
    if let Some(formula) = formulas.iter().find(|formula| formula.changes()) {
        let problem = format!("`{}` has the time t in it", formula.text());
        return Err(text.error(key, problem, "leave t out: a flow begins at t = 0"));
    }
    are_numbers(key, &formulas, grid, text)?;
    Ok(Initial::Formula(Arc::new(formulas)))
}

/// That formulas are numbers at t = 0.
///
/// # Errors
/// If one is none somewhere.
pub(super) fn are_numbers(
    key: &str,
    formulas: &[Expression],
    grid: &Grid,
    text: &CaseText,
) -> Result<()> {
    for point in grid.sampled_centres(SAMPLES) {
        for formula in formulas {
            number_at(key, formula, point, "everywhere in the box", text)?;
        }
    }
    Ok(())
}
