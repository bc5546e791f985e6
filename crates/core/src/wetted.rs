//! What the flow pushes and pulls at.

use crate::boundary::Side;

/// A face of the box, a solid box or a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The face of the box in this direction, on this side.
    Face(usize, Side),
    /// The solid box of this number, counted from 0 as in the case.
    Solid(usize),
    /// The body of this number, counted from 0 as in the case.
    Body(usize),
}
