//! Rows of large arrays, filled by all threads.

use rayon::prelude::*;

use crate::shared_loop::share_each;

/// Values from which on it is worth waking other threads.
const WORTH_SHARING: usize = 1 << 15;

/// Rows that a thread takes at least.
const ROWS: usize = 16;

/// Zeros that a thread writes at least.
const ZEROS: usize = 1 << 15;

/// So many zeros; the threads of the pool that this is called in share the pages of many.
pub fn zeros<T: Copy + Default + Send>(count: usize) -> Vec<T> {
    if !worth_sharing(count) {
        return vec![T::default(); count];
    }
    let mut values = Vec::new();
    let zeros = rayon::iter::repeat_n(T::default(), count).with_min_len(ZEROS);
    zeros.collect_into_vec(&mut values);
    values
}

/// Whether so many values are worth sharing among threads.
pub(crate) fn worth_sharing(values: usize) -> bool {
    values >= WORTH_SHARING
}

/// Gives each row, by its number, to `fill`: its part of each of the `arrays`, `length` values long. If there
/// are values enough, the threads of the pool that this is called in share them.
///
/// # Panics
/// If `length` is zero.
pub fn fill_rows<T: Send, const N: usize>(
    arrays: [&mut [T]; N],
    length: usize,
    fill: impl Fn(usize, [&mut [T]; N]) + Sync,
) {
    fill_each(arrays, length, &fill);
}

/// The same; compiled once for all that rows are filled with.
fn fill_each<T: Send, const N: usize>(
    arrays: [&mut [T]; N],
    length: usize,
    fill: &(dyn Fn(usize, [&mut [T]; N]) + Sync),
) {
    let values: usize = arrays.iter().map(|array| array.len()).sum();
    let mut parts = arrays.map(|array| array.chunks_exact_mut(length));
    let rows = parts.iter().map(ExactSizeIterator::len).min().unwrap_or(0);
    let rows = (0..rows).map(|_| parts.each_mut().map(|part| part.next().unwrap_or_default()));
    if worth_sharing(values) {
        share_each(rows, ROWS, |number, row| fill(number, row.each_mut().map(|part| &mut **part)));
    } else {
        rows.enumerate().for_each(|(number, row)| fill(number, row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_of_all_arrays_is_filled_once() {
        for rows in [3, WORTH_SHARING / 7 + 1] {
            let (mut one, mut other) = (vec![0; 7 * rows], vec![0; 7 * rows]);
            fill_rows([&mut one, &mut other], 7, |number, [one, other]| {
                one.fill(number);
                other.iter_mut().for_each(|x| *x += 2 * number);
            });
            let numbers = (0..rows).flat_map(|number| [number; 7]);
            assert!(numbers.zip(one).zip(other).all(|((n, x), y)| x == n && y == 2 * n));
        }
    }
}
