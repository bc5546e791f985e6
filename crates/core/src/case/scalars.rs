//! What a flow carries, from its spelling to its meaning: the same for the temperature and for scalars with names.

use std::sync::Arc;

use super::face::FaceFile;
use super::faces::key;
use super::file::{BoundaryFile, CaseFile, UntilFile};
use super::formulas::{Component, expression_of};
use super::initial::{SAMPLES, are_numbers};
use super::keys;
use super::numbers::{finite, positive};
use super::scalar_file::ScalarFile;
use super::scalar_solids::{AtSolids, at_solids};
use super::scalar_walls::{AtWall, Given, at_wall, missing_at_inflow};
use super::text::CaseText;
use crate::body::Body;
use crate::boundary::Side;
use crate::error::Result;
use crate::expression::Expression;
use crate::grid::Grid;
use crate::quantity::Quantity;
use crate::scalar::{FaceFormulas, Scalar, ScalarBoundary};

/// The scalars of a case that have names.
///
/// # Errors
/// If a name or number makes no sense, or one that no table gives stands at a face or in `initial`.
pub(super) fn scalars(
    file: &CaseFile,
    (grid, bodies): (&Grid, &[Arc<Body>]),
    text: &CaseText,
) -> Result<Vec<Scalar>> {
    check_names(&file.scalar, text)?;
    check_known(file, text)?;
    let each = file.scalar.iter().enumerate();
    each.map(|(number, ScalarFile { name, diffusivity, source })| {
        let diffusivity = positive(&format!("scalar[{number}].diffusivity"), *diffusivity, text)?;
        let [at_first, of_value, of_flux] =
            ["initial.scalars", "scalars", "scalar-fluxes"].map(|table| format!("{table}.{name}"));
        let exact = file.exact.as_ref().and_then(|exact| exact.scalars.get(name));
        let exact = exact.map(|exact| expression_of(&format!("exact.scalars.{name}"), exact, text));
        let given = Given {
            quantity: Quantity::scalar(name),
            diffusivity,
            buoyancy: [0.0; 3],
            reference: None,
            source,
            initial: file.initial.scalars.get(name),
            at_first: Some(0.0),
            keys: [at_first, of_value, of_flux, format!("scalar[{number}].source")],
            of_wall: &|AtWall { scalars, scalar_fluxes, .. }| {
                [scalars, scalar_fluxes].map(|all| all?.get(name))
            },
        };
        let exact = exact.transpose()?.map(Arc::new);
        Ok(Scalar { exact, ..scalar(&given, file, (grid, bodies), text)? })
    })
    .collect()
}

/// A scalar from how it is given.
///
/// # Errors
/// If a number makes no sense, or is missing.
pub(super) fn scalar(
    given: &Given<'_>,
    file: &CaseFile,
    (grid, bodies): (&Grid, &[Arc<Body>]),
    text: &CaseText,
) -> Result<Scalar> {
    let (faces, formulas) = faces(given, file, grid, text)?;
    let AtSolids { solids, bodies, formulas: inner_formulas, numbers: of_solids, sampled } =
        at_solids(given, file, (grid, bodies), text)?;
    let fluxes = faces.iter().flatten().chain(&of_solids).chain(&sampled).map(|wall| wall.flux());
    let of_formulas = samples_of_faces(&faces, &formulas, file, grid);
    let is_number = |d: usize, side: usize| formulas[d][side].is_none();
    let numbers = (0..3).flat_map(|d| [0, 1].map(|side| (d, side)));
    let numbers = numbers.filter(|&(d, side)| is_number(d, side)).map(|(d, side)| &faces[d][side]);
    let numbers = numbers.chain(&of_solids).filter_map(|wall| wall.value());
    let values = of_formulas.values.iter().copied();
    let values = values.chain(sampled.iter().filter_map(|wall| wall.value()));
    let fixed: Vec<f64> = numbers.chain(values).collect();
    let [at_first, .., of_source] = &given.keys;
    let initial = given.initial.map(|of| of_place(of, at_first, grid, text)).transpose()?;
    let initial = initial.or(given.at_first.map(Expression::number));
    let source = of_place(given.source, of_source, grid, text)?;
    let reference = match (given.reference, &initial) {
        (Some(reference), _) => reference,
        (None, _) if !fixed.is_empty() => fixed.iter().sum::<f64>() / fixed.len() as f64,
        (None, Some(initial)) => mean(samples(initial, grid)),
        (None, None) => 0.0,
    };
    let initial = initial.unwrap_or_else(|| Expression::number(reference));
    let length = file.scale.length.unwrap_or(grid.axes[1].length());
    let flux = fluxes.chain(of_formulas.fluxes).map(f64::abs).fold(0.0, f64::max);
    let differences = [
        spread(fixed.iter().copied()),
        spread(samples(&initial, grid)),
        flux * length / given.diffusivity,
        spread(fixed.iter().copied().chain(samples(&initial, grid))),
        largest(samples(&source, grid)) * length * length / given.diffusivity,
    ];
    Ok(Scalar {
        quantity: given.quantity,
        diffusivity: given.diffusivity,
        reference,
        difference: differences.into_iter().find(|&one| one > 0.0).unwrap_or(1.0),
        buoyancy: given.buoyancy,
        faces,
        formulas,
        bodies,
        solids,
        inner_formulas,
        source: Arc::new(source),
        initial: Arc::new(initial),
        exact: None,
    })
}

