//! Heat, from its spelling to its meaning.

use std::sync::Arc;

use super::face::{FaceFile, InflowFile, WallFile};
use super::faces::key;
use super::file::{BoundaryFile, CaseFile};
use super::formulas::expression_of;
use super::heat_file::HeatFile;
use super::initial::{SAMPLES, are_numbers};
use super::keys;
use super::numbers::{finite, positive, vector};
use super::text::CaseText;
use crate::boundary::Side;
use crate::error::Result;
use crate::expression::Expression;
use crate::grid::Grid;
use crate::heat::{Heat, ThermalBoundary};

/// The heat of a case, if it has the table.
///
/// # Errors
/// If a number makes no sense, or temperatures stand in a case without the table.
pub(super) fn heat(file: &CaseFile, grid: &Grid, text: &CaseText) -> Result<Option<Heat>> {
    let Some(table) = &file.heat else {
        return refuse_temperatures(file, text).map(|()| None);
    };
    let diffusivity = diffusivity(table, file.fluid.viscosity, text)?;
    check_buoyancy(table, grid, text)?;
    let faces = faces(&file.boundary, text)?;
    let fixed: Vec<f64> = faces.iter().flatten().filter_map(|face| face.temperature()).collect();
    let initial = initial(file, grid, text)?;
    let reference = match (table.reference, &initial) {
        (Some(reference), _) => {
            finite("heat.reference", [reference; 3], text)?;
            reference
        }
        (None, _) if !fixed.is_empty() => fixed.iter().sum::<f64>() / fixed.len() as f64,
        (None, Some(initial)) => mean(samples(initial, grid)),
        (None, None) => 0.0,
    };
    let initial = initial.unwrap_or_else(|| Expression::number(reference));
    let length = file.scale.length.unwrap_or(grid.axes[1].length());
    let flux = faces.iter().flatten().map(|face| face.heat_flux().abs()).fold(0.0, f64::max);
    let differences =
        [spread(fixed.into_iter()), spread(samples(&initial, grid)), flux * length / diffusivity];
    Ok(Some(Heat {
        diffusivity,
        expansion: table.expansion,
        gravity: table.gravity,
        reference,
        difference: differences.into_iter().find(|&one| one > 0.0).unwrap_or(1.0),
        faces,
        initial: Arc::new(initial),
    }))
}

/// Without the table nothing carries the temperatures that are given.
fn refuse_temperatures(file: &CaseFile, text: &CaseText) -> Result<()> {
    let wrong = |key: &str| {
        let problem = "there is no table `heat`, so the flow has no temperature";
        let remedy = "write heat = { diffusivity = 2e-5 }, in m2/s, or leave this key out";
        Err(text.error(key, problem, remedy))
    };
    if file.initial.temperature.is_some() {
        return wrong("initial.temperature");
    }
    for (d, side, face) in each_face(&file.boundary) {
        let name = match face {
            FaceFile::Wall(WallFile { temperature: Some(_), .. }) => "wall.temperature",
            FaceFile::Wall(WallFile { heat_flux: Some(_), .. }) => "wall.heat-flux",
            FaceFile::Inflow(InflowFile { temperature: Some(_), .. }) => "inflow.temperature",
            _ => continue,
        };
        return wrong(&format!("{}.{name}", key(d, side)));
    }
    Ok(())
}

fn diffusivity(table: &HeatFile, viscosity: f64, text: &CaseText) -> Result<f64> {
    match (table.diffusivity, table.prandtl) {
        (Some(diffusivity), None) => positive("heat.diffusivity", diffusivity, text),
        (None, Some(prandtl)) => {
            let diffusivity = viscosity / positive("heat.prandtl", prandtl, text)?;
            positive("heat.prandtl", diffusivity, text)
        }
        (given, _) => {
            let problem = match given {
                Some(_) => "diffusivity and prandtl are both given",
                None => "neither diffusivity nor prandtl is given",
            };
            let remedy = "write one of them: `diffusivity = 2e-5`, in m2/s, or `prandtl = 0.71`";
            Err(text.error("heat", problem, remedy))
        }
    }
}

