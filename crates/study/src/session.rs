//! A run on a thread of its own that others drive: a notebook, a page that shows it, a program.

mod changes;
mod marks;
mod status;
mod thread;

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use vortice_core::{
    Case, Context, Error, Field, Monitor, Outcome, Quantity, Result, Simulation, Snapshot,
    SurfaceForce, Values, lock,
};
use vortice_output::Checkpoint;

pub use changes::Change;
pub(crate) use marks::cut_changes;
pub use marks::read_changes;
pub use status::{Goal, Status};
use thread::{Order, Thread};

/// A run on a thread of its own, which owns the simulation and takes orders between two steps: from several threads if need
/// be, each of which may ask while another one waits for steps.
///
/// Once it is dropped the thread ends after the step that it is at, without a last look of the monitors.
///
/// ```
/// use vortice_core::Quantity;
/// use vortice_study::{Goal, Session, open_case};
///
/// # fn main() -> vortice_core::Result<()> {
/// let case = open_case("cavity", &["grid.cells=[16,16,1]".into()])?;
/// let session = Session::begin(case, 1, |simulation, _| Ok(simulation))?;
/// session.go(Goal::Steps(20))?.wait()?;
/// let velocity = session.field(Quantity::Velocity)?;
/// session.set(&["fluid.viscosity=0.01".into()])?;
/// session.go(Goal::Steps(20))?.wait()?;
/// let outcome = session.finish()?;
/// assert_eq!((outcome.steps, velocity.components), (40, 3));
/// # Ok(())
/// # }
/// ```
pub struct Session {
    orders: Mutex<Sender<Order>>,
    status: Arc<Mutex<Status>>,
    threads: usize,
}

/// The steps that were asked for, on their way.
pub struct Way {
    arrival: Receiver<Result<()>>,
}

impl Way {
    /// Waits until the goal is reached, the run has ended, or it was told to pause.
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub fn wait(&self) -> Result<()> {
        self.arrival.recv().unwrap_or_else(|_| Err(lost()))
    }

    /// The same, but no longer than for a while; nothing if it is still on its way.
    pub fn wait_for(&self, while_at_most: Duration) -> Option<Result<()>> {
        match self.arrival.recv_timeout(while_at_most) {
            Ok(arrived) => Some(arrived),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(lost())),
        }
    }
}

impl Session {
    /// Builds the simulation of a case by the method that it names, on one rank with so many threads, watched by what
    /// `watch` adds, which is called on the thread of the run.
    ///
    /// # Errors
    /// If the method cannot do the case, or no thread can be made, and as `watch`.
    pub fn begin(
        case: Case,
        threads: usize,
        watch: impl FnOnce(Simulation<'static>, &Case) -> Result<Simulation<'static>> + Send + 'static,
    ) -> Result<Self> {
        let (orders, taken) = channel();
        let (built, is_built) = channel();
        let status = Arc::new(Mutex::new(Status::default()));
        let (context, shared) = (Context { threads, ..Context::alone() }, status.clone());
        let run = move || match Thread::build(&case, &context, shared, watch) {
            Ok(thread) => {
                let _ = built.send(Ok(()));
                thread.obey(&taken);
            }
            Err(error) => {
                let _ = built.send(Err(error));
            }
        };
        let thread = std::thread::Builder::new().name("vortice run".into()).spawn(run);
        thread.map_err(|error| Error::Device {
            problem: format!("no thread can be made: {error}"),
            remedy: "end other programs".into(),
        })?;
        is_built.recv().unwrap_or_else(|_| Err(lost()))?;
        Ok(Self { orders: Mutex::new(orders), status, threads })
    }

    /// Threads that share its work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Lets it step on. An order to go while it goes takes the place of the one before, which then counts as arrived.
    ///
    /// # Errors
    /// If its thread is no longer there.
    pub fn go(&self, goal: Goal) -> Result<Way> {
        let (arrived, arrival) = channel();
        self.order(Order::Go(goal, arrived))?;
        Ok(Way { arrival })
    }

    /// Lets it pause after the present step.
    ///
    /// # Errors
    /// If its thread is no longer there.
    pub fn pause(&self) -> Result<()> {
        self.ask(Order::Pause)
    }

    /// Where it is, without waiting for the present step.
    pub fn status(&self) -> Status {
        lock(&self.status).clone()
    }

    /// Looks at the flow between two steps, on the thread of the run.
    ///
    /// # Errors
    /// As the look.
    pub fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&mut Snapshot<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.ask(|reply| {
            Order::Look(Box::new(move |now| {
                // Who asked may have gone.
                let _ = reply.send(look(now));
            }))
        })
    }

