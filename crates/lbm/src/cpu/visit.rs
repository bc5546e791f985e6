//! What a coarser grid of a cycle keeps; eqs. (L23) to (L25).

use crate::coarser::{FLOW, Padded};
use crate::layout::Layout;
use crate::number::Packed;
use crate::slots::Slots;

/// What a coarser grid keeps beside its populations. A flow is the density less one and the velocity.
pub(super) struct Visit<T> {
    /// What it is told, x fastest: the flow before the step that shows what is missing, and the one after it.
    pub(super) told: [Vec<[T; FLOW]>; 2],
    /// What each step is asked to add, where populations arrive before a step of each parity.
    pub(super) asked: [Slots<T>; 2],
    pub(super) padded: Padded<T>,
    /// How the flow has changed since the second one it was told, in padded places.
    pub(super) change: [Vec<T>; FLOW],
}

impl<T: Packed> Visit<T> {
    /// Of cells that are laid out so on a lattice with so many velocities.
    pub(super) fn new(layout: &Layout, velocities: usize, padded: Padded<T>) -> Self {
        let flow = || vec![[T::default(); FLOW]; layout.shape.cells.iter().product()];
        let asked = || Slots::new(vec![T::default(); layout.len(velocities)]);
        Self {
            told: [flow(), flow()],
            asked: [asked(), asked()],
            change: [(); FLOW].map(|()| vec![T::default(); padded.open.len()]),
            padded,
        }
    }

    /// How the flow has changed at the centre of a cell of the finer grid, in a plane of half the number or the same.
    #[inline(always)]
    pub(super) fn correction(&self, [i, j, k]: [isize; 3], is_plane: bool) -> [T; FLOW] {
        let parent = [i / 2, j / 2, if is_plane { k } else { k / 2 }];
        let Padded { shape, open, .. } = &self.padded;
        let (at, strides) = (shape.index(parent), shape.strides());
        let next = |d: usize, index: isize| match index % 2 {
            1 => at + strides[d],
            _ => at - strides[d],
        };
        std::array::from_fn(|n| {
            let change = &self.change[n];
            let beside = |next: usize| open[next] * (change[next] - change[at]);
            let mut sum = beside(next(0, i)) + beside(next(1, j));
            if !is_plane {
                sum += beside(next(2, k));
            }
            change[at] + T::from_f64(0.25) * sum
        })
    }
}
