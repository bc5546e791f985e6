//! Vectors and scalars of an iteration on a device, and their arithmetic as launches.

use std::sync::Arc;

use vortice_core::{Communicator, Result};
use vortice_gpu::{Argument, Buffer, Gpu, Kernel, value};

use super::launches::{one_block, one_thread};
use super::mirrors::Layout;
use super::program::Kernels;
use super::reduction::{PartialSums, Reduction};
use super::verbs::{Pairs, Vector, Verb};
use crate::scalars::{Formula, SLOTS, Slot, Slots};
use crate::sums::MOST_PAIRS;

/// All vectors, with the layout of the finest level, and the scalars.
pub struct Vectors {
    kernels: Arc<Kernels>,
    layout: Layout,
    gpu: Gpu,
    list: Vec<Buffer<f64>>,
    slots: Buffer<f64>,
    partial_sums: PartialSums,
    reduction: Reduction,
    /// Whether the pressure correction's matrix has a null space: 1 or 0.
    is_singular: Buffer<f64>,
}

impl Vectors {
    /// No vectors yet.
    pub(crate) fn new(
        gpu: &Gpu,
        kernels: Arc<Kernels>,
        layout: Layout,
        ranks: Arc<dyn Communicator>,
    ) -> Result<Self> {
        Ok(Self {
            layout,
            gpu: gpu.clone(),
            list: Vec::new(),
            slots: gpu.upload(&[0.0; SLOTS])?,
            partial_sums: PartialSums::new(gpu)?,
            reduction: Reduction::new(gpu, kernels.clone(), ranks)?,
            kernels,
            is_singular: gpu.zeros(1)?,
        })
    }

