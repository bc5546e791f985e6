//! Grid sequencing: a steady flow begins with what a grid of half as many cells in each direction gives.

use vortice_core::{
    Axis, Case, Context, Field, Grid, Quantity, Result, Shape, Solids, State, Surfaces, Until,
    fill_rows,
};

use crate::boundary::{Faces, SOLID};
use crate::options::Measure;
use crate::settings::Settings;
use crate::state::{self, Flow};
use crate::worker::Worker;

/// Fewer cells in a direction are not worth a coarser grid.
const FEWEST_CELLS: usize = 16;

/// Outer iterations after which a coarser grid's flow is taken as it is.
const MOST_ITERATIONS: u64 = 4000;

/// Outer iterations between two moments in which a run may be stopped.
const ITERATIONS_TOGETHER: u64 = 10;

/// How much farther from its end a coarser grid's flow may be.
const LOOSER: f64 = 10.0;

/// The same case on half as many cells in each direction, if they can be halved and solids still fit.
pub(crate) fn coarser(case: &Case, settings: &Settings) -> Option<Case> {
    let wanted = settings.steady && settings.options.sequence;
    // Of heat and scalars nothing is taken over from another grid.
    if !wanted || settings.options.measure == Measure::Drop || case.carried().next().is_some() {
        return None;
    }
    let mut grid: Grid = case.grid;
    for d in case.grid.directions() {
        let axis = case.grid.axes[d];
        if !axis.len().is_multiple_of(2) || axis.len() / 2 < FEWEST_CELLS {
            return None;
        }
        grid.axes[d] = Axis::uniform(axis.len() / 2, axis.low(), axis.high());
    }
    let fits = case.solid.iter().all(|solid| solid.misfit(&grid) < 1e-6);
    let mut coarser = case.clone();
    coarser.grid = grid;
    coarser.close_pockets();
    fits.then_some(coarser)
}

/// Velocity and pressure of a whole grid.
struct Whole {
    velocity: Field,
    pressure: Field,
}

impl Whole {
    /// What a worker that is alone has.
    fn of(worker: &mut Worker) -> Result<Self> {
        let cells = worker.case().grid.cells();
        let mut field = |quantity| {
            let rows = 0..cells[1] * cells[2];
            worker.field(quantity, rows).map(|field| field.with_cells(cells))
        };
        Ok(Self { velocity: field(Quantity::Velocity)?, pressure: field(Quantity::Pressure)? })
    }

    /// A quarter of the difference to what a still coarser grid gave: so much nearer is the next finer
    /// one, if the order is two (Richardson 1911).
    fn extrapolate(&mut self, coarser: &Self) {
        for (field, coarser) in
            [(&mut self.velocity, &coarser.velocity), (&mut self.pressure, &coarser.pressure)]
        {
            let values = field.values.iter_mut().zip(&coarser.values);
            values.for_each(|(value, coarser)| *value += 0.25 * (*value - coarser));
        }
    }
}

/// The coarser grids of a steady flow, computed one after the other: what one leads to is where the next finer one begins.
pub(crate) struct Sequence {
    /// Those that are still to be computed, the coarsest last.
    grids: Vec<Case>,
    /// Every rank computes all of a coarser grid: the same bits for any number of them.
    context: Context,
    /// How near to its end a grid's flow has to be.
    tolerance: f64,
    current: Option<Current>,
    /// What the last grid led to; nothing if its flow did not become steady.
    found: Option<Whole>,
}

/// The grid that is computed, and what it began with.
struct Current {
    worker: Worker,
    begun: Option<Whole>,
}

impl Sequence {
    /// The grids coarser than a case's, if there are any and its flow is to become steady.
    ///
    /// # Errors
    /// If the options of the case are wrong.
    pub(crate) fn of(case: &Case, context: &Context) -> Result<Option<Self>> {
        let Until::Steady(tolerance) = case.run.until else { return Ok(None) };
        let mut grids = Vec::new();
        let mut next = coarser(case, &Settings::of(case)?);
        while let Some(case) = next {
            next = coarser(&case, &Settings::of(&case)?);
            grids.push(case);
        }
        let (context, tolerance) = (context.apart(), tolerance * LOOSER);
        let all = Self { grids, context, tolerance, current: None, found: None };
        Ok(Some(all).filter(|all| !all.grids.is_empty()))
    }

    /// Some outer iterations on one of the grids; tells whether there were any to do.
    pub(crate) fn go_on(&mut self) -> Result<bool> {
        let mut current = match (self.current.take(), self.grids.pop()) {
            (Some(current), next) => {
                self.grids.extend(next);
                current
            }
            (None, Some(case)) => self.begin(&case)?,
            (None, None) => return Ok(false),
        };
        for _ in 0..ITERATIONS_TOGETHER {
            let step = current.worker.step(f64::INFINITY)?;
            if step.residual.is_nan() {
                return Ok(true);
            }
            if step.steady(self.tolerance).is_some() || step.number >= MOST_ITERATIONS {
                self.found = current.found()?;
                return Ok(true);
            }
        }
        self.current = Some(current);
        Ok(true)
    }

