//! The engine for the processor: loops over rows of cells.

mod assemble;
mod body_faces;
mod coarser;
mod correct;
mod forces;
mod interpolate;
mod krylov;
mod momentum;
mod scalars;
mod slices;
mod sweep;
#[cfg(test)]
mod tests;
mod transported;

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Boundaries, Case, Communicator, Context, Field, Halo, Quantity, Real, Result, Shape,
    StateReader, StateWriter, Subdomain, SurfaceForce, ThreadPool,
};
use vortice_linear::cpu::PressureEquation;
use vortice_linear::{Levels, PressureSolver};

use crate::body_faces::BodyFaces;
use crate::boundary::{Faces, Prescribed, SOLID};
use crate::carried::CarriedOut;
use crate::coarser::coarser;
use crate::engine::{Engine, ResidualNorms};
use crate::equation::{Equation, MatrixRow};
use crate::fluid::Fluid;
use crate::forces::ForceFaces;
use crate::options::{Momentum, NAME};
use crate::settings::{Factors, Settings};
use crate::state::{self, Flow, WORTH_SHARING};
use slices::slice_at;
use transported::Transported;

/// Fields of one subdomain and what works on them, on the processor.
pub(crate) struct Cpu {
    shape: Shape,
    /// Sum of the global indices of cell (0, 0, 0): its parity is its colour.
    origin: usize,
    fluid: Fluid,
    factors: Factors,
    /// Where velocities that change with time come from.
    boundaries: Boundaries,
    faces: Faces,
    outlet: Option<CarriedOut>,
    body_faces: BodyFaces,
    halo: Halo,
    ranks: Arc<dyn Communicator>,
    pool: Arc<ThreadPool>,
    /// The flow now, and at the end of the last two time steps.
    now: Flow,
    past: [Flow; 2],
    /// Velocity before this outer iteration, in m/s.
    before: [Vec<f64>; 3],
    momentum: Equations,
    /// All that the flow carries.
    transported: Vec<Transported>,
    /// What solves them by BiCGSTAB, if that is asked for.
    krylov: Option<krylov::Krylov>,
    correction: PressureEquation,
    norms: ResidualNorms,
    part: Subdomain,
    /// Once forces have been asked for.
    force_faces: Option<ForceFaces>,
    /// The next coarser grid, whose last step's flow is what is asked of it, and the one before what it began with.
    coarser: Option<Box<Cpu>>,
}

/// The momentum equations; eq. (V8).
struct Equations {
    /// Coefficients of the neighbours in 1/s: west, east, south, north, bottom, top.
    a: [Vec<f64>; 6],
    /// Relaxed diagonal in 1/s, with halos, and its inverse, which is zero in solids.
    diagonal: Vec<f64>,
    inverse: Vec<f64>,
    /// Right-hand sides in m/s2.
    b: [Vec<f64>; 3],
}

