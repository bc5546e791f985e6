//! The engine for the processor: loops over rows of cells, vectorised and shared between threads.

mod coarser;
mod cycles;
mod equation;
mod predict;
mod project;
mod residual;
mod scalars;
mod solve;
mod sweep;
mod transported;

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Boundaries, Case, Communicator, Context, Field, Halo, Quantity, Real, Result, Shape,
    StateReader, StateWriter, Storable, Subdomain, SurfaceForce, ThreadPool,
};
use vortice_linear::PressureSolver;
use vortice_linear::cpu::PressureEquation;

use crate::boundary::{self, CarriedOut, FaceCounts, Forced, Walls, open_faces};
use crate::coarser::Finer;
use crate::colours::Colours;
use crate::engine::{Engine, Motion, Norm, Residual};
use crate::forces::ForceSides;
use crate::initial::{self, WORTH_SHARING, exchange};
use crate::options::NAME;
use crate::settings::Settings;
use crate::state::{self, Saved};
use cycles::Cycles;
use transported::Transported;

/// Fields of one subdomain and what works on them. Velocity components sit at low faces, the
/// pressure (divided by the density, in m2/s2) at centres.
pub(crate) struct Cpu<T> {
    shape: Shape,
    directions: usize,
    spacing: [f64; 3],
    viscosity: f64,
    density: f64,
    force: [f64; 3],
    /// Flow cells of the whole grid.
    flow_cells: usize,
    /// Whether neighbours or periodic sides need halos exchanged.
    has_neighbours: bool,
    fused: bool,
    ranks: Arc<dyn Communicator>,
    pool: Arc<ThreadPool>,
    halo: Halo,
    /// Where velocities that change with time come from.
    boundaries: Boundaries,
    walls: Walls<T>,
    forced: Forced<T>,
    outlet: CarriedOut<T>,
    /// One where a face of a component lies in the flow, zero where it is a wall or the box's end.
    open: [Vec<T>; 3],
    u: [Vec<T>; 3],
    f: [Vec<T>; 3],
    /// Rates of change in the step before, in m/s2, if they are kept; else empty.
    rates: [Vec<T>; 3],
    p: Vec<T>,
    /// All that the flow carries.
    scalars: Vec<Transported<T>>,
    split: Split<T>,
    /// What solves the pressure, unless SOR does.
    equation: Option<PressureEquation>,
    /// What cycles keep, if steps are such.
    cycles: Cycles<T>,
    /// The next coarser grid of cycles.
    coarser: Option<Box<Self>>,
}

/// The pressure equation in two colours.
struct Split<T> {
    colours: Colours,
    halos: [Halo; 2],
    p: [Vec<T>; 2],
    right_hand_side: [Vec<T>; 2],
    /// Inverse of the sum of the weights of a cell's neighbours in the flow, in m2; zero in solids.
    inverse_diagonal: [Vec<T>; 2],
}

