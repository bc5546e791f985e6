//! Vectors whose components are numbers or formulas in quotes.

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::text::CaseText;
use crate::error::Result;
use crate::expression::Expression;
use crate::grid::Grid;

/// `0.5`, or `"4*y*(1 - y)"`.
#[derive(Clone)]
pub(super) enum Component {
    Number(f64),
    Formula(String),
}

impl Default for Component {
    fn default() -> Self {
        Self::Number(0.0)
    }
}

impl<'de> Deserialize<'de> for Component {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Both;
        impl Visitor<'_> for Both {
            type Value = Component;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a number, or a formula in quotes")
            }

            fn visit_str<E: de::Error>(self, formula: &str) -> Result<Component, E> {
                Ok(Component::Formula(formula.to_owned()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Component, E> {
                Ok(Component::Number(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Component, E> {
                Ok(Component::Number(number as f64))
            }
        }
        from.deserialize_any(Both)
    }
}

/// A vector of a case: the same everywhere, or by formulas.
pub(super) enum Vector {
    Numbers([f64; 3]),
    Formulas([Expression; 3]),
}

/// Reads the components of a vector.
///
/// # Errors
/// If one is no formula, or is not zero in z of a plane flow.
pub(super) fn vector_of(
    key: &str,
    components: &[Component; 3],
    grid: &Grid,
    text: &CaseText,
) -> Result<Vector> {
    let read = |component: &Component| expression_of(key, component, text);
    let [x, y, z] = components;
    let read = [read(x)?, read(y)?, read(z)?];
    if let [Some(x), Some(y), Some(z)] = read.each_ref().map(Expression::as_number) {
        return Ok(Vector::Numbers([x, y, z]));
    }
    check_plane_formulas(key, &read, grid, text)?;
    Ok(Vector::Formulas(read))
}

/// What a formula is at a point (m) at t = 0.
///
/// # Errors
/// If it is no number there, as it has to be at some place.
pub(super) fn number_at(
    key: &str,
    formula: &Expression,
    point: [f64; 3],
    place: &str,
    text: &CaseText,
) -> Result<f64> {
    let (value, [x, y, z]) = (formula.value(point, 0.0), point);
    if value.is_finite() {
        return Ok(value);
    }
    let problem = format!("`{}` is {value} at x = {x} m, y = {y} m, z = {z} m", formula.text());
    Err(text.error(key, problem, format!("write a formula that is a number {place}")))
}

/// Reads a number or a formula.
///
/// # Errors
/// If it is no formula.
pub(super) fn expression_of(
    key: &str,
    component: &Component,
    text: &CaseText,
) -> Result<Expression> {
    match component {
        Component::Number(number) => Ok(Expression::number(*number)),
        Component::Formula(formula) => Expression::parse(formula).map_err(|error| {
            text.error(key, format!("`{formula}` {}", error.problem), error.remedy)
        }),
    }
}

/// That nothing flows in z in a plane flow.
///
/// # Errors
/// If the third component is not zero.
pub(super) fn check_plane_formulas(
    key: &str,
    formulas: &[Expression; 3],
    grid: &Grid,
    text: &CaseText,
) -> Result<()> {
    if grid.is_plane() && formulas[2].as_number() != Some(0.0) {
        let problem = "the third component is not zero, but the flow is plane (one cell in z)";
        let remedy = "set it to 0.0, or give grid.cells more than one cell in z";
        return Err(text.error(key, problem, remedy));
    }
    Ok(())
}