/// Expansion and gravity act together only.
fn check_buoyancy(table: &HeatFile, grid: &Grid, text: &CaseText) -> Result<()> {
    finite("heat.expansion", [table.expansion; 3], text)?;
    vector("heat.gravity", table.gravity, grid, text)?;
    let (expands, falls) = (table.expansion != 0.0, table.gravity != [0.0; 3]);
    let (key, other) = match (expands, falls) {
        (true, false) => ("heat.expansion", "heat.gravity"),
        (false, true) => ("heat.gravity", "heat.expansion"),
        _ => return Ok(()),
    };
    let problem = format!("moves nothing, because {other} is zero");
    let remedy = format!("{}, or leave this key out", keys::how_to_write(other));
    Err(text.error(key, problem, remedy))
}

fn each_face(file: &BoundaryFile) -> [(usize, Side, &FaceFile); 6] {
    [
        (0, Side::Low, &file.x_low),
        (0, Side::High, &file.x_high),
        (1, Side::Low, &file.y_low),
        (1, Side::High, &file.y_high),
        (2, Side::Low, &file.z_low),
        (2, Side::High, &file.z_high),
    ]
}

fn faces(file: &BoundaryFile, text: &CaseText) -> Result<[[ThermalBoundary; 2]; 3]> {
    let mut faces = [[ThermalBoundary::HeatFlux(0.0); 2]; 3];
    for (d, side, face) in each_face(file) {
        faces[d][side as usize] = thermal(face, &key(d, side), text)?;
    }
    Ok(faces)
}

/// What holds for the temperature at a face.
fn thermal(face: &FaceFile, key: &str, text: &CaseText) -> Result<ThermalBoundary> {
    let number = |name: &str, value: f64| {
        finite(&format!("{key}.{name}"), [value; 3], text)?;
        Ok(value)
    };
    match face {
        FaceFile::Periodic => Ok(ThermalBoundary::Periodic),
        FaceFile::Symmetry => Ok(ThermalBoundary::HeatFlux(0.0)),
        FaceFile::Outflow(_) => Ok(ThermalBoundary::Outflow),
        FaceFile::Wall(WallFile { temperature: Some(_), heat_flux: Some(_), .. }) => {
            let problem = "temperature and heat-flux are both given";
            let remedy = "keep one of them: the other is what the flow makes of it";
            Err(text.error(&format!("{key}.wall"), problem, remedy))
        }
        FaceFile::Wall(WallFile { temperature: Some(temperature), .. }) => {
            number("wall.temperature", *temperature).map(ThermalBoundary::Temperature)
        }
        FaceFile::Wall(WallFile { heat_flux, .. }) => {
            number("wall.heat-flux", heat_flux.unwrap_or(0.0)).map(ThermalBoundary::HeatFlux)
        }
        FaceFile::Inflow(InflowFile { temperature: Some(temperature), .. }) => {
            number("inflow.temperature", *temperature).map(ThermalBoundary::Temperature)
        }
        FaceFile::Inflow(InflowFile { temperature: None, .. }) => {
            let key = format!("{key}.inflow.temperature");
            let problem = "is missing: what flows in has a temperature";
            Err(text.error(&key, problem, keys::how_to_write(&key)))
        }
    }
}

/// The temperature at t = 0, if it is given.
fn initial(file: &CaseFile, grid: &Grid, text: &CaseText) -> Result<Option<Expression>> {
    let Some(component) = &file.initial.temperature else { return Ok(None) };
    let key = "initial.temperature";
    let formula = expression_of(key, component, text)?;
    if formula.changes() {
        let problem = format!("`{}` has the time t in it", formula.text());
        return Err(text.error(key, problem, "leave t out: a flow begins at t = 0"));
    }
    match formula.as_number() {
        Some(number) => finite(key, [number; 3], text)?,
        None => are_numbers(key, std::slice::from_ref(&formula), grid, text)?,
    }
    Ok(Some(formula))
}

fn samples(formula: &Expression, grid: &Grid) -> impl Iterator<Item = f64> {
    grid.sampled_centres(SAMPLES).map(|point| formula.value(point, 0.0))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

/// The largest less the smallest; zero if there is none.
fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let ends = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], ends);
    (high - low).max(0.0)
}
