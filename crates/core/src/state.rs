//! What a solver needs to go on as if it had never stopped: the same way in and out for every method, a component of
//! a field at a time, so that nothing but the solver holds all of it.

use std::collections::BTreeMap;

use crate::case::Precision;
use crate::error::{Error, Result};
use crate::field::{Field, Location, Shape};
use crate::real::Real;

/// All of a field but its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Where in the cell the values sit.
    pub location: Location,
    /// Cells and halo.
    pub shape: Shape,
    /// Values per cell.
    pub components: usize,
    /// The number type.
    pub precision: Precision,
}

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

    /// All but the values.
    pub fn outline(&self) -> Outline {
        match self {
            Self::F32(field) => outline(field),
            Self::F64(field) => outline(field),
        }
    }

    /// A field in a number type.
    pub fn of(field: Field, precision: Precision) -> Self {
        match precision {
            Precision::F32 => Self::F32(field.map(|x| x as f32)),
            Precision::F64 => Self::F64(field),
        }
    }

    /// The value at a place in memory.
    pub(crate) fn at(&self, place: usize) -> f64 {
        match self {
            Self::F32(field) => f64::from(field.values[place]),
            Self::F64(field) => field.values[place],
        }
    }

    /// One component as a field of its own.
    pub fn component(&self, c: usize) -> Self {
        match self {
            Self::F32(field) => Self::F32(component(field, c)),
            Self::F64(field) => Self::F64(component(field, c)),
        }
    }

    /// Adds the components of another field of this outline behind its own.
    fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::F32(field), Self::F32(other)) => append(field, other),
            (Self::F64(field), Self::F64(other)) => append(field, other),
            _ => unreachable!("components of a field are of one number type"),
        }
    }
}

fn outline<T: Storable>(field: &Field<T>) -> Outline {
    let Field { location, shape, components, .. } = *field;
    Outline { location, shape, components, precision: T::PRECISION }
}

fn component<T: Storable>(field: &Field<T>, c: usize) -> Field<T> {
    Field { components: 1, values: field.component(c).to_vec(), ..*field }
}

fn append<T>(field: &mut Field<T>, other: Field<T>) {
    field.components += other.components;
    field.values.extend(other.values);
}

/// A number type whose fields a state can hold.
pub trait Storable: Real {
    /// This type.
    const PRECISION: Precision;
    /// A field as a state holds it.
    fn stored(field: Field<Self>) -> Values;
    /// The field, if it is of this number type.
    fn field(values: &Values) -> Option<&Field<Self>>;
    /// The same of a field that is no longer needed.
    fn into_field(values: Values) -> Option<Field<Self>>;
}

macro_rules! storable {
    ($t:ty, $kind:ident) => {
        impl Storable for $t {
            const PRECISION: Precision = Precision::$kind;
            fn stored(field: Field<Self>) -> Values {
                Values::$kind(field)
            }
            fn field(values: &Values) -> Option<&Field<Self>> {
                if let Values::$kind(field) = values { Some(field) } else { None }
            }
            fn into_field(values: Values) -> Option<Field<Self>> {
                if let Values::$kind(field) = values { Some(field) } else { None }
            }
        }
    };
}

storable!(f32, F32);
storable!(f64, F64);

/// Takes what a solver saves: numbers, which are the same on all ranks, and fields, which cover each rank's
/// subdomain with halos. Names and meanings belong to the method.
pub trait StateWriter: Send {
    /// Takes a number.
    fn number(&mut self, name: &str, value: f64);

    /// Takes a field; `component` makes its components, each asked for once and in their order. Collective.
    ///
    /// # Errors
    /// If a component cannot be made, a rank has stopped or the disk refuses.
    fn field(
        &mut self,
        name: &str,
        outline: Outline,
        component: &mut dyn FnMut(usize) -> Result<Values>,
    ) -> Result<()>;
}

