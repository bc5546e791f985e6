//! A pressure equation on a device, and conjugate gradients that solve it.

use std::convert::Infallible;
use std::sync::Arc;

use vortice_core::{Communicator, Halo, Result};
use vortice_gpu::{DeviceHalo, Gpu, Perform, Recorder, value};

use super::mirrors::Layout;
use super::multigrid::Multigrid;
use super::program::{Kernels, PROGRAM, definitions};
use super::space::{DeviceSpace, OnDevice, System};
use super::vectors::Vectors;
use super::verbs::{Vector, Verb};
use crate::cycle::Smoothing;
use crate::gradients::Gradients;
use crate::levels::Levels;
use crate::options::{Criterion, PressureSolver};
use crate::space::{Preconditioner, Space};

/// Iterations between looks: many, or, with a multigrid cycle, few that take longer than a look.
const LOOK_EVERY_GRADIENT: usize = 10;
const LOOK_EVERY_CYCLE: usize = 1;

/// A x = b, A x = sum over the faces of a cell of c (x - x_neighbour), on all levels, and the vectors
/// with which it is solved.
pub struct PressureEquation {
    gpu: Gpu,
    kernels: Arc<Kernels>,
    layout: Layout,
    halo: DeviceHalo,
    ranks: Arc<dyn Communicator>,
    /// Its levels.
    pub grids: Multigrid,
    /// Vectors of the finest level; none before they are asked for.
    pub vectors: Vectors,
}

impl PressureEquation {
    /// An equation of zeros on levels that are cut among `ranks`.
    pub fn new(gpu: &Gpu, ranks: Arc<dyn Communicator>, levels: &Levels) -> Result<Self> {
        let module = gpu.load(&PROGRAM, &definitions(levels.plan.directions))?;
        let kernels = Arc::new(Kernels::of(&module)?);
        let finest = &levels.levels[0];
        let layout = Layout::new(finest, 0);
        let halo = Halo::new(&finest.shape, &levels.part(0));
        let halo = DeviceHalo::new(gpu, &halo, size_of::<f64>())?;
        let grids = Multigrid::new(gpu, kernels.clone(), ranks.clone(), levels)?;
        let vectors = Vectors::new(gpu, kernels.clone(), layout, ranks.clone())?;
        Ok(Self { gpu: gpu.clone(), kernels, layout, halo, ranks, grids, vectors })
    }

    /// Whether cycles happen on the devices alone, so that they can be captured.
    pub fn stays_on_device(&self) -> bool {
        self.halo.stays_on_device() && self.grids.stays_on_device()
    }

    /// Whether inner products do, too.
    pub fn solves_on_device(&self) -> bool {
        self.vectors.stays_on_device() && self.stays_on_device()
    }

    /// So many cycles; `from_zero` says that the unknown is zero, whatever is in memory.
    pub fn cycles(&mut self, count: u32, from_zero: bool) -> Result<()> {
        (0..count).try_for_each(|cycle| self.grids.cycle(Smoothing::USUAL, from_zero && cycle == 0))
    }

    /// Does a verb; a method does its own.
    pub fn do_verb<O>(&mut self, verb: Verb<O>) -> Result<()> {
        match verb {
            Verb::Apply { x, y } => self.apply(x, y),
            Verb::Precondition { by, r, z } => self.precondition(by, r, z),
            Verb::Take { b, x, from_zero, constants } => self.take(b, x, from_zero, constants),
            Verb::Put { x } => {
                self.fill_halo(x)?;
                self.grids.finest().x.copy_from(self.vectors.at(x))
            }
            of_vectors => self.vectors.perform(of_vectors),
        }
    }

    /// Fills the halo of a vector.
    pub fn fill_halo(&mut self, x: Vector) -> Result<()> {
        self.halo.exchange(&*self.ranks, &mut [self.vectors.at(x)])
    }

    /// Fills the halo of the unknown.
    pub fn fill_unknown(&mut self) -> Result<()> {
        self.halo.exchange(&*self.ranks, &mut [&mut self.grids.finest().x])
    }

