//! What iterations that solve a system ask of a device, as values that can be written down.

use crate::scalars::{Formula, Slot};
use crate::space::Preconditioner;
use crate::sums::MOST_PAIRS;

/// One of the vectors of a device, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector(pub(super) usize);

/// Pairs of vectors whose inner products are taken.
pub type Pairs = [(Vector, Vector); MOST_PAIRS];

/// A verb with all that determines its launches: of [`crate::Space`], of a pressure equation, or one of
/// a method's own.
#[allow(missing_docs)] // names as in `Space`
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verb<O> {
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
    /// Of the pressure equation.
    Apply {
        x: Vector,
        y: Vector,
    },
    /// Of the pressure equation.
    Precondition {
        by: Preconditioner,
        r: Vector,
        z: Vector,
    },
    /// The pressure equation's right-hand side and unknown, and its null space, become vectors.
    Take {
        b: Vector,
        x: Vector,
        from_zero: bool,
        constants: Vector,
    },
    /// A vector becomes the pressure equation's unknown.
    Put {
        x: Vector,
    },
    /// Of a method.
    Own(O),
}
