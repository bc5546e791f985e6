//! Finished runs, looked at again: their recorded steps as images, and two beside each other with their difference.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vortice_core::{CutPlane, Error, Quantity, Result, Step, lock};
use vortice_output::{RecordedSteps, StepValues};

use crate::answer::Answer;
use crate::image::{Image, solid_pixels};
use crate::page::view_page;
use crate::request::Request;
use crate::routes::{number, packed};
use crate::server::{Door, Server};
use crate::view::{Shown, View};

/// Runs that are shown at once.
const MOST: usize = 2;

/// Arrays and images that are kept, for what is asked next.
const KEPT: usize = 4;

/// Finished runs that are served until this is dropped.
pub struct Replay {
    _server: Server,
}

struct Runs {
    runs: Vec<Run>,
    images: Mutex<Vec<(Asked, Arc<Image>)>>,
}

struct Run {
    folder: String,
    steps: RecordedSteps,
    solids: Option<Vec<u8>>,
    read: Mutex<Vec<Read>>,
}

/// An array at a time, by its name and the number of the time.
type Read = ((String, usize), Arc<StepValues>);

/// The numbers of a time of each run, which run or the difference is meant, and the view.
type Asked = (usize, [usize; MOST], View);

impl Replay {
    /// Serves the runs of one or two folders, or files of fields, at a door.
    ///
    /// # Errors
    /// If there are more, a file cannot be read or holds no step, or no thread can be made.
    pub fn open(door: Door, paths: &[PathBuf]) -> Result<Self> {
        if paths.is_empty() || paths.len() > MOST {
            return Err(Error::Command {
                argument: "view".into(),
                problem: format!("shows one run or {MOST}, not {}", paths.len()),
                remedy: "name the folder of a run, such as out/cavity, or two".into(),
            });
        }
        let runs = paths.iter().map(|path| Run::open(path)).collect::<Result<_>>()?;
        let runs = Runs { runs, images: Mutex::default() };
        let server = Server::listen(door, Box::new(move |request| runs.answer(request)))?;
        Ok(Self { _server: server })
    }
}

impl Run {
    fn open(path: &Path) -> Result<Self> {
        let file = if path.is_dir() { path.join("fields.vtkhdf") } else { path.to_path_buf() };
        let steps = RecordedSteps::open(&file)?;
        if steps.times.is_empty() {
            let remedy = "wait until the run has written one, or set `output.fields`";
            return Err(Error::file(&file, "holds no step", remedy));
        }
        let solids = steps.solids()?;
        let folder = path.display().to_string();
        Ok(Self { folder, steps, solids, read: Mutex::default() })
    }

    /// All that can be shown of it.
    fn shown(&self) -> Vec<Shown> {
        let has = |name: &str| self.steps.arrays.iter().any(|(known, _)| known == name);
        let speed = has("velocity").then_some(Shown::Speed);
        let vorticity = has("vorticity").then_some(Shown::Vorticity);
        let numbers = self.steps.arrays.iter().filter(|(_, components)| *components == 1);
        let numbers = numbers.map(|(name, _)| Shown::Number(quantity(name)));
        speed.into_iter().chain(vorticity).chain(numbers).collect()
    }

    fn json(&self) -> Value {
        let RecordedSteps { grid, title, method, times, .. } = &self.steps;
        let axis = |axis: &vortice_core::Axis| json!({ "cells": axis.len(), "low": axis.low(), "high": axis.high() });
        let shown: Vec<Value> = self.shown().into_iter().map(Shown::json).collect();
        json!({
            "folder": self.folder, "title": title, "method": method, "times": times, "shown": shown,
            "axes": grid.axes.iter().map(axis).collect::<Vec<_>>(), "is_plane": grid.is_plane(),
        })
    }

    /// An array at one of the times.
    fn values(&self, array: &str, number: usize) -> Result<Arc<StepValues>> {
        let key = (array.to_owned(), number);
        let mut read = lock(&self.read);
        if let Some((_, known)) = read.iter().find(|(of, _)| *of == key) {
            return Ok(known.clone());
        }
        let values = Arc::new(self.steps.read(array, number)?);
        read.truncate(KEPT - 1);
        read.insert(0, (key, values.clone()));
        Ok(values)
    }

