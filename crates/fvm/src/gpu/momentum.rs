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
    Residual { component: i32, residual: Vector, correction: Vector },
    AddCorrection { component: i32, correction: Vector },
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
    residual: Vector,
    correction: Vector,
}

impl Momentum {
    pub(super) fn new(
        device: &mut Device,
        recorder: &mut Recorder<Verb<OfMomentum>>,
    ) -> Result<Self> {
        let mut space = DeviceSpace::new(device, recorder, SYSTEM);
        let solver = BiCgStab::new(&mut space)?;
        Ok(Self { solver, residual: space.zeros()?, correction: space.zeros()? })
    }

    /// Solves the equations of all components; returns inner iterations.
    pub(super) fn solve(
        &mut self,
        device: &mut Device,
        recorder: &mut Recorder<Verb<OfMomentum>>,
        criterion: Criterion,
    ) -> Result<u64> {
        let Self { solver, residual, correction } = self;
        let directions = device.directions as i32;
        let stop = criterion.looked_at_every(LOOK_EVERY);
        let mut space = DeviceSpace::new(device, recorder, SYSTEM);
        let mut iterations = 0;
        for component in 0..directions {
            let (residual, correction) = (&mut *residual, &mut *correction);
            let find =
                OfMomentum::Residual { component, residual: *residual, correction: *correction };
            space.ask(Verb::Own(find))?;
            let outcome = solver.solve(&mut space, residual, correction, &stop)?;
            iterations += outcome.iterations as u64;
            space
                .ask(Verb::Own(OfMomentum::AddCorrection { component, correction: *correction }))?;
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
            Verb::Own(OfMomentum::Residual { component, residual, correction }) => {
                self.momentum_residual(component, residual)?;
                self.vectors().at(correction).clear()
            }
            Verb::Own(OfMomentum::AddCorrection { component, correction }) => {
                self.add_correction(component, correction)
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
    fn momentum_residual(&mut self, component: i32, residual: Vector) -> Result<()> {
        let Self { kernels, layout, fields, correction, .. } = self;
        kernels.momentum_residual.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("component", &component),
                fields.a.input("a"),
                fields.diagonal.input("diagonal"),
                fields.inverse.input("inverse"),
                fields.b.input("b"),
                fields.u.input("u"),
                correction.vectors.at(residual).output("residual"),
            ],
        )
    }

    fn add_correction(&mut self, component: i32, x: Vector) -> Result<()> {
        let Self { kernels, layout, fields, correction, .. } = self;
        kernels.add_correction.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("component", &component),
                value("is_in_halves", &0_i32),
                correction.vectors.at(x).input("correction"),
                fields.u.output("u"),
            ],
        )
    }
}
