//! A state of the whole grid from rank 0 to all ranks.

use serde::{Deserialize, Serialize};
use vortice_core::{Communicator, Error, Field, Location, Result, Shape, State, Values};

/// All of a state but the values of its fields. Numbers travel as bits, to arrive the same.
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    numbers: Vec<(String, u64)>,
    fields: Vec<Outline>,
}

/// All of a field but its values.
#[derive(Serialize, Deserialize)]
struct Outline {
    name: String,
    single: bool,
    face: Option<usize>,
    halo: [usize; 3],
    components: usize,
}

/// Gives every rank the state that rank 0 has; its fields cover a grid of so many cells.
///
/// # Errors
/// If a rank has stopped.
pub(crate) fn share_state(
    ranks: &dyn Communicator,
    mine: Option<State>,
    cells: [usize; 3],
) -> Result<State> {
    if ranks.size() == 1 {
        return Ok(mine.unwrap_or_default());
    }
    let contents = mine.as_ref().map(contents).unwrap_or_default();
    let text = serde_json::to_vec(&contents).map_err(garbled)?;
    let contents: Contents = serde_json::from_slice(&ranks.broadcast(text)?).map_err(garbled)?;
    let mut state = State::default();
    for (name, bits) in contents.numbers {
        state.numbers.insert(name, f64::from_bits(bits));
    }
    for outline in contents.fields {
        let values = mine.as_ref().map(|mine| &mine.fields[&outline.name]);
        let bytes =
            ranks.broadcast(values.map_or_else(Vec::new, |values| values.bytes().to_vec()))?;
        let (name, values) = outline.filled(cells, &bytes);
        state.fields.insert(name, values);
    }
    Ok(state)
}

fn contents(state: &State) -> Contents {
    let numbers = state.numbers.iter().map(|(name, x)| (name.clone(), x.to_bits())).collect();
    let fields = state.fields.iter().map(|(name, values)| match values {
        Values::F32(field) => Outline::of(name, field, true),
        Values::F64(field) => Outline::of(name, field, false),
    });
    Contents { numbers, fields: fields.collect() }
}

impl Outline {
    fn of<T>(name: &str, field: &Field<T>, single: bool) -> Self {
        let face = match field.location {
            Location::Centre => None,
            Location::Face(direction) => Some(direction),
        };
        let (halo, components) = (field.shape.halo, field.components);
        Self { name: name.to_owned(), single, face, halo, components }
    }

    fn filled(self, cells: [usize; 3], bytes: &[u8]) -> (String, Values) {
        let values = if self.single {
            Values::F32(self.field(cells, bytes))
        } else {
            Values::F64(self.field(cells, bytes))
        };
        (self.name, values)
    }

    fn field<T: bytemuck::Pod>(&self, cells: [usize; 3], bytes: &[u8]) -> Field<T> {
        Field {
            location: self.face.map_or(Location::Centre, Location::Face),
            shape: Shape { cells, halo: self.halo },
            components: self.components,
            values: bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect(),
        }
    }
}

fn garbled(error: serde_json::Error) -> Error {
    Error::Ranks {
        problem: format!("the checkpoint's table of contents arrived garbled: {error}"),
        remedy: "run all ranks with the same program".into(),
    }
}
