//! Means, squares and products of what a quantity differs from its mean by, a sample at a time.

use std::ops::Range;

use crate::field::Field;
use crate::fill_rows::fill_rows;
use crate::quantity::Quantity;
use crate::window::zeros;

/// Components whose deviations are multiplied with each other: the squares first.
const PRODUCTS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

/// Weighted moments of a quantity in the own cells of a rank, in double precision: eq. (P12), after D. H. D. West,
/// Communications of the ACM 22 (1979) 532.
pub(crate) struct Moments {
    pub(crate) of: Quantity,
    /// The mean of each component, then the weighted sums of products.
    values: Field,
}

/// What a sample counts: `[w/W, w (W - w)/W]`, where W is the sum of weights with that of the sample.
pub(crate) type Share = [f64; 2];

impl Moments {
    /// Of no sample yet.
    pub(crate) fn new(of: Quantity, cells: [usize; 3]) -> Self {
        Self { of, values: zeros(cells, Self::values_of_cell(of)) }
    }

    /// Numbers that a cell has of a quantity.
    pub(crate) fn values_of_cell(of: Quantity) -> usize {
        let components = of.components();
        components + components * (components + 1) / 2
    }

    /// All values, as a state holds them.
    pub(crate) fn values(&self) -> &Field {
        &self.values
    }

    /// Goes on from such values.
    pub(crate) fn restore(&mut self, values: &Field) {
        self.values.clone_from(values);
    }

    /// Adds a sample of some rows, by all threads of the pool that this is called in.
    pub(crate) fn add(&mut self, rows: Range<usize>, sample: &Field, share: Share) {
        match sample.components {
            3 => self.add_components::<3, 9>(rows, sample, share),
            _ => self.add_components::<1, 2>(rows, sample, share),
        }
    }

    /// The same of a quantity with `C` components; a cell has `N` numbers.
    fn add_components<const C: usize, const N: usize>(
        &mut self,
        rows: Range<usize>,
        sample: &Field,
        [of_mean, of_products]: Share,
    ) {
        let n = self.values.shape.cells[0];
        let length = self.values.shape.len();
        let mut parts = self.values.values.chunks_exact_mut(length);
        let places = n * rows.start..n * rows.end;
        let arrays: [&mut [f64]; N] = std::array::from_fn(|_| {
            parts.next().map_or(&mut [][..], |part| &mut part[places.clone()])
        });
        fill_rows(arrays, n, |row, mut arrays| {
            let sample: [&[f64]; C] =
                std::array::from_fn(|c| &sample.component(c)[n * row..n * (row + 1)]);
            let (means, sums) = arrays.split_at_mut(C);
            for (sum, [a, b]) in sums.iter_mut().zip(PRODUCTS) {
                for i in 0..n {
                    let (u, v) = (sample[a][i] - means[a][i], sample[b][i] - means[b][i]);
                    sum[i] += of_products * (u * v);
                }
            }
            for (mean, sample) in means.iter_mut().zip(sample) {
                for (mean, x) in mean.iter_mut().zip(sample) {
                    *mean += of_mean * (x - *mean);
                }
            }
        });
    }

