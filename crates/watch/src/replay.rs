//! Finished runs, looked at again: their recorded steps as images, and two beside each other with their difference.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vortice_core::{CutPlane, Error, Result, Step, lock};

use crate::answer::Answer;
use crate::image::Image;
use crate::page::view_page;
use crate::pixels::{MOST as PIXELS, Pixels, solid_pixels};
use crate::replayed::{KEPT, Replayed, Run};
use crate::request::Request;
use crate::routes::{number, packed, sampled_answer};
use crate::samples::Samples;
use crate::server::{Door, Server};
use crate::view::{Shown, View};

/// Runs that are shown at once.
const MOST: usize = 2;

/// What the number of a time is called in a request.
const OF_RUN: [&str; MOST] = ["first", "second"];

/// Finished runs that are served until this is dropped.
pub struct Replay {
    _server: Server,
}

struct Runs {
    runs: Vec<Run>,
    images: Mutex<Vec<(Asked, Arc<Image>)>>,
}

/// The numbers of a time of each run, which run or the difference is meant, and the view.
type Asked = (usize, [usize; MOST], View);

impl Replay {
    /// Serves one run or two at a door.
    ///
    /// # Errors
    /// If there are more, a file cannot be read or holds no step, or no thread can be made.
    pub fn open(door: Door, runs: Vec<Replayed>) -> Result<Self> {
        if runs.is_empty() || runs.len() > MOST {
            return Err(Error::Command {
                argument: "view".into(),
                problem: format!("shows one run or {MOST}, not {}", runs.len()),
                remedy: "name the folder of a run, such as out/cavity, or two".into(),
            });
        }
        let runs = runs.into_iter().map(Run::open).collect::<Result<_>>()?;
        let runs = Runs { runs, images: Mutex::default() };
        let server = Server::listen(door, Box::new(move |request| runs.answer(request)))?;
        Ok(Self { _server: server })
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
            ("GET", "/velocity") => self.velocity(request),
            ("GET", "/number") => self.image(request).map(|image| number(Some(&image), request)),
            (_, "/" | "/about" | "/image" | "/number" | "/velocity") => {
                return Answer::refusal(405);
            }
            _ => return Answer::refusal(404),
        };
        answer.unwrap_or_else(|error| Answer::refused(&error))
    }

    fn about(&self) -> Value {
        json!({ "runs": self.runs.iter().map(Run::json).collect::<Vec<_>>(), "has_difference": self.are_alike() })
    }

    /// Whether two runs have the same cells, so that one can be taken from the other.
    fn are_alike(&self) -> bool {
        matches!(&self.runs[..], [a, b] if a.grid == b.grid)
    }

    /// The run that a request speaks of, or the last.
    fn which(&self, request: &Request) -> usize {
        let which = request.asked("run").and_then(|run| run.parse().ok());
        which.unwrap_or(0_usize).min(self.runs.len() - 1)
    }

    /// The view of a run that a request speaks of.
    fn view(&self, which: usize, request: &Request) -> View {
        let grid = &self.runs[which].grid;
        let wanted = request.asked("shown").unwrap_or_default();
        let all = self.runs[which].shown().into_iter();
        let shown = all.into_iter().find(|one| one.name() == wanted).unwrap_or(Shown::Speed);
        let normal = request.number("normal").map_or(2, |normal| normal as usize).min(2);
        let normal = if grid.is_plane() { 2 } else { normal };
        let plane = CutPlane::middle(grid, normal);
        let position = request.number("position").unwrap_or(plane.position);
        View::at(grid, shown, CutPlane { normal, position })
    }

    /// Samples of the velocity of a run, if it has recorded one.
    fn velocity(&self, request: &Request) -> Result<Answer> {
        let which = self.which(request);
        let (run, view) = (&self.runs[which], self.view(which, request));
        let time = request.number(OF_RUN[which]).map_or(0, |n| n as usize);
        let places = Samples::places(&run.grid, view);
        let samples = run.velocity(time)?.map(|velocity| {
            let of = |cell| view.in_plane([0, 1, 2].map(|c| velocity(cell, c)));
            Samples::new(&places, &places.each(of), |cell| run.is_solid(cell))
        });
        Ok(sampled_answer(Some(time as u64), samples.as_ref()))
    }

    /// The image that a request speaks of: of one run, or of what the first exceeds the second by.
    fn image(&self, request: &Request) -> Result<Arc<Image>> {
        let is_difference = request.asked("run") == Some("difference") && self.are_alike();
        let which = self.which(request);
        let (grid, view) = (&self.runs[which].grid, self.view(which, request));
        let of_run = |n: usize| request.number(OF_RUN[n]).map_or(0, |n| n as usize);
        let times = [0, 1].map(of_run);
        let asked = (if is_difference { MOST } else { which }, times, view);
        if let Some((_, known)) = lock(&self.images).iter().find(|(of, _)| *of == asked) {
            return Ok(known.clone());
        }
        let run = &self.runs[if is_difference { 0 } else { which }];
        let time = times[if is_difference { 0 } else { which }];
        let step = Step { time: run.times.get(time).copied().unwrap_or(0.0), ..Step::default() };
        let solid = solid_pixels(grid, view, |cell| run.is_solid(cell));
        let first = run.numbers(view, time)?;
        let pixels = Pixels::of(grid, view, PIXELS);
        let image = |numbers| Image::new(&pixels, step, numbers, solid);
        let image = if is_difference {
            let second = self.runs[1].numbers(view, times[1])?;
            image(pixels.each(|cell| (first(cell) - second(cell)) as f32)).two_sided()
        } else {
            image(pixels.each(|cell| first(cell) as f32))
        };
        let image = Arc::new(image);
        let mut images = lock(&self.images);
        images.truncate(2 * KEPT - 1);
        images.insert(0, (asked, image.clone()));
        Ok(image)
    }
}
