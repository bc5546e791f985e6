//! Quantities derived from the velocity at cell centres, the same for all methods.
use crate::case::Case;
use crate::field::Field;
/// Vorticity.
pub fn vorticity(_case: &Case, velocity: &Field) -> Field {
    velocity.clone()
}
/// Stream function.
pub fn stream_function(_case: &Case, velocity: &Field) -> Field {
    velocity.clone()
}
