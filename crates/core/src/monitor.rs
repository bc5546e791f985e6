//! What watches a run: progress, probes, recorders, checkpoints, and what stops it.

mod extents;
mod values;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::case::{Case, OutputTimes};
use crate::communicator::Communicator;
use crate::decomposition::Decomposition;
use crate::derived::{self, Energy};
use crate::error::Result;
use crate::extent::Extent;
use crate::field::Field;
use crate::gather::gather;
use crate::quantity::Quantity;
use crate::solver::Solver;
use crate::stages::Stage;
use crate::state::StateWriter;
use crate::step::Step;
use crate::surface_force::SurfaceForce;
use crate::thread_pool::ThreadPool;
use crate::window::{Window, joined, pieces};

/// When a monitor looks. Every monitor also sees the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Every {
    /// Each so many steps, counted from step 0.
    Steps(u64),
    /// Each so many seconds of flow time; steps end exactly there.
    Seconds(f64),
    /// At the start and the end only.
    Ends,
}

impl From<OutputTimes> for Every {
    fn from(times: OutputTimes) -> Self {
        match times {
            OutputTimes::Every(seconds) => Self::Seconds(seconds),
            OutputTimes::Steps(steps) => Self::Steps(steps),
            OutputTimes::Never | OutputTimes::Last | OutputTimes::Ends => Self::Ends,
        }
    }
}

/// What a monitor thinks of going on.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Go on.
    Continue,
    /// The goal is reached; stop, with the reason.
    Converged(String),
    /// Stop before the goal is reached, with the reason.
    Stop(String),
}

/// Watches a run. On several ranks every rank has its own copy and all of them are asked at the
/// same steps, so a monitor may call the collective verbs of its snapshot.
pub trait Monitor: Send {
    /// Called before the first step with the initial (or restored) state.
    ///
    /// # Errors
    /// If something cannot be written.
    fn begin(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        Ok(())
    }

    /// Called between the parts of what a method does before its first step: for what stops runs. Collective.
    ///
    /// # Errors
    /// If a rank fails.
    fn while_preparing(&mut self, _ranks: &dyn Communicator) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }

    /// Called after a step for which the monitor was registered.
    ///
    /// # Errors
    /// If something cannot be written, or the run must not go on.
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict>;

    /// What its time is spent on.
    fn stage(&self) -> Stage {
        Stage::Analysis
    }

    /// Whether this monitor, in place of the case's `run.steady`, says when the flow is steady.
    fn decides_steady(&self) -> bool {
        false
    }

    /// Boxes of cells that it will ask the last state for, with [`Snapshot::in_boxes`].
    fn boxes(&self) -> &[Extent] {
        &[]
    }

    /// Called once with the last state, also when the run was stopped early. When the run fails
    /// it is not called.
    ///
    /// # Errors
    /// If something cannot be written.
    fn finish(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        Ok(())
    }

    /// Called last, after all monitors have seen the last state: waits for what is still on its way to the disk.
    /// Not collective.
    ///
    /// # Errors
    /// If something did not arrive.
    fn wait(&mut self) -> Result<()> {
        Ok(())
    }
}

/// What is known of all of a flow.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) energy: Energy,
    /// Whether velocity and pressure are finite in all cells; nothing if the pressure was not looked at. Of a velocity
    /// whose square is too large for a number it is said that it is not.
    pub(crate) is_finite: Option<bool>,
}

/// Values in boxes of the whole grid, by quantity; a window for each box.
pub type InBoxes = Vec<(Quantity, Vec<Window<'static>>)>;

/// The state after a step. Fields are fetched when first asked for and kept for the other monitors
/// of the same step.
pub struct Snapshot<'a> {
    /// The step just done.
    pub step: Step,
    /// The case.
    pub case: &'a Case,
    /// This rank and the others.
    pub ranks: &'a dyn Communicator,
    /// How the grid is cut.
    pub cut: &'a Decomposition,
    solver: &'a mut dyn Solver,
    pool: Option<&'a ThreadPool>,
    /// Of this rank.
    mine: HashMap<Quantity, Arc<Field>>,
    /// Of the whole grid.
    whole: HashMap<Quantity, Option<Arc<Field>>>,
    /// Of all of the flow.
    pub(crate) look: Option<Look>,
    /// Boxes that will be asked for, and on rank 0 what is in them.
    pub(crate) foreseen: Vec<Extent>,
    pub(crate) in_boxes: Option<InBoxes>,
    /// Spent waiting for steps.
    pub(crate) waited: Duration,
}

