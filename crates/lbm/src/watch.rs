//! Looking at the flow now and then: how much it changed, its mass, and whether it may count as
//! incompressible.

use vortice_core::{Real, Subdomain, ThreadPool, share_each};

use crate::boundary::Site;
use crate::engine::{DEVIATION_UNITS, MassAndChange};
use crate::layout::Layout;
use crate::number::Packed;
use crate::population::Population;
use crate::view::{ROWS, RowFlow};

/// Shares of the rows that a thread takes at a time; several, so that a late thread can be helped.
pub(crate) const SHARES: usize = 4;

/// Cells looked at, if there are more: enough to see any flow, and little memory.
const ENOUGH: usize = 1 << 20;

/// Every so many cells of the whole lattice one that is looked at, in each direction.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    /// First own cell looked at, per direction.
    pub(crate) first: [usize; 3],
    /// Distance to the next.
    pub(crate) stride: usize,
    /// How many there are.
    pub(crate) count: [usize; 3],
    /// Whether each lies in the flow, x fastest.
    pub(crate) flows: Vec<u8>,
}

impl Watched {
    pub(crate) fn new(site: &Site<'_>, part: &Subdomain, all: [usize; 3]) -> Self {
        let total = |stride: usize| all.iter().map(|n| n.div_ceil(stride)).product::<usize>();
        let stride = (1..).find(|&stride| total(stride) <= ENOUGH).unwrap_or(1);
        let first = part.offset().map(|offset| offset.next_multiple_of(stride) - offset);
        let count = std::array::from_fn(|d| part.n()[d].saturating_sub(first[d]).div_ceil(stride));
        let mut watched = Self { first, stride, count, flows: Vec::new() };
        watched.flows = watched
            .cells()
            .map(|cell| {
                let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
                u8::from(!site.surfaces.is_solid(global))
            })
            .collect();
        watched
    }

    /// Own cells looked at, x fastest.
    pub(crate) fn cells(&self) -> impl Iterator<Item = [isize; 3]> + use<> {
        let Self { first, stride, count, .. } = *self;
        let of = Self { first, stride, count, flows: Vec::new() };
        (0..self.len()).map(move |number| of.cell(number))
    }

    /// The one of this number.
    pub(crate) fn cell(&self, number: usize) -> [isize; 3] {
        let (first, stride, [nx, ny, _]) = (self.first, self.stride, self.count);
        let at = [number % nx.max(1), number / nx.max(1) % ny.max(1), number / (nx * ny).max(1)];
        std::array::from_fn(|d| (first[d] + stride * at[d]) as isize)
    }

    /// How many cells are looked at.
    pub(crate) fn len(&self) -> usize {
        self.count.iter().product()
    }
}

/// Which own cells are solid, x fastest; empty if none is.
pub(crate) fn solid_cells(site: &Site<'_>, part: &Subdomain, layout: &Layout) -> Vec<u8> {
    if site.surfaces.has_no_solids() {
        return Vec::new();
    }
    let solid = |cell: [isize; 3]| {
        u8::from(
            site.surfaces.is_solid(std::array::from_fn(|d| cell[d] + part.offset()[d] as isize)),
        )
    };
    layout.own_cells().map(solid).collect()
}

/// Whether an own cell lies in the flow, by its [`solid_cells`].
pub(crate) fn flows(solid: &[u8], layout: &Layout, [i, j, k]: [isize; 3]) -> bool {
    solid_in_row(solid, layout, [j, k].map(|at| at as usize)).get(i as usize) != Some(&1)
}

/// Those in a row.
#[inline]
pub(crate) fn solid_in_row<'a>(solid: &'a [u8], layout: &Layout, [j, k]: [usize; 2]) -> &'a [u8] {
    let [nx, ny, _] = layout.shape.cells;
    let first = nx * (j + ny * k);
    solid.get(first..first + nx).unwrap_or_default()
}

/// What is found of cells in the flow; the order in which they are added does not count.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums<T> {
    /// Density less one, in whole units.
    density_deviation: i128,
    /// The largest squared speed.
    square: T,
    /// The largest density less one, of either sign.
    deviation: T,
}

impl<T: Real> Sums<T> {
    /// Adds a cell with this density less one and velocity.
    #[inline(always)]
    pub(crate) fn add(&mut self, (more, u): (T, [T; 3])) {
        self.density_deviation += i128::from(units(more));
        let square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        self.square = self.square.max_magnitude(square);
        self.deviation = self.deviation.max_magnitude(more);
    }

    /// Those of both.
    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            density_deviation: self.density_deviation + other.density_deviation,
            square: self.square.max_magnitude(other.square),
            deviation: self.deviation.max_magnitude(other.deviation),
        }
    }

    /// With the largest change of the velocity.
    pub(crate) fn with_change(self, change: T) -> MassAndChange {
        let Self { density_deviation, square, deviation } = self;
        let [change, square, deviation] = [change, square, deviation].map(Real::to_f64);
        MassAndChange { density_deviation, change, square, deviation, scalar_change: 0.0 }
    }
}

