//! The engine for CUDA: the verbs of the method as launches, with the bits of the processor's engine.

mod body_faces;
mod carried;
mod coarser;
mod device;
mod fields;
mod forces;
mod momentum;
mod numbers;
mod operation;
mod program;
mod regions;
mod rounds;
mod scalars;
mod transported;
mod work;

use std::ops::Range;

use vortice_core::{
    Case, Context, Field, FieldLater, Halo, Quantity, Real, Result, Rounds, Shape, StateReader,
    StateWriter, Subdomain, SurfaceForce, ThreadPool,
};
use vortice_gpu::{Buffer, DeviceRounds, Gpu, Sender};
use vortice_linear::{Levels, PressureSolver};

use crate::body_faces::BodyFaces;
use crate::boundary::Faces;
use crate::carried::CarriedOut;
use crate::coarser::coarser as coarser_of;
use crate::engine::{Engine, ResidualNorms};
use crate::fluid::Fluid;
use crate::options::{Momentum, NAME};
use crate::scalar::{self as of_case, SWEEPS};
use crate::settings::{Factors, Settings};
use crate::state::{self, Flow, WORTH_SHARING};

use carried::Outlet;
use device::Device;
use forces::Forces;
use numbers::{MASS, MOMENTUM, SUM_HIGH, SUM_LOW, number};
use operation::Operation;
use transported::Transported;
use work::Work;

/// Fields of one subdomain on a device, and the operations that are not done yet.
pub(crate) struct OnGpu {
    work: Work,
    case: Case,
    part: Subdomain,
    shape: Shape,
    fluid: Fluid,
    /// Without what is only needed to begin.
    faces: Faces,
    halo: Halo,
    /// Whether the pressure correction is zero.
    is_zero: bool,
    /// Once forces have been asked for.
    forces: Option<Forces>,
    sender: Sender,
    /// The next coarser grid, whose last step's flow is what is asked of it, and the one before what it began with.
    coarser: Option<Box<OnGpu>>,
    /// The pressure that it began with, in m2/s2, if it is such a grid's.
    begun_p: Option<Buffer<f64>>,
    velocity_scale: f64,
    rounds: DeviceRounds<f64>,
}

impl OnGpu {
    /// The engine of one rank on a device, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid, or the device or its memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        case: &Case,
        context: &Context,
        settings: &Settings,
    ) -> Result<Self> {
        let cut = context.decomposition(case)?;
        let part = cut.subdomain(context.ranks.rank());
        let shape = state::shape(case, &part);
        let mut faces = Faces::new(case, &part, shape);
        let halo = Halo::new(&shape, &part);
        let levels = Levels::new(&case.grid, &cut, part.rank, shape.halo)?;
        let room = fields::expect_room(gpu, case, &shape, settings, &levels);
        let ranks = &*context.ranks;
        let body_faces = BodyFaces::new(case, settings, &part, shape, &mut faces, ranks)?;
        let outlet = CarriedOut::new(case, &part, shape, ranks)?;
        let mut flow = Flow::initial(case, &part, &faces, shape, &halo, ranks)?;
        if let Some(outlet) = &outlet {
            outlet.begin(&mut flow);
        }
        // Only now: the other ranks asked this one for halos of the initial flow.
        room?;
        let fluid = Fluid::new(case, settings, &faces);
        let mut device = Device::new(
            gpu,
            case,
            context,
            &part,
            &levels,
            &fluid,
            &faces,
            &body_faces,
            &flow,
            shape,
        )?;
        if let PressureSolver::Cycles(_) = settings.options.pressure {
            device.correction.grids.coarsen_in_cycles();
        }
        let outlet = outlet.map(|outlet| Outlet::new(gpu, &outlet, &context.ranks));
        device.outlet = outlet.transpose()?;
        let pool = ThreadPool::new(context.threads, WORTH_SHARING)?;
        for scalar in case.carried() {
            let theta = of_case::initial((case, scalar), (&part, shape), &pool);
            let source = of_case::source((case, scalar), (&part, shape), &pool);
            let (of, place) = ((case, scalar), (&part, &shape));
            let new = Transported::new(gpu, of, settings, place, [&theta, &source])?;
            device.transported.push(new);
        }
        device.complete_scalars()?;
        forget(&mut faces);
        let work = Work::new(device, &settings.options)?;
        let coarser = match coarser_of(case, context, settings, &cut)? {
            Some((case, context, settings)) => {
                let mut coarser = Self::new(gpu, &case, &context, &settings)?;
                coarser.set_factors(&settings.steady_factors(case.force))?;
                Some(Box::new(coarser))
            }
            None => None,
        };
        Ok(Self {
            work,
            case: case.clone(),
            part,
            shape,
            fluid,
            faces,
            halo,
            is_zero: true,
            forces: None,
            sender: Sender::new(gpu),
            coarser,
            begun_p: settings.corrects.then(|| gpu.zeros(shape.len())).transpose()?,
            velocity_scale: settings.velocity_scale,
            rounds: DeviceRounds::new(gpu),
        })
    }

    fn record(&mut self, operation: Operation) -> Result<()> {
        self.work.record(operation)
    }
}