    /// What is shown of each cell at one of the times.
    fn numbers(&self, view: View, number: usize) -> Result<impl Fn([isize; 3]) -> f64 + use<>> {
        let array = match view.shown {
            Shown::Speed => "velocity",
            Shown::Vorticity => "vorticity",
            Shown::Number(quantity) => quantity.name(),
        };
        let values = self.values(array, number)?;
        let of_name = self.steps.arrays.iter().find(|(name, _)| name == array);
        let (components, [nx, ny, _]) = (of_name.map_or(1, |(_, n)| *n), self.steps.grid.cells());
        Ok(move |cell: [isize; 3]| {
            let [i, j, k] = cell.map(|i| i as usize);
            let first = ((k * ny + j) * nx + i) * components;
            view.number(|c| match &*values {
                StepValues::F32(all) => f64::from(all[first + c]),
                StepValues::F64(all) => all[first + c],
            })
        })
    }

    fn is_solid(&self, [i, j, k]: [isize; 3]) -> bool {
        let [nx, ny, _] = self.steps.grid.cells().map(|n| n as isize);
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

impl Runs {
    fn answer(&self, request: &Request) -> Answer {
        let answer = match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => view_page().map(|(text, nonce)| Answer::page(text, &nonce)),
            ("GET", "/about") => Ok(Answer::json(&self.about())),
            ("GET", "/image") => {
                self.image(request).map(|image| packed(json!({}), Some(&image), request))
            }
            ("GET", "/number") => self.image(request).map(|image| number(Some(&image), request)),
            (_, "/" | "/about" | "/image" | "/number") => return Answer::refusal(405),
            _ => return Answer::refusal(404),
        };
        answer.unwrap_or_else(|error| Answer::refused(&error))
    }

    fn about(&self) -> Value {
        json!({ "runs": self.runs.iter().map(Run::json).collect::<Vec<_>>(), "has_difference": self.are_alike() })
    }

    /// Whether two runs have the same cells, so that one can be taken from the other.
    fn are_alike(&self) -> bool {
        matches!(&self.runs[..], [a, b] if a.steps.grid == b.steps.grid)
    }

    /// The image that a request speaks of: of one run, or of what the first exceeds the second by.
    fn image(&self, request: &Request) -> Result<Arc<Image>> {
        let which = request.asked("run").unwrap_or("0");
        let is_difference = which == "difference" && self.are_alike();
        let which = which.parse().unwrap_or(0_usize).min(self.runs.len() - 1);
        let grid = &self.runs[which].steps.grid;
        let wanted = request.asked("shown").unwrap_or_default();
        let all = self.runs[which].shown().into_iter();
        let shown = all.into_iter().find(|one| one.name() == wanted).unwrap_or(Shown::Speed);
        let normal = request.number("normal").map_or(2, |normal| normal as usize).min(2);
        let normal = if grid.is_plane() { 2 } else { normal };
        let plane = CutPlane::middle(grid, normal);
        let position = request.number("position").unwrap_or(plane.position);
        let view = View::at(grid, shown, CutPlane { normal, position });
        let of_run = |n: usize| request.number(["first", "second"][n]).map_or(0, |n| n as usize);
        let times = [0, 1].map(of_run);
        let asked = (if is_difference { MOST } else { which }, times, view);
        if let Some((_, known)) = lock(&self.images).iter().find(|(of, _)| *of == asked) {
            return Ok(known.clone());
        }
        let run = &self.runs[if is_difference { 0 } else { which }];
        let time = times[if is_difference { 0 } else { which }];
        let step =
            Step { time: run.steps.times.get(time).copied().unwrap_or(0.0), ..Step::default() };
        let solid = solid_pixels(grid, view, |cell| run.is_solid(cell));
        let first = run.numbers(view, time)?;
        let image = if is_difference {
            let second = self.runs[1].numbers(view, times[1])?;
            Image::new(grid, view, step, |cell| first(cell) - second(cell), solid).two_sided()
        } else {
            Image::new(grid, view, step, first, solid)
        };
        let image = Arc::new(image);
        let mut images = lock(&self.images);
        images.truncate(2 * KEPT - 1);
        images.insert(0, (asked, image.clone()));
        Ok(image)
    }
}
