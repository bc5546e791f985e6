//! The numbers of a collision, and the force on a cell.

use vortice_core::Real;

use crate::number::Number;

/// The numbers of a collision, in lattice units. Mirrored in kernels/lbm/collide.cuh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates<T> {
    /// Relaxation of even populations, which sets the viscosity; eq. (L3).
    pub(crate) omega_plus: T,
    /// Relaxation of odd populations (TRT); eq. (L7).
    pub(crate) omega_minus: T,
    /// Relaxation of the energy, of its square, of other even moments (MRT); eq. (L9).
    pub(crate) energy: T,
    /// See `energy`.
    pub(crate) energy_square: T,
    /// See `energy`.
    pub(crate) even: T,
    /// Relaxation of the energy flux and of other odd moments (MRT); eq. (L9).
    pub(crate) flux: T,
    /// See `flux`.
    pub(crate) odd: T,
    /// Force on a cell.
    pub(crate) force: [T; 3],
    /// Whether there is one.
    pub(crate) is_forced: u32,
}

/// The force on a cell, if there is one.
pub(crate) type Force<V> = Option<[V; 3]>;

/// What tells the force on cells: their own, or that of all, which is written into registers only where it acts.
pub(crate) trait Forcing<V>: Copy {
    /// The force; `like` only says on how many cells.
    fn on(self, like: V) -> Force<V>;
}

impl<V: Copy> Forcing<V> for Force<V> {
    #[inline(always)]
    fn on(self, _like: V) -> Force<V> {
        self
    }
}

impl<T: Real, V: Number<T>> Forcing<V> for &Rates<T> {
    #[inline(always)]
    fn on(self, like: V) -> Force<V> {
        self.force_on(like)
    }
}

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
