//! Slots that several threads work on at the same time.

use std::cell::UnsafeCell;

/// The places of all populations or moments. In a step each place of a population belongs to one cell, see
/// [`crate::layout`], and each cell to one thread.
pub(crate) struct Slots<P>(Box<[UnsafeCell<P>]>);

// SAFETY: threads touch places of their own only: `take` and `leave` are called for the places of a
// row's cells, rows are shared out, and no two cells have a place in common. Moments are taken from planes that
// no thread writes at that time; see [`crate::moments::places`].
#[allow(unsafe_code)]
unsafe impl<P: Send> Sync for Slots<P> {}

impl<P: Copy> Slots<P> {
    /// Of values that no thread need have touched yet.
    #[allow(unsafe_code)]
    pub(crate) fn new(values: Vec<P>) -> Self {
        let values = Box::into_raw(values.into_boxed_slice());
        // SAFETY: the box is given up above, and an UnsafeCell has the memory of what it holds.
        Self(unsafe { Box::from_raw(values as *mut [UnsafeCell<P>]) })
    }

    /// The reverse of `new`.
    #[allow(unsafe_code)]
    pub(crate) fn into_values(self) -> Vec<P> {
        let values = Box::into_raw(self.0);
        // SAFETY: as in `new`.
        unsafe { Box::from_raw(values as *mut [P]) }.into_vec()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All values, while no other thread has any.
    #[allow(unsafe_code)]
    pub(crate) fn all_mut(&mut self) -> &mut [P] {
        let cells: *mut [UnsafeCell<P>] = &mut *self.0;
        // SAFETY: the borrow is exclusive, and an UnsafeCell has the memory of what it holds.
        unsafe { &mut *(cells as *mut [P]) }
    }

    /// All values, while no step is under way.
    #[allow(unsafe_code)]
    pub(crate) fn all(&self) -> &[P] {
        let cells: *const [UnsafeCell<P>] = &*self.0;
        // SAFETY: steps need the engine exclusively, so none is under way while it is only borrowed.
        unsafe { &*(cells as *const [P]) }
    }

    /// Places of the present thread, or such as no thread writes, to be read.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn take(&self, first: usize, count: usize) -> &[P] {
        debug_assert!(first + count <= self.0.len());
        // SAFETY: within the array, by the layout; no other thread writes them in this step.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().add(first).cast::<P>(), count) }
    }

    /// Places of the present thread, to be written.
    #[inline(always)]
    #[allow(unsafe_code, clippy::mut_from_ref)]
    pub(crate) fn leave(&self, first: usize, count: usize) -> &mut [P] {
        debug_assert!(first + count <= self.0.len());
        // SAFETY: as for `take`; and nothing else is borrowed while this is.
        unsafe {
            std::slice::from_raw_parts_mut(self.0.as_ptr().add(first).cast_mut().cast::<P>(), count)
        }
    }
}
