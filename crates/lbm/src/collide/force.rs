//! The force on a cell.

use vortice_core::Real;

use super::Rates;
use crate::number::Number;

/// The force on a cell, if there is one.
pub(crate) type Force<V> = Option<[V; 3]>;

impl<T: Real> Rates<T> {
    /// The force that acts on each cell alike; `like` only says on how many.
    #[inline(always)]
    pub(crate) fn force_on<V: Number<T>>(&self, like: V) -> Force<V> {
        if self.is_forced == 0 {
            return None;
        }
        let [x, y, z] = self.force;
        Some([like.constant(x), like.constant(y), like.constant(z)])
    }
}
