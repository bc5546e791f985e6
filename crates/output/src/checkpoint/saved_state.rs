//! The state in a checkpoint, as a rank reads it: what its part of the grid needs, when it is asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vortice_core::{
    Communicator, Decomposition, Error, Field, Location, Outline, Precision, Result, Shape, State,
    StateReader, Storable, Subdomain, Values,
};

use crate::raw;
use crate::seen::open_on_all;
use crate::stored::Placed;

/// This rank's part of the state in a checkpoint: its fields stay in the file until they are asked for.
pub struct SavedState {
    path: PathBuf,
    numbers: BTreeMap<String, f64>,
    /// Of the whole grid, with the places of their values in the file.
    fields: BTreeMap<String, Placed>,
    part: Subdomain,
    ranks: Arc<dyn Communicator>,
    file: Option<std::fs::File>,
    /// Whether every rank sees the file.
    is_seen: bool,
}

/// What the first rank tells of a file. Numbers travel as bits, to arrive the same.
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    numbers: Vec<(String, u64)>,
    fields: Vec<Told>,
}

/// A field but its values.
#[derive(Serialize, Deserialize)]
struct Told {
    name: String,
    single: bool,
    face: Option<usize>,
    halo: [usize; 3],
    components: usize,
    place: u64,
}

impl SavedState {
    /// The state in a file of which the first rank has read all but the values. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(super) fn share(
        path: &Path,
        mine: Option<(BTreeMap<String, f64>, BTreeMap<String, Placed>)>,
        ranks: &Arc<dyn Communicator>,
        cut: &Decomposition,
    ) -> Result<Self> {
        let contents = mine.map(|(numbers, fields)| Contents {
            numbers: numbers.into_iter().map(|(name, x)| (name, x.to_bits())).collect(),
            fields: fields.into_iter().map(|(name, placed)| Told::of(name, &placed)).collect(),
        });
        let text = serde_json::to_vec(&contents.unwrap_or_default()).map_err(garbled)?;
        let told: Contents = serde_json::from_slice(&ranks.broadcast(text)?).map_err(garbled)?;
        let (file, is_seen) = open_on_all(path, false, &**ranks)?;
        let number = |(name, bits): (String, u64)| (name, f64::from_bits(bits));
        Ok(Self {
            path: path.to_owned(),
            numbers: told.numbers.into_iter().map(number).collect(),
            fields: told.fields.into_iter().map(|field| field.placed(cut.cells)).collect(),
            part: cut.subdomain(ranks.rank()),
            ranks: ranks.clone(),
            file,
            is_seen,
        })
    }

    /// All of this rank's part, in memory. Collective.
    ///
    /// # Errors
    /// If the file cannot be read, or a rank has stopped.
    pub fn whole(&self) -> Result<State> {
        State::read(self)
    }

    fn own(&self, outline: &Outline) -> Outline {
        Outline { shape: Shape { cells: self.part.n(), ..outline.shape }, ..*outline }
    }

    fn values<T: Storable>(&self, Placed { outline, place }: &Placed, c: usize) -> Result<Values> {
        let (whole, own) = (outline.shape, self.own(outline).shape);
        let place = place + (c * whole.len() * size_of::<T>()) as u64;
        let mut values = vec![T::default(); own.len()];
        let read = |place: u64, to: &mut [T]| match &self.file {
            Some(file) => raw::read(file, place, bytemuck::cast_slice_mut(to)),
            None => Ok(()),
        };
        let lost = |error: std::io::Error| {
            let remedy = "restart from another checkpoint or from the beginning";
            Error::file(&self.path, format!("cannot be read: {error}"), remedy)
        };
        let offset = self.part.offset();
        if self.is_seen {
            each_run(whole, own, offset, |from, to, n| {
                read(place + (from * size_of::<T>()) as u64, &mut values[to..to + n])
            })
            .map_err(lost)?;
        } else {
            let mut all = match self.ranks.rank() {
                0 => vec![T::default(); whole.len()],
                _ => Vec::new(),
            };
            let told = self
                .ranks
                .agree(read(place, &mut all).map_err(lost))
                .and_then(|()| self.ranks.broadcast(bytemuck::cast_slice(&all).to_vec()))?;
            all = told.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect();
            each_run(whole, own, offset, |from, to, n| {
                values[to..to + n].copy_from_slice(&all[from..from + n]);
                Ok(())
            })
            .map_err(lost)?;
        }
        Ok(T::stored(Field { location: outline.location, shape: own, components: 1, values }))
    }
}

/// The places that values of a part have among those of a whole component, in its own component, and how many lie one
/// after the other in both; halos included.
fn each_run(
    whole: Shape,
    own: Shape,
    offset: [usize; 3],
    mut take: impl FnMut(usize, usize, usize) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let ([nx, ny, _], [mx, my, mz]) = (whole.padded(), own.padded());
    let from = |j: usize, k: usize| offset[0] + nx * (offset[1] + j + ny * (offset[2] + k));
    let (rows, layers) = match (mx == nx, my == ny) {
        (true, true) => (my, mz),
        (true, false) => (my, 1),
        _ => (1, 1),
    };
    for k in (0..mz).step_by(layers) {
        for j in (0..my).step_by(rows) {
            take(from(j, k), mx * (j + my * k), mx * rows * layers)?;
        }
    }
    Ok(())
}

impl StateReader for SavedState {
    fn numbers(&self) -> &BTreeMap<String, f64> {
        &self.numbers
    }

    fn outlines(&self) -> BTreeMap<String, Outline> {
        let own = |(name, placed): (&String, &Placed)| (name.clone(), self.own(&placed.outline));
        self.fields.iter().map(own).collect()
    }

    fn component(&self, name: &str, c: usize) -> Result<Values> {
        let Some(placed) = self.fields.get(name) else {
            let remedy = "restart from a checkpoint that this method wrote";
            return Err(Error::case("restart", format!("field `{name}` is missing"), remedy));
        };
        match placed.outline.precision {
            Precision::F32 => self.values::<f32>(placed, c),
            Precision::F64 => self.values::<f64>(placed, c),
        }
    }
}

impl Told {
    fn of(name: String, Placed { outline, place }: &Placed) -> Self {
        let face = match outline.location {
            Location::Centre => None,
            Location::Face(direction) => Some(direction),
        };
        let Outline { shape: Shape { halo, .. }, components, precision, .. } = *outline;
        Self { name, single: precision == Precision::F32, face, halo, components, place: *place }
    }

    fn placed(self, cells: [usize; 3]) -> (String, Placed) {
        let outline = Outline {
            location: self.face.map_or(Location::Centre, Location::Face),
            shape: Shape { cells, halo: self.halo },
            components: self.components,
            precision: if self.single { Precision::F32 } else { Precision::F64 },
        };
        (self.name, Placed { outline, place: self.place })
    }
}

fn garbled(error: serde_json::Error) -> Error {
    Error::Ranks {
        problem: format!("the checkpoint's table of contents arrived garbled: {error}"),
        remedy: "run all ranks with the same program".into(),
    }
}
