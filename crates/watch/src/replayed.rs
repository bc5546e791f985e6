//! What is replayed: the recorded steps of a folder, or the last flow of a run that has left none.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vortice_core::{Case, Error, Field, Grid, Quantity, Result, lock};
use vortice_output::{RecordedSteps, StepValues};
use vortice_study::{Change, read_changes};

use crate::view::{Shown, View};

/// Arrays and images that are kept, for what is asked next.
pub(crate) const KEPT: usize = 4;

/// A finished run.
pub enum Replayed {
    /// Its folder, or its file of fields.
    Folder(PathBuf),
    /// Its last flow.
    Last(Box<LastFlow>),
}

/// The last flow of a run.
pub struct LastFlow {
    case: Case,
    time: f64,
    arrays: Vec<(String, usize, StepValues)>,
}

impl LastFlow {
    /// Of a case at a flow time in s, with no quantity yet.
    pub fn new(case: Case, time: f64) -> Self {
        Self { case, time, arrays: Vec::new() }
    }

    /// With a quantity by its name: values on the whole grid without halo.
    #[must_use]
    pub fn with(mut self, name: &str, field: &Field) -> Self {
        let components = field.components;
        let cells = field.values.len() / components;
        let value = |n: usize| field.values[n % components * cells + n / components];
        let values = (0..components * cells).map(value).collect();
        self.arrays.push((name.into(), components, StepValues::F64(values)));
        self
    }
}

/// A run that is replayed.
pub(crate) struct Run {
    name: String,
    title: String,
    method: String,
    pub(crate) grid: Grid,
    /// Flow times in s.
    pub(crate) times: Vec<f64>,
    arrays: Vec<(String, usize)>,
    solids: Option<Vec<u8>>,
    changes: Vec<Change>,
    source: Source,
    read: Mutex<Vec<Read>>,
}

/// Where arrays come from.
enum Source {
    File(Box<RecordedSteps>),
    Memory(Vec<(String, Arc<StepValues>)>),
}

/// An array at a time, by its name and the number of the time.
type Read = ((String, usize), Arc<StepValues>);

impl Run {
    pub(crate) fn open(of: Replayed) -> Result<Self> {
        match of {
            Replayed::Folder(path) => Self::of_folder(&path),
            Replayed::Last(last) => Ok(Self::of_last(*last)),
        }
    }

    fn of_folder(path: &Path) -> Result<Self> {
        let file = if path.is_dir() { path.join("fields.vtkhdf") } else { path.to_path_buf() };
        let steps = RecordedSteps::open(&file)?;
        if steps.times.is_empty() {
            let remedy = "wait until the run has written one, or set `output.fields`";
            return Err(Error::file(&file, "holds no step", remedy));
        }
        let table = file.with_file_name("changes.csv");
        let changes = if table.is_file() { read_changes(&table)? } else { Vec::new() };
        Ok(Self {
            name: path.display().to_string(),
            title: steps.title.clone(),
            method: steps.method.clone(),
            grid: steps.grid,
            times: steps.times.clone(),
            arrays: steps.arrays.clone(),
            solids: steps.solids()?,
            changes,
            source: Source::File(Box::new(steps)),
            read: Mutex::default(),
        })
    }

    fn of_last(last: LastFlow) -> Self {
        let LastFlow { case, time, arrays } = last;
        let [nx, ny, nz] = case.grid.cells().map(|n| n as isize);
        let solids = case.solids();
        let mask = vortice_core::each_cell([0..nx, 0..ny, 0..nz]);
        let mask = mask.map(|cell| u8::from(solids.contains(cell))).collect();
        Self {
            name: "the last flow of a run".into(),
            title: case.title.clone(),
            method: case.run.method.clone(),
            grid: case.grid,
            times: vec![time],
            arrays: arrays.iter().map(|(name, n, _)| (name.clone(), *n)).collect(),
            solids: Some(mask),
            changes: Vec::new(),
            source: Source::Memory(
                arrays.into_iter().map(|(name, _, values)| (name, Arc::new(values))).collect(),
            ),
            read: Mutex::default(),
        }
    }

