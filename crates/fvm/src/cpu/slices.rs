//! Parts of arrays.

/// `n` values of an array from a place on, shifted.
#[inline(always)]
pub(super) fn slice_at<T>(values: &[T], place: usize, shift: isize, n: usize) -> &[T] {
    &values[place.wrapping_add_signed(shift)..][..n]
}