    /// A quantity as it is between two steps, owned by who asked.
    ///
    /// # Errors
    /// If there is no such quantity, or a device fails.
    pub fn field(&self, quantity: Quantity) -> Result<Field> {
        let field = self.look(move |now| now.whole(quantity))?.ok_or_else(lost)?;
        Ok(Arc::try_unwrap(field).unwrap_or_else(|shared| (*shared).clone()))
    }

    /// The same in the number type that the run computes in.
    ///
    /// # Errors
    /// As [`Self::field`].
    pub fn values(&self, quantity: Quantity) -> Result<Values> {
        self.look(move |now| now.values(quantity))?.ok_or_else(lost)
    }

    /// The forces on the surfaces of [`vortice_core::Surface::wetted`] between two steps.
    ///
    /// # Errors
    /// If the method does not tell them, or a device fails.
    pub fn forces(&self) -> Result<Vec<SurfaceForce>> {
        self.look(|now| now.forces())
    }

    /// The case as it is now.
    ///
    /// # Errors
    /// If its thread is no longer there.
    pub fn case(&self) -> Result<Case> {
        self.look(|now| Ok(now.case.clone()))
    }

    /// Changes `key=value` settings of the case while the flow goes on, between two steps, and keeps in [`Status::changes`]
    /// when that was.
    ///
    /// # Errors
    /// If a setting is wrong, decides the shape of what is computed, or the method cannot go on with it. The run is then what
    /// it was.
    pub fn set(&self, sets: &[String]) -> Result<()> {
        self.ask(|reply| Order::Set(sets.to_vec(), reply))
    }

    /// Makes the changes of an earlier run again, each before the step that it was made before. Those that come too late
    /// are refused.
    ///
    /// # Errors
    /// If one belongs before a step that has been done. That a change cannot be made is told by the way to its step.
    pub fn repeat(&self, changes: &[Change]) -> Result<()> {
        self.ask(|reply| Order::Repeat(changes.to_vec(), reply))
    }

    /// Writes each change into a table as well ([`read_changes`] reads it), behind those that it has from earlier parts of the
    /// run, before the steps that it holds for.
    ///
    /// # Errors
    /// If its thread is no longer there.
    pub fn mark(&self, table: &Path) -> Result<()> {
        self.ask(|reply| Order::Mark(table.to_path_buf(), reply))
    }

    /// Lets it go no further than so many steps from now, whatever its goal: none, and it waits where it is, still on its way.
    /// Without a number it is free again.
    ///
    /// # Errors
    /// If its thread is no longer there.
    pub fn hold(&self, steps: Option<u64>) -> Result<()> {
        self.ask(|reply| Order::Hold(steps, reply))
    }

    /// Writes the complete state between two steps into a file, with the changes as its note.
    ///
    /// # Errors
    /// If it cannot be written, or is not finite: a good file of this name stays.
    pub fn checkpoint(&self, path: &Path) -> Result<()> {
        let (path, changes) = (path.to_path_buf(), self.status().changes);
        let note = serde_json::to_string(&changes).unwrap_or_default();
        self.look(move |now| {
            let mut checkpoint = Checkpoint::new(path, now.case)?.noting(move || note.clone());
            checkpoint.finish(now)?;
            checkpoint.wait()
        })
    }

    /// Goes on from a checkpoint of this case, before the first step; with `changed` the case may have been changed on
    /// purpose.
    ///
    /// # Errors
    /// As [`vortice_output::open_checkpoint`].
    pub fn restart(&self, path: &Path, changed: bool) -> Result<()> {
        self.ask(|reply| Order::Restart(path.to_path_buf(), changed, reply))
    }

    /// Ends the run where it is; monitors see the last state.
    ///
    /// # Errors
    /// As [`Simulation::finish`].
    pub fn finish(&self) -> Result<Outcome> {
        self.ask(Order::Finish)
    }

    fn order(&self, order: Order) -> Result<()> {
        lock(&self.orders).send(order).map_err(|_| lost())
    }

    fn ask<T>(&self, order: impl FnOnce(Sender<Result<T>>) -> Order) -> Result<T> {
        let (reply, answer) = channel();
        self.order(order(reply))?;
        answer.recv().unwrap_or_else(|_| Err(lost()))
    }
}

/// That the thread is no longer there.
fn lost() -> Error {
    Error::Device {
        problem: "the run has ended, and its simulation is no longer there".into(),
        remedy: "begin another run".into(),
    }
}