impl<'a> Snapshot<'a> {
    /// A look at a solver.
    pub fn new(
        step: Step,
        case: &'a Case,
        ranks: &'a dyn Communicator,
        cut: &'a Decomposition,
        solver: &'a mut dyn Solver,
    ) -> Self {
        let (mine, whole, waited) = (HashMap::new(), HashMap::new(), Duration::ZERO);
        let (look, foreseen, in_boxes) = (None, Vec::new(), None);
        let pool = None;
        Self { step, case, ranks, cut, solver, pool, mine, whole, look, foreseen, in_boxes, waited }
    }

    /// The same; what is made of fields is made by these threads.
    pub(crate) fn by_threads(self, pool: &'a ThreadPool) -> Self {
        Self { pool: Some(pool), ..self }
    }

    /// Velocity or pressure on this rank's own cells, without halo.
    ///
    /// # Errors
    /// If a device fails.
    pub fn field(&mut self, quantity: Quantity) -> Result<Arc<Field>> {
        if let Some(known) = self.mine.get(&quantity) {
            return Ok(known.clone());
        }
        self.wait()?;
        let field = Arc::new(self.ask(|solver| solver.field(quantity))?);
        self.mine.insert(quantity, field.clone());
        Ok(field)
    }

    /// The same of some rows of own cells, which is not kept; see [`Solver::rows`].
    pub(crate) fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        self.wait()?;
        self.ask(|solver| solver.rows(quantity, rows))
    }

    /// Whether there is such a quantity by now; see [`Solver::has`].
    pub fn has(&self, quantity: Quantity) -> bool {
        self.solver.has(quantity)
    }

    /// Does something with the threads of this rank to share.
    pub fn with_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Looks at several things by the threads of this rank, which do not sleep between them.
    pub fn together<R: Send>(&mut self, look: impl FnOnce(&mut Self) -> R + Send) -> R {
        match self.pool {
            Some(pool) => pool.install(|| look(self)),
            None => look(self),
        }
    }

    /// The threads of this rank, if it has a pool of them.
    pub fn threads(&self) -> Option<&'a ThreadPool> {
        self.pool
    }

    /// Waits for the steps that have been asked for.
    fn wait(&mut self) -> Result<()> {
        let begin = Instant::now();
        self.solver.finish()?;
        self.waited += begin.elapsed();
        Ok(())
    }

    /// A quantity on the whole grid: on rank 0, nothing on the others. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn whole(&mut self, quantity: Quantity) -> Result<Option<Arc<Field>>> {
        if let Some(known) = self.whole.get(&quantity) {
            return Ok(known.clone());
        }
        let field = match quantity {
            Quantity::Vorticity | Quantity::StreamFunction => {
                let velocity = self.whole(Quantity::Velocity)?;
                let case = self.case;
                let derived = velocity.map(|velocity| match quantity {
                    Quantity::Vorticity => {
                        self.with_threads(|| derived::vorticity(case, &velocity))
                    }
                    _ => derived::stream_function(case, &velocity),
                });
                derived.map(Arc::new)
            }
            _ => {
                let mine = self.field(quantity);
                let mine = self.ranks.agree(mine)?;
                match self.ranks.size() {
                    1 => Some(mine),
                    _ => gather(self.ranks, self.cut, &mine)?.map(Arc::new),
                }
            }
        };
        self.whole.insert(quantity, field.clone());
        Ok(field)
    }

    /// Quantities in an extent of the whole grid, each in a window that may be larger: every rank is given those in
    /// the extent that it wants, and says for all ranks what they want. They are not kept: what is looked at slab by slab
    /// needs no memory for the whole. A stream function is to be had on the first rank. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn quantities_in(
        &mut self,
        wanted: &[Option<Extent>],
        quantities: &[Quantity],
    ) -> Result<Option<Vec<Window<'static>>>> {
        let is_derived = quantities.contains(&Quantity::Vorticity);
        let velocity = match is_derived || quantities.contains(&Quantity::Velocity) {
            true => self.windows(Quantity::Velocity, wanted, is_derived)?,
            false => None,
        };
        let mine = wanted.get(self.ranks.rank()).cloned().flatten();
        let mut windows = Vec::new();
        for &quantity in quantities {
            windows.push(match quantity {
                // Comes when all that is derived of it is there.
                Quantity::Velocity => None,
                Quantity::StreamFunction => {
                    let whole = self.whole(quantity)?;
                    let both = whole.zip(mine.as_ref());
                    both.map(|(whole, mine)| Window::of(mine, Window::whole(&whole).cut_out(mine)))
                }
                Quantity::Vorticity => {
                    velocity.as_ref().zip(mine.as_ref()).map(|(velocity, mine)| {
                        let case = self.case;
                        let vorticity = || derived::vorticity_in(case, mine, velocity);
                        Window::of(mine, self.with_threads(vorticity))
                    })
                }
                _ => self.windows(quantity, wanted, is_derived)?,
            });
        }
        if let Some(place) = quantities.iter().position(|&one| one == Quantity::Velocity) {
            windows[place] = velocity;
        }
        Ok(windows.into_iter().collect())
    }

    /// Velocity or pressure in an extent and, if derivatives are asked for, in the cells around it that they need:
    /// on rank 0, nothing on the others. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn window(
        &mut self,
        quantity: Quantity,
        extent: &Extent,
        for_derivatives: bool,
    ) -> Result<Option<Window<'static>>> {
        let mut wanted = vec![None; self.ranks.size()];
        wanted[0] = Some(extent.clone());
        self.windows(quantity, &wanted, for_derivatives)
    }

    /// The same in what each rank wants.
    pub(crate) fn windows(
        &mut self,
        quantity: Quantity,
        wanted: &[Option<Extent>],
        for_derivatives: bool,
    ) -> Result<Option<Window<'static>>> {
        let mut endless = self.case.boundaries.periodic();
        endless[2] |= self.case.grid.is_plane();
        let around = if for_derivatives { derived::REACH } else { 0 };
        let boxes: Vec<_> = wanted
            .iter()
            .map(|extent| {
                let extent = extent.as_ref()?;
                Some(pieces(extent, [around; 3], self.cut.cells, endless))
            })
            .collect();
        let extents: Vec<Vec<Extent>> = boxes
            .iter()
            .map(|one| one.iter().flat_map(|(_, _, all)| all).map(|p| p.extent.clone()).collect())
            .collect();
        let fields = self.parts(quantity, &extents)?;
        let Some((first, n, pieces)) = boxes.into_iter().nth(self.ranks.rank()).flatten() else {
            return Ok(None);
        };
        let found = pieces.into_iter().map(|piece| piece.first).zip(fields).collect();
        Ok(Some(Window::at(first, self.with_threads(|| joined(first, n, found)))))
    }

    /// The forces on the case's surfaces; see [`Solver::forces`]. Collective.
    ///
    /// # Errors
    /// As there, on all ranks alike.
    pub fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        self.wait()?;
        let forces = self.ask(|solver| solver.forces());
        self.ranks.agree(forces)
    }

    /// Gives back the memory of a quantity of the whole grid that is derived; it is derived again if it is asked for again.
    pub fn forget(&mut self, quantity: Quantity) {
        if !quantity.is_computed() {
            self.whole.remove(&quantity);
        }
    }

    /// Gives the complete state of this rank; see [`Solver::save`]. Collective.
    ///
    /// # Errors
    /// If a rank or device fails, or what it is given to does.
    pub fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.wait()?;
        self.ask(|solver| solver.save(state))
    }

    /// Asks the solver while something else is done, where several threads are there to share both.
    pub(crate) fn beside_work<A: Send, B: Send>(
        &mut self,
        ask: impl FnOnce(&mut dyn Solver) -> A + Send,
        work: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let solver = &mut *self.solver;
        match self.pool {
            Some(pool) if pool.threads() > 1 => pool.install(|| rayon::join(|| ask(solver), work)),
            _ => (ask(solver), work()),
        }
    }

    /// Asks the solver, which may let the threads of this rank share what it does.
    fn ask<R: Send>(&mut self, ask: impl FnOnce(&mut dyn Solver) -> R + Send) -> R {
        let solver = &mut *self.solver;
        match self.pool {
            Some(pool) => pool.install(|| ask(solver)),
            None => ask(solver),
        }
    }
}