/// What columns and arrays of files are called that have no scalar in them.
const COLUMNS: [&str; 8] = ["step", "time", "u", "v", "w", "p", "T", "solid"];

/// What fields are called that have no scalar in them, where a scalar could be.
const FIELDS: [Quantity; 4] =
    [Quantity::Velocity, Quantity::Pressure, Quantity::Temperature, Quantity::Vorticity];

/// Names are those of fields in files, and of columns.
fn check_names(scalars: &[ScalarFile], text: &CaseText) -> Result<()> {
    for (number, ScalarFile { name, .. }) in scalars.iter().enumerate() {
        let key = format!("scalar[{number}].name");
        let wrong = |problem: String, remedy: &str| Err(text.error(&key, problem, remedy));
        let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.is_empty() || !name.chars().all(is_usual) {
            return wrong(
                format!("`{name}` is no name for a scalar"),
                "use letters, digits and `-`",
            );
        }
        let others = FIELDS.map(Quantity::name).into_iter().chain(COLUMNS);
        if others.into_iter().any(|other| other == name) {
            let problem = format!("`{name}` is what something else of a flow is called in files");
            return wrong(problem, "give it another name; the temperature has the table `heat`");
        }
        if scalars[..number].iter().any(|other| other.name == *name) {
            return wrong(format!("two scalars are called `{name}`"), "give each its own name");
        }
    }
    Ok(())
}

/// All names at faces and in `initial` are those of scalars.
fn check_known(file: &CaseFile, text: &CaseText) -> Result<()> {
    let known: Vec<String> = file.scalar.iter().map(|scalar| scalar.name.clone()).collect();
    let check = |key: &str, name: &String| {
        if known.contains(name) {
            return Ok(());
        }
        let remedy = match &known[..] {
            [] => {
                format!("add a table: [[scalar]], name = \"{name}\", diffusivity = 1e-5 (in m2/s)")
            }
            known => keys::instead_of_word(name, known),
        };
        Err(text.error(&format!("{key}.{name}"), format!("there is no scalar `{name}`"), remedy))
    };
    file.initial.scalars.keys().try_for_each(|name| check("initial.scalars", name))?;
    let exact = file.exact.iter().flat_map(|exact| exact.scalars.keys());
    exact.into_iter().try_for_each(|name| check("exact.scalars", name))?;
    for (key, says) in each_wall(&file.boundary).chain(AtWall::of_solids(file)) {
        says.names().try_for_each(|(table, name)| check(&format!("{key}.{table}"), name))?;
    }
    Ok(())
}

/// The faces of a case file with their direction and side.
pub(super) fn each_face(file: &BoundaryFile) -> [(usize, Side, &FaceFile); 6] {
    [
        (0, Side::Low, &file.x_low),
        (0, Side::High, &file.x_high),
        (1, Side::Low, &file.y_low),
        (1, Side::High, &file.y_high),
        (2, Side::Low, &file.z_low),
        (2, Side::High, &file.z_high),
    ]
}

fn faces(
    given: &Given<'_>,
    file: &CaseFile,
    grid: &Grid,
    text: &CaseText,
) -> Result<([[ScalarBoundary; 2]; 3], FaceFormulas)> {
    let mut faces = [[ScalarBoundary::Flux(0.0); 2]; 3];
    let mut formulas = FaceFormulas::default();
    for (d, side, face) in each_face(&file.boundary) {
        let (at, formula) = at_face(given, face, &key(d, side), text)?;
        faces[d][side as usize] = at;
        let Some(formula) = formula else { continue };
        let kind = if matches!(face, FaceFile::Inflow(_)) { "inflow" } else { "wall" };
        let [_, of_value, of_flux, _] = &given.keys;
        let name = if at.value().is_some() { of_value } else { of_flux };
        let key = format!("{}.{kind}.{name}", key(d, side));
        check_formula(&formula, &key, (d, side), file, grid, text)?;
        // A mean stands for it where one number must do.
        let numbers = || points_of_face(grid, d, side).map(|point| formula.value(point, 0.0));
        let mean = mean(numbers());
        faces[d][side as usize] = at.with(mean);
        formulas[d][side as usize] = Some(Arc::new(formula));
    }
    Ok((faces, formulas))
}

