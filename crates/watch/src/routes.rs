//! What a page may ask: a `match` over a few words, and no file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vortice_core::{Case, CutPlane, Result};
use vortice_study::{Goal, Session};

use crate::answer::Answer;
use crate::camera::Camera;
use crate::course::Course;
use crate::helm::Helm;
use crate::image::Image;
use crate::page::run_page;
use crate::profiles::Profile;
use crate::request::Request;
use crate::samples::Samples;
use crate::sliders::Slider;
use crate::view::{Shown, View};

/// How long a page that has the last image waits for the next.
const WAIT: Duration = Duration::from_millis(900);

/// Steps that a page may ask for at once.
const MOST_STEPS: u64 = 1_000_000;

/// Points that are followed at once.
const MOST_POINTS: usize = 8;

/// All that answers are made of.
pub(crate) struct Routes {
    pub(crate) session: Arc<Session>,
    pub(crate) helm: Arc<Helm>,
    pub(crate) camera: Arc<Camera>,
    pub(crate) course: Course,
    pub(crate) sliders: Vec<Slider>,
}

impl Routes {
    /// The answer to a request that has passed the guard.
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        let answer = match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => run_page().map(|(text, nonce)| Answer::page(text, &nonce)),
            ("GET", "/about") => Ok(Answer::json(&self.about())),
            ("GET", "/image") => self.image(request),
            ("GET", "/number") => Ok(self.number(request)),
            ("GET", "/velocity") => self.velocity(request),
            ("GET", "/course") => self.courses(request).map(|all| Answer::json(&all)),
            ("POST", "/command") => return self.command(&request.body),
            (_, "/" | "/about" | "/image" | "/number" | "/velocity" | "/course" | "/command") => {
                return Answer::refusal(405);
            }
            _ => return Answer::refusal(404),
        };
        answer.unwrap_or_else(|error| Answer::refused(&error))
    }

    /// What does not change, or seldom.
    fn about(&self) -> Value {
        let case = self.camera.case();
        let shown: Vec<Value> = Shown::all(case).into_iter().map(Shown::json).collect();
        let axis = |d: usize| {
            let axis = case.grid.axes[d];
            json!({ "cells": axis.len(), "low": axis.low(), "high": axis.high() })
        };
        let plane = case.plane_shown();
        json!({
            "title": case.title, "method": case.run.method, "precision": case.run.precision.name(),
            "axes": [axis(0), axis(1), axis(2)], "is_plane": case.grid.is_plane(),
            "normal": plane.normal, "position": plane.position, "shown": shown,
            "sliders": self.sliders.iter().map(Slider::json).collect::<Vec<_>>(),
            "bodies": case.bodies.iter().map(|body| body.name.clone()).collect::<Vec<_>>(),
            "has_forces": self.camera.has_forces(),
            "is_steady": !case.is_followed(),
            "length": case.scale.length, "velocity": case.scale.velocity,
        })
    }

    /// The view that a request speaks of.
    fn view(&self, request: &Request) -> View {
        let case = self.camera.case();
        let all = Shown::all(case).into_iter();
        let wanted = request.asked("shown").unwrap_or_default();
        let shown = all.into_iter().find(|one| one.name() == wanted).unwrap_or(Shown::Speed);
        View::at(&case.grid, shown, self.plane(case, request))
    }

    fn plane(&self, case: &Case, request: &Request) -> CutPlane {
        let normal = request.number("normal").map_or(9, |normal| normal as usize);
        match (case.grid.is_plane(), request.number("position")) {
            (false, Some(position)) if normal < 3 => CutPlane { normal, position },
            _ => case.plane_shown(),
        }
    }

    /// The next image; without another step only where the run is.
    fn image(&self, request: &Request) -> Result<Answer> {
        let view = self.view(request);
        let known = request.asked("known").and_then(|text| text.parse().ok());
        let image = self.camera.image(view, known, WAIT)?;
        let (moment, begin) = (self.moment(), Instant::now());
        let answer = packed(moment, image.as_deref(), request);
        self.camera.count(begin.elapsed());
        Ok(answer)
    }

    /// Where the run is.
    fn moment(&self) -> Value {
        let moment = self.session.status();
        json!({
            "step": moment.step.number, "time": moment.step.time, "residual": moment.step.residual,
            "is_going": self.helm.is_going(&moment), "has_ended": moment.has_ended, "changes": moment.changes,
        })
    }

    fn number(&self, request: &Request) -> Answer {
        let image = self.camera.latest(self.view(request));
        number(image.as_deref(), request)
    }

    /// Samples of the velocity, unless they are those of a step that is known.
    fn velocity(&self, request: &Request) -> Result<Answer> {
        let known = request.asked("known").and_then(|text| text.parse().ok());
        let sampled = self.camera.velocity(self.view(request))?;
        let step = sampled.as_ref().map(|(_, step, _)| *step);
        let samples = sampled.filter(|(_, step, _)| known != Some(*step));
        Ok(sampled_answer(step, samples.as_ref().map(|(.., samples)| &**samples)))
    }

    /// Residuals, forces and profiles. What does not follow from numbers of steps is looked at only if it is asked for.
    fn courses(&self, request: &Request) -> Result<Value> {
        let mut all = json!({ "residuals": self.course.residuals() });
        if request.asked("forces") == Some("1") {
            self.camera.look_at_forces()?;
            all["forces"] = json!(self.course.forces());
        }
        if request.asked("profiles") == Some("1") {
            let profiles = self.camera.profiles()?;
            all["profiles"] = profiles.iter().map(profile).collect();
        }
        Ok(all)
    }

    /// Does what a page orders; says what was refused, and why.
    fn command(&self, body: &[u8]) -> Answer {
        let Ok(Value::Object(order)) = serde_json::from_slice(body) else {
            return Answer::refusal(400);
        };
        let (Some((word, value)), 1) = (order.iter().next(), order.len()) else {
            return Answer::refusal(400);
        };
        let done = match (word.as_str(), value) {
            ("go", _) => self.helm.go(Goal::End),
            ("pause", _) => self.helm.pause(),
            ("stop", _) => self.helm.stop(),
            ("step", value) => {
                match value.as_u64().filter(|steps| (1..=MOST_STEPS).contains(steps)) {
                    Some(steps) => self.helm.go(Goal::Steps(steps)),
                    None => return Answer::refusal(400),
                }
            }
            ("set", value) => match self.setting(value) {
                Some(set) => self.session.set(&[set]),
                None => return Answer::refusal(400),
            },
            _ => return Answer::refusal(400),
        };
        let mut answer = self.moment();
        if let Err(error) = done {
            answer["refused"] = crate::answer::told(&error);
        }
        if word == "set" {
            answer["sliders"] = self.places();
        }
        Answer::json(&answer)
    }

    /// A setting of one of the sliders: no other key can be changed from a page.
    fn setting(&self, value: &Value) -> Option<String> {
        let key = value.get("key")?.as_str()?;
        self.sliders.iter().find(|slider| slider.key == key)?.set(value.get("value")?.as_f64()?)
    }

    /// Where the sliders stand.
    fn places(&self) -> Value {
        let case = self.session.case().ok();
        let place =
            |slider: &Slider| (slider.key.clone(), case.as_ref().map(|case| slider.place(case)));
        json!(self.sliders.iter().map(place).collect::<std::collections::BTreeMap<_, _>>())
    }
}

