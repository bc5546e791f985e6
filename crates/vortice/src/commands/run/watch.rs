//! A run that is watched: the same monitors, driven by a page or drawn in the terminal.

use std::sync::Arc;

use vortice_core::{Every, Result};
use vortice_watch::{Course, Door, Terminal, Watch, Watched, check_terminal};

use super::rank::{Ended, Plan, watched};
use crate::arguments::{Run, WatchedBy};
use crate::commands::launcher::Launcher;
use crate::commands::signals;
use crate::references::Reference;
use crate::{KeepSeen, Session, say};

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

    /// Tells where the page is: also from the other end of a connection by `ssh`.
    pub(super) fn tell(&self) {
        let Self::Page(door) = self else { return };
        let (address, port) = (door.address(), door.port());
        let tunnel = match std::env::var("SSH_CONNECTION") {
            Ok(connection) => format!(
                "; on your own machine first: ssh -N -L {port}:127.0.0.1:{port} {}",
                host(&connection)
            ),
            Err(_) => String::new(),
        };
        say::remark(&format!("watch at {address}{tunnel}"));
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
        let (keep, course) = (KeepSeen::new(plan.sight.clone()), Course::default());
        let (kept, steps, of_thread) = (keep.clone(), course.clone(), plan.clone());
        let threads = launcher.threads_of_one("--watch")?;
        let session = Session::begin(plan.case.clone(), threads, move |simulation, _| {
            let simulation = watched(simulation, &of_thread, true, &kept)?;
            Ok(simulation.watch(Every::Steps(1), steps))
        })?;
        if let Some(path) = &plan.options.restart {
            session.restart(path, plan.options.restart_changed)?;
        }
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

/// The user and this machine, as `ssh` is told them: a connection is the address and port of both ends.
fn host(connection: &str) -> String {
    let user = std::env::var("USER").map(|user| format!("{user}@")).unwrap_or_default();
    let address = connection.split_whitespace().nth(2).unwrap_or("HOST");
    format!("{user}{address}")
}
