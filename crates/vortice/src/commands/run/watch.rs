//! A run that is watched: the same monitors, driven by a page or drawn in the terminal.

use std::sync::Arc;

use vortice_core::{Every, Result};
use vortice_watch::{Course, Door, Terminal, Watch, Watched, check_terminal};

use super::rank::{Ended, Plan, watched};
use crate::arguments::{Run, WatchedBy};
use crate::commands::launcher::Launcher;
use crate::commands::{address, signals};
use crate::references::Reference;
use crate::{KeepSeen, Session};

/// By what a run is watched.
pub(super) enum Watcher {
    Page(Door),
    Terminal,
}

impl Watcher {
    /// What the command line asks for, if anything; refuses what cannot be watched before anything is made.
    ///
    /// # Errors
    /// If there are several ranks, no terminal to draw in, or no port.
    pub(super) fn of(options: &Run, launcher: &Launcher) -> Result<Option<Self>> {
        let Some(by) = options.watch else { return Ok(None) };
        launcher.threads_of_one("--watch")?;
        match by {
            WatchedBy::Page(port) => Door::at(port).map(|door| Some(Self::Page(door))),
            WatchedBy::Terminal => check_terminal().map(|()| Some(Self::Terminal)),
        }
    }

    /// Tells where the page is.
    pub(super) fn tell(&self) {
        if let Self::Page(door) = self {
            address::tell("watch", door);
        }
    }

    /// Runs while it is watched.
    ///
    /// # Errors
    /// As a run that is not.
    pub(super) fn run(
        self,
        plan: &Arc<Plan>,
        launcher: &Launcher,
        references: &[Reference],
    ) -> Result<Ended> {
        let (keep, course) = (KeepSeen::new(plan.results.sight.clone()), Course::default());
        let (kept, steps, of_thread) = (keep.clone(), course.clone(), plan.clone());
        let threads = launcher.threads_of_one("--watch")?;
        let session = Session::begin(plan.results.case.clone(), threads, move |simulation, _| {
            let simulation = watched(simulation, &of_thread, true, &kept)?;
            Ok(simulation.watch(Every::Steps(1), steps))
        })?;
        if let Some(path) = &plan.options.restart {
            session.restart(path, plan.options.restart_changed)?;
        }
        session.mark(&plan.results.files.changes)?;
        let (session, is_interrupted) = (Arc::new(session), || signals::received().is_some());
        let ended = match self {
            Self::Terminal => Terminal::new(session)?.drive(is_interrupted)?,
            Self::Page(door) => {
                Watch::open(door, session, references, course)?.drive(is_interrupted)?
            }
        };
        let Watched { outcome, changes, case } = ended;
        Ok(Ended { outcome, seen: keep.take(), changes, case })
    }
}
