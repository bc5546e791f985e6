//! The operations that a formula is made of.

use super::functions::{Binary, Unary};

/// What puts a number after those that wait, or takes one or two of them and puts back what it makes of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Number(f64),
    /// 0 to 2.
    Coordinate(usize),
    Time,
    One(Unary),
    Two(Binary),
}

/// Numbers that wait while a formula is evaluated, at most.
pub(super) const DEPTH: usize = 64;