    /// Whether inner products stay on the device.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.reduction.stays_on_device()
    }

    /// The vector of a number; a new one, of zeros, if there is none yet. Systems that are solved one
    /// after the other share their vectors; beyond the ends of the box all are zero for ever.
    pub(crate) fn vector(&mut self, number: usize) -> Result<Vector> {
        if number == self.list.len() {
            let mut vector = self.gpu.zeros(self.layout.len())?;
            vector.clear()?;
            self.list.push(vector);
        }
        Ok(Vector(number))
    }

    /// Its values.
    pub fn at(&mut self, vector: Vector) -> &mut Buffer<f64> {
        &mut self.list[vector.0]
    }

    /// The values of different vectors, and the scalars.
    pub fn several<const N: usize>(
        &mut self,
        vectors: [Vector; N],
    ) -> ([&mut Buffer<f64>; N], &Buffer<f64>) {
        let list = self.list.get_disjoint_mut(vectors.map(|vector| vector.0));
        (list.expect("different vectors"), &self.slots)
    }

    /// The scalars on the host: a round trip.
    pub(crate) fn scalars(&self) -> Result<Slots> {
        let mut slots = Slots::begin(0.0, 0.0);
        self.slots.read(&mut slots.0)?;
        Ok(slots)
    }

    /// Whether the pressure correction's matrix has a null space: a round trip.
    pub(crate) fn is_singular(&self) -> Result<bool> {
        let mut is_singular = [0.0];
        self.is_singular.read(&mut is_singular)?;
        Ok(is_singular != [0.0])
    }

    /// Does a verb of vectors and scalars; none of the others.
    pub(super) fn perform<O>(&mut self, verb: Verb<O>) -> Result<()> {
        use Named::{Read, Written};
        match verb {
            Verb::Begin { relative, absolute } => self.begin(relative, absolute),
            Verb::Multiply { pairs, count } => self.multiply(&pairs, count),
            Verb::Evaluate { into, count, formula } => self.evaluate(&into, count, formula),
            Verb::Copy { flag, x, y } => {
                let flag = flag.map_or(-1, |flag| flag as i32);
                let named = [Read("x", x), Written("y", y)];
                self.launch(|known| &known.copy_cells, [value("flag", &flag)], named)
            }
            Verb::Subtract { b, q, r } => {
                let named = [Read("b", b), Read("q", q), Written("r", r)];
                self.launch(|known| &known.subtract_cells, [], named)
            }
            Verb::Axpy { a, sign, x, y } => {
                let a = a as i32;
                let numbers = [value("a", &a), value("sign", &sign)];
                let named = [Read("x", x), Written("y", y)];
                self.launch(|known| &known.add_multiple, numbers, named)
            }
            Verb::Xpby { x, b, y } => {
                let b = b as i32;
                let named = [Read("x", x), Written("y", y)];
                self.launch(|known| &known.multiply_and_add, [value("b", &b)], named)
            }
            Verb::Step { a, p, q, x, r } => {
                let a = a as i32;
                let named = [Read("p", p), Read("q", q), Written("x", x), Written("r", r)];
                self.launch(|known| &known.step_along, [value("a", &a)], named)
            }
            Verb::Direction { r, v, p } => {
                let named = [Read("r", r), Read("v", v), Written("p", p)];
                self.launch(|known| &known.next_direction, [], named)
            }
            Verb::Advance { y, z, t, x, r } => {
                let named =
                    [Read("y", y), Read("z", z), Read("t", t), Written("x", x), Written("r", r)];
                self.launch(|known| &known.advance_solution, [], named)
            }
            Verb::Apply { .. }
            | Verb::Precondition { .. }
            | Verb::Take { .. }
            | Verb::Put { .. }
            | Verb::Own(_) => Ok(()),
        }
    }

    /// z = m r, cell by cell.
    pub fn multiply_cells(&mut self, m: &Buffer<f64>, r: Vector, z: Vector) -> Result<()> {
        let (layout, kernels) = (self.layout, self.kernels.clone());
        let ([r, z], slots) = self.several([r, z]);
        kernels.multiply_cells.launch(
            layout.each_cell(),
            &[
                value("layout", &layout),
                slots.input("slots"),
                m.input("m"),
                r.input("r"),
                z.output("z"),
            ],
        )
    }

    /// All scalars at the beginning of an iteration.
    fn begin(&mut self, relative: f64, absolute: f64) -> Result<()> {
        let limits = [value("relative", &relative), value("absolute", &absolute)];
        let [relative, absolute] = limits;
        let arguments = [relative, absolute, self.slots.output("slots")];
        self.kernels.begin_iteration.launch(one_thread(), &arguments)
    }

    /// Inner products over all ranks, to be finished by [`Self::evaluate`].
    fn multiply(&mut self, pairs: &Pairs, count: usize) -> Result<()> {
        let Self { kernels, layout, list, slots, partial_sums, reduction, .. } = self;
        let number = count as i32;
        let [[x0, y0], [x1, y1], [x2, y2]] =
            pairs.map(|(x, y)| [x, y].map(|vector| &list[vector.0]));
        kernels.inner_products.launch(
            layout.products_in_turn(),
            &[
                value("layout", layout),
                value("count", &number),
                slots.input("slots"),
                x0.input("x0"),
                y0.input("y0"),
                x1.input("x1"),
                y1.input("y1"),
                x2.input("x2"),
                y2.input("y2"),
                partial_sums.0.output("partial_sums"),
            ],
        )?;
        reduction.add_up(partial_sums, count)
    }

    /// Puts inner products into slots, and computes a formula if there is one.
    fn evaluate(
        &mut self,
        into: &[Slot; MOST_PAIRS],
        count: usize,
        formula: Option<Formula>,
    ) -> Result<()> {
        let Self { kernels, slots, partial_sums, .. } = self;
        let (number, into) = (count as i32, into.map(|slot| slot as i32));
        let formula = formula.map_or(-1, |formula| formula as i32);
        kernels.evaluate.launch(
            one_block(),
            &[
                value("count", &number),
                value("first", &into[0]),
                value("second", &into[1]),
                value("third", &into[2]),
                value("formula", &formula),
                partial_sums.0.output("partial_sums"),
                slots.output("slots"),
            ],
        )
    }

    /// Marks the cells that have an equation, and whether the matrix has a null space.
    pub(super) fn mark_constants(
        &mut self,
        constants: Vector,
        inverse: &Buffer<f64>,
        (coarsest, only): (&Buffer<f64>, usize),
    ) -> Result<()> {
        let Self { kernels, layout, list, is_singular, .. } = self;
        let only = only as i64;
        kernels.mark_constants.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("only", &only),
                inverse.input("inverse"),
                coarsest.input("coarsest"),
                is_singular.output("is_singular"),
                list[constants.0].output("constants"),
            ],
        )
    }

    /// Launches a kernel on every own cell, with numbers, the scalars, and different vectors.
    fn launch<const M: usize, const N: usize>(
        &mut self,
        kernel: fn(&Kernels) -> &Kernel,
        numbers: [Argument<'_>; M],
        vectors: [Named; N],
    ) -> Result<()> {
        let (layout, kernels) = (self.layout, self.kernels.clone());
        let (buffers, slots) = self.several(vectors.map(|named| named.vector()));
        let mut arguments = vec![value("layout", &layout)];
        arguments.extend(numbers);
        arguments.push(slots.input("slots"));
        for (buffer, named) in buffers.into_iter().zip(&vectors) {
            arguments.push(match *named {
                Named::Read(name, _) => buffer.input(name),
                Named::Written(name, _) => buffer.output(name),
            });
        }
        kernel(&kernels).launch(layout.each_cell(), &arguments)
    }
}

/// A vector under the name that a kernel gives it.
#[derive(Clone, Copy)]
enum Named {
    Read(&'static str, Vector),
    Written(&'static str, Vector),
}

impl Named {
    fn vector(&self) -> Vector {
        match *self {
            Self::Read(_, vector) | Self::Written(_, vector) => vector,
        }
    }
}
