//! Heat, from its spelling to its meaning.

use std::sync::Arc;

use super::file::CaseFile;
use super::heat_file::HeatFile;
use super::keys;
use super::numbers::{finite, positive, vector};
use super::scalar_walls::{AtWall, Given, no_heat, refuse_temperature};
use super::scalars::{each_wall, scalar};
use super::text::CaseText;
use crate::body::Body;
use crate::error::Result;
use crate::grid::Grid;
use crate::heat::Heat;
use crate::quantity::Quantity;

/// The heat of a case, if it has the table.
///
/// # Errors
/// If a number makes no sense, or temperatures stand in a case without the table.
pub(super) fn heat(
    file: &CaseFile,
    (grid, bodies): (&Grid, &[Arc<Body>]),
    text: &CaseText,
) -> Result<Option<Heat>> {
    let Some(table) = &file.heat else {
        return refuse_temperatures(file, text).map(|()| None);
    };
    let diffusivity = diffusivity(table, file.fluid.viscosity, text)?;
    check_buoyancy(table, grid, text)?;
    if let Some(reference) = table.reference {
        finite("heat.reference", [reference; 3], text)?;
    }
    let given = Given {
        quantity: Quantity::Temperature,
        diffusivity,
        buoyancy: Heat::buoyancy_of(table.expansion, table.gravity),
        reference: table.reference,
        source: &table.source,
        initial: file.initial.temperature.as_ref(),
        at_first: None,
        keys: ["initial.temperature", "temperature", "heat-flux", "heat.source"].map(str::to_owned),
        of_wall: &|AtWall { temperature, heat_flux, .. }| [temperature, heat_flux],
    };
    let temperature = scalar(&given, file, (grid, bodies), text)?;
    Ok(Some(Heat { temperature, expansion: table.expansion, gravity: table.gravity }))
}

/// Without the table nothing carries the temperatures that are given.
fn refuse_temperatures(file: &CaseFile, text: &CaseText) -> Result<()> {
    if file.initial.temperature.is_some() {
        return Err(no_heat("initial.temperature", text));
    }
    let mut walls = each_wall(&file.boundary).chain(AtWall::of_solids(file));
    walls.try_for_each(|(key, says)| refuse_temperature(says, &key, text))
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