/// That a formula of a face is a number there at all times at which it is tried, and does not change in a steady flow.
fn check_formula(
    formula: &Expression,
    key: &str,
    (d, side): (usize, Side),
    file: &CaseFile,
    grid: &Grid,
    text: &CaseText,
) -> Result<()> {
    if formula.changes() && matches!(file.run.until, UntilFile::Steady) {
        let problem =
            format!("`{}` changes with time, and the run waits for a steady flow", formula.text());
        let remedy = "set run.until to a time in s, or leave t out";
        return Err(text.error(key, problem, remedy));
    }
    for time in sampled_times(file) {
        let wrong = |point: &[f64; 3]| !formula.value(*point, time).is_finite();
        if let Some([x, y, z]) = points_of_face(grid, d, side).find(wrong) {
            let value = formula.value([x, y, z], time);
            let problem = format!(
                "`{}` is {value} at x = {x} m, y = {y} m, z = {z} m, t = {time} s",
                formula.text()
            );
            let remedy =
                "write a formula that is a number all over the face until the end of the run";
            return Err(text.error(key, problem, remedy));
        }
    }
    Ok(())
}

/// Times in s at which formulas of faces are tried, from the begin of a run to its end.
fn sampled_times(file: &CaseFile) -> impl Iterator<Item = f64> {
    const TIMES: u32 = 64;
    let until = file.run.until.time();
    (0..=TIMES).map(move |n| until * f64::from(n) / f64::from(TIMES))
}

/// Points of a face in m at which formulas are tried: the centres of faces of cells, of many only some.
fn points_of_face(grid: &Grid, d: usize, side: Side) -> impl Iterator<Item = [f64; 3]> {
    let axis = &grid.axes[d];
    let at = if side == Side::Low { axis.low() } else { axis.high() };
    let first = grid.sampled_centres(SAMPLES).next().map(|point| point[d]);
    let points = grid.sampled_centres(SAMPLES).filter(move |point| Some(point[d]) == first);
    points.map(move |mut point| {
        point[d] = at;
        point
    })
}

/// What formulas of faces give at some places and times.
struct OfFormulas {
    values: Vec<f64>,
    fluxes: Vec<f64>,
}

fn samples_of_faces(
    faces: &[[ScalarBoundary; 2]; 3],
    formulas: &FaceFormulas,
    file: &CaseFile,
    grid: &Grid,
) -> OfFormulas {
    let mut samples = OfFormulas { values: Vec::new(), fluxes: Vec::new() };
    for (d, side) in (0..3).flat_map(|d| Side::BOTH.map(|side| (d, side))) {
        let Some(formula) = &formulas[d][side as usize] else { continue };
        let numbers = sampled_times(file).flat_map(|time| {
            points_of_face(grid, d, side).map(move |point| formula.value(point, time))
        });
        match faces[d][side as usize] {
            ScalarBoundary::Value(_) => samples.values.extend(numbers),
            _ => samples.fluxes.extend(numbers),
        }
    }
    samples
}

/// What faces of the box say, with the keys of their tables.
pub(super) fn each_wall(file: &BoundaryFile) -> impl Iterator<Item = (String, AtWall<'_>)> {
    each_face(file).into_iter().filter_map(|(d, side, face)| {
        let kind = if matches!(face, FaceFile::Inflow(_)) { "inflow" } else { "wall" };
        Some((format!("{}.{kind}", key(d, side)), AtWall::of_face(face)?))
    })
}

/// What holds for a scalar at a face, and by which formula if it is one.
fn at_face(
    given: &Given<'_>,
    face: &FaceFile,
    key: &str,
    text: &CaseText,
) -> Result<(ScalarBoundary, Option<Expression>)> {
    match (face, AtWall::of_face(face)) {
        (FaceFile::Periodic, _) => Ok((ScalarBoundary::Periodic, None)),
        (FaceFile::Outflow(_), _) => Ok((ScalarBoundary::Outflow, None)),
        (FaceFile::Inflow(_), Some(says)) => {
            let key = format!("{key}.inflow");
            match (given.of_wall)(says) {
                [None, _] => Err(missing_at_inflow(given, &key, text)),
                _ => at_wall(given, says, &key, text),
            }
        }
        (FaceFile::Wall(_), Some(says)) => at_wall(given, says, &format!("{key}.wall"), text),
        _ => Ok((ScalarBoundary::Flux(0.0), None)),
    }
}

/// A number or a formula of the place.
fn of_place(of: &Component, key: &str, grid: &Grid, text: &CaseText) -> Result<Expression> {
    let formula = expression_of(key, of, text)?;
    if formula.changes() {
        let problem = format!("`{}` has the time t in it", formula.text());
        let remedy = match key.strip_prefix("initial.") {
            Some(_) => "leave t out: a flow begins at t = 0",
            None => "leave t out: a source is a formula of x, y and z",
        };
        return Err(text.error(key, problem, remedy));
    }
    match formula.as_number() {
        Some(number) => finite(key, [number; 3], text)?,
        None => are_numbers(key, std::slice::from_ref(&formula), grid, text)?,
    }
    Ok(formula)
}

fn samples(formula: &Expression, grid: &Grid) -> impl Iterator<Item = f64> {
    grid.sampled_centres(SAMPLES).map(|point| formula.value(point, 0.0))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, value| most.max(value.abs()))
}

/// The largest less the smallest; zero if there is none.
fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let ends = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], ends);
    (high - low).max(0.0)
}
