//! What cycles over coarser grids keep.

use vortice_core::Real;

/// What cycles keep beside the flow.
pub(super) struct Cycles<T> {
    /// The velocity that this visit of the grid began with, in m/s.
    pub(super) begun: [Vec<T>; 3],
    /// That before the step that tells what is missing, in m/s.
    pub(super) kept: [Vec<T>; 3],
    /// What is asked for, in m/s2, on own low faces and the last high ones.
    pub(super) asked: [Vec<T>; 3],
    /// The pressure of the flow itself, while that of smoothing steps is in its place; empty on coarser grids.
    pub(super) pressure: [Vec<T>; 2],
}

impl<T: Real> Cycles<T> {
    /// Of arrays of so many values.
    pub(super) fn new(values: usize) -> Self {
        let zeros = || std::array::from_fn(|_| vec![T::default(); values]);
        Self { begun: zeros(), kept: zeros(), asked: zeros(), pressure: Default::default() }
    }
}

/// The velocity in so many directions takes the values of another.
pub(super) fn copy<T: Real>(from: &[Vec<T>; 3], to: &mut [Vec<T>; 3], directions: usize) {
    to.iter_mut().zip(from).take(directions).for_each(|(to, from)| to.clone_from(from));
}