/// The largest of some numbers, not a number if any is.
fn largest_of(numbers: impl Iterator<Item = Result<f64>>) -> Result<f64> {
    let mut largest = 0.0_f64;
    for number in numbers {
        largest = largest.max_magnitude(number?);
    }
    Ok(largest)
}

/// Gives back the memory of what a device has been told.
fn forget(faces: &mut Faces) {
    faces.ghost_velocity = Default::default();
    faces.face_velocity = Default::default();
    faces.copied = Vec::new();
}

impl Engine for OnGpu {
    fn set_factors(&mut self, factors: &Factors) -> Result<()> {
        self.work.set_factors(numbers::Factors::new(factors))
    }

    fn begin_step(&mut self) -> Result<()> {
        self.record(Operation::BeginStep)
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        if self.work.device.transported.iter().any(|scalar| scalar.changes) {
            // What is pending belongs to the time before.
            self.work.flush()?;
            let device = &mut self.work.device;
            device.transported.iter_mut().try_for_each(|scalar| scalar.prescribe(time))?;
            self.record(Operation::PrescribeScalars)?;
        }
        if self.faces.changing.is_empty() {
            return Ok(());
        }
        self.case.boundaries.set_time(time);
        let given = self.faces.prescribed(&self.case.boundaries, self.fluid.directions)?;
        // What is pending belongs to the time before.
        self.work.flush()?;
        let lists = &mut self.work.device.fields.prescribed;
        lists.iter_mut().zip(&given).try_for_each(|(list, given)| list.write(given))?;
        self.record(Operation::Prescribe)
    }

    fn carry_out(&mut self) -> Result<()> {
        if self.work.device.outlet.is_none() {
            return Ok(());
        }
        self.record(Operation::CarryOut)
    }

    fn assemble(&mut self) -> Result<()> {
        self.record(Operation::Assemble)
    }

    fn solve_momentum(&mut self, how: Momentum) -> Result<u64> {
        match how {
            Momentum::Sweeps(count) => {
                self.record(Operation::Sweeps { count })?;
                Ok(count.into())
            }
            Momentum::Bicgstab(stop) => self.work.solve_momentum(stop),
        }
    }

    fn interpolate_body_faces(&mut self) -> Result<()> {
        if self.work.device.bodies.is_none() {
            return Ok(());
        }
        self.record(Operation::InterpolateBodyFaces)
    }

    fn interpolate(&mut self) -> Result<()> {
        self.is_zero = true;
        self.record(Operation::Interpolate)
    }

    fn solve_pressure(&mut self, how: PressureSolver) -> Result<u64> {
        let from_zero = std::mem::take(&mut self.is_zero);
        match how {
            PressureSolver::Cycles(count) => {
                self.record(Operation::Cycles { count, from_zero })?;
                Ok(count.into())
            }
            PressureSolver::MultigridCg(stop)
            | PressureSolver::JacobiCg(stop)
            | PressureSolver::Cg(stop) => self.work.solve_pressure(stop, from_zero),
        }
    }

    fn correct(&mut self) -> Result<()> {
        self.record(Operation::Correct)
    }

    fn coarser(&mut self) -> Option<&mut dyn Engine> {
        self.coarser.as_deref_mut().map(|coarser| coarser as &mut dyn Engine)
    }

    fn restrict(&mut self) -> Result<()> {
        self.restrict_flow()
    }

    fn prolong(&mut self) -> Result<()> {
        self.work.flush()?;
        self.prolong_correction()
    }