impl Cpu {
    /// The engine of one rank, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn new(case: &Case, context: &Context, settings: &Settings) -> Result<Self> {
        let cut = context.decomposition(case)?;
        let part = cut.subdomain(context.ranks.rank());
        let shape = state::shape(case, &part);
        let zeros = || vec![0.0; shape.len()];
        let mut faces = Faces::new(case, &part, shape);
        let flow = || Flow::zeros(shape);
        let pool = Arc::new(ThreadPool::new(context.threads, WORTH_SHARING)?);
        let correction = PressureEquation::new(
            Levels::new(&case.grid, &cut, part.rank, shape.halo)?,
            context.ranks.clone(),
            pool.clone(),
            settings.options.pressure,
        )?;
        let krylov = match settings.options.momentum() {
            Momentum::Sweeps(_) => None,
            Momentum::Bicgstab(_) => Some(krylov::Krylov::new(correction.domain().clone())?),
        };
        let halo = Halo::new(&shape, &part);
        let ranks = &*context.ranks;
        let body_faces = BodyFaces::new(case, settings, &part, shape, &mut faces, ranks)?;
        let outlet = CarriedOut::new(case, &part, shape, ranks)?;
        let mut now = Flow::initial(case, &part, &faces, shape, &halo, ranks)?;
        if let Some(outlet) = &outlet {
            outlet.begin(&mut now);
        }
        let transported = (case.carried())
            .map(|scalar| {
                let of_flow = (settings, &faces.kinds[..]);
                Transported::new((case, scalar), (&part, shape), of_flow, (&halo, ranks), &pool)
            })
            .collect::<Result<_>>()?;
        let coarser = match coarser(case, context, settings, &cut)? {
            Some((case, context, settings)) => {
                Some(Box::new(Self::new(&case, &context, &settings)?))
            }
            None => None,
        };
        Ok(Self {
            fluid: Fluid::new(case, settings, &faces),
            factors: settings.steady_factors(case.force),
            halo,
            ranks: context.ranks.clone(),
            pool,
            now,
            past: [flow(), flow()],
            before: std::array::from_fn(|_| zeros()),
            momentum: Equations {
                a: std::array::from_fn(|_| zeros()),
                diagonal: vec![1.0; shape.len()],
                inverse: zeros(),
                b: std::array::from_fn(|_| zeros()),
            },
            transported,
            krylov,
            correction,
            norms: ResidualNorms::default(),
            origin: part.offset().iter().sum(),
            boundaries: case.boundaries.clone(),
            faces,
            outlet,
            body_faces,
            part,
            force_faces: None,
            coarser,
            shape,
        })
    }

    /// Coefficients of an equation in an own cell.
    pub(crate) fn row(&self, equation: Equation, cell: [isize; 3]) -> MatrixRow {
        let here = self.shape.index(cell);
        let flows = self.faces.kinds[here] & SOLID == 0;
        let mut row = MatrixRow { neighbours: [[0.0; 2]; 3], diagonal: 0.0 };
        if !flows {
            return row;
        }
        for d in 0..self.fluid.directions {
            let a = &self.momentum.a;
            let c = &self.correction.grids().coefficients(0)[d];
            row.neighbours[d] = match equation {
                Equation::Momentum => [a[2 * d][here], a[2 * d + 1][here]],
                Equation::Pressure => [c[here], c[here + self.shape.strides()[d]]],
            };
        }
        row.diagonal = match equation {
            Equation::Momentum => self.momentum.diagonal[here],
            Equation::Pressure => row.neighbours.iter().flatten().sum(),
        };
        row
    }

    /// Gives the velocity its halos and ghost values.
    fn complete_velocity(&mut self) -> Result<()> {
        self.exchange_velocity()?;
        self.now.copy_ghosts(&self.faces);
        Ok(())
    }

    fn exchange_velocity(&mut self) -> Result<()> {
        self.now.exchange_velocity(self.fluid.directions, &self.halo, &*self.ranks)
    }
}

impl Engine for Cpu {
    fn pool(&self) -> Option<ThreadPool> {
        (!self.pool.is_alone(self.shape.len())).then(|| (*self.pool).clone())
    }

    fn set_factors(&mut self, factors: &Factors) -> Result<()> {
        self.factors = *factors;
        Ok(())
    }

    fn begin_step(&mut self) -> Result<()> {
        self.complete_velocity()?;
        self.past.swap(0, 1);
        self.past[0].clone_from(&self.now);
        self.transported.iter_mut().for_each(Transported::begin_step);
        Ok(())
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        self.transported.iter_mut().for_each(|scalar| scalar.prescribe(time));
        if self.faces.changing.is_empty() {
            return Ok(());
        }
        self.boundaries.set_time(time);
        let [beyond, through] = self.faces.prescribed(&self.boundaries, self.fluid.directions)?;
        for Prescribed { component, place, value } in beyond {
            self.now.u[component][place] = value;
        }
        for Prescribed { component, place, value } in through {
            self.now.face_velocity[component][place] = value;
        }
        Ok(())
    }

