//! How well the pressure satisfies its equation; eq. (F13).

use vortice_core::{Real, Region, Result};

use super::sweep::Sweep;
use super::{Cpu, Split};
use crate::engine::{Norm, Residual};
use crate::squares;

impl<T: Real> Cpu<T> {
    /// How well the pressure satisfies its equation, over all ranks.
    pub(super) fn pressure_residual(&mut self, norm: Norm) -> Result<Residual> {
        let mut residuals = [Vec::new(), Vec::new()];
        let mut largest = [0.0; 2];
        for colour in 0..2 {
            let (values, most) = self.residual_of(colour);
            largest = std::array::from_fn(|c| largest[c].max_magnitude(most[c].to_f64()));
            residuals[colour] = values;
        }
        self.ranks.max(&mut largest)?;
        let [residual, right_hand_side] = largest;
        match norm {
            Norm::Max => Ok(Residual { residual, right_hand_side }),
            Norm::Rms => Ok(Residual {
                residual: self.root_mean_square(&residuals, residual)?,
                right_hand_side: self
                    .root_mean_square(&self.split.right_hand_side, right_hand_side)?,
            }),
        }
    }

    /// Residuals of one colour, and the largest residual and right-hand side.
    fn residual_of(&self, colour: usize) -> (Vec<T>, [T; 2]) {
        let sweep = Sweep::new(self.split.colours, self.spacing, self.directions, 1.0);
        let Split { colours, p, right_hand_side, inverse_diagonal, .. } = &self.split;
        let (mine, other, length) = (&p[colour], &p[1 - colour], colours.row_length());
        let (b, d) = (&right_hand_side[colour], &inverse_diagonal[colour]);
        let mut residuals = vec![T::default(); mine.len()];
        let most = self.pool.largest_of_lines(
            &Region::own(self.shape),
            length,
            [&mut residuals],
            #[inline(always)]
            |row, [out]| {
                let start = colours.start(colour, row.j, row.k);
                let own = colours.own(start);
                let at = row.number * length + own.start;
                let (mine, b, d) = (&mine[at..], &b[at..], &d[at..]);
                let (mut worst, mut load) = (T::default(), T::default());
                let n = own.len();
                sweep.defects(row, start, &mut out[own], other, b);
                let out = &mut out[colours.own(start)][..n];
                for m in 0..n {
                    let flows = d[m] > T::default();
                    // In solids there is no equation.
                    out[m] = if flows { out[m] - mine[m] / d[m] } else { T::default() };
                    worst = worst.max_magnitude(out[m]);
                    load = load.max_magnitude(if flows { b[m] } else { T::default() });
                }
                [worst, load]
            },
        );
        (residuals, most)
    }

    /// Root mean square over the flow's cells.
    fn root_mean_square(&self, values: &[Vec<T>; 2], largest: f64) -> Result<f64> {
        if !squares::can_be_summed(largest) {
            return Ok(largest);
        }
        let mut sum: i128 = 0;
        let Split { colours, inverse_diagonal, .. } = &self.split;
        let unit = squares::unit(largest);
        for colour in 0..2 {
            for k in self.shape.own(2) {
                for j in self.shape.own(1) {
                    let row = self.shape.index([0, j, k]) / self.shape.padded()[0];
                    let first = row * colours.row_length();
                    for m in colours.own(colours.start(colour, j, k)) {
                        if inverse_diagonal[colour][first + m] > T::default() {
                            let value = values[colour][first + m].to_f64();
                            sum += i128::from(squares::square(value, unit));
                        }
                    }
                }
            }
        }
        let sum = self.ranks.sum_exact(sum)?;
        Ok(squares::root(sum, self.flow_cells, unit))
    }
}