/// An image: the length of its words in four bytes, the words in JSON, a byte for each pixel, whose colours a request may
/// have pinned.
pub(crate) fn packed(mut words: Value, image: Option<&Image>, request: &Request) -> Answer {
    let mut bytes = Vec::new();
    if let Some(image) = image {
        let followed: Vec<_> = points(request).map(|point| image.number(point)).collect();
        let pinned = request.number("low").zip(request.number("high"));
        let colours = pinned.map_or(image.colours, |(low, high)| [low, high]);
        bytes = image.bytes(colours);
        words["image"] = json!({
            "step": image.step.number, "time": image.step.time, "size": image.size,
            "colours": colours, "range": image.range, "normal": image.view.normal,
            "values": followed,
        });
    }
    with_words(&words, &bytes)
}

/// Samples of a velocity after a step, in the form of an image.
pub(crate) fn sampled_answer(step: Option<u64>, samples: Option<&Samples>) -> Answer {
    let words = json!({ "step": step, "size": samples.map(|samples| samples.size) });
    with_words(&words, &samples.map(Samples::bytes).unwrap_or_default())
}

fn with_words(words: &Value, bytes: &[u8]) -> Answer {
    let words = words.to_string().into_bytes();
    let length = u32::try_from(words.len()).unwrap_or(0).to_le_bytes();
    Answer::bytes([&length, &words[..], bytes].concat())
}

/// The pixels whose numbers are wanted with an image, `i.j,i.j`, a few at most.
fn points(request: &Request) -> impl Iterator<Item = [usize; 2]> + '_ {
    let all = request.asked("points").unwrap_or_default().split(',').take(MOST_POINTS);
    all.filter_map(|one| {
        let (i, j) = one.split_once('.')?;
        Some([i.parse().ok()?, j.parse().ok()?])
    })
}

/// The number of a pixel, counted from the lower left corner.
pub(crate) fn number(image: Option<&Image>, request: &Request) -> Answer {
    let pixel = ["i", "j"].map(|name| request.number(name).filter(|at| *at >= 0.0));
    let number = match pixel {
        [Some(i), Some(j)] => image.and_then(|image| image.number([i as usize, j as usize])),
        _ => None,
    };
    Answer::json(&json!({ "number": number }))
}

fn profile(one: &Profile) -> Value {
    json!({
        "variable": one.variable, "along": one.along, "place": one.place,
        "computed": one.computed, "published": one.published,
    })
}