impl dyn StateWriter + '_ {
    /// Takes numbers.
    pub fn numbers<const N: usize>(&mut self, numbers: [(&str, f64); N]) {
        numbers.into_iter().for_each(|(name, value)| self.number(name, value));
    }

    /// Takes a field whose components are made when they are asked for.
    ///
    /// # Errors
    /// As [`StateWriter::field`].
    pub fn components<T: Storable>(
        &mut self,
        name: &str,
        (location, shape, components): (Location, Shape, usize),
        mut component: impl FnMut(usize) -> Result<Vec<T>>,
    ) -> Result<()> {
        let outline = Outline { location, shape, components, precision: T::PRECISION };
        self.field(name, outline, &mut |c| {
            let values = component(c)?;
            Ok(T::stored(Field { location, shape, components: 1, values }))
        })
    }

    /// Takes a field that is there.
    ///
    /// # Errors
    /// As [`StateWriter::field`].
    pub fn whole<T: Storable>(&mut self, name: &str, field: &Field<T>) -> Result<()> {
        let form = (field.location, field.shape, field.components);
        self.components(name, form, |c| Ok(field.component(c).to_vec()))
    }
}

/// The whole number that a state holds: none that can no longer be counted on from.
fn counted(name: &str, value: f64) -> Result<u64> {
    const LARGEST: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    if (0.0..LARGEST).contains(&value) && value.fract() == 0.0 {
        return Ok(value as u64);
    }
    let remedy = "restart from a checkpoint that a run wrote, like `checkpoint-older.h5`";
    Err(Error::case("restart", format!("number `{name}` is {value}: it counts nothing"), remedy))
}

/// Gives a solver back what it saved.
pub trait StateReader: Sync {
    /// All numbers.
    fn numbers(&self) -> &BTreeMap<String, f64>;

    /// The fields of this rank's subdomain.
    fn outlines(&self) -> BTreeMap<String, Outline>;

    /// A component of one of them. Collective.
    ///
    /// # Errors
    /// If it cannot be read, or a rank has stopped.
    fn component(&self, name: &str, c: usize) -> Result<Values>;

    /// A number.
    ///
    /// # Errors
    /// If it is missing.
    fn number(&self, name: &str) -> Result<f64> {
        self.numbers().get(name).copied().ok_or_else(|| {
            let remedy = "restart from a checkpoint that this method wrote";
            Error::case("restart", format!("number `{name}` is missing"), remedy)
        })
    }

    /// A number that older versions did not write, and what it is in their states.
    fn number_or(&self, name: &str, older: f64) -> f64 {
        self.numbers().get(name).copied().unwrap_or(older)
    }

    /// A number that counts.
    ///
    /// # Errors
    /// If it is missing, or a run cannot have counted so.
    fn count(&self, name: &str) -> Result<u64> {
        counted(name, self.number(name)?)
    }

    /// A number that counts and that older versions did not write: nothing in their states.
    ///
    /// # Errors
    /// If a run cannot have counted so.
    fn count_or_none(&self, name: &str) -> Result<u64> {
        counted(name, self.number_or(name, 0.0))
    }
}

