//! The whole box on one level, and how it is coarsened.

/// A direction is coarsened while its cells are narrower than this many times the narrowest.
/// Coupling falls as the square of width, and each halved direction needs to be smoothed: measured
/// in space, cells of 1, 1, 1.4 converge by 0.27 a cycle with all directions halved, by 0.09 with
/// two. More levels cost less than that gains.
const SIMILAR: f64 = 1.15;

/// How much of a weight above 1 is used. Measured in cubes of 64^3 cells: convergence by 0.19 a cycle
/// with all of it, 0.13 with this, and 0.14 with none, then slower the more cells there are.
const OVER: f64 = 0.4;

/// The whole box on one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Cells per direction.
    pub cells: [usize; 3],
    /// Widths of all cells but the first and the last.
    pub widths: [f64; 3],
    /// Width of the first cell of each direction.
    pub first: [f64; 3],
    /// Width of the last cell of each direction.
    pub last: [f64; 3],
}

impl Extent {
    pub(super) fn width(&self, d: usize, i: usize) -> f64 {
        if i == 0 {
            self.first[d]
        } else if i + 1 == self.cells[d] {
            self.last[d]
        } else {
            self.widths[d]
        }
    }

    /// Between the centres on both sides of low face `i`.
    pub(super) fn distance(&self, d: usize, i: usize) -> f64 {
        0.5 * (self.width(d, i - 1) + self.width(d, i))
    }

    /// Between the centres of the last and the first cell of a ring.
    pub(super) fn distance_around(&self, d: usize) -> f64 {
        0.5 * (self.width(d, self.cells[d] - 1) + self.width(d, 0))
    }

    pub(super) fn factors(&self, directions: usize) -> [usize; 3] {
        let open = |d: usize| d < directions && self.cells[d] > 1;
        let narrowest =
            (0..3).filter(|&d| open(d)).map(|d| self.widths[d]).fold(f64::INFINITY, f64::min);
        std::array::from_fn(|d| 1 + usize::from(open(d) && self.widths[d] < SIMILAR * narrowest))
    }

    /// With an odd number of cells one at an end stays alone, and that is the wider one: a narrow
    /// cell hangs on to its neighbour, which then no sweep would move. Of equal ones it is the
    /// first, because the last is more often at an open end, where a lone cell costs more.
    pub(super) fn shifts(&self, factor: [usize; 3]) -> [usize; 3] {
        std::array::from_fn(|d| {
            let odd = factor[d] == 2 && !self.cells[d].is_multiple_of(2);
            usize::from(odd && self.first[d] >= self.last[d])
        })
    }

    /// A piecewise constant correction of a linear error leaves steps, -a and +a in the two cells of
    /// a pair. With couplings c_d, black cells have a step of -a (c_d / sum c) + a (1 - c_d / sum c)
    /// around them, along a halved direction d. They are left without one by the weight
    /// sum c / (2 c_d), here with the mean c_d of the halved directions, and then the red cells are
    /// too. With another weight steps turn into a smooth error, which only slow cycles remove. A
    /// weight above 1 is used in part, since the same half-sweep also has to smooth.
    pub(super) fn joining_weight(&self, directions: usize, factor: [usize; 3]) -> f64 {
        let open = |d: &usize| *d < directions && self.cells[*d] > 1;
        let coupling = |d: usize| 1.0 / (self.widths[d] * self.widths[d]);
        let all: f64 = (0..3).filter(open).map(coupling).sum();
        let halved = || (0..3).filter(|&d| factor[d] == 2);
        let omega = halved().count() as f64 * all / (2.0 * halved().map(coupling).sum::<f64>());
        if omega > 1.0 { 1.0 + OVER * (omega - 1.0) } else { omega }
    }

    pub(super) fn coarser(&self, factor: [usize; 3], shift: [usize; 3]) -> Self {
        let mut coarse = *self;
        for d in (0..3).filter(|&d| factor[d] == 2) {
            let n = self.cells[d];
            let pair = |i: usize| self.width(d, i) + self.width(d, i + 1);
            coarse.cells[d] = n.div_ceil(2);
            coarse.widths[d] = 2.0 * self.widths[d];
            coarse.first[d] = if shift[d] == 1 { self.first[d] } else { pair(0) };
            let alone = !(n + shift[d]).is_multiple_of(2);
            coarse.last[d] = if alone { self.last[d] } else { pair(n - 2) };
        }
        coarse
    }
}
