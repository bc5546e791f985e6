//! Red-black SOR; eq. (F6).

use vortice_core::{Real, Region, Result, Row};

use super::Cpu;
use crate::colours::Colours;
use crate::options::Kernel;
use crate::stencil::{defect, defect_plane, relaxed};

/// Above this many bytes of pressure, right-hand side and diagonal the grid leaves the second-level
/// cache, and following iterations row by row saves traffic.
const CACHE: usize = 512 * 1024;

/// Fixed numbers of one sweep.
#[derive(Clone, Copy)]
pub(super) struct Sweep<T> {
    colours: Colours,
    weights: [T; 3],
    plane: bool,
    omega: T,
    keep: T,
}

impl<T: Real> Cpu<T> {
    /// Whether iterations shall follow each other row by row. Without neighbours only: their
    /// halos are needed between any two half-sweeps.
    pub(super) fn prefers_fused(&self, kernel: Kernel) -> bool {
        let bytes = 6 * self.split.colours.len() * size_of::<T>();
        let pays = self.pool.is_alone(self.split.colours.len()) && bytes > CACHE;
        !self.has_neighbours
            && match kernel {
                // The last two are for GPUs, whose flow begins here.
                Kernel::Auto | Kernel::Tiled | Kernel::Resident => pays,
                Kernel::Plain => false,
                Kernel::Fused => true,
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
        let mut largest = T::default();
        for colour in 0..2 {
            let before = self.split.p[colour].clone();
            self.half_sweep(omega, colour)?;
            let Self { shape, pool, split, .. } = self;
            let length = split.colours.row_length();
            let change = pool.reduce_lines(
                &Region::own(*shape),
                length,
                [&mut split.p[colour]],
                T::default(),
                #[inline(always)]
                |row, [p]| {
                    let before = &before[row.number * length..];
                    let own = split.colours.own(split.colours.start(colour, row.j, row.k));
                    own.fold(T::default(), |most, m| most.max_magnitude(p[m] - before[m]))
                },
                T::max_magnitude,
            );
            largest = largest.max_magnitude(change);
        }
        let mut largest = [largest.to_f64()];
        self.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    /// One colour over the whole subdomain, and its new values in the neighbours' halos.
    fn half_sweep(&mut self, omega: f64, colour: usize) -> Result<()> {
        let sweep = Sweep::new(self.split.colours, self.spacing, self.directions, omega);
        let Self { shape, pool, split, .. } = self;
        let [red, black] = &mut split.p;
        let (mine, other) = if colour == 0 { (red, &*black) } else { (black, &*red) };
        let (b, d) = (&split.right_hand_side[colour], &split.inverse_diagonal[colour]);
        pool.reduce_lines(
            &Region::own(*shape),
            split.colours.row_length(),
            [mine],
            (),
            #[inline(always)]
            |row, [values]| sweep.relax_row(row, colour, values, other, b, d),
            |(), ()| (),
        );
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
        let Self { shape, pool, split, .. } = self;
        let length = split.colours.row_length();
        let [red, black] = &mut split.p;
        let (rhs, diagonal) = (&split.right_hand_side, &split.inverse_diagonal);
        let half_sweeps = 2 * iterations as isize;
        let layers = if sweep.plane { shape.own(1) } else { shape.own(2) };
        let rows_of = |layer: isize| if sweep.plane { layer..layer + 1 } else { shape.own(1) };
        pool.vectorised(
            #[inline(always)]
            || {
                for front in 0..layers.end + half_sweeps - 1 {
                    for half_sweep in (0..half_sweeps).filter(|h| layers.contains(&(front - h))) {
                        let layer = front - half_sweep;
                        let colour = half_sweep as usize % 2;
                        let (mine, other): (&mut Vec<T>, &Vec<T>) =
                            if colour == 0 { (red, black) } else { (black, red) };
                        for j in rows_of(layer) {
                            let k = if sweep.plane { 0 } else { layer };
                            let row = Row::of(shape, j, k);
                            let values = &mut mine[row.number * length..][..length];
                            let (b, d) = (&rhs[colour], &diagonal[colour]);
                            sweep.relax_row(row, colour, values, other, b, d);
                        }
                    }
                }
            },
        );
    }
}

impl<T: Real> Sweep<T> {
    pub(super) fn new(colours: Colours, spacing: [f64; 3], directions: usize, omega: f64) -> Self {
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
        self.each_defect(
            at,
            start,
            n,
            other,
            b,
            #[inline(always)]
            |m, defect| {
                mine[m] = relaxed(mine[m], d[m], defect, omega, keep);
            },
        );
    }

    /// Neighbours' weighted sums less the right-hand sides of a row; `b` starts at its first own cell.
    #[inline(always)]
    pub(super) fn defects(&self, row: Row, start: usize, out: &mut [T], other: &[T], b: &[T]) {
        let at = row.number * self.colours.row_length() + self.colours.own(start).start;
        let n = out.len();
        self.each_defect(
            at,
            start,
            n,
            other,
            &b[..n],
            #[inline(always)]
            |m, defect| out[m] = defect,
        );
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