impl dyn StateReader + '_ {
    /// Whether there is a field of this name.
    pub fn has(&self, name: &str) -> bool {
        self.outlines().contains_key(name)
    }

    /// That a field has this number type and shape, and so many values in each cell.
    ///
    /// # Errors
    /// If it has not, or is missing.
    pub fn expect<T: Storable>(&self, name: &str, shape: Shape, components: usize) -> Result<()> {
        let wrong = |problem: String| {
            let remedy =
                "restart from a checkpoint of the same case, method, its table and precision";
            Err(Error::case("restart", format!("field `{name}` {problem}"), remedy))
        };
        match self.outlines().get(name) {
            None => wrong("is missing".into()),
            Some(found) if found.precision != T::PRECISION => {
                wrong(format!("is not of type {}", T::NAME))
            }
            Some(found) if (found.shape, found.components) != (shape, components) => {
                wrong(format!(
                    "has {:?} cells with {} values, not {:?} with {components}",
                    found.shape.cells, found.components, shape.cells
                ))
            }
            Some(_) => Ok(()),
        }
    }

    /// The values of a component of a field that `expect` has let pass.
    ///
    /// # Errors
    /// As [`StateReader::component`].
    pub fn values<T: Storable>(&self, name: &str, c: usize) -> Result<Vec<T>> {
        let field = T::into_field(self.component(name, c)?);
        Ok(field.map_or_else(Vec::new, |field| field.values))
    }

    /// A field with so many values in each cell.
    ///
    /// # Errors
    /// As `expect` and `values`.
    pub fn field<T: Storable>(
        &self,
        name: &str,
        shape: Shape,
        components: usize,
    ) -> Result<Field<T>> {
        self.expect::<T>(name, shape, components)?;
        let mut values = Vec::with_capacity(shape.len() * components);
        for c in 0..components {
            values.extend(self.values::<T>(name, c)?);
        }
        Ok(Field { location: Location::Centre, shape, components, values })
    }

    /// The values of a field with one value in each cell.
    ///
    /// # Errors
    /// As `expect` and `values`.
    pub fn scalar<T: Storable>(&self, name: &str, shape: Shape) -> Result<Vec<T>> {
        self.expect::<T>(name, shape, 1)?;
        self.values(name, 0)
    }
}

/// All that a solver saves, in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Scalars by name, the same on all ranks.
    pub numbers: BTreeMap<String, f64>,
    /// Fields by name.
    pub fields: BTreeMap<String, Values>,
}

impl State {
    /// Adds a field.
    pub fn insert<T: Storable>(&mut self, name: impl Into<String>, field: Field<T>) {
        self.fields.insert(name.into(), T::stored(field));
    }

    /// All that a reader gives.
    ///
    /// # Errors
    /// As [`StateReader::component`].
    pub fn read(from: &dyn StateReader) -> Result<Self> {
        let mut state = Self { numbers: from.numbers().clone(), ..Self::default() };
        for (name, outline) in from.outlines() {
            state.field(&name, outline, &mut |c| from.component(&name, c))?;
        }
        Ok(state)
    }

    /// Gives all of it to a writer.
    ///
    /// # Errors
    /// As [`StateWriter::field`].
    pub fn write(&self, to: &mut dyn StateWriter) -> Result<()> {
        self.numbers.iter().for_each(|(name, x)| to.number(name, *x));
        self.fields.iter().try_for_each(|(name, values)| {
            to.field(name, values.outline(), &mut |c| Ok(values.component(c)))
        })
    }
}

impl StateWriter for State {
    fn number(&mut self, name: &str, value: f64) {
        self.numbers.insert(name.into(), value);
    }

    fn field(
        &mut self,
        name: &str,
        outline: Outline,
        component: &mut dyn FnMut(usize) -> Result<Values>,
    ) -> Result<()> {
        let Outline { location, shape, components, precision } = outline;
        let length = shape.len() * components;
        let mut values = match precision {
            Precision::F32 => Values::F32(empty(location, shape, length)),
            Precision::F64 => Values::F64(empty(location, shape, length)),
        };
        (0..components).try_for_each(|c| component(c).map(|found| values.append(found)))?;
        self.fields.insert(name.into(), values);
        Ok(())
    }
}

fn empty<T>(location: Location, shape: Shape, length: usize) -> Field<T> {
    Field { location, shape, components: 0, values: Vec::with_capacity(length) }
}

impl StateReader for State {
    fn numbers(&self) -> &BTreeMap<String, f64> {
        &self.numbers
    }

    fn outlines(&self) -> BTreeMap<String, Outline> {
        self.fields.iter().map(|(name, values)| (name.clone(), values.outline())).collect()
    }

    fn component(&self, name: &str, c: usize) -> Result<Values> {
        let missing = || {
            let remedy = "restart from a checkpoint that this method wrote";
            Error::case("restart", format!("field `{name}` is missing"), remedy)
        };
        self.fields.get(name).map(|values| values.component(c)).ok_or_else(missing)
    }
}
