//! The pressure equation: right-hand side, red-black SOR and residual; eqs. (F5), (F6), (F13).

use vortice_core::{Case, Real, Result, Shape, Subdomain};

use super::{Cpu, Split};
use crate::colours::Colours;
use crate::engine::{Norm, Residual};
use crate::options::Kernel;
use crate::stencil::{defect, defect_plane, relaxed};
use crate::team::Row;

/// Above this many bytes of pressure, right-hand side and diagonal the grid leaves the second-level
/// cache, and following iterations row by row saves traffic.
const CACHE: usize = 512 * 1024;

/// Fixed numbers of one sweep.
#[derive(Clone, Copy)]
struct Sweep<T> {
    colours: Colours,
    weights: [T; 3],
    plane: bool,
    omega: T,
    keep: T,
}

impl<T: Real> Split<T> {
    /// The equation of a subdomain, with zero pressure.
    pub(super) fn new(case: &Case, part: &Subdomain, shape: Shape) -> Self {
        let colours = Colours::new(shape, part);
        let zeros = || [vec![T::default(); colours.len()], vec![T::default(); colours.len()]];
        let mut inverse_diagonal = zeros();
        let (solids, offset) = (case.solids(), part.offset());
        let at = |cell: [isize; 3]| std::array::from_fn(|d| cell[d] + offset[d] as isize);
        let weights = case.grid.spacing().map(|h| 1.0 / (h * h));
        for k in shape.own(2) {
            for j in shape.own(1) {
                for i in shape.own(0) {
                    let here = at([i, j, k]);
                    if solids.contains(here) {
                        continue;
                    }
                    let mut sum = 0.0;
                    for d in case.grid.directions() {
                        for (side, step) in [(0, -1), (1, 1)] {
                            let mut next = here;
                            next[d] += step;
                            let boundary = &case.boundaries.0[d][side];
                            sum += weights[d] * neighbour_share(case, d, next, boundary, &solids);
                        }
                    }
                    let (colour, place) = colours.place([i, j, k]);
                    let inverse = if sum > 0.0 { 1.0 / sum } else { 0.0 };
                    inverse_diagonal[colour][place] = T::from_f64(inverse);
                }
            }
        }
        let halos = [colours.halo(0, part), colours.halo(1, part)];
        Self { colours, halos, p: zeros(), right_hand_side: zeros(), inverse_diagonal }
    }
}

/// How much a neighbour adds to the diagonal, in units of 1/h2: nothing behind walls and in
/// solids, twice behind a face of given pressure, which is half as far away.
fn neighbour_share(
    case: &Case,
    d: usize,
    next: [isize; 3],
    boundary: &vortice_core::Boundary,
    solids: &vortice_core::Solids,
) -> f64 {
    let inside = (0..case.grid.axes[d].len() as isize).contains(&next[d]);
    match boundary {
        vortice_core::Boundary::Outflow { .. } if !inside => 2.0,
        vortice_core::Boundary::Periodic => f64::from(u8::from(!solids.contains(next))),
        _ => f64::from(u8::from(inside && !solids.contains(next))),
    }
}

impl<T: Real> Cpu<T> {
    /// Whether iterations shall follow each other row by row. Without neighbours only: their
    /// halos are needed between any two half-sweeps.
    pub(super) fn prefers_fused(&self, kernel: Kernel) -> bool {
        let bytes = 6 * self.split.colours.len() * size_of::<T>();
        let pays = self.team.is_alone(self.split.colours.len()) && bytes > CACHE;
        !self.has_neighbours
            && match kernel {
                Kernel::Auto => pays,
                Kernel::Plain => false,
                Kernel::Fused => true,
            }
    }

    /// Divergence of the prediction over the time step, less prescribed outlet pressures.
    pub(super) fn set_right_hand_side(&mut self, dt: f64) {
        let Self { shape, directions, spacing, f, team, split, .. } = self;
        let (strides, length) = (shape.strides(), shape.padded()[0]);
        let inverse: [T; 3] = spacing.map(|h| T::from_f64(1.0 / (h * dt)));
        let colours = split.colours;
        for colour in 0..2 {
            let target = &mut split.right_hand_side[colour];
            team.each_row(shape, colours.row_length(), target, |row, values| {
                let start = colours.start(colour, row.j, row.k);
                let first = row.number * length + start;
                for m in colours.own(start) {
                    let here = first + 2 * m;
                    let mut sum = inverse[0] * (f[0][here + 1] - f[0][here]);
                    for d in 1..*directions {
                        sum += inverse[d] * (f[d][here + strides[d]] - f[d][here]);
                    }
                    values[m] = sum;
                }
            });
        }
        self.subtract_prescribed_pressures();
    }