impl<T: Real> Cpu<T> {
    /// The flow of one rank as the case begins, with the boundary values of a finer grid if there is one.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn new(
        case: &Case,
        context: &Context,
        settings: &Settings,
        finer: Option<&Finer<'_, T>>,
    ) -> Result<Self> {
        let cut = context.decomposition(case)?;
        let part = cut.subdomain(context.ranks.rank());
        let shape = initial::shape(case, &part);
        let zeros = || std::array::from_fn(|_| vec![T::default(); shape.len()]);
        let pool = ThreadPool::new(context.threads, WORTH_SHARING)?;
        let walls =
            Walls::new(case, &part, shape, &pool).following(finer, shape, settings.directions);
        let mut engine = Self {
            shape,
            directions: settings.directions,
            spacing: settings.spacing,
            viscosity: settings.viscosity,
            density: case.density,
            force: case.force,
            flow_cells: case.grid.n_cells() - case.solids().count(),
            has_neighbours: case.grid.directions().any(|d| part.neighbours[d] != [None, None]),
            fused: false,
            ranks: context.ranks.clone(),
            halo: Halo::new(&shape, &part),
            boundaries: case.boundaries.clone(),
            forced: Forced::new(case, &cut, &*context.ranks, shape, &pool)?,
            outlet: CarriedOut::new(case, &part, &*context.ranks, shape, &walls.fixed)?,
            walls,
            open: std::array::from_fn(|a| open_faces(case, &part, shape, a, &pool)),
            u: zeros(),
            f: zeros(),
            rates: if settings.second_order { zeros() } else { Default::default() },
            p: vec![T::default(); shape.len()],
            scalars: (case.carried())
                .map(|scalar| {
                    let place = (&cut, &part, &shape);
                    Transported::new((case, scalar), place, settings, &*context.ranks, &pool)
                })
                .collect::<Result<_>>()?,
            split: Split::new(case, &part, shape, &pool),
            pool: Arc::new(pool),
            equation: None,
            coarser: None,
            cycles: Cycles::new(if settings.has_cycles { shape.len() } else { 0 }),
        };
        engine.fused = engine.prefers_fused(settings.kernel);
        engine.set_initial(case, &part)?;
        engine.complete_velocity()?;
        Ok(engine)
    }

    /// Own cells and halo.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    fn keeps_rates(&self) -> bool {
        !self.rates[0].is_empty()
    }

    /// Whether the low face of a cell lies in the flow, across direction `a`.
    pub(crate) fn is_open(&self, a: usize, cell: [isize; 3]) -> bool {
        self.open[a][self.shape.index(cell)] != T::default()
    }

    /// The boundary values.
    pub(crate) fn walls(&self) -> &Walls<T> {
        &self.walls
    }

    /// Inverse of the diagonal of the pressure equation in a cell, in m2; zero in solids.
    pub(crate) fn inverse_diagonal(&self, cell: [isize; 3]) -> T {
        let (colour, place) = self.split.colours.place(cell);
        self.split.inverse_diagonal[colour][place]
    }

    /// u, v and p of a plane flow, with halos.
    pub(crate) fn plane(&self) -> [&[T]; 3] {
        [&self.u[0], &self.u[1], &self.p]
    }

    /// Takes u, v and p of a plane flow from another device, to be asked for and saved; the velocity
    /// is completed.
    pub(crate) fn take_plane(&mut self, [u, v, p]: [Vec<T>; 3]) -> Result<()> {
        (self.u[0], self.u[1], self.p) = (u, v, p);
        self.complete_velocity()
    }

    /// The case's flow at t = 0; outlets as if they were predicted.
    fn set_initial(&mut self, case: &Case, part: &Subdomain) -> Result<()> {
        for a in case.grid.directions() {
            self.u[a] = initial::velocity(case, part, self.shape, a, &self.open[a], &self.pool);
        }
        exchange(&self.halo, &*self.ranks, &mut self.u[..self.directions])?;
        self.walls.predict_outlets(&mut self.u);
        self.outlet.begin(&mut self.u);
        self.f.clone_from(&self.u);
        Ok(())
    }

    /// Gives the velocity its prescribed values, halos and ghost values.
    fn complete_velocity(&mut self) -> Result<()> {
        self.complete_halos()?;
        self.walls.mirror(&mut self.u);
        Ok(())
    }

    /// Gives the velocity its prescribed values and halos.
    fn complete_halos(&mut self) -> Result<()> {
        boundary::fix(&self.walls.fixed, &mut self.u);
        exchange(&self.halo, &*self.ranks, &mut self.u[..self.directions])
    }

    /// The whole pressure from its two colours, halos included.
    fn merge_pressure(&mut self) {
        self.split.colours.merge(0, &self.split.p, &mut self.p);
    }

    /// The two colours from the whole pressure.
    fn split_pressure(&mut self) {
        self.split.colours.split(&self.p, &mut self.split.p);
    }

    /// Both colours of the pressure of own cells, and all halos.
    fn complete_pressure(&mut self) -> Result<()> {
        self.split_pressure();
        let halos = self.split.halos.iter().zip(&mut self.split.p);
        for (halo, p) in halos {
            halo.exchange(&*self.ranks, &mut [p])?;
        }
        self.merge_pressure();
        Ok(())
    }
}

impl<T: Storable> Engine for Cpu<T> {
    fn pool(&self) -> Option<ThreadPool> {
        (!self.pool.is_alone(self.shape.len())).then(|| (*self.pool).clone())
    }

    fn meet_bodies(&mut self) -> Result<()> {
        if self.forced.counts.all > 0 {
            self.forced.force(&*self.ranks, &mut self.u)?;
            self.complete_velocity()?;
        }
        Ok(())
    }

    fn push(&mut self, force: [f64; 3]) {
        self.force = force;
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        self.boundaries.set_time(time);
        self.walls.follow(&self.boundaries)
    }

    fn prescribe_scalars(&mut self, time: f64) -> Result<()> {
        self.scalars.iter_mut().for_each(|scalar| scalar.prescribe(time));
        Ok(())
    }

    fn carry_scalars(&mut self, dt: f64) -> Result<()> {
        self.advance_scalars(dt)
    }

