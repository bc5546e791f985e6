//! The pressure equation of a subdomain: neighbours' weights and right-hand side; eqs. (F5), (F6).

use vortice_core::{
    Case, FaceKind, Real, Region, Row, Shape, Side, Subdomain, Surfaces, ThreadPool,
};

use super::{Cpu, Split};
use crate::boundary::share_of_diagonal;
use crate::colours::Colours;

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

/// Inverse of the sum of the weights of a cell's neighbours in the flow, in m2, in two colours; zero in solids.
pub(crate) fn inverse_diagonal<T: Real>(
    case: &Case,
    part: &Subdomain,
    shape: Shape,
    colours: &Colours,
    pool: &ThreadPool,
) -> [Vec<T>; 2] {
    let surfaces = Surfaces::of_part(case, part);
    let weights = case.grid.spacing().map(|h| 1.0 / (h * h));
    let sum = |share: &dyn Fn(usize, Side) -> f64| {
        let mut sum = 0.0;
        for d in case.grid.directions() {
            for side in Side::BOTH {
                sum += weights[d] * share(d, side);
            }
        }
        sum
    };
    let inverse_of = |cell: [isize; 3]| {
        let sum = sum(&|d, side| share_of_diagonal(surfaces.face(cell, d, side)));
        T::from_f64(if sum > 0.0 && !surfaces.is_solid(cell) { 1.0 / sum } else { 0.0 })
    };
    let inside = T::from_f64(1.0 / sum(&|_, _| share_of_diagonal(FaceKind::Open)));
    [0, 1].map(|colour| {
        let mut values = vec![T::default(); colours.len()];
        let compute = |row: Row, [values]: [&mut [T]; 1]| {
            let start = colours.start(colour, row.j, row.k);
            let inner = surfaces.inner_cells([row.j, row.k], 0..shape.cells[0] as isize);
            let mut inner = inner.into_iter().peekable();
            for m in colours.own(start) {
                let i = 2 * m + start - shape.halo[0];
                while inner.next_if(|range| range.end <= i).is_some() {}
                let is_inner = inner.peek().is_some_and(|range| range.contains(&i));
                values[m] = if is_inner { inside } else { inverse_of([i as isize, row.j, row.k]) };
            }
        };
        let length = colours.row_length();
        pool.reduce_lines(&Region::own(shape), length, [&mut values], (), compute, |(), ()| ());
        values
    })
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
