//! A run that is changed on its way: the same monitors, driven by a page, drawn in the terminal, or as an earlier run was.

use std::sync::Arc;

use vortice_core::{Every, Result};
use vortice_watch::{Course, Door, Terminal, Watch, Watched, check_terminal};

use super::rank::{Ended, Plan, watched};
use crate::arguments::{Run, WatchedBy};
use crate::commands::launcher::Launcher;
use crate::commands::{address, signals};
use crate::references::Reference;
use crate::{Goal, KeepSeen, Session};
use vortice_study::read_changes;

/// By what a run is watched.
pub(super) enum Watcher {
    Page(Door),
    Terminal,
    /// Nothing: it repeats the changes of another run.
    Nothing,
}

impl Watcher {
    /// What the command line asks for, if anything; refuses what cannot be watched before anything is made.
    ///
    /// # Errors
    /// If there are several ranks, no terminal to draw in, or no port.
    pub(super) fn of(options: &Run, launcher: &Launcher) -> Result<Option<Self>> {
        let argument = match (options.watch, &options.repeat) {
            (None, None) => return Ok(None),
            (None, Some(_)) => "--repeat",
            (Some(_), _) => "--watch",
        };
        launcher.threads_of_one(argument)?;
        match options.watch {
            Some(WatchedBy::Page(port)) => Door::at(port).map(|door| Some(Self::Page(door))),
            Some(WatchedBy::Terminal) => check_terminal().map(|()| Some(Self::Terminal)),
            None => Ok(Some(Self::Nothing)),
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
        // Before the files of an earlier run are taken away, which may be these.
        let repeated = plan.options.repeat.as_deref().map(read_changes).transpose()?;
        let (kept, steps, of_thread) = (keep.clone(), course.clone(), plan.clone());
        let threads = launcher.threads_of_one("--watch")?;
        let session = Session::begin(plan.results.case.clone(), threads, move |simulation, _| {
            let simulation = watched(simulation, &of_thread, true, &kept)?;
            Ok(simulation.watch(Every::Steps(1), steps))
        })?;
        if let Some(path) = &plan.options.restart {
            session.restart(path, plan.options.restart_changed)?;
        }
        session.repeat(&repeated.unwrap_or_default())?;
        session.mark(&plan.results.files.changes)?;
        let (session, is_interrupted) = (Arc::new(session), || signals::received().is_some());
        let ended = match self {
            Self::Nothing => alone(&session)?,
            Self::Terminal => Terminal::new(session)?.drive(is_interrupted)?,
            Self::Page(door) => {
                Watch::open(door, session, references, course)?.drive(is_interrupted)?
            }
        };
        let Watched { outcome, changes, case } = ended;
        Ok(Ended { outcome, seen: keep.take(), changes, case })
    }
}

/// Lets a run go to its end, or until a monitor stops it.
fn alone(session: &Session) -> Result<Watched> {
    session.go(Goal::End)?.wait()?;
    let case = session.case()?;
    Ok(Watched { outcome: session.finish()?, changes: session.status().changes, case })
}