    fn predict(&mut self, dt: f64, gamma: f64, weights: Option<[f64; 2]>) -> Result<()> {
        self.predict_velocity(dt, gamma, weights)
    }

    fn carry_out(&mut self, dt: f64) -> Result<()> {
        self.outlet.predict(&*self.ranks, &self.u, &mut self.f, T::from_f64(dt))
    }

    fn divergence(&mut self, dt: f64) -> Result<()> {
        self.set_right_hand_side(dt);
        Ok(())
    }

    fn relax(&mut self, omega: f64, iterations: u32) -> Result<()> {
        self.relax_pressure(omega, iterations)
    }

    fn relax_and_measure(&mut self, omega: f64) -> Result<f64> {
        self.relax_and_find_change(omega)
    }

    fn solve(&mut self, how: PressureSolver) -> Result<u64> {
        self.solve_equation(how)
    }

    fn residual(&mut self, norm: Norm) -> Result<Residual> {
        self.pressure_residual(norm)
    }

    fn project(&mut self, dt: f64) -> Result<Motion> {
        self.project_velocity(dt)
    }

    fn correct(&mut self, dt: f64) -> Result<()> {
        self.correct_velocity(dt).map(drop)
    }

    fn coarser(&mut self) -> Option<&mut dyn Engine> {
        self.coarser.as_deref_mut().map(|coarser| coarser as &mut dyn Engine)
    }

    fn begin(&mut self) -> Result<()> {
        self.begin_visit();
        Ok(())
    }

    fn ask(&mut self, dt: f64) -> Result<()> {
        self.ask_for(dt, false);
        self.put_pressure_aside();
        Ok(())
    }

    fn ask_less(&mut self, dt: f64) -> Result<()> {
        self.ask_for(dt, true);
        Ok(())
    }

    fn add_asked(&mut self, dt: f64) -> Result<()> {
        self.add_asked_for(dt);
        Ok(())
    }

    fn keep(&mut self) -> Result<()> {
        self.keep_velocity();
        Ok(())
    }

    fn restrict(&mut self, dt: f64) -> Result<()> {
        self.restrict_flow(dt)
    }

    fn prolong(&mut self) -> Result<()> {
        self.prolong_correction()
    }

    fn end(&mut self) -> Result<f64> {
        self.take_pressure_back();
        self.largest_change()
    }

    fn body_faces(&self) -> FaceCounts {
        self.forced.counts
    }

    fn speed(&mut self) -> Result<[f64; 3]> {
        self.largest_speeds()
    }

    fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let (shape, from) = (self.shape, self.shape.hull(rows.clone()).start);
        Ok(match quantity {
            Quantity::Temperature | Quantity::Scalar(_) => {
                let scalar = self.scalars.iter().find(|scalar| scalar.quantity == quantity);
                let scalar = scalar.ok_or_else(|| quantity.is_derived(NAME))?;
                let theta = &scalar.theta[scalar.shape.hull(rows.clone()).start..];
                state::scalar_at_centres(scalar.shape, rows, scalar.reference, theta)
            }
            Quantity::Pressure => {
                state::pressure_at_centres(shape, rows, self.density, &self.p[from..])
            }
            _ => {
                let u: Vec<_> = self.u[..self.directions].iter().map(|u| &u[from..]).collect();
                state::velocity_at_centres(shape, rows, &u)
            }
        })
    }

    fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>> {
        let velocity = |a: usize, place: usize| self.u[a][place].to_f64();
        let pressure = |place: usize| self.p[place].to_f64();
        sides.forces(velocity, pressure, gamma, &*self.ranks)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let rates = if self.keeps_rates() { self.directions } else { 0 };
        state::save(state, self.shape, [self.directions, rates], |of| {
            Ok(match of {
                Saved::Pressure => self.p.clone(),
                Saved::Velocity(a) => self.u[a].clone(),
                Saved::Rate(a) => self.rates[a].clone(),
            })
        })?;
        self.scalars.iter().try_for_each(|scalar| scalar.save(state))
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.p = state::saved(state, Saved::Pressure, self.shape)?;
        for a in 0..self.directions {
            self.u[a] = state::saved(state, Saved::Velocity(a), self.shape)?;
            if self.keeps_rates() {
                self.rates[a] = state::saved(state, Saved::Rate(a), self.shape)?;
            }
        }
        for scalar in &mut self.scalars {
            scalar.restore(state, &*self.ranks)?;
        }
        self.complete_pressure()?;
        self.complete_velocity()
    }
}
