//! What a solver needs to go on as if it had never stopped: the same way in and out for every method.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::field::{Field, Shape};
use crate::real::Real;

/// A field of the solver's own number type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Single precision.
    F32(Field<f32>),
    /// Double precision.
    F64(Field<f64>),
}

impl Values {
    /// The values as they lie in memory.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::F32(field) => bytemuck::cast_slice(&field.values),
            Self::F64(field) => bytemuck::cast_slice(&field.values),
        }
    }
}

/// A number type whose fields a state can hold.
pub trait Storable: Real {
    /// A field as a state holds it.
    fn stored(field: Field<Self>) -> Values;
    /// The field, if it is of this number type.
    fn field(values: &Values) -> Option<&Field<Self>>;
}

impl Storable for f32 {
    fn stored(field: Field<Self>) -> Values {
        Values::F32(field)
    }
    fn field(values: &Values) -> Option<&Field<Self>> {
        if let Values::F32(field) = values { Some(field) } else { None }
    }
}

impl Storable for f64 {
    fn stored(field: Field<Self>) -> Values {
        Values::F64(field)
    }
    fn field(values: &Values) -> Option<&Field<Self>> {
        if let Values::F64(field) = values { Some(field) } else { None }
    }
}

/// Everything that a solver needs to go on as if it had never stopped. Field names and meanings
/// belong to the method; on each rank the fields cover its subdomain with halos.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Scalars by name, the same on all ranks.
    pub numbers: BTreeMap<String, f64>,
    /// Fields by name.
    pub fields: BTreeMap<String, Values>,
}

impl State {
    /// Adds numbers.
    pub fn insert_numbers<const N: usize>(&mut self, numbers: [(&str, f64); N]) {
        self.numbers.extend(numbers.map(|(name, value)| (name.to_string(), value)));
    }

    /// A number.
    ///
    /// # Errors
    /// If it is missing.
    pub fn number(&self, name: &str) -> Result<f64> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let remedy = "restart from a checkpoint that this method wrote";
            Error::case("restart", format!("number `{name}` is missing"), remedy)
        })
    }

    /// A number that older versions did not write, and what it is in their states.
    pub fn number_or(&self, name: &str, older: f64) -> f64 {
        self.numbers.get(name).copied().unwrap_or(older)
    }

    /// Adds a field.
    pub fn insert<T: Storable>(&mut self, name: impl Into<String>, field: Field<T>) {
        self.fields.insert(name.into(), T::stored(field));
    }

    /// A field with this shape and so many values in each cell.
    ///
    /// # Errors
    /// If it is missing, or of another number type or shape.
    pub fn field<T: Storable>(
        &self,
        name: &str,
        shape: Shape,
        components: usize,
    ) -> Result<&Field<T>> {
        let wrong = |problem: String| {
            let remedy =
                "restart from a checkpoint of the same case, method, its table and precision";
            Error::case("restart", format!("field `{name}` {problem}"), remedy)
        };
        let values = self.fields.get(name).ok_or_else(|| wrong("is missing".into()))?;
        let field = T::field(values).ok_or_else(|| wrong(format!("is not of type {}", T::NAME)))?;
        if (field.shape, field.components) != (shape, components) {
            return Err(wrong(format!(
                "has {:?} cells with {} values, not {:?} with {components}",
                field.shape.cells, field.components, shape.cells
            )));
        }
        Ok(field)
    }
}
