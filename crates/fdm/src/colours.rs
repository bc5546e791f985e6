//! Red and black cells in two arrays: the neighbours of a red cell are all black, and lie side by
//! side in memory. See docs/src/decisions/0005-split-colours.md.

use std::ops::Range;

use vortice_core::{Halo, Shape, Subdomain, fill_rows};

/// How the cells of a padded shape are shared between two arrays. Red cells are those whose
/// global indices have an even sum, so colours do not depend on the decomposition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    shape: Shape,
    /// Parity of the global indices of local cell (0, 0, 0).
    origin: usize,
    /// Values of one colour in a row.
    row_length: usize,
}

impl Colours {
    /// The colours of a subdomain.
    pub(crate) fn new(shape: Shape, part: &Subdomain) -> Self {
        let origin = part.offset().iter().sum::<usize>() % 2;
        Self { shape, origin, row_length: shape.padded()[0].div_ceil(2) }
    }

    /// The same cells with every row beginning at a multiple of so many values; what lies between
    /// rows belongs to no cell.
    pub(crate) fn aligned(self, values: usize) -> Self {
        Self { row_length: self.row_length.next_multiple_of(values), ..self }
    }

    /// Parity of the global indices of local cell (0, 0, 0).
    pub(crate) fn origin(&self) -> usize {
        self.origin
    }

    /// Values of one colour in a row.
    pub(crate) fn row_length(&self) -> usize {
        self.row_length
    }

    /// Values of one colour, halos included.
    pub(crate) fn len(&self) -> usize {
        let [_, y, z] = self.shape.padded();
        self.row_length() * y * z
    }

    /// Distance in memory between neighbours of opposite colour in y and z.
    pub(crate) fn strides(&self) -> [usize; 2] {
        [self.row_length(), self.row_length() * self.shape.padded()[1]]
    }

    /// Padded position, 0 or 1, of the first cell of a colour in a row: cell `m` of the row is at
    /// padded position 2m + start, so its western neighbour is number m - 1 + start of the other
    /// colour and its eastern one number m + start.
    #[inline(always)]
    pub(crate) fn start(&self, colour: usize, j: isize, k: isize) -> usize {
        let halo = self.shape.halo[0];
        (colour + self.origin + halo + j.rem_euclid(2) as usize + k.rem_euclid(2) as usize) % 2
    }

    /// Own cells of a row that starts at `start`.
    #[inline(always)]
    pub(crate) fn own(&self, start: usize) -> Range<usize> {
        let (first, end) = (self.shape.halo[0], self.shape.halo[0] + self.shape.cells[0]);
        (first + 1 - start) / 2..(end + 1 - start) / 2
    }

    /// Colour of a cell and its place in that colour's array.
    pub(crate) fn place(&self, cell: [isize; 3]) -> (usize, usize) {
        let [i, j, k] = cell;
        let sum = self.origin as isize + i + j + k;
        let [_, n_j, _] = self.shape.padded();
        let row = (j + self.shape.halo[1] as isize) as usize
            + n_j * (k + self.shape.halo[2] as isize) as usize;
        let position = (i + self.shape.halo[0] as isize) as usize;
        (sum.rem_euclid(2) as usize, row * self.row_length() + position / 2)
    }

    /// Rows of the field from those of its two colours, halos included; the first has this number among all.
    pub(crate) fn merge<T: Copy + Send + Sync>(
        &self,
        first: usize,
        halves: &[Vec<T>; 2],
        whole: &mut [T],
    ) {
        let half = self.row_length();
        fill_rows([whole], self.shape.padded()[0], |number, [row]| {
            for (half, start) in [0, 1]
                .map(|c| (&halves[c][number * half..][..half], self.start_of(c, first + number)))
            {
                row[start..]
                    .iter_mut()
                    .step_by(2)
                    .zip(half)
                    .for_each(|(cell, value)| *cell = *value);
            }
        });
    }

    /// The two colours from the whole field, halos included.
    pub(crate) fn split<T: Copy + Send + Sync>(&self, whole: &[T], halves: &mut [Vec<T>; 2]) {
        let length = self.shape.padded()[0];
        let both = halves.each_mut().map(Vec::as_mut_slice);
        fill_rows(both, self.row_length(), |number, both| {
            let row = &whole[number * length..][..length];
            for (colour, half) in both.into_iter().enumerate() {
                let cells = row[self.start_of(colour, number)..].iter().step_by(2);
                half.iter_mut().zip(cells).for_each(|(value, cell)| *value = *cell);
            }
        });
    }

    /// [`Self::start`] of a row by its number, halos included.
    fn start_of(&self, colour: usize, number: usize) -> usize {
        let [halo, n_j] = [self.shape.halo, self.shape.padded()].map(|of| of[1]);
        let (j, k) = (number % n_j, number / n_j);
        self.start(colour, j as isize - halo as isize, k as isize - self.shape.halo[2] as isize)
    }

    /// The halo exchange of one colour.
    pub(crate) fn halo(&self, colour: usize, part: &Subdomain) -> Halo {
        Halo::mapped(&self.shape, part, |cell| {
            let (of, place) = self.place(cell);
            (of == colour).then_some(place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::Decomposition;

    #[test]
    fn rows_own_and_place_agree_for_odd_sizes_and_offsets() {
        for (cells, size) in [([7, 5, 1], 3), ([6, 5, 4], 4), ([1, 3, 3], 1)] {
            let cut = Decomposition::choose(cells, size, [false; 3]).unwrap();
            for rank in 0..size {
                let part = cut.subdomain(rank);
                let shape = Shape { cells: part.n(), halo: [1, 1, usize::from(cells[2] > 1)] };
                let colours = Colours::new(shape, &part);
                let mut seen = [vec![0; colours.len()], vec![0; colours.len()]];
                for k in shape.own(2) {
                    for j in shape.own(1) {
                        for colour in 0..2 {
                            let start = colours.start(colour, j, k);
                            for m in colours.own(start) {
                                let i = (2 * m + start) as isize - 1;
                                let (c, at) = colours.place([i, j, k]);
                                assert!(shape.own(0).contains(&i) && c == colour);
                                assert_eq!(at % colours.row_length(), m);
                                seen[c][at] += 1;
                                let (other, west) = colours.place([i - 1, j, k]);
                                assert_eq!((other, west), (1 - c, at + start - 1));
                            }
                        }
                    }
                }
                let n: usize = part.n().iter().product();
                assert_eq!(seen.iter().flatten().sum::<usize>(), n);
                assert!(seen.iter().flatten().all(|&n| n < 2));
            }
        }
    }
}
