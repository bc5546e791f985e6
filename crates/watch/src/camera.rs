//! Looks at the flow of a session, one at a time, and only when one is asked for.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use vortice_core::{Case, Result, Solids, Surface, lock};
use vortice_post::references::Reference;
use vortice_study::{Seen, Session};

use crate::coming::{Coming, done_until};
use crate::course::Course;
use crate::image::Image;
use crate::pace::Pace;
use crate::pixels::{MOST, Pixels, solid_pixels};
use crate::profiles::{Profile, profiles};
use crate::samples::Samples;
use crate::view::View;

/// Between two images at least, two looks at forces, two profiles and two fields of streamlines.
const BETWEEN: [Duration; 4] = [
    Duration::from_millis(30),
    Duration::from_millis(200),
    Duration::from_millis(1000),
    Duration::from_millis(400),
];

/// Between two images at least where the run computes on the processor, which who reads them needs, too.
const BESIDE_PROCESSOR: Duration = Duration::from_millis(80);

/// What looks at a going run may take of its time: images, forces, profiles and streamlines, less than three per cent in all.
const SHARES: [f64; 4] = [0.022, 0.002, 0.002, 0.002];

/// Colours stay while the numbers change by no more than this share of their range.
const STEADY: f64 = 0.08;

/// Images of other views that are kept, for other pages.
const KEPT: usize = 4;

/// What looks at a run.
pub(crate) struct Camera {
    session: Arc<Session>,
    case: Case,
    solids: Solids,
    course: Course,
    images: Mutex<Images>,
    forces: Mutex<Pace>,
    profiles: Mutex<(Pace, Arc<Vec<Profile>>)>,
    streamlines: Mutex<(Pace, Option<Sampled>)>,
    references: Vec<Reference>,
    tells_forces: bool,
    /// Share of this machine's cores that the run keeps busy: what is made beside it takes one of them from it.
    busy: f64,
    looked: Mutex<Option<Instant>>,
}

/// The velocity in the layer of a view, after a step.
pub(crate) type Sampled = (View, u64, Arc<Samples>);

struct Images {
    pace: Pace,
    latest: Vec<Arc<Image>>,
    masks: Vec<(View, Arc<[bool]>)>,
}

impl Camera {
    pub(crate) fn new(
        session: Arc<Session>,
        case: Case,
        references: Vec<Reference>,
        tells_forces: bool,
        course: Course,
    ) -> Self {
        let mut between = BETWEEN;
        if !case.run.device.are_gpus() {
            between[0] = BESIDE_PROCESSOR;
        }
        let [image, forces, profiles, streamlines] =
            std::array::from_fn(|of| Pace::new(between[of], SHARES[of]));
        let (latest, masks) = (Vec::new(), Vec::new());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let busy = if case.run.device.are_gpus() { 1 } else { session.threads().min(cores) };
        let busy = busy as f64 / cores as f64;
        Self {
            session,
            solids: case.solids(),
            tells_forces: tells_forces && !case.bodies.is_empty(),
            case,
            course,
            images: Mutex::new(Images { pace: image, latest, masks }),
            forces: Mutex::new(forces),
            profiles: Mutex::new((profiles, Arc::default())),
            streamlines: Mutex::new((streamlines, None)),
            references,
            busy,
            looked: Mutex::new(None),
        }
    }

    pub(crate) fn case(&self) -> &Case {
        &self.case
    }

    pub(crate) fn has_forces(&self) -> bool {
        self.tells_forces
    }

    /// When an image was last asked for.
    pub(crate) fn last_asked(&self) -> Option<Instant> {
        *lock(&self.looked)
    }

    /// The image of a view after another step than one that is known, or nothing if there is none for a while.
    ///
    /// # Errors
    /// If the run is no longer there, or a device fails.
    pub(crate) fn image(
        &self,
        view: View,
        known: Option<u64>,
        wait: Duration,
    ) -> Result<Option<Arc<Image>>> {
        *lock(&self.looked) = Some(Instant::now());
        let end = Instant::now() + wait;
        loop {
            let mut images = lock(&self.images);
            let latest = images.latest.iter().find(|image| image.view == view).cloned();
            let status = self.session.status();
            let step = status.step.number;
            if let Some(image) = latest
                && (image.step.number == step || !images.pace.left().is_zero())
                && known.is_none_or(|known| known < image.step.number)
            {
                return Ok(Some(image));
            }
            // A look that is asked for during a step comes after it.
            let comes = known != Some(step) || status.is_going && !status.is_held;
            if comes && images.pace.left().is_zero() {
                return self.look(&mut images, view).map(Some);
            }
            let rest =
                images.pace.left().clamp(Duration::from_millis(2), Duration::from_millis(20));
            drop(images);
            if Instant::now() >= end {
                return Ok(None);
            }
            std::thread::sleep(rest);
        }
    }

    /// Counts what was done with an image beside the run.
    pub(crate) fn count(&self, spent: Duration) {
        if self.session.status().is_going {
            lock(&self.images).pace.add(spent.mul_f64(self.busy));
        }
    }

    /// The last image of a view, if there is one.
    pub(crate) fn latest(&self, view: View) -> Option<Arc<Image>> {
        lock(&self.images).latest.iter().find(|image| image.view == view).cloned()
    }