    fn carry_scalars(&mut self) -> Result<u64> {
        let count = self.work.device.transported.len() as u64;
        if count > 0 {
            self.record(Operation::CarryScalars)?;
        }
        Ok(count * u64::from(SWEEPS))
    }

    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.rounds_on_device()
    }

    fn residual_norms(&mut self) -> Result<ResidualNorms> {
        let work = &mut self.work;
        let reductions = work.reductions()?;
        let ranks = &work.device.ranks;
        let [momentum, mass] = [number(reductions[MOMENTUM]), number(reductions[MASS])];
        let sum = i128::from(reductions[SUM_LOW]) + (i128::from(reductions[SUM_HIGH]) << 32);
        let of_scalars = work.device.transported.iter().map(Transported::residual_norm);
        let scalars = largest_of(of_scalars)?;
        ResidualNorms { momentum, mass, scalars, sum }.of_all(&**ranks)
    }

    fn change(&mut self) -> Result<f64> {
        self.record(Operation::Change)?;
        let work = &mut self.work;
        work.flush()?;
        let mut bits = [0];
        work.device.fields.largest_change.read(&mut bits)?;
        let mut largest = [number(bits[0])];
        work.device.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    fn scalar_change(&mut self) -> Result<f64> {
        if self.work.device.transported.is_empty() {
            return Ok(0.0);
        }
        self.record(Operation::ScalarChange)?;
        let work = &mut self.work;
        work.flush()?;
        let mut largest = [largest_of(work.device.transported.iter().map(Transported::change))?];
        work.device.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    fn mean_pressure(&mut self) -> Result<f64> {
        let work = &mut self.work;
        work.flush()?;
        let Device { fields, ranks, .. } = &work.device;
        state::mean_pressure(&fields.p.to_vec()?, &self.faces, self.shape, &self.fluid, &**ranks)
    }

    fn defers(&self) -> bool {
        true
    }

    fn velocity(&mut self, rows: Range<usize>) -> Result<Field> {
        let hull = self.shape.hull(rows.clone());
        self.work.flush()?;
        let (u, length) = (&self.work.device.fields.u, self.shape.len());
        let component = |c: usize| u.slice_to_vec(c * length + hull.start..c * length + hull.end);
        let u = (0..self.fluid.directions).map(component).collect::<Result<Vec<_>>>()?;
        let u: Vec<_> = u.iter().map(Vec::as_slice).collect();
        Ok(state::velocity_at_centres(self.shape, rows, &u))
    }

    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.work.flush()?;
        let (u, shape) = (&self.work.device.fields.u, self.shape);
        let (hull, length) = (shape.hull(rows.clone()), shape.len());
        let piece = |c: usize| (u, c * length + hull.start..c * length + hull.end);
        let pieces: Vec<_> = (0..self.fluid.directions).map(piece).collect();
        let Some(sent) = self.sender.send(&pieces)? else {
            return self.velocity(rows).map(FieldLater::from);
        };
        Ok(state::velocity_of(sent, shape, rows))
    }

    fn pressure(&mut self, rows: Range<usize>, mean: f64) -> Result<Field> {
        self.work.flush()?;
        let p = self.work.device.fields.p.slice_to_vec(self.shape.hull(rows.clone()))?;
        Ok(state::pressure_at_centres(self.shape, rows, &p, mean, &self.faces, &self.fluid))
    }

    fn scalar(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        self.work.flush()?;
        let scalar = self.work.device.transported.iter().find(|one| one.quantity == quantity);
        scalar.ok_or_else(|| quantity.is_derived(NAME))?.field(self.shape, rows)
    }

    fn forces(&mut self, case: &Case) -> Result<Vec<SurfaceForce>> {
        self.work.flush()?;
        let Self { work, part, shape, faces, fluid, forces, .. } = self;
        let device = &mut work.device;
        // The velocity of a wall that changes is in the list.
        if forces.is_none() || case.boundaries.change() {
            *forces = Some(Forces::new(&device.gpu, case, part, *shape, &faces.kinds, fluid)?);
        }
        forces.as_mut().map_or_else(|| Ok(Vec::new()), |forces| forces.of(case, fluid, device))
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let work = &mut self.work;
        work.flush()?;
        let fields = &work.device.fields;
        state::save(state, self.shape, self.fluid.directions, |of| fields.read(of, self.shape))?;
        let mut all = work.device.transported.iter();
        all.try_for_each(|scalar| scalar.save(self.shape, state))
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let directions = self.fluid.directions;
        let faces = Faces::new(&self.case, &self.part, self.shape);
        let work = &mut self.work;
        work.flush()?;
        let Device { fields, ranks, .. } = &mut work.device;
        let form = (self.shape, directions);
        (0..3).try_for_each(|time| {
            let flow = state::restored(state, time, form, &faces, &self.halo, &**ranks)?;
            fields.write(directions, time, &flow)
        })?;
        for scalar in &mut work.device.transported {
            scalar.restore(self.shape, state)?;
        }
        work.device.complete_scalars()
    }

    fn finish(&mut self) -> Result<()> {
        let work = &mut self.work;
        work.flush()?;
        work.device.gpu.wait()
    }
}
