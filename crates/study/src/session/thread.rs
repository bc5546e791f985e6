//! The thread of a session: what it is ordered, and its steps in between.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex};

use vortice_core::{
    Case, Context, Error, Method, Outcome, Result, Simulation, Snapshot, Step, lock,
};
use vortice_output::open_checkpoint;

use super::changes::{Change, changed};
use super::marks::Marks;
use super::status::{Goal, Status};
use crate::registry;

/// A look at the flow between two steps.
type Look = Box<dyn FnOnce(&mut Snapshot<'_>) + Send>;

/// What a session may be ordered; the answer goes to the sender.
pub(super) enum Order {
    Go(Goal, Sender<Result<()>>),
    Pause(Sender<Result<()>>),
    Look(Look),
    Set(Vec<String>, Sender<Result<()>>),
    Repeat(Vec<Change>, Sender<Result<()>>),
    Mark(PathBuf, Sender<Result<()>>),
    Hold(Option<u64>, Sender<Result<()>>),
    Restart(PathBuf, bool, Sender<Result<()>>),
    Finish(Sender<Result<Outcome>>),
}

/// The simulation, and where it is going.
pub(super) struct Thread {
    simulation: Simulation<'static>,
    method: &'static Method,
    context: Context,
    status: Arc<Mutex<Status>>,
    /// The step or the time in s at which it pauses, and who waits for that.
    going: Option<(End, Sender<Result<()>>)>,
    /// Changes that are to be made again.
    planned: VecDeque<Change>,
    /// Where changes are written to.
    marks: Option<Marks>,
    /// Whether its monitors have begun: the first of them may take away what an earlier run has left.
    has_begun: bool,
    /// The step that it is held at.
    held_at: Option<u64>,
}

/// Where it pauses.
#[derive(Clone, Copy)]
enum End {
    OfRun,
    Step(u64),
    Time(f64),
}

impl Thread {
    pub(super) fn build(
        case: &Case,
        context: &Context,
        status: Arc<Mutex<Status>>,
        watch: impl FnOnce(Simulation<'static>, &Case) -> Result<Simulation<'static>>,
    ) -> Result<Self> {
        case.check_tables()?;
        let method = registry::method(&case.run.method)?;
        let simulation = watch(Simulation::with_method(method, case, context)?, case)?;
        lock(&status).step = simulation.reached();
        Ok(Self {
            simulation,
            method,
            context: context.clone(),
            status,
            going: None,
            planned: VecDeque::new(),
            marks: None,
            has_begun: false,
            held_at: None,
        })
    }

    /// Obeys until the run is finished or no one is left who orders.
    pub(super) fn obey(mut self, orders: &Receiver<Order>) {
        loop {
            // While it goes it only looks whether there is an order.
            let order = if self.going.is_some() && !self.is_held() {
                orders.try_recv()
            } else {
                orders.recv().map_err(|_| TryRecvError::Disconnected)
            };
            match order {
                Ok(Order::Finish(reply)) => {
                    self.arrive(Ok(()));
                    let outcome = self.finish();
                    let _ = reply.send(outcome);
                    return;
                }
                Ok(order) => self.follow(order),
                Err(TryRecvError::Empty) => self.advance(),
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    /// Follows an order after which the run goes on. That who gave it has gone is no matter.
    fn follow(&mut self, order: Order) {
        match order {
            Order::Go(goal, arrived) => self.set_out(goal, arrived),
            Order::Pause(reply) => {
                self.arrive(Ok(()));
                let _ = reply.send(Ok(()));
            }
            Order::Look(look) => {
                // What is done together would have to be undone or taken apart.
                while self.going.is_some() && !self.is_held() && self.simulation.is_ahead() {
                    self.advance();
                }
                self.simulation.now().together(look);
            }
            Order::Set(sets, reply) => {
                let _ = reply.send(self.change(sets));
            }
            Order::Repeat(changes, reply) => {
                let _ = reply.send(self.plan(changes));
            }
            Order::Mark(table, reply) => {
                self.marks = Some(Marks::new(table));
                let _ = reply.send(Ok(()));
            }
            Order::Hold(steps, reply) => {
                let now = self.now().number;
                self.held_at = steps.map(|steps| now.saturating_add(steps));
                lock(&self.status).is_held = self.is_held();
                let _ = reply.send(Ok(()));
            }
            Order::Restart(path, changed, reply) => {
                let _ = reply.send(self.restart(&path, changed));
            }
            Order::Finish(_) => unreachable!("`obey` ends with it"),
        }
    }

    fn now(&self) -> Step {
        self.simulation.reached()
    }

    fn is_held(&self) -> bool {
        self.held_at.is_some_and(|step| self.now().number >= step)
    }

    /// Writes the changes that are not written yet.
    fn mark(&mut self) -> Result<()> {
        mark(&mut self.marks, &self.status)
    }

    /// Ends the run; changes since its last step are written too.
    fn finish(self) -> Result<Outcome> {
        let Self { simulation, status, mut marks, .. } = self;
        let outcome = simulation.finish();
        lock(&status).has_ended = true;
        mark(&mut marks, &status)?;
        outcome
    }

    /// One step, before which the changes that it is made with are written.
    fn step(&mut self, end: End) -> Result<bool> {
        self.change_as_planned()?;
        if self.has_begun {
            self.mark()?;
        }
        let goes_on = match end {
            End::Time(time) => self.simulation.step_until(time),
            _ => self.simulation.step(),
        }?;
        if !std::mem::replace(&mut self.has_begun, true) {
            self.mark()?;
        }
        Ok(goes_on)
    }

    fn set_out(&mut self, goal: Goal, arrived: Sender<Result<()>>) {
        self.arrive(Ok(()));
        let end = match goal {
            Goal::End => End::OfRun,
            Goal::Steps(steps) => End::Step(self.now().number.saturating_add(steps)),
            Goal::Time(time) => End::Time(time),
        };
        self.going = Some((end, arrived));
        lock(&self.status).is_going = true;
        if self.is_there(end) {
            self.arrive(Ok(()));
        }
    }

    fn is_there(&self, end: End) -> bool {
        let step = self.now();
        match end {
            End::OfRun => false,
            End::Step(number) => step.number >= number,
            End::Time(time) => step.time >= time,
        }
    }

    /// One step on the way, after the changes that are planned before it.
    fn advance(&mut self) {
        let Some((end, _)) = self.going else { return };
        let stepped = self.step(end);
        let (step, is_held) = (self.now(), self.is_held());
        let mut status = lock(&self.status);
        (status.step, status.has_ended) = (step, matches!(stepped, Ok(false)));
        status.is_held = is_held;
        drop(status);
        match stepped {
            Ok(true) if !self.is_there(end) => {}
            Ok(_) => self.arrive(Ok(())),
            Err(error) => self.arrive(Err(error)),
        }
    }

    /// Tells who waits that it goes no further.
    fn arrive(&mut self, how: Result<()>) {
        if let Some((_, arrived)) = self.going.take() {
            lock(&self.status).is_going = false;
            let _ = arrived.send(how);
        }
    }

    fn change(&mut self, sets: Vec<String>) -> Result<()> {
        let next = changed(self.simulation.case(), &sets)?;
        self.simulation.change(self.method, next)?;
        let Step { number: step, time, .. } = self.now();
        let mut status = lock(&self.status);
        status.has_ended = false;
        status.changes.push(Change { step, time, sets });
        Ok(())
    }

    fn plan(&mut self, changes: Vec<Change>) -> Result<()> {
        let now = self.now().number;
        if let Some(late) = changes.iter().find(|change| change.step < now) {
            return Err(Error::Command {
                argument: late.sets.join(", "),
                problem: format!("was changed after step {}, and the run is at {now}", late.step),
                remedy: "repeat changes from the beginning of a run".into(),
            });
        }
        self.planned.extend(changes);
        self.planned.make_contiguous().sort_by_key(|change| change.step);
        Ok(())
    }

    fn change_as_planned(&mut self) -> Result<()> {
        let now = self.now().number;
        while self.planned.front().is_some_and(|change| change.step <= now) {
            let sets = self.planned.pop_front().map(|change| change.sets);
            self.change(sets.unwrap_or_default())?;
        }
        Ok(())
    }

    fn restart(&mut self, path: &std::path::Path, changed: bool) -> Result<()> {
        let state = open_checkpoint(path, self.simulation.case(), &self.context, changed)?;
        self.simulation.restore(&state)?;
        let step = self.now();
        lock(&self.status).step = step;
        Ok(())
    }
}

fn mark(marks: &mut Option<Marks>, status: &Mutex<Status>) -> Result<()> {
    let Some(marks) = marks else { return Ok(()) };
    let new = marks.new_ones(&lock(status).changes);
    marks.add(&new)
}