    /// A grid, with the flow that the one before led to.
    fn begin(&mut self, case: &Case) -> Result<Current> {
        let mut worker = Worker::new(case, &self.context)?;
        let mut begun = None;
        if let Some(state) = self.take(&worker)? {
            worker.begin(&state)?;
            begun = Some(Whole::of(&mut worker)?);
        }
        Ok(Current { worker, begun })
    }

    /// The flow that the last grid led to, as a state of a finer one; none if it did not become steady there.
    pub(crate) fn take(&mut self, finer: &Worker) -> Result<Option<State>> {
        let (case, context, settings) = (finer.case(), finer.context(), finer.settings());
        let refined =
            |found: Whole| refined(case, context, settings, &found.velocity, &found.pressure);
        self.found.take().map(refined).transpose()
    }
}

impl Current {
    /// What the flow is, nearer to that of finer grids; nothing if it is not finite.
    fn found(mut self) -> Result<Option<Whole>> {
        let mut found = Whole::of(&mut self.worker)?;
        if let Some(begun) = &self.begun {
            found.extrapolate(begun);
        }
        let is_finite = |field: &Field| field.values.iter().all(|x| x.is_finite());
        if !is_finite(&found.velocity) || !is_finite(&found.pressure) {
            return Ok(None);
        }
        let density = self.worker.case().density;
        found.pressure.values.iter_mut().for_each(|p| *p /= density);
        Ok(Some(found))
    }
}

/// A state of this rank with the velocity and pressure of a coarser grid.
fn refined(
    case: &Case,
    context: &Context,
    settings: &Settings,
    velocity: &Field,
    pressure: &Field,
) -> Result<State> {
    let part = context.subdomain(case)?;
    let shape = state::shape(case, &part);
    let faces = Faces::new(case, &part, shape);
    let mut flow = Flow::zeros(shape);
    let between = Between { case, solids: case.solids(), coarse: velocity.shape };
    let surfaces = Surfaces::of_part(case, &part);
    let length = shape.padded()[0];
    let Flow { u: [x, y, z], p, .. } = &mut flow;
    fill_rows([x, y, z, p], length, |number, [x, y, z, p]| {
        let u = [x, y, z];
        for i in 0..length {
            let here = number * length + i;
            let cell = shape.cell(here);
            let global = surfaces.global(cell);
            if faces.kinds[here] & SOLID != 0 || !surfaces.is_inside(cell) {
                continue;
            }
            for c in 0..settings.directions {
                u[c][i] = between.value(velocity, c, global);
            }
            p[i] = between.value(pressure, 0, global);
        }
    });
    flow.prescribe(&faces, shape);
    flow.copy_ghosts(&faces);
    flow.average_faces(&faces, shape, settings.directions);
    let mut state = State::default();
    state::save(&mut state, shape, settings.directions, |of| match of.time() {
        0 => Ok(flow.part(of)),
        _ => Ok(vec![0.0; shape.len()]),
    })?;
    Ok(state)
}

/// Values of a coarser grid at the cells of a finer one.
struct Between<'a> {
    case: &'a Case,
    solids: Solids,
    coarse: Shape,
}

impl Between<'_> {
    /// Multilinear interpolation between those coarse cells that are in the flow.
    fn value(&self, field: &Field, component: usize, global: [isize; 3]) -> f64 {
        let directions = self.case.grid.directions().len();
        let (mut sum, mut weights) = (0.0, 0.0);
        for corner in 0..1 << directions {
            let mut weight = 1.0;
            let mut cell = [0; 3];
            for d in 0..directions {
                let parent = global[d].div_euclid(2);
                let towards = if global[d].rem_euclid(2) == 0 { -1 } else { 1 };
                let far = corner >> d & 1 == 1;
                weight *= if far { 0.25 } else { 0.75 };
                cell[d] = if far { parent + towards } else { parent };
            }
            if let Some(cell) = self.flow_cell(cell) {
                sum += weight * field.at(component, cell);
                weights += weight;
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    /// A coarse cell inside the box, if it is in the flow.
    fn flow_cell(&self, mut cell: [isize; 3]) -> Option<[isize; 3]> {
        let periodic = self.case.boundaries.periodic();
        for d in self.case.grid.directions() {
            let n = self.coarse.cells[d] as isize;
            if periodic[d] {
                cell[d] = cell[d].rem_euclid(n);
            } else if !(0..n).contains(&cell[d]) {
                return None;
            }
        }
        let mut fine = cell;
        self.case.grid.directions().for_each(|d| fine[d] *= 2);
        (!self.solids.contains(fine)).then_some(cell)
    }
}