    fn subtract_prescribed_pressures(&mut self) {
        let Split { colours, right_hand_side, .. } = &mut self.split;
        for (cell, value) in self.walls.prescribed_pressures() {
            if value != T::default() {
                let (colour, place) = colours.place(cell);
                right_hand_side[colour][place] = right_hand_side[colour][place] - value;
            }
        }
    }

    /// Iterations of red-black SOR; the order of work is a matter of speed only.
    pub(super) fn relax_pressure(&mut self, omega: f64, iterations: u32) -> Result<()> {
        if self.fused {
            self.relax_fused(omega, iterations);
            return Ok(());
        }
        for _ in 0..iterations {
            for colour in 0..2 {
                self.half_sweep(omega, colour)?;
            }
        }
        Ok(())
    }

    /// One iteration, and the largest change of a pressure in it.
    pub(super) fn relax_and_find_change(&mut self, omega: f64) -> Result<f64> {
        let mut largest = [T::default()];
        for colour in 0..2 {
            let before = self.split.p[colour].clone();
            self.half_sweep(omega, colour)?;
            let Self { shape, team, split, .. } = self;
            let length = split.colours.row_length();
            let change = team.largest_of_rows(shape, length, &mut split.p[colour], |row, p| {
                let before = &before[row.number * length..];
                let own = split.colours.own(split.colours.start(colour, row.j, row.k));
                [own.fold(T::default(), |most, m| most.max_magnitude(p[m] - before[m]))]
            });
            largest = [largest[0].max_magnitude(change[0])];
        }
        let mut largest = largest.map(T::to_f64);
        self.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    /// One colour over the whole subdomain, and its new values in the neighbours' halos.
    fn half_sweep(&mut self, omega: f64, colour: usize) -> Result<()> {
        let sweep = Sweep::new(self.split.colours, self.spacing, self.directions, omega);
        let Self { shape, team, split, .. } = self;
        let [red, black] = &mut split.p;
        let (mine, other) = if colour == 0 { (red, &*black) } else { (black, &*red) };
        let (b, d) = (&split.right_hand_side[colour], &split.inverse_diagonal[colour]);
        team.each_row(shape, split.colours.row_length(), mine, |row, values| {
            sweep.relax_row(row, colour, values, other, b, d);
        });
        if self.has_neighbours {
            split.halos[colour].exchange(&*self.ranks, &mut [&mut split.p[colour]])?;
        }
        Ok(())
    }

    /// Several iterations in one pass through memory: each half-sweep follows the one before it by
    /// one row (in space, one plane), so every value is updated from the same neighbours, in the
    /// same state, as by whole sweeps.
    fn relax_fused(&mut self, omega: f64, iterations: u32) {
        let sweep = Sweep::new(self.split.colours, self.spacing, self.directions, omega);
        let Self { shape, team, split, .. } = self;
        let length = split.colours.row_length();
        let [red, black] = &mut split.p;
        let (rhs, diagonal) = (&split.right_hand_side, &split.inverse_diagonal);
        let half_sweeps = 2 * iterations as isize;
        let layers = if sweep.plane { shape.own(1) } else { shape.own(2) };
        let rows_of = |layer: isize| if sweep.plane { layer..layer + 1 } else { shape.own(1) };
        team.vectorised(|| {
            for front in 0..layers.end + half_sweeps - 1 {
                for half_sweep in (0..half_sweeps).filter(|h| layers.contains(&(front - h))) {
                    let layer = front - half_sweep;
                    let colour = half_sweep as usize % 2;
                    let (mine, other): (&mut Vec<T>, &Vec<T>) =
                        if colour == 0 { (red, black) } else { (black, red) };
                    for j in rows_of(layer) {
                        let k = if sweep.plane { 0 } else { layer };
                        let number = shape.index([0, j, k]) / shape.padded()[0];
                        let values = &mut mine[number * length..][..length];
                        let (b, d) = (&rhs[colour], &diagonal[colour]);
                        sweep.relax_row(Row { j, k, number }, colour, values, other, b, d);
                    }
                }
            }
        });
    }

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
        let most = self.team.largest_of_rows(&self.shape, length, &mut residuals, |row, out| {
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
        });
        (residuals, most)
    }

