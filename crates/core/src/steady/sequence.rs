//! Grid sequencing: a steady flow begins with what a grid of half as many cells in each direction gives.

use std::ops::Range;
use std::sync::Arc;

use crate::case::{Case, Initial};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field_later::FieldLater;
use crate::grid::{Axis, Grid};
use crate::quantity::Quantity;
use crate::row_block::RowBlock;
use crate::solver::{Cost, Solver, through};
use crate::state::{StateReader, StateWriter};
use crate::step::Step;
use crate::stored_flow::StoredFlow;
use crate::surface_fluxes::SurfaceFluxes;
use crate::surface_force::SurfaceForce;

/// Fewer cells in a direction are not worth a coarser grid.
const FEWEST_CELLS: usize = 16;

/// Steps between two moments in which a run may be stopped.
const STEPS_TOGETHER: u64 = 10;

/// How much farther from its end a coarser grid's flow may be.
const LOOSER: f64 = 10.0;

/// Builds the solver of one grid.
type Build = Box<dyn Fn(&Case, &Context) -> Result<Box<dyn Solver>> + Send>;

/// The same case on half as many cells in each direction, and so on, the coarsest last.
pub(super) fn coarser_grids(case: &Case) -> Vec<Case> {
    std::iter::successors(case.coarser(), Case::coarser).collect()
}

impl Case {
    /// The same case on half as many cells in each direction: none where cells cannot be halved, solids would not fit, or
    /// heat and scalars are carried, of which nothing is taken over from another grid.
    pub fn coarser(&self) -> Option<Self> {
        let grid = self.halved(&self.grid)?;
        let mut coarser = Self { grid, ..self.clone() };
        coarser.close_pockets();
        Some(coarser)
    }

    /// How often [`Self::coarser`] can be had, one after the other.
    pub fn halvings(&self) -> u32 {
        std::iter::successors(Some(self.grid), |grid| self.halved(grid)).skip(1).map(|_| 1).sum()
    }

    /// A grid of this case with half as many cells in each direction.
    fn halved(&self, fine: &Grid) -> Option<Grid> {
        let mut grid = *fine;
        for d in fine.directions() {
            let axis = fine.axes[d];
            if !axis.len().is_multiple_of(2) || axis.len() / 2 < FEWEST_CELLS {
                return None;
            }
            grid.axes[d] = Axis::uniform(axis.len() / 2, axis.low(), axis.high());
        }
        let fits = self.solid.iter().all(|solid| solid.misfit(&grid) < 1e-6);
        (fits && self.carried().next().is_none()).then_some(grid)
    }
}

/// A solver that first lets others compute coarser grids, one after the other: what one leads to is where the next finer
/// one begins. Every rank computes all of a coarser grid: the same bits for any number of them.
pub(super) struct Sequence {
    /// Of the case's own grid.
    solver: Box<dyn Solver>,
    build: Build,
    case: Case,
    context: Context,
    /// Those that are still to be computed, the coarsest last.
    grids: Vec<Case>,
    /// How near to its end a coarser grid's flow has to be, and its steps at most.
    tolerance: f64,
    most: u64,
    current: Option<Current>,
    /// What the last grid led to; nothing if its flow did not become steady.
    found: Option<StoredFlow>,
}

/// The grid that is computed, and what it began with.
struct Current {
    solver: Box<dyn Solver>,
    case: Case,
    begun: Option<[Field; 2]>,
}

impl Sequence {
    /// A solver of a case that begins with these grids, to ten times this tolerance by so many steps at most.
    ///
    /// # Errors
    /// As `build`.
    pub(super) fn new(
        build: Build,
        (case, context): (&Case, &Context),
        grids: Vec<Case>,
        (tolerance, most): (f64, u64),
    ) -> Result<Self> {
        Ok(Self {
            solver: build(case, context)?,
            build,
            case: case.clone(),
            context: context.clone(),
            grids,
            tolerance: LOOSER * tolerance,
            most,
            current: None,
            found: None,
        })
    }