    /// Asks the run for what pixels show.
    fn ask<T: Copy + Default + Send + 'static>(
        &self,
        pixels: &Arc<Pixels>,
        made: impl Fn([f64; 3]) -> T + Send + Sync + 'static,
    ) -> Result<Coming<T>> {
        let pixels = pixels.clone();
        let coming = self.session.look(move |now| Coming::of(now, &pixels, made))?;
        coming.ok_or_else(no_field)
    }

    fn look(&self, images: &mut MutexGuard<'_, Images>, view: View) -> Result<Arc<Image>> {
        let began = Instant::now();
        let pixels = Arc::new(Pixels::of(&self.case.grid, view, MOST));
        let number = move |of: [f64; 3]| view.number(|c| of[c]) as f32;
        let coming = self.ask(&pixels, number)?;
        let (step, cost) = (coming.step, coming.cost);
        let (numbers, made) = (coming.receive(&pixels, number)?, Instant::now());
        let place = View { shown: crate::view::Shown::Speed, ..view };
        let mask = images.masks.iter().find(|(of, _)| *of == place).map(|(_, mask)| mask.clone());
        let mask = mask.unwrap_or_else(|| {
            let mask = solid_pixels(&self.case.grid, view, |cell| self.solids.contains(cell));
            images.masks.truncate(KEPT - 1);
            images.masks.insert(0, (place, mask.clone()));
            mask
        });
        let mut image = Image::new(&pixels, step, numbers, mask);
        if let Some(before) = images.latest.iter().find(|image| image.view == view) {
            image.colours = held(before.colours, image.colours);
        }
        let image = Arc::new(image);
        images.latest.retain(|one| one.view != view);
        images.latest.truncate(KEPT - 1);
        images.latest.insert(0, image.clone());
        // Nothing is held up while the run pauses.
        let is_going = self.session.status().is_going;
        let cost = cost + made.elapsed().mul_f64(self.busy);
        images.pace.looked(began, if is_going { cost } else { Duration::ZERO });
        Ok(image)
    }

    /// The velocity in the layer of a view at few places, looked at anew if it is time; nothing if there is none yet.
    pub(crate) fn velocity(&self, view: View) -> Result<Option<Sampled>> {
        let view = View { shown: crate::view::Shown::Speed, ..view };
        let mut known = lock(&self.streamlines);
        let step = self.session.status().step.number;
        let latest = known.1.clone().filter(|(of, ..)| *of == view);
        let is_new = latest.as_ref().is_some_and(|(_, at, _)| *at == step);
        if is_new || !known.0.left().is_zero() {
            return Ok(latest);
        }
        let began = Instant::now();
        let places = Arc::new(Samples::places(&self.case.grid, view));
        let in_plane = move |of: [f64; 3]| view.in_plane(of);
        let coming = self.ask(&places, in_plane)?;
        let (step, is_going) = (coming.step.number, self.session.status().is_going);
        known.0.looked(began, if is_going { coming.cost } else { Duration::ZERO });
        let velocity = coming.receive(&places, in_plane)?;
        let samples = Samples::new(&places, &velocity, |cell| self.solids.contains(cell));
        known.1 = Some((view, step, Arc::new(samples)));
        Ok(known.1.clone())
    }

    /// Keeps the forces of this moment in the course, if it is time.
    pub(crate) fn look_at_forces(&self) -> Result<()> {
        let mut pace = lock(&self.forces);
        if !self.tells_forces || !pace.left().is_zero() {
            return Ok(());
        }
        let began = Instant::now();
        let (step, forces, cost) = self.session.look(|now| {
            let begin = done_until(now)?;
            let forces = now.forces()?;
            let of = |body: usize| forces[body].coefficients(now.case, Surface::Body(body));
            let forces: Vec<[f64; 3]> =
                (0..now.case.bodies.len().min(forces.len())).map(of).collect();
            Ok((now.step, forces, begin.elapsed()))
        })?;
        pace.looked(began, cost);
        self.course.keep_forces(step, forces);
        Ok(())
    }

    /// The profiles over published points, looked at anew if it is time.
    pub(crate) fn profiles(&self) -> Result<Arc<Vec<Profile>>> {
        let mut known = lock(&self.profiles);
        if self.references.is_empty() || !known.0.left().is_zero() {
            return Ok(known.1.clone());
        }
        let (began, sight) = (Instant::now(), vortice_post::sight(&self.case, &self.references));
        let (seen, case, time, cost) = self.session.look(move |now| {
            let begin = done_until(now)?;
            let seen = Seen::of(now, &sight)?;
            Ok((seen, now.case.clone(), now.step.time_reached(), begin.elapsed()))
        })?;
        known.0.looked(began, cost);
        if let Some(seen) = seen {
            known.1 = Arc::new(profiles(&seen, &case, &self.references, time)?);
        }
        Ok(known.1.clone())
    }
}

/// The colours of before, if they still serve.
fn held(before: [f64; 2], now: [f64; 2]) -> [f64; 2] {
    let slack = STEADY * (before[1] - before[0]);
    let is_near = (0..2).all(|end| (before[end] - now[end]).abs() <= slack);
    if is_near { before } else { now }
}

fn no_field() -> vortice_core::Error {
    vortice_core::Error::Device {
        problem: "there is no such field".into(),
        remedy: "look at another one".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stay_while_the_flow_changes_little() {
        assert_eq!(held([0.0, 1.0], [0.0, 1.05]), [0.0, 1.0]);
        assert_eq!(held([0.0, 1.0], [0.0, 1.5]), [0.0, 1.5]);
    }
}
