//! The operations that a formula is made of.

use std::sync::Arc;

use super::functions::{Binary, Unary};
use super::series::Series;

/// What puts a number after those that wait, or takes one or two of them and puts back what it makes of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    Number(f64),
    /// 0 to 2.
    Coordinate(usize),
    Time,
    Series(Arc<Series>),
    One(Unary),
    Two(Binary),
}

/// Numbers that wait while a formula is evaluated, at most.
pub(super) const DEPTH: usize = 64;