    fn carry_out(&mut self) -> Result<()> {
        match &self.outlet {
            Some(outlet) => outlet.carry(&*self.ranks, &mut self.now, &self.past, &self.factors),
            None => Ok(()),
        }
    }

    fn assemble(&mut self) -> Result<()> {
        self.complete_velocity()?;
        self.assemble_momentum()
    }

    fn solve_momentum(&mut self, how: Momentum) -> Result<u64> {
        self.solve_equations(how)
    }

    fn interpolate_body_faces(&mut self) -> Result<()> {
        self.set_body_faces()
    }

    fn interpolate(&mut self) -> Result<()> {
        self.interpolate_faces()
    }

    fn solve_pressure(&mut self, how: PressureSolver) -> Result<u64> {
        self.correction.solve(how)
    }

    fn correct(&mut self) -> Result<()> {
        self.correct_flow()
    }

    fn coarser(&mut self) -> Option<&mut dyn Engine> {
        self.coarser.as_deref_mut().map(|coarser| coarser as &mut dyn Engine)
    }

    fn restrict(&mut self) -> Result<()> {
        self.restrict_flow()
    }

    fn prolong(&mut self) -> Result<()> {
        self.prolong_correction()
    }

    fn carry_scalars(&mut self) -> Result<u64> {
        self.solve_scalars()
    }

    fn residual_norms(&mut self) -> Result<ResidualNorms> {
        self.norms.of_all(&*self.ranks)
    }

    fn change(&mut self) -> Result<f64> {
        let mut largest = [self.now.largest_change(&self.past[0], self.shape)];
        self.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    fn scalar_change(&mut self) -> Result<f64> {
        if self.transported.is_empty() {
            return Ok(0.0);
        }
        let changes = self.transported.iter().map(Transported::change);
        let mut largest = [changes.fold(0.0, f64::max_magnitude)];
        self.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    fn mean_pressure(&mut self) -> Result<f64> {
        state::mean_pressure(&self.now.p, &self.faces, self.shape, &self.fluid, &*self.ranks)
    }

    fn velocity(&mut self, rows: Range<usize>) -> Result<Field> {
        let from = self.shape.hull(rows.clone()).start;
        let u: Vec<_> = self.now.u[..self.fluid.directions].iter().map(|u| &u[from..]).collect();
        Ok(state::velocity_at_centres(self.shape, rows, &u))
    }

    fn pressure(&mut self, rows: Range<usize>, mean: f64) -> Result<Field> {
        let p = &self.now.p[self.shape.hull(rows.clone()).start..];
        Ok(state::pressure_at_centres(self.shape, rows, p, mean, &self.faces, &self.fluid))
    }

    fn scalar(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let scalar = self.transported.iter().find(|scalar| scalar.quantity == quantity);
        scalar.map(|scalar| scalar.field(rows)).ok_or_else(|| quantity.is_derived(NAME))
    }

    fn forces(&mut self, case: &Case) -> Result<Vec<SurfaceForce>> {
        self.forces_on_bodies(case)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let [last, before] = &self.past;
        let flows = [&self.now, last, before];
        state::save(state, self.shape, self.fluid.directions, |of| Ok(flows[of.time()].part(of)))?;
        self.transported.iter().try_for_each(|scalar| scalar.save(state))
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let Self { shape, faces, halo, ranks, .. } = &*self;
        let form = (*shape, self.fluid.directions);
        let flow = |time| state::restored(state, time, form, faces, halo, &**ranks);
        (self.now, self.past) = (flow(0)?, [flow(1)?, flow(2)?]);
        let Self { transported, faces, halo, ranks, pool, .. } = self;
        let around = (&*halo, &**ranks);
        let mut all = transported.iter_mut();
        all.try_for_each(|scalar| scalar.restore(state, &faces.kinds, around, pool))
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