    /// A quantity of [`Quantity::STATISTICS`] in some rows, eq. (P13), from a sum of weights that is not zero.
    pub(crate) fn rows(&self, quantity: Quantity, rows: Range<usize>, weight: f64) -> Field {
        let n = self.values.shape.cells[0];
        let components = self.of.components();
        let first = match quantity {
            Quantity::ReynoldsStress => 2 * components,
            _ if quantity.is_rms() => components,
            _ => 0,
        };
        let shown: fn(f64, f64) -> f64 = match quantity {
            Quantity::ReynoldsStress => |sum, weight| sum / weight,
            _ if quantity.is_rms() => |sum, weight| (sum / weight).sqrt(),
            _ => |mean, _| mean,
        };
        let mut field = zeros([n, rows.len(), 1], quantity.components());
        fill_rows([&mut field.values], n, |number, [to]| {
            let (row, c) = (rows.start + number % rows.len(), number / rows.len());
            let from = &self.values.component(first + c)[n * row..n * (row + 1)];
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = shown(from, weight));
        });
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a pattern, the same each time.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    #[test]
    fn moments_are_those_of_two_passes_however_far_the_mean_is_from_zero() {
        for (of, offset, tolerance) in
            [(Quantity::Velocity, 0.0, 1e-14), (Quantity::Pressure, 1e6, 1e-9)]
        {
            let (cells, mut number) = ([3, 4, 2], numbers(7));
            let samples: Vec<(f64, Field)> = (0..100)
                .map(|_| {
                    let mut sample = zeros(cells, of.components());
                    sample.values.fill_with(|| offset + number());
                    (0.1 + number(), sample)
                })
                .collect();
            let (mut moments, mut sum) = (Moments::new(of, cells), 0.0);
            for (weight, sample) in &samples {
                let before = sum;
                sum += weight;
                let share = [weight / sum, weight * before / sum];
                for rows in [0..3, 3..8] {
                    let mut part = zeros([3, rows.len(), 1], of.components());
                    for c in 0..of.components() {
                        let from = &sample.component(c)[3 * rows.start..3 * rows.end];
                        part.component_mut(c).copy_from_slice(from);
                    }
                    moments.add(rows, &part, share);
                }
            }
            let mean = |value: &dyn Fn(&Field) -> f64| {
                samples.iter().map(|(weight, sample)| weight * value(sample)).sum::<f64>() / sum
            };
            let close = |a: f64, b: f64| assert!((a - b).abs() <= tolerance, "{of:?}: {a}, {b}");
            let at = |c: usize, cell: usize| c * 24 + cell;
            for cell in 0..24 {
                let means: Vec<f64> =
                    (0..of.components()).map(|c| mean(&|x| x.values[at(c, cell)])).collect();
                let product = |[a, b]: [usize; 2]| {
                    mean(&|x| {
                        (x.values[at(a, cell)] - means[a]) * (x.values[at(b, cell)] - means[b])
                    })
                };
                let (rms, average) = match of {
                    Quantity::Velocity => (Quantity::RmsVelocity, Quantity::MeanVelocity),
                    _ => (Quantity::RmsPressure, Quantity::MeanPressure),
                };
                let [rms, average] = [rms, average].map(|one| moments.rows(one, 0..8, sum));
                for (c, mean) in means.iter().enumerate() {
                    assert!((average.values[at(c, cell)] - mean).abs() <= 1e-14 * (1.0 + offset));
                    close(rms.values[at(c, cell)], product([c, c]).sqrt());
                }
                if of == Quantity::Velocity {
                    let stress = moments.rows(Quantity::ReynoldsStress, 0..8, sum);
                    for (c, pair) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
                        close(stress.values[at(c, cell)], product(pair));
                    }
                }
            }
        }
    }

    #[test]
    fn a_part_of_the_rows_is_a_part_of_the_whole() {
        let (cells, mut number) = ([5, 3, 2], numbers(3));
        let mut moments = Moments::new(Quantity::Velocity, cells);
        for step in 0..3 {
            let mut sample = zeros([5, 6, 1], 3);
            sample.values.fill_with(&mut number);
            let before = f64::from(step);
            moments.add(0..6, &sample, [1.0 / (before + 1.0), before / (before + 1.0)]);
        }
        let whole = moments.rows(Quantity::ReynoldsStress, 0..6, 3.0);
        let part = moments.rows(Quantity::ReynoldsStress, 2..5, 3.0);
        for c in 0..3 {
            assert_eq!(part.component(c), &whole.component(c)[10..25]);
        }
        assert_eq!(moments.rows(Quantity::MeanVelocity, 0..0, 3.0).values.len(), 0);
    }
}
