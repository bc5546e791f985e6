//! Who computes: an engine that is told each verb of a step, or a device that does whole steps.

use std::ops::Range;

use vortice_core::{
    Case, Context, ConvectiveOutlet, Field, FieldLater, Quantity, Result, Rounds, StateReader,
    StateWriter, Storable, SurfaceForce, ThreadPool,
};
use vortice_gpu::Gpu;

use crate::boundary::{FaceCounts, moves_faces};
use crate::cpu::Cpu;
use crate::cycle::{self, Improved};
use crate::engine::Engine;
use crate::forces::ForceSides;
use crate::gpu::Gpu as OnGpu;
use crate::options::Kernel;
use crate::resident::{Ahead, ResidentDevice};
use crate::settings::Settings;
use crate::step;
use crate::step_state::StepState;
use crate::suitability::{check_kernel, no_kernel};

/// Who does the steps.
pub(crate) enum Worker {
    /// An engine that is told every verb.
    Engine(Box<dyn Engine>),
    /// A device that does whole steps, and may be some ahead.
    Ahead(Box<Ahead>),
}

impl Worker {
    /// The device that the case asks for, and the fastest way to use it.
    ///
    /// # Errors
    /// If the device or the kernel that the case asks for cannot be had.
    pub(crate) fn new<T: Storable>(
        case: &Case,
        context: &Context,
        settings: &Settings,
    ) -> Result<Self> {
        let on_host = || {
            let context = Context { threads: 1, ..context.clone() };
            Cpu::<T>::new(case, &context, settings, None)
        };
        let gpu = Gpu::for_case(case, context)?;
        check_kernel(settings.kernel, gpu.is_some(), settings.second_order)?;
        let Some(gpu) = gpu else {
            let engine = Cpu::<T>::with_solver(case, context, settings, None)?;
            return Ok(Self::Engine(Box::new(engine)));
        };
        // A rank that is measured apart from others does what it will do among them.
        let alone = context.ranks.size() == 1 && context.ranks.local_size() == 1;
        let may_be_resident = alone
            && settings.solver.is_none()
            && !settings.second_order
            && settings.scalars.is_empty()
            && !case.boundaries.change()
            && case.changing_force.is_none()
            && ConvectiveOutlet::of(case).is_none()
            && !case.bodies.iter().any(|body| moves_faces(body))
            && matches!(settings.kernel, Kernel::Auto | Kernel::Resident);
        if may_be_resident
            && let Some(device) = ResidentDevice::<T>::new(&gpu, case, settings, on_host)?
        {
            return Ok(Self::Ahead(Box::new(Ahead::new(Box::new(device)))));
        }
        if settings.kernel == Kernel::Resident {
            return Err(no_kernel(
                "resident",
                "plane flows on one rank, at least 8 cells wide, without periodic sides, without heat or scalars, without \
                 boundaries or a force that change with time, without bodies that turn or whose walls are not stairs, with outflows in one direction at most, none of them convective, not stopped by `residual-rms`, that fit into \
                 the GPU's shared memory",
            ));
        }
        Ok(Self::Engine(Box::new(OnGpu::<T>::new(&gpu, (case, context, settings), None)?)))
    }

    /// The step after `now`.
    pub(crate) fn step(
        &mut self,
        settings: &Settings,
        now: &StepState,
        latest: f64,
    ) -> Result<StepState> {
        match self {
            Self::Engine(engine) => {
                let pool = engine.pool();
                ThreadPool::within(pool, || step::advance(&mut **engine, settings, now, latest))
            }
            Self::Ahead(ahead) => ahead.step(now, latest),
        }
    }

    /// A cycle in place of a step; a device that does whole steps has none.
    pub(crate) fn improve(
        &mut self,
        settings: &Settings,
        grids: &[Settings],
        now: &StepState,
    ) -> Result<Improved> {
        match self {
            Self::Engine(engine) => {
                let pool = engine.pool();
                ThreadPool::within(pool, || cycle::improve(&mut **engine, settings, grids, now))
            }
            Self::Ahead(_) => Ok(Improved { now: *now, change: 0.0 }),
        }
    }

    /// Whether the next step is computed already.
    pub(crate) fn is_ahead(&self) -> bool {
        match self {
            Self::Engine(_) => false,
            Self::Ahead(ahead) => ahead.has_steps(),
        }
    }

    /// How many faces bodies give their velocity; a device that does whole steps has none.
    pub(crate) fn body_faces(&self) -> FaceCounts {
        match self {
            Self::Engine(engine) => engine.body_faces(),
            Self::Ahead(_) => FaceCounts::default(),
        }
    }

    /// Largest magnitude of each velocity component now, in m/s.
    pub(crate) fn speed(&mut self) -> Result<[f64; 3]> {
        match self {
            Self::Engine(engine) => engine.speed(),
            Self::Ahead(ahead) => ahead.speed(),
        }
    }

    /// Velocity, pressure or a scalar at the centres of some rows of own cells.
    pub(crate) fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        match self {
            Self::Engine(engine) => engine.field(quantity, rows),
            Self::Ahead(ahead) => ahead.field(quantity, rows),
        }
    }

    /// Velocity there, perhaps still on its way from a device.
    pub(crate) fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        match self {
            Self::Engine(engine) => engine.velocity_later(rows),
            Self::Ahead(ahead) => ahead.velocity_later(rows),
        }
    }

    /// Its flow as one that is mixed where it lies, if it can be.
    pub(crate) fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        match self {
            Self::Engine(engine) => engine.rounds(),
            Self::Ahead(_) => None,
        }
    }

    /// The forces of all ranks on bodies.
    pub(crate) fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>> {
        match self {
            Self::Engine(engine) => engine.forces(sides, gamma),
            Self::Ahead(ahead) => ahead.forces(sides, gamma),
        }
    }

    /// From now on boundaries prescribe the velocities of this time in s; a device that does whole steps does not do
    /// such cases.
    pub(crate) fn prescribe(&mut self, time: f64) -> Result<()> {
        match self {
            Self::Engine(engine) => {
                engine.prescribe(time)?;
                engine.prescribe_scalars(time)
            }
            Self::Ahead(_) => Ok(()),
        }
    }

    /// Velocity and pressure, with all halos.
    pub(crate) fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        match self {
            Self::Engine(engine) => engine.save(state),
            Self::Ahead(ahead) => ahead.save(state),
        }
    }

    /// The reverse of `save`.
    pub(crate) fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        match self {
            Self::Engine(engine) => engine.restore(state),
            Self::Ahead(ahead) => ahead.restore(state),
        }
    }
}
