//! A small random velocity laid over the flow that a case begins with.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::grid::Grid;

/// Terms of the sum; in space a third of them have their potential along each direction.
const MODES: usize = 36;

/// Waves along the shortest edge of the box, at most.
const WAVES: f64 = 4.0;

/// Waves along any edge, at most.
const MOST_WAVES: f64 = 32.0;

/// Places of a table of waves: half waves along an edge are numbered from 1.
const TABLE: usize = 2 * MOST_WAVES as usize + 1;

/// A random velocity without divergence, the same at a place on every grid, docs/theory/equations.md (N11).
///
/// It is the curl of a sum of a few products of waves. At ends of the box that are not periodic it is zero; in a plane
/// flow it lies in the plane and does not vary in z.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// Root mean square of its speed in m/s, over the box and all seeds.
    pub amplitude: f64,
    /// Which one it is.
    pub seed: u64,
    directions: [Direction; 3],
    modes: Arc<[Mode]>,
}

/// A direction of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Direction {
    low: f64,
    length: f64,
    periodic: bool,
    /// Largest number of waves, or of half waves in a box with ends.
    most: usize,
}

/// A product of waves, a component of the potential.
#[derive(Clone, Debug, PartialEq)]
struct Mode {
    /// The direction of the potential.
    along: usize,
    /// Waves, or half waves, in each direction; none in which nothing varies.
    waves: [usize; 3],
    /// Cosine and sine of the phase in each direction.
    phase: [[f64; 2]; 3],
    /// Factor in m2/s.
    factor: f64,
}

impl Perturbation {
    /// The one of a number `seed` with a root mean square speed of `amplitude` (m/s), in the box of a grid with ends that
    /// are periodic or not.
    pub fn new(amplitude: f64, seed: u64, grid: &Grid, periodic: [bool; 3]) -> Self {
        let shortest =
            grid.directions().map(|d| grid.axes[d].length()).fold(f64::INFINITY, f64::min);
        let directions = std::array::from_fn(|d| {
            let (axis, periodic) = (&grid.axes[d], periodic[d]);
            let waves = (WAVES * axis.length() / shortest).round().min(MOST_WAVES) as usize;
            // A half wave more comes from the factor that is zero at both ends.
            let most = if periodic { waves } else { 2 * waves - 1 };
            let varies = grid.directions().contains(&d);
            Direction {
                low: axis.low(),
                length: axis.length(),
                periodic,
                most: if varies { most } else { 0 },
            }
        });
        let share = amplitude / (MODES as f64).sqrt();
        let mode = |number: usize| {
            let along = if grid.is_plane() { 2 } else { number % 3 };
            Mode::random(seed, number, along, share, &directions)
        };
        Self { amplitude, seed, directions, modes: (0..MODES).map(mode).collect() }
    }

    /// Velocity in m/s at a point (m).
    pub fn velocity(&self, point: [f64; 3]) -> [f64; 3] {
        let mut tables = [[[0.0; 2]; TABLE]; 3];
        for (d, (table, direction)) in tables.iter_mut().zip(&self.directions).enumerate() {
            direction.fill(point[d], table);
        }
        let mut u = [0.0; 3];
        for mode in &*self.modes {
            let waves: [[f64; 2]; 3] = std::array::from_fn(|d| {
                self.directions[d].wave(&tables[d], mode.waves[d], mode.phase[d])
            });
            let (c, a, b) = (mode.along, (mode.along + 1) % 3, (mode.along + 2) % 3);
            // The curl of a potential along c: its slope in b, and less that in a.
            u[a] += mode.factor * waves[c][0] * waves[a][0] * waves[b][1];
            u[b] -= mode.factor * waves[c][0] * waves[a][1] * waves[b][0];
        }
        u
    }
}

impl Direction {
    /// Cosines and sines of all waves at a coordinate in m: powers of the first one.
    fn fill(&self, x: f64, table: &mut [[f64; 2]; TABLE]) {
        let share = (x - self.low) / self.length;
        let (sin, cos) = (if self.periodic { 2.0 * PI * share } else { PI * share }).sin_cos();
        table[0] = [1.0, 0.0];
        for n in 1..=self.most {
            let [c, s] = table[n - 1];
            table[n] = [c * cos - s * sin, s * cos + c * sin];
        }
    }

    /// Value of a wave and its slope in 1/m, where the table was filled for.
    fn wave(&self, table: &[[f64; 2]; TABLE], n: usize, [c, s]: [f64; 2]) -> [f64; 2] {
        if n == 0 {
            return [1.0, 0.0];
        }
        let ([cos, sin], count) = (table[n], n as f64);
        if self.periodic {
            let rate = 2.0 * PI * count / self.length;
            return [cos * c - sin * s, -rate * (sin * c + cos * s)];
        }
        let ([cos_1, sin_1], rate) = (table[1], PI / self.length);
        [sin_1 * sin, rate * (cos_1 * sin + count * sin_1 * cos)]
    }

    /// Means over the direction of the squares of a wave and of its slope (1/m2), over all phases.
    fn squares(&self, n: usize) -> [f64; 2] {
        let count = n as f64;
        match (n, self.periodic) {
            (0, _) => [1.0, 0.0],
            (_, true) => [0.5, 0.5 * (2.0 * PI * count / self.length).powi(2)],
            (1, false) => [0.375, 0.5 * (PI / self.length).powi(2)],
            (_, false) => [0.25, 0.25 * (PI / self.length).powi(2) * (count * count + 1.0)],
        }
    }
}

impl Mode {
    /// A mode whose root mean square speed is `speed` (m/s).
    fn random(
        seed: u64,
        number: usize,
        along: usize,
        speed: f64,
        directions: &[Direction; 3],
    ) -> Self {
        // Seven numbers of its own: waves, phases, sign.
        let draw = |which: usize| uniform(seed, (7 * number + which) as u64);
        let waves = std::array::from_fn(|d| match directions[d].most {
            0 => 0,
            most => 1 + (draw(d) * most as f64) as usize,
        });
        let phase = std::array::from_fn(|d| {
            let (sin, cos) = (2.0 * PI * draw(3 + d)).sin_cos();
            [cos, sin]
        });
        let sign = if draw(6) < 0.5 { -1.0 } else { 1.0 };
        let [c, a, b] = [0, 1, 2].map(|n| {
            let d = (along + n) % 3;
            directions[d].squares(waves[d])
        });
        let square = c[0] * (a[0] * b[1] + a[1] * b[0]);
        Self { along, waves, phase, factor: sign * speed / square.sqrt() }
    }
}

/// What SplitMix64 adds to its state for each number.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The random number `number` of a seed, from 0 to below 1. No number needs the ones before it.
fn uniform(seed: u64, number: u64) -> f64 {
    // The seed is mixed, too, so that neighbouring ones share no numbers.
    let state = split_mix(seed.wrapping_add(GOLDEN)).wrapping_add(number.wrapping_mul(GOLDEN));
    (split_mix(state) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What SplitMix64 makes of its state: G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number
/// generators. OOPSLA 2014.
fn split_mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
