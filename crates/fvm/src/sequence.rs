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

/// Lets a steady flow begin with what coarser grids lead to, if there are any and they were not asked
/// yet; tells whether it does.
pub(crate) fn begin(worker: &mut Worker) -> Result<bool> {
    let Some((case, context, settings)) = worker.asks() else { return Ok(false) };
    let state = coarser_flow(case, context, settings)?;
    state.as_ref().map_or(Ok(()), |state| worker.begin(state))?;
    Ok(state.is_some())
}

/// The flow that coarser grids lead to, as a state of this one; none if there is no such grid or the
/// flow does not become steady there.
fn coarser_flow(case: &Case, context: &Context, settings: &Settings) -> Result<Option<State>> {
    let Some(coarser) = coarser(case, settings) else { return Ok(None) };
    let Until::Steady(tolerance) = case.run.until else { return Ok(None) };
    // Every rank computes all of the coarser grid: the same bits for any number of them.
    let mut worker = Worker::new(&coarser, &context.apart())?;
    // What a still coarser grid leads to is where this one begins.
    let begun = begin(&mut worker)?.then(|| Whole::of(&mut worker)).transpose()?;
    while worker.now().number < MOST_ITERATIONS {
        let step = worker.step(f64::INFINITY)?;
        if step.residual.is_nan() {
            return Ok(None);
        }
        if step.steady(tolerance * LOOSER).is_some() {
            break;
        }
    }
    let mut found = Whole::of(&mut worker)?;
    if let Some(begun) = &begun {
        found.extrapolate(begun);
    }
    if ![&found.velocity, &found.pressure]
        .iter()
        .all(|field| field.values.iter().all(|x| x.is_finite()))
    {
        return Ok(None);
    }
    found.pressure.values.iter_mut().for_each(|p| *p /= case.density);
    refined(case, context, settings, &found.velocity, &found.pressure).map(Some)
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
