//! What iterations that solve a system ask of a device, as values that can be written down.

use vortice_core::Result;
use vortice_gpu::{Gpu, Perform, value};
use vortice_linear::sums::MOST_PAIRS;
use vortice_linear::{Formula, Slot};

use super::device::Device;
use super::vectors::{Pairs, Vector};
use crate::settings::SMOOTHING;

/// A verb with all that determines its launches. Those up to [`Verb::Precondition`] are those of
/// `vortice_linear::Space`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verb {
    Begin {
        relative: f64,
        absolute: f64,
    },
    /// Unless the iteration has ended, or else if a slot is not zero.
    Copy {
        flag: Option<Slot>,
        x: Vector,
        y: Vector,
    },
    Subtract {
        b: Vector,
        q: Vector,
        r: Vector,
    },
    Multiply {
        pairs: Pairs,
        count: usize,
    },
    Evaluate {
        into: [Slot; MOST_PAIRS],
        count: usize,
        formula: Option<Formula>,
    },
    Axpy {
        a: Slot,
        sign: f64,
        x: Vector,
        y: Vector,
    },
    Xpby {
        x: Vector,
        b: Slot,
        y: Vector,
    },
    Step {
        a: Slot,
        p: Vector,
        q: Vector,
        x: Vector,
        r: Vector,
    },
    Direction {
        r: Vector,
        v: Vector,
        p: Vector,
    },
    Advance {
        y: Vector,
        z: Vector,
        t: Vector,
        x: Vector,
        r: Vector,
    },
    ApplyMomentum {
        x: Vector,
        y: Vector,
    },
    ApplyPressure {
        x: Vector,
        y: Vector,
    },
    Precondition {
        by: Inverse,
        r: Vector,
        z: Vector,
    },
    /// The momentum equation of a component, what is missing in it, and its solution.
    FindMissing {
        component: i32,
        missing: Vector,
        change: Vector,
    },
    AddChange {
        component: i32,
        change: Vector,
    },
    ExchangeVelocity,
    /// The pressure correction's equation and its solution.
    TakeCorrection {
        b: Vector,
        x: Vector,
        from_zero: bool,
        constants: Vector,
    },
    PutCorrection {
        x: Vector,
    },
}

/// What stands for the inverse of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inverse {
    /// Nothing.
    Unit,
    /// The inverse diagonal of the momentum equations.
    OfMomentum,
    /// The inverse diagonal of the pressure correction's matrix.
    OfPressure,
    /// A multigrid cycle.
    Cycle,
}

impl Perform<Verb> for Device {
    fn perform(&mut self, verb: Verb) -> Result<()> {
        match verb {
            Verb::Begin { relative, absolute } => self.vectors.begin(relative, absolute),
            Verb::Multiply { pairs, count } => self.vectors.multiply(&pairs, count),
            Verb::Evaluate { into, count, formula } => self.vectors.evaluate(&into, count, formula),
            Verb::ApplyMomentum { x, y } => self.apply_momentum(x, y),
            Verb::ApplyPressure { x, y } => self.apply_pressure(x, y),
            Verb::Precondition { by, r, z } => self.precondition(by, r, z),
            Verb::FindMissing { component, missing, change } => {
                self.find_missing(component, missing)?;
                self.vectors.at(change).clear()
            }
            Verb::AddChange { component, change } => self.add_change(component, change),
            Verb::ExchangeVelocity => self.velocities.fill(&*self.ranks, &mut self.fields.u),
            Verb::TakeCorrection { b, x, from_zero, constants } => {
                self.take_correction(b, x, from_zero, constants)
            }
            Verb::PutCorrection { x } => {
                let x = self.vectors.at(x);
                self.scalars.fill(&*self.ranks, x)?;
                self.grids.finest().x.copy_from(x)
            }
            of_vectors => self.combine(of_vectors),
        }
    }

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn can_be_captured(&self) -> bool {
        self.solves_alone()
    }
}

impl Device {
    /// Whether solutions by these verbs happen on the device alone.
    pub(crate) fn solves_alone(&self) -> bool {
        self.vectors.stays_on_device() && self.stays_on_device() && self.scalars.stays_on_device()
    }

    /// y = A x with the matrix of a momentum equation; eq. (V8).
    fn apply_momentum(&mut self, x: Vector, y: Vector) -> Result<()> {
        let Self { kernels, layout, fields, scalars, vectors, ranks, .. } = self;
        scalars.fill(&**ranks, vectors.at(x))?;
        let ([x, y], slots, _) = vectors.several([x, y]);
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

    /// y = A x with the matrix of the pressure correction; eq. (V11).
    fn apply_pressure(&mut self, x: Vector, y: Vector) -> Result<()> {
        let Self { layout, grids, scalars, vectors, ranks, .. } = self;
        scalars.fill(&**ranks, vectors.at(x))?;
        let ([x, y], slots, kernels) = vectors.several([x, y]);
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

    fn precondition(&mut self, by: Inverse, r: Vector, z: Vector) -> Result<()> {
        let Self { layout, grids, fields, vectors, .. } = self;
        let inverse = match by {
            Inverse::Unit => return self.combine(Verb::Copy { flag: None, x: r, y: z }),
            Inverse::Cycle => {
                let ([r, z], ..) = vectors.several([r, z]);
                return grids.precondition(SMOOTHING, r, z);
            }
            Inverse::OfMomentum => &fields.inverse,
            Inverse::OfPressure => grids.inverse(),
        };
        let ([r, z], slots, kernels) = vectors.several([r, z]);
        kernels.multiply_cells.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                slots.input("slots"),
                inverse.input("m"),
                r.input("r"),
                z.output("z"),
            ],
        )
    }

    /// Right-hand side less operator times velocity, of one component; eq. (V8).
    fn find_missing(&mut self, component: i32, missing: Vector) -> Result<()> {
        let Self { kernels, layout, fields, vectors, .. } = self;
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
                vectors.at(missing).output("missing"),
            ],
        )
    }

    fn add_change(&mut self, component: i32, change: Vector) -> Result<()> {
        let Self { kernels, layout, fields, vectors, .. } = self;
        kernels.add_change.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("component", &component),
                vectors.at(change).input("change"),
                fields.u.output("u"),
            ],
        )
    }

    /// Right-hand side and unknown of the pressure correction, and its null space.
    fn take_correction(
        &mut self,
        b: Vector,
        x: Vector,
        from_zero: bool,
        constants: Vector,
    ) -> Result<()> {
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
