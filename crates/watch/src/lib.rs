//! A run that is watched and steered while it goes: by a page that is served on this machine alone, or drawn in a terminal.
//!
//! Nothing is fetched from the run, and nothing sent, while no page asks. What does ask waits for the run, never the run for
//! it: a look comes between two steps, and looks take less than three per cent of the time.

mod answer;
mod camera;
mod coming;
mod course;
mod guard;
mod helm;
mod image;
mod pace;
mod page;
mod pixels;
mod profiles;
mod replay;
mod replayed;
mod request;
mod routes;
mod samples;
mod server;
mod sliders;
mod terminal;
mod view;

use std::sync::Arc;

use vortice_core::{Case, Result};
use vortice_post::references::Reference;
use vortice_study::{Session, registry};

use camera::Camera;
use helm::Helm;
use routes::Routes;
use server::Server;
use sliders::Slider;

pub use course::Course;
pub use helm::{STOPPED, Watched};
pub use replay::Replay;
pub use replayed::{LastFlow, Replayed};
pub use server::Door;
pub use terminal::{Terminal, check_terminal};

/// A page for a session, served on the loopback until this is dropped.
///
/// ```
/// use vortice_core::Every;
/// use vortice_study::{Session, open_case};
/// use vortice_watch::{Course, Door, Watch};
///
/// # fn main() -> vortice_core::Result<()> {
/// let sets = ["grid.cells=[16,16,1]", "run.max-steps=20"].map(String::from);
/// let (case, course) = (open_case("cavity", &sets)?, Course::default());
/// let kept = course.clone();
/// let session = Session::begin(case, 1, |simulation, _| Ok(simulation.watch(Every::Steps(1), kept)))?;
/// let door = Door::at(None)?;
/// println!("open {}", door.address());
/// let watch = Watch::open(door, session.into(), &[], course)?;
/// assert_eq!(watch.drive(|| false)?.outcome.steps, 20);
/// # Ok(())
/// # }
/// ```
pub struct Watch {
    helm: Arc<Helm>,
    camera: Arc<Camera>,
    _server: Server,
}

impl Watch {
    /// Serves a page at a door for a session that has not begun to go. Its profiles are shown over `references`; `course`
    /// watches its steps.
    ///
    /// # Errors
    /// If the session is no longer there, or no thread can be made.
    pub fn open(
        door: Door,
        session: Arc<Session>,
        references: &[Reference],
        course: Course,
    ) -> Result<Self> {
        Self::of(door, session, references, course, false)
    }

    /// The same for a session whose steps a program asks for: the page can hold it between two steps, change it, and ask the
    /// program to stop, which [`Self::is_stopped`] tells.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn beside(
        door: Door,
        session: Arc<Session>,
        references: &[Reference],
        course: Course,
    ) -> Result<Self> {
        Self::of(door, session, references, course, true)
    }

    fn of(
        door: Door,
        session: Arc<Session>,
        references: &[Reference],
        course: Course,
        is_led: bool,
    ) -> Result<Self> {
        let case: Case = session.case()?;
        let sliders = Slider::all(&case);
        let tells_forces = registry::method(&case.run.method)?.tells_forces;
        let camera =
            Camera::new(session.clone(), case, references.to_vec(), tells_forces, course.clone());
        let (camera, helm) = (Arc::new(camera), Arc::new(Helm::new(session.clone(), is_led)));
        let routes =
            Routes { session, helm: helm.clone(), camera: camera.clone(), course, sliders };
        let server = Server::listen(door, Box::new(move |request| routes.answer(request)))?;
        Ok(Self { helm, camera, _server: server })
    }

    /// Lets the run go to its end, or until the page stops it or it is interrupted, and ends it: monitors see the last
    /// state. One that comes to its end while a page looks stays there until it is stopped or the page is left.
    ///
    /// # Errors
    /// As [`vortice_core::Simulation::step`] and [`Session::finish`].
    pub fn drive(&self, is_interrupted: impl Fn() -> bool) -> Result<Watched> {
        self.helm.drive(is_interrupted, || self.camera.last_asked())
    }

    /// Lets the run go to its end, unless the page has ordered otherwise; then [`Self::turn`] waits for it.
    ///
    /// # Errors
    /// If the session is no longer there.
    pub fn begin(&self) -> Result<()> {
        self.helm.begin()
    }

    /// Waits for a moment, so that who calls it can look at other things between; tells whether the run is over: it has come
    /// to its end and no page looks any more, or the page has stopped it. It is left to the caller to finish the session.
    ///
    /// # Errors
    /// As [`vortice_core::Simulation::step`].
    pub fn turn(&self) -> Result<bool> {
        let is_over = self.helm.turn(|| self.camera.last_asked())?;
        Ok(is_over || self.is_stopped())
    }

    /// Whether the page has stopped the run.
    pub fn is_stopped(&self) -> bool {
        self.helm.is_stopped()
    }
}
