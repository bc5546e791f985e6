//! The pressure equation of a subdomain: neighbours' weights and right-hand side; eqs. (F5), (F6).

use vortice_core::{Case, Real, Region, Shape, Subdomain, ThreadPool};

use super::{Cpu, Split};
use crate::colours::Colours;
use crate::initial::inverse_diagonal;

/// Cells whose divergence is computed at a time, to be shared between the colours.
const BLOCK: usize = 128;

impl<T: Real> Split<T> {
    /// The equation of a subdomain, with zero pressure.
    pub(super) fn new(case: &Case, part: &Subdomain, shape: Shape, pool: &ThreadPool) -> Self {
        let colours = Colours::new(shape, part);
        let zeros = || [vec![T::default(); colours.len()], vec![T::default(); colours.len()]];
        let inverse_diagonal = inverse_diagonal(case, part, shape, &colours, pool);
        let halos = [colours.halo(0, part), colours.halo(1, part)];
        Self { colours, halos, p: zeros(), right_hand_side: zeros(), inverse_diagonal }
    }
}

impl<T: Real> Cpu<T> {
    /// Divergence of the prediction over the time step, less prescribed outlet pressures.
    pub(super) fn set_right_hand_side(&mut self, dt: f64) {
        let Self { shape, directions, spacing, f, pool, split, .. } = self;
        let (strides, halo) = (shape.strides(), shape.halo[0]);
        let inverse: [T; 3] = spacing.map(|h| T::from_f64(1.0 / (h * dt)));
        let colours = split.colours;
        for colour in 0..2 {
            pool.reduce_lines(
                &Region::own(*shape),
                colours.row_length(),
                [&mut split.right_hand_side[colour]],
                (),
                #[inline(always)]
                |row, [values]| {
                    let start = colours.start(colour, row.j, row.k);
                    let own = colours.own(start);
                    let mut here = row.place - halo + start + 2 * own.start;
                    for out in values[own].chunks_mut(BLOCK / 2) {
                        // Every cell is computed, of either colour: neighbours in memory go
                        // through the processor together.
                        let mut sums = [T::default(); BLOCK];
                        let sums = &mut sums[..2 * out.len() - 1];
                        let n = sums.len();
                        for d in 0..*directions {
                            let (low, high) = (&f[d][here..][..n], &f[d][here + strides[d]..][..n]);
                            for i in 0..n {
                                sums[i] += inverse[d] * (high[i] - low[i]);
                            }
                        }
                        out.iter_mut()
                            .zip(sums.iter().step_by(2))
                            .for_each(|(out, sum)| *out = *sum);
                        here += BLOCK;
                    }
                },
                |(), ()| (),
            );
        }
        self.subtract_prescribed_pressures();
    }

    fn subtract_prescribed_pressures(&mut self) {
        let Split { colours, right_hand_side, .. } = &mut self.split;
        for (place, load) in self.walls.loads() {
            let (colour, place) = colours.place(self.shape.cell(place));
            right_hand_side[colour][place] = right_hand_side[colour][place] - load;
        }
    }
}
