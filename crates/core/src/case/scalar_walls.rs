//! What walls of all kinds say of heat and scalars: faces of the box, solid boxes and bodies have the same keys.

use std::collections::BTreeMap;

use super::bodies::BodyFile;
use super::face::{FaceFile, InflowFile, WallFile};
use super::file::{CaseFile, SolidFile};
use super::formulas::{Component, expression_of};
use super::keys;
use super::numbers::finite;
use super::text::CaseText;
use crate::error::Result;
use crate::expression::Expression;
use crate::quantity::Quantity;
use crate::scalar::ScalarBoundary;

/// How a scalar is given, and under which keys.
pub(super) struct Given<'a> {
    pub(super) quantity: Quantity,
    pub(super) diffusivity: f64,
    pub(super) buoyancy: [f64; 3],
    /// What values are relative to; without it the mean of those that are fixed, else of the initial ones.
    pub(super) reference: Option<f64>,
    pub(super) source: &'a Component,
    pub(super) initial: Option<&'a Component>,
    /// Value at t = 0 where `initial` is not given; without it the reference.
    pub(super) at_first: Option<f64>,
    /// Keys of the value at t = 0, within a wall or an inflow of its value and flux, and of its source.
    pub(super) keys: [String; 4],
    /// Value and flux of a wall.
    pub(super) of_wall: &'a dyn for<'b> Fn(AtWall<'b>) -> [Option<&'b Component>; 2],
}

/// The keys of one wall, or of an inflow.
#[derive(Clone, Copy)]
pub(super) struct AtWall<'a> {
    pub(super) temperature: Option<&'a Component>,
    pub(super) heat_flux: Option<&'a Component>,
    pub(super) scalars: Option<&'a BTreeMap<String, Component>>,
    pub(super) scalar_fluxes: Option<&'a BTreeMap<String, Component>>,
}

impl<'a> AtWall<'a> {
    /// What a face of the box says, if it can.
    pub(super) fn of_face(face: &'a FaceFile) -> Option<Self> {
        match face {
            FaceFile::Wall(WallFile { temperature, heat_flux, scalars, scalar_fluxes, .. }) => {
                Some(Self::new(
                    temperature.as_ref(),
                    heat_flux.as_ref(),
                    scalars,
                    Some(scalar_fluxes),
                ))
            }
            FaceFile::Inflow(InflowFile { temperature, scalars, .. }) => {
                Some(Self::new(temperature.as_ref(), None, scalars, None))
            }
            _ => None,
        }
    }

    /// What each solid box and each body says, with its key.
    pub(super) fn of_solids(file: &'a CaseFile) -> impl Iterator<Item = (String, Self)> {
        let solid = |(number, solid): (usize, &'a SolidFile)| {
            let SolidFile { temperature, heat_flux, scalars, scalar_fluxes, .. } = solid;
            let says =
                Self::new(temperature.as_ref(), heat_flux.as_ref(), scalars, Some(scalar_fluxes));
            (format!("solid[{number}]"), says)
        };
        let body = |(name, body): (&String, &'a BodyFile)| {
            let BodyFile { temperature, heat_flux, scalars, scalar_fluxes, .. } = body;
            let says =
                Self::new(temperature.as_ref(), heat_flux.as_ref(), scalars, Some(scalar_fluxes));
            (format!("body.{name}"), says)
        };
        file.solid.iter().enumerate().map(solid).chain(file.body.iter().map(body))
    }

    fn new(
        temperature: Option<&'a Component>,
        heat_flux: Option<&'a Component>,
        scalars: &'a BTreeMap<String, Component>,
        scalar_fluxes: Option<&'a BTreeMap<String, Component>>,
    ) -> Self {
        Self { temperature, heat_flux, scalars: Some(scalars), scalar_fluxes }
    }

    /// Names of scalars that it has a value or a flux of, with the table.
    pub(super) fn names(self) -> impl Iterator<Item = (&'static str, &'a String)> {
        let tables = [("scalars", self.scalars), ("scalar-fluxes", self.scalar_fluxes)];
        let names =
            |(table, all): (_, Option<&'a BTreeMap<String, Component>>)| Some((table, all?.keys()));
        tables
            .into_iter()
            .filter_map(names)
            .flat_map(|(table, all)| all.map(move |one| (table, one)))
    }
}

/// What holds for a scalar at a wall, whose keys stand in the table `key`, and by which formula if it is one.
///
/// # Errors
/// If it is no number, or both value and flux are given.
pub(super) fn at_wall(
    given: &Given<'_>,
    says: AtWall<'_>,
    key: &str,
    text: &CaseText,
) -> Result<(ScalarBoundary, Option<Expression>)> {
    let [_, of_value, of_flux, _] = &given.keys;
    let read = |name: &str, of: &Component| {
        let key = format!("{key}.{name}");
        let formula = expression_of(&key, of, text)?;
        match formula.as_number() {
            Some(number) => finite(&key, [number; 3], text).map(|()| (number, None)),
            None => Ok((0.0, Some(formula))),
        }
    };
    match (given.of_wall)(says) {
        [Some(_), Some(_)] => {
            let problem = format!("{of_value} and {of_flux} are both given");
            let remedy = "keep one of them: the other is what the flow makes of it";
            Err(text.error(key, problem, remedy))
        }
        [Some(value), None] => {
            read(of_value, value).map(|(value, formula)| (ScalarBoundary::Value(value), formula))
        }
        [None, flux] => {
            let (flux, formula) = read(of_flux, flux.unwrap_or(&Component::default()))?;
            Ok((ScalarBoundary::Flux(flux), formula))
        }
    }
}

/// Refuses temperatures at walls of a case without heat.
///
/// # Errors
/// If there is one.
pub(super) fn refuse_temperature(says: AtWall<'_>, key: &str, text: &CaseText) -> Result<()> {
    let name = match says {
        AtWall { temperature: Some(_), .. } => "temperature",
        AtWall { heat_flux: Some(_), .. } => "heat-flux",
        _ => return Ok(()),
    };
    Err(no_heat(&format!("{key}.{name}"), text))
}

/// Without the table nothing carries the temperatures that are given.
pub(super) fn no_heat(key: &str, text: &CaseText) -> crate::error::Error {
    let problem = "there is no table `heat`, so the flow has no temperature";
    let remedy = "write heat = { diffusivity = 2e-5 }, in m2/s, or leave this key out";
    text.error(key, problem, remedy)
}

/// What is missing at an inflow.
pub(super) fn missing_at_inflow(
    given: &Given<'_>,
    key: &str,
    text: &CaseText,
) -> crate::error::Error {
    let key = format!("{key}.{}", given.keys[1]);
    let problem = match given.quantity {
        Quantity::Temperature => "is missing: what flows in has a temperature".to_owned(),
        scalar => format!("is missing: what flows in has so much {}", scalar.name()),
    };
    text.error(&key, problem, keys::how_to_write(&key))
}
