//! Solution of the momentum equations by BiCGSTAB.

use vortice_core::Result;
use vortice_gpu::{Gpu, Perform, Recorder, value};
use vortice_linear::gpu::{DeviceSpace, OnDevice, System, Vector, Vectors, Verb};
use vortice_linear::{BiCgStab, Criterion, Space};

use super::device::Device;

/// Iterations between looks: few are needed.
const LOOK_EVERY: usize = 2;

/// What BiCGSTAB asks of the momentum equations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfMomentum {
    Apply { x: Vector, y: Vector },
    Precondition { r: Vector, z: Vector },
    FindMissing { component: i32, missing: Vector, change: Vector },
    AddChange { component: i32, change: Vector },
    ExchangeVelocity,
}

/// The matrix of a momentum equation; eq. (V8).
const SYSTEM: System<OfMomentum> = System::Own {
    apply: |x, y| OfMomentum::Apply { x, y },
    precondition: |r, z| OfMomentum::Precondition { r, z },
};

/// BiCGSTAB for one component after the other, in terms of what is missing.
pub(super) struct Momentum {
    solver: BiCgStab<Vector>,
    missing: Vector,
    change: Vector,
}

impl Momentum {
    pub(super) fn new(
        device: &mut Device,
        recorder: &mut Recorder<Verb<OfMomentum>>,
    ) -> Result<Self> {
        let mut space = DeviceSpace::new(device, recorder, SYSTEM);
        let solver = BiCgStab::new(&mut space)?;
        Ok(Self { solver, missing: space.zeros()?, change: space.zeros()? })
    }

    /// Solves the equations of all components; returns inner iterations.
    pub(super) fn solve(
        &mut self,
        device: &mut Device,
        recorder: &mut Recorder<Verb<OfMomentum>>,
        criterion: Criterion,
    ) -> Result<u64> {
        let Self { solver, missing, change } = self;
        let directions = device.directions as i32;
        let stop = criterion.looked_at_every(LOOK_EVERY);
        let mut space = DeviceSpace::new(device, recorder, SYSTEM);
        let mut iterations = 0;
        for component in 0..directions {
            let (missing, change) = (&mut *missing, &mut *change);
            let find = OfMomentum::FindMissing { component, missing: *missing, change: *change };
            space.ask(Verb::Own(find))?;
            let outcome = solver.solve(&mut space, missing, change, &stop)?;
            iterations += outcome.iterations as u64;
            space.ask(Verb::Own(OfMomentum::AddChange { component, change: *change }))?;
        }
        space.ask(Verb::Own(OfMomentum::ExchangeVelocity))?;
        space.flush()?;
        Ok(iterations)
    }
}

impl OnDevice<OfMomentum> for Device {
    fn vectors(&mut self) -> &mut Vectors {
        &mut self.correction.vectors
    }
}

impl Perform<Verb<OfMomentum>> for Device {
    fn perform(&mut self, verb: Verb<OfMomentum>) -> Result<()> {
        match verb {
            Verb::Own(OfMomentum::Apply { x, y }) => self.apply_momentum(x, y),
            Verb::Own(OfMomentum::Precondition { r, z }) => {
                self.correction.vectors.multiply_cells(&self.fields.inverse, r, z)
            }
            Verb::Own(OfMomentum::FindMissing { component, missing, change }) => {
                self.find_missing(component, missing)?;
                self.vectors().at(change).clear()
            }
            Verb::Own(OfMomentum::AddChange { component, change }) => {
                self.add_change(component, change)
            }
            Verb::Own(OfMomentum::ExchangeVelocity) => {
                self.velocities.exchange(&*self.ranks, &mut [&mut self.fields.u])
            }
            of_pressure => self.correction.do_verb(of_pressure),
        }
    }

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn can_be_captured(&self) -> bool {
        self.correction.solves_on_device() && self.stays_on_device()
    }
}

impl Device {
    /// y = A x with the matrix of a momentum equation; eq. (V8).
    fn apply_momentum(&mut self, x: Vector, y: Vector) -> Result<()> {
        let Self { kernels, layout, fields, correction, .. } = self;
        correction.fill_halo(x)?;
        let ([x, y], slots) = correction.vectors.several([x, y]);
        kernels.apply_momentum.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                slots.input("slots"),
                fields.a.input("a"),
                fields.diagonal.input("diagonal"),
                fields.inverse.input("inverse"),
                x.input("x"),
                y.output("y"),
            ],
        )
    }

    /// Right-hand side less operator times velocity, of one component; eq. (V8).
    fn find_missing(&mut self, component: i32, missing: Vector) -> Result<()> {
        let Self { kernels, layout, fields, correction, .. } = self;
        kernels.find_missing.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("component", &component),
                fields.a.input("a"),
                fields.diagonal.input("diagonal"),
                fields.inverse.input("inverse"),
                fields.b.input("b"),
                fields.u.input("u"),
                correction.vectors.at(missing).output("missing"),
            ],
        )
    }

    fn add_change(&mut self, component: i32, change: Vector) -> Result<()> {
        let Self { kernels, layout, fields, correction, .. } = self;
        kernels.add_change.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("component", &component),
                correction.vectors.at(change).input("change"),
                fields.u.output("u"),
            ],
        )
    }
}
