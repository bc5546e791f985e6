//! The collision that a case asks for.

use super::mrt::collide_mrt;
use super::rates::Force;
use super::{Collision, Rates, collide_regularised, collide_srt, collide_trt};
use crate::number::Packed;

/// One cell, by the collision that is asked for.
pub(crate) fn collide_as<const Q: usize, T: Packed>(
    collision: Collision,
    h: &mut [T; Q],
    rates: &Rates<T>,
    force: Force<T>,
) {
    match collision {
        Collision::Srt => collide_srt(h, rates, force),
        Collision::Trt => collide_trt(h, rates, force),
        Collision::Mrt => collide_mrt(h, rates, force),
        Collision::Regularised => collide_regularised(h, rates, force),
    }
}