    /// Some steps on one of the grids.
    fn go_on(&mut self) -> Result<()> {
        let mut current = match (self.current.take(), self.grids.pop()) {
            (Some(current), next) => {
                self.grids.extend(next);
                current
            }
            (None, Some(case)) => self.begin(case)?,
            (None, None) => return Ok(()),
        };
        let most = self.most.min(current.case.run.max_steps);
        for _ in 0..STEPS_TOGETHER {
            let step = current.solver.step(f64::INFINITY)?;
            if step.residual.is_nan() {
                return Ok(());
            }
            let ends = step.steady(self.tolerance).is_some() || step.never_steady().is_some();
            if ends || step.number >= most {
                self.found = current.found()?;
                return Ok(());
            }
        }
        self.current = Some(current);
        Ok(())
    }

    /// A grid, with the flow that the one before led to.
    fn begin(&mut self, case: Case) -> Result<Current> {
        let found = self.found.take();
        let is_begun = found.is_some();
        let case = beginning_with(&case, found);
        let mut solver = (self.build)(&case, &self.context.apart())?;
        let begun = if is_begun { Some(flow(&mut *solver)?) } else { None };
        Ok(Current { solver, case, begun })
    }
}

/// The same case with the flow of a coarser grid, if there is one.
fn beginning_with(case: &Case, found: Option<StoredFlow>) -> Case {
    let mut case = case.clone();
    if let Some(found) = found {
        let found = found.in_box(case.boundaries.periodic(), case.boundaries.fix_pressure());
        let given = Arc::new(case.initial.clone());
        case.initial = Initial::Refined { flow: Arc::new(found), given };
    }
    case
}

/// Velocity and pressure of a whole grid.
fn flow(solver: &mut dyn Solver) -> Result<[Field; 2]> {
    Ok([solver.field(Quantity::Velocity)?, solver.field(Quantity::Pressure)?])
}

impl Current {
    /// What the flow is, nearer to that of finer grids by a quarter of the difference to what a still coarser grid gave: so
    /// much nearer is the next finer one, if the order is two (Richardson 1911). Nothing if it is not finite.
    fn found(mut self) -> Result<Option<StoredFlow>> {
        let mut found = flow(&mut *self.solver)?;
        for (field, begun) in found.iter_mut().zip(self.begun.iter().flatten()) {
            let values = field.values.iter_mut().zip(&begun.values);
            values.for_each(|(value, begun)| *value += 0.25 * (*value - begun));
        }
        let [velocity, pressure] = found;
        let found = StoredFlow::new(self.case.grid, velocity, Some(pressure));
        Ok(found.not_finite().is_none().then(|| found.around(self.case.solids())))
    }
}

impl Solver for Sequence {
    through!(solver: now finish has is_ahead field velocity_later rows block forces surface_fluxes save cost findings warnings);

    fn prepare(&mut self) -> Result<bool> {
        if self.grids.is_empty() && self.current.is_none() {
            return Ok(false);
        }
        self.go_on()?;
        if self.grids.is_empty()
            && self.current.is_none()
            && let Some(found) = self.found.take()
        {
            let case = beginning_with(&self.case, Some(found));
            // The room of the one that waited is needed.
            self.solver = Box::new(Gone);
            self.solver = (self.build)(&case, &self.context)?;
        }
        Ok(true)
    }

    fn step(&mut self, latest: f64) -> Result<Step> {
        while self.prepare()? {}
        self.solver.step(latest)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.solver.restore(state)?;
        if self.solver.now().number > 0 {
            self.grids.clear();
            self.current = None;
        }
        // One that was stopped before its first step has them still to come.
        Ok(())
    }
}

/// What stands in a solver's place while its room is needed.
struct Gone;

impl Gone {
    fn is_not_there<T>() -> Result<T> {
        Err(Error::case("run.until", "has no solver on this grid", "run it again"))
    }
}

impl Solver for Gone {
    fn now(&self) -> Step {
        Step::default()
    }

    fn step(&mut self, _latest: f64) -> Result<Step> {
        Self::is_not_there()
    }

    fn field(&mut self, _quantity: Quantity) -> Result<Field> {
        Self::is_not_there()
    }

    fn save(&mut self, _state: &mut dyn StateWriter) -> Result<()> {
        Self::is_not_there()
    }

    fn restore(&mut self, _state: &dyn StateReader) -> Result<()> {
        Self::is_not_there()
    }

    fn cost(&self) -> Cost {
        Cost { bytes_per_cell: 0.0, bytes_per_step: 0.0, bytes_per_iteration: 0.0 }
    }
}