impl Watched {
    /// The largest change of velocity in cells from this number on, of which `seen` has the velocities at the last look;
    /// they become those of now, which `flow` tells of an own cell with the density.
    pub(crate) fn change<T: Real>(
        &self,
        first: usize,
        seen: &mut [[T; 3]],
        flow: impl Fn([isize; 3]) -> (T, [T; 3]),
    ) -> T {
        let mut change = T::default();
        for (number, seen) in (first..).zip(seen) {
            // A solid cell's populations mean nothing: its velocity counts as zero.
            let flows = self.flows[number] == 1;
            let u = if flows { flow(self.cell(number)).1 } else { [T::default(); 3] };
            for d in 0..3 {
                change = change.max_magnitude(u[d] - seen[d]);
            }
            *seen = u;
        }
        change
    }
}

/// All rows of cells of a rank, to be looked at.
pub(crate) struct Look<'a> {
    /// Own cells.
    pub(crate) cells: [usize; 3],
    pub(crate) watched: &'a Watched,
    /// Its threads share the rows.
    pub(crate) pool: &'a ThreadPool,
}

impl Look<'_> {
    /// Looks: `flow` tells that of a row, and `seen` the velocities of watched cells at the last look, which become those
    /// of now.
    pub(crate) fn at<'f, T: Real>(
        &self,
        seen: &mut [[T; 3]],
        flow: impl Fn([usize; 2]) -> RowFlow<'f, T> + Sync,
    ) -> MassAndChange {
        let ([n, n_j, n_k], watched) = (self.cells, self.watched);
        // Some rows are watched: they are looked at but once.
        let per_row = watched.count[0].max(1);
        let of_row = |(row, seen): (usize, _)| {
            let [_, j, k] = watched.cell(row * per_row).map(|at| at as usize);
            (j + n_j * k, row * per_row, seen)
        };
        let mut watched_rows = seen.chunks_mut(per_row).enumerate().map(of_row).peekable();
        let next = |row| (row, watched_rows.next_if(|(at, ..)| *at == row));
        let rows: Vec<_> = (0..n_j * n_k).map(next).collect();
        let add = |(mut sums, change): (Sums<T>, T),
                   (row, seen): (usize, Option<(_, usize, _)>)| {
            let flow = flow([row % n_j, row / n_j]);
            let cells = (0..n).filter(|&i| flow.flows(i));
            cells.for_each(|i| sums.add(flow.at(i)));
            let in_row = seen
                .map(|(_, first, seen)| watched.change(first, seen, |[i, ..]| flow.at(i as usize)));
            (sums, in_row.map_or(change, |in_row| change.max_magnitude(in_row)))
        };
        let nothing = || (Sums::default(), T::default());
        let (sums, change) = match self.pool.threads() {
            1 => rows.into_iter().fold(nothing(), add),
            threads => {
                let of_one = rows.len().div_ceil(threads * SHARES).max(ROWS);
                let parts = rows.len().div_ceil(of_one);
                let mut rows = rows.into_iter();
                let parts = (0..parts).map(|_| (rows.by_ref().take(of_one).collect(), nothing()));
                let parts: Vec<(Vec<_>, _)> = parts.collect();
                let parts = self.pool.install(|| {
                    share_each(parts, 1, |_, (rows, found)| {
                        *found = std::mem::take(rows).into_iter().fold(nothing(), add);
                    })
                });
                let join = |a: (Sums<T>, T), (_, b): (_, (Sums<T>, T))| {
                    (a.0.join(b.0), a.1.max_magnitude(b.1))
                };
                parts.into_iter().fold(nothing(), join)
            }
        };
        sums.with_change(change)
    }
}

/// Looks at the flow: `cells` are those in the flow, `flow` tells density less one and velocity of an
/// own cell, and `seen` the velocities of watched cells at the last look, which become those of now.
pub(crate) fn mass_and_change<T: Real>(
    cells: impl Iterator<Item = [isize; 3]>,
    watched: &Watched,
    seen: &mut [[T; 3]],
    flow: impl Fn([isize; 3]) -> (T, [T; 3]),
) -> MassAndChange {
    let mut sums = Sums::default();
    cells.for_each(|cell| sums.add(flow(cell)));
    sums.with_change(watched.change(0, seen, flow))
}

/// The largest change of a `scalar` in watched cells since the last look; `seen` become those of now.
pub(crate) fn change_of_scalar<T: Real>(
    watched: &Watched,
    seen: &mut [T],
    scalar: impl Fn([isize; 3]) -> T,
) -> f64 {
    let mut change = T::default();
    for (cell, seen) in watched.cells().zip(seen) {
        let now = scalar(cell);
        change = change.max_magnitude(now - *seen);
        *seen = now;
    }
    change.to_f64()
}

/// Whether all populations are finite. The largest magnitude is sought, which registers do at the speed
/// of memory; what is not finite is larger than all that is.
pub(crate) fn are_finite<T: Packed, P: Population<T>>(values: &[P]) -> bool {
    let largest = |values: &[P]| {
        values.iter().fold(T::default(), |most, value| most.max_magnitude(value.widened()))
    };
    values.chunks(1 << 12).all(|chunk| largest(chunk).to_f64().is_finite())
}

/// Density less one in whole units; nothing if it is not finite.
fn units<T: Real>(density_deviation: T) -> i64 {
    let units = density_deviation.to_f64() * DEVIATION_UNITS;
    if units.abs() < 1e15 { units.round_ties_even() as i64 } else { 0 }
}