    /// Root mean square over the flow's cells. Squares are summed as integers in units of the
    /// largest one's 2^-60, so the sum does not depend on the decomposition.
    fn root_mean_square(&self, values: &[Vec<T>; 2], largest: f64) -> Result<f64> {
        if largest == 0.0 || !largest.is_finite() {
            return Ok(largest);
        }
        let mut sum: i128 = 0;
        let Split { colours, inverse_diagonal, .. } = &self.split;
        let unit = (1_u64 << 30) as f64 / largest;
        for colour in 0..2 {
            for k in self.shape.own(2) {
                for j in self.shape.own(1) {
                    let row = self.shape.index([0, j, k]) / self.shape.padded()[0];
                    let first = row * colours.row_length();
                    for m in colours.own(colours.start(colour, j, k)) {
                        if inverse_diagonal[colour][first + m] > T::default() {
                            let scaled = (values[colour][first + m].to_f64() * unit).round() as i64;
                            sum += i128::from(scaled * scaled);
                        }
                    }
                }
            }
        }
        let sum = self.ranks.sum_exact(sum)?;
        Ok((sum as f64 / self.flow_cells as f64).sqrt() / unit)
    }
}

impl<T: Real> Sweep<T> {
    fn new(colours: Colours, spacing: [f64; 3], directions: usize, omega: f64) -> Self {
        let weights = spacing.map(|h| T::from_f64(1.0 / (h * h)));
        let (omega, keep) = (T::from_f64(omega), T::from_f64(1.0 - omega));
        Self { colours, weights, plane: directions == 2, omega, keep }
    }

    /// One row of one colour.
    #[inline(always)]
    fn relax_row(&self, row: Row, colour: usize, mine: &mut [T], other: &[T], b: &[T], d: &[T]) {
        let start = self.colours.start(colour, row.j, row.k);
        let own = self.colours.own(start);
        let at = row.number * mine.len() + own.start;
        let (omega, keep) = (self.omega, self.keep);
        let mine = &mut mine[own];
        let n = mine.len();
        let (b, d) = (&b[at..][..n], &d[at..][..n]);
        self.each_defect(at, start, n, other, b, |m, defect| {
            mine[m] = relaxed(mine[m], d[m], defect, omega, keep);
        });
    }

    /// Neighbours' weighted sums less the right-hand sides of a row; `b` starts at its first own cell.
    #[inline(always)]
    fn defects(&self, row: Row, start: usize, out: &mut [T], other: &[T], b: &[T]) {
        let at = row.number * self.colours.row_length() + self.colours.own(start).start;
        let n = out.len();
        self.each_defect(at, start, n, other, &b[..n], |m, defect| out[m] = defect);
    }

    #[inline(always)]
    fn each_defect(
        &self,
        at: usize,
        start: usize,
        n: usize,
        other: &[T],
        b: &[T],
        mut then: impl FnMut(usize, T),
    ) {
        let [sy, sz] = self.colours.strides();
        let part = |from: usize| &other[from..][..n];
        let (west, east) = (part(at + start - 1), part(at + start));
        let (south, north) = (part(at - sy), part(at + sy));
        let b = &b[..n];
        if self.plane {
            for m in 0..n {
                let (x, y) = ([west[m], east[m]], [south[m], north[m]]);
                then(m, defect_plane(x, y, b[m], self.weights));
            }
        } else {
            let (bottom, top) = (part(at - sz), part(at + sz));
            for m in 0..n {
                let (x, y) = ([west[m], east[m]], [south[m], north[m]]);
                then(m, defect(x, y, [bottom[m], top[m]], b[m], self.weights));
            }
        }
    }
}