    /// All that can be shown of it.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let has = |name: &str| self.arrays.iter().any(|(known, _)| known == name);
        let speed = has("velocity").then_some(Shown::Speed);
        let vorticity = has("vorticity").then_some(Shown::Vorticity);
        let numbers = self.arrays.iter().filter(|(_, components)| *components == 1);
        let numbers = numbers.map(|(name, _)| Shown::Number(quantity(name)));
        speed.into_iter().chain(vorticity).chain(numbers).collect()
    }

    pub(crate) fn json(&self) -> Value {
        let Self { name, grid, title, method, times, changes, .. } = self;
        let axis = |axis: &vortice_core::Axis| json!({ "cells": axis.len(), "low": axis.low(), "high": axis.high() });
        let shown: Vec<Value> = self.shown().into_iter().map(Shown::json).collect();
        json!({
            "folder": name, "changes": changes, "title": title, "method": method, "times": times, "shown": shown,
            "axes": grid.axes.iter().map(axis).collect::<Vec<_>>(), "is_plane": grid.is_plane(),
        })
    }

    /// An array at one of the times.
    fn values(&self, array: &str, number: usize) -> Result<Arc<StepValues>> {
        let steps = match &self.source {
            Source::File(steps) => steps,
            Source::Memory(arrays) => {
                let of_name = arrays.iter().find(|(name, _)| name == array);
                return of_name.map(|(_, values)| values.clone()).ok_or_else(|| {
                    let problem = format!("the flow has no array `{array}`");
                    Error::Device { problem, remedy: "look at another one".into() }
                });
            }
        };
        let key = (array.to_owned(), number);
        let mut read = lock(&self.read);
        if let Some((_, known)) = read.iter().find(|(of, _)| *of == key) {
            return Ok(known.clone());
        }
        let values = Arc::new(steps.read(array, number)?);
        read.truncate(KEPT - 1);
        read.insert(0, (key, values.clone()));
        Ok(values)
    }

    /// What is shown of each cell at one of the times.
    pub(crate) fn numbers(
        &self,
        view: View,
        number: usize,
    ) -> Result<impl Fn([isize; 3]) -> f64 + use<>> {
        let value = self.components(view.shown.quantity().name(), number)?;
        Ok(move |cell: [isize; 3]| view.number(|c| value(cell, c)))
    }

    /// The components of the velocity of each cell at one of the times, if it was recorded.
    pub(crate) fn velocity(
        &self,
        number: usize,
    ) -> Result<Option<impl Fn([isize; 3], usize) -> f64 + use<>>> {
        let has_it = self.arrays.iter().any(|(name, _)| name == "velocity");
        has_it.then(|| self.components("velocity", number)).transpose()
    }

    /// The components of an array in each cell at one of the times.
    fn components(
        &self,
        array: &str,
        number: usize,
    ) -> Result<impl Fn([isize; 3], usize) -> f64 + use<>> {
        let values = self.values(array, number)?;
        let of_name = self.arrays.iter().find(|(name, _)| name == array);
        let (components, [nx, ny, _]) = (of_name.map_or(1, |(_, n)| *n), self.grid.cells());
        Ok(move |cell: [isize; 3], c: usize| {
            let [i, j, k] = cell.map(|i| i as usize);
            let place = ((k * ny + j) * nx + i) * components + c;
            match &*values {
                StepValues::F32(all) => f64::from(all[place]),
                StepValues::F64(all) => all[place],
            }
        })
    }

    pub(crate) fn is_solid(&self, [i, j, k]: [isize; 3]) -> bool {
        let [nx, ny, _] = self.grid.cells().map(|n| n as isize);
        let place = usize::try_from((k * ny + j) * nx + i).unwrap_or(0);
        self.solids.as_ref().is_some_and(|solids| solids.get(place) == Some(&1))
    }
}

/// The quantity of an array's name.
fn quantity(name: &str) -> Quantity {
    match name {
        "pressure" => Quantity::Pressure,
        "temperature" => Quantity::Temperature,
        name => Quantity::scalar(name),
    }
}