    fn apply(&mut self, x: Vector, y: Vector) -> Result<()> {
        self.fill_halo(x)?;
        let Self { layout, grids, vectors, kernels, .. } = self;
        let ([x, y], slots) = vectors.several([x, y]);
        kernels.apply_level.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                slots.input("slots"),
                grids.finest().c.input("c"),
                x.input("x"),
                y.output("y"),
            ],
        )
    }

    fn precondition(&mut self, by: Preconditioner, r: Vector, z: Vector) -> Result<()> {
        let Self { grids, vectors, .. } = self;
        match by {
            Preconditioner::None => vectors.perform(Verb::<()>::Copy { flag: None, x: r, y: z }),
            Preconditioner::Jacobi => vectors.multiply_cells(grids.inverse(), r, z),
            Preconditioner::Multigrid(sweeps) => {
                let ([r, z], _) = vectors.several([r, z]);
                grids.precondition(Smoothing { pre: sweeps, post: sweeps }, r, z)
            }
        }
    }

    /// Right-hand side and unknown, and the null space.
    fn take(&mut self, b: Vector, x: Vector, from_zero: bool, constants: Vector) -> Result<()> {
        let Self { grids, vectors, .. } = self;
        let finest = grids.finest();
        vectors.at(b).copy_from(&finest.b)?;
        if from_zero {
            vectors.at(x).clear()?;
        } else {
            vectors.at(x).copy_from(&finest.x)?;
        }
        vectors.mark_constants(constants, grids.inverse(), grids.coarsest())
    }
}

impl Perform<Verb<Infallible>> for PressureEquation {
    fn perform(&mut self, verb: Verb<Infallible>) -> Result<()> {
        self.do_verb(verb)
    }

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn can_be_captured(&self) -> bool {
        self.solves_on_device()
    }
}

impl OnDevice<Infallible> for PressureEquation {
    fn vectors(&mut self) -> &mut Vectors {
        &mut self.vectors
    }
}

/// Conjugate gradients on the pressure equation of a device.
pub struct PressureGradients {
    solver: Gradients<Vector>,
    by: Preconditioner,
    b: Vector,
    x: Vector,
    constants: Vector,
    look_every: usize,
}

impl PressureGradients {
    /// Those that are asked for, if any are.
    pub fn new<D: OnDevice<O>, O: Copy + PartialEq>(
        device: &mut D,
        recorder: &mut Recorder<Verb<O>>,
        how: PressureSolver,
    ) -> Result<Option<Self>> {
        let by = how.preconditioner();
        let look_every = match by {
            Preconditioner::None | Preconditioner::Jacobi => LOOK_EVERY_GRADIENT,
            Preconditioner::Multigrid(_) => LOOK_EVERY_CYCLE,
        };
        let mut space =
            DeviceSpace::new(device, recorder, System::Pressure { by, constants: None });
        let Some(solver) = Gradients::new(&mut space, how)? else { return Ok(None) };
        let (b, x, constants) = (space.zeros()?, space.zeros()?, space.zeros()?);
        Ok(Some(Self { solver, by, b, x, constants, look_every }))
    }

    /// Solves the equation from its unknown, or from zero, and fills its halo; returns iterations.
    pub fn solve<D: OnDevice<O>, O: Copy + PartialEq>(
        &mut self,
        device: &mut D,
        recorder: &mut Recorder<Verb<O>>,
        criterion: Criterion,
        from_zero: bool,
    ) -> Result<u64> {
        let Self { solver, by, b, x, constants, look_every } = self;
        let system = |constants| System::Pressure { by: *by, constants };
        let mut space = DeviceSpace::new(device, recorder, system(None));
        space.ask(Verb::Take { b: *b, x: *x, from_zero, constants: *constants })?;
        let is_singular = space.flushed()?.vectors().is_singular()?;
        space.turn_to(system(is_singular.then_some(*constants)));
        let outcome = solver.solve(&mut space, b, x, criterion, *look_every)?;
        space.ask(Verb::Put { x: *x })?;
        space.flush()?;
        Ok(outcome.iterations as u64)
    }
}
