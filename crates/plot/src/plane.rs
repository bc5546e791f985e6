//! A plane of the flow, to be looked at.

use vortice_core::{Axis, Case, Cells, CutPlane, fill_rows};

/// A vector in a plane across the box: its entries in the plane, to the right and up, and the one
/// across it.
pub(crate) struct Plane {
    /// To the right and up.
    pub(crate) axes: [Axis; 2],
    /// Their names.
    pub(crate) letters: [&'static str; 2],
    /// Where it lies; nothing for a plane flow.
    pub(crate) place: Option<CutPlane>,
    /// A vector per cell, such as the velocity in m/s, right fastest; none in solid cells.
    velocity: Vec<Option<[f64; 3]>>,
}

impl Plane {
    /// The plane of a plane flow, or the one of a flow in space that is to be shown; linear between the
    /// layers of cells beside it.
    pub(crate) fn shown<'a>(case: &Case, velocity: impl Into<Cells<'a>>) -> Self {
        let velocity = velocity.into();
        Self::cut(case, case.plane_shown(), |c, cell| velocity.at(c, cell))
    }

    /// The same of a number per cell, in all three entries.
    pub(crate) fn of_numbers(case: &Case, number: impl Fn([isize; 3]) -> f64 + Sync) -> Self {
        Self::cut(case, case.plane_shown(), |_, cell| number(cell))
    }

    /// Any plane of a flow, of a value for each direction and cell.
    pub(crate) fn cut(
        case: &Case,
        cut: CutPlane,
        value: impl Fn(usize, [isize; 3]) -> f64 + Sync,
    ) -> Self {
        let solids = case.solids();
        let [right, up] = cut.directions();
        let layers = cut.layers(&case.grid);
        let at = |i: isize, j: isize| {
            let cell = |layer: isize| {
                let mut cell = [layer; 3];
                (cell[right], cell[up]) = (i, j);
                cell
            };
            let fluid = layers.iter().all(|&(layer, _)| !solids.contains(cell(layer)));
            let mean = |c: usize| {
                layers.iter().map(|&(layer, weight)| weight * value(c, cell(layer))).sum::<f64>()
            };
            fluid.then(|| [mean(right), mean(up), mean(cut.normal)])
        };
        let axes = [right, up].map(|d| case.grid.axes[d]);
        let [nx, ny] = axes.map(|axis| axis.len());
        let mut velocity = vec![None; nx * ny];
        fill_rows([&mut velocity], nx, |j, [row]| {
            row.iter_mut().enumerate().for_each(|(i, cell)| *cell = at(i as isize, j as isize));
        });
        Self {
            axes,
            letters: [right, up].map(|d| ["x", "y", "z"][d]),
            place: (!case.grid.is_plane()).then_some(cut),
            velocity,
        }
    }

    /// What turns from right to up is positive in the plane, and across it points as x, z and against y.
    pub(crate) fn turn(&self, vorticity: [f64; 3]) -> f64 {
        let against = self.place.is_some_and(|place| place.normal == 1);
        if against { -vorticity[2] } else { vorticity[2] }
    }

    /// Width and height in m.
    pub(crate) fn size(&self) -> [f64; 2] {
        self.axes.map(|axis| axis.length())
    }

    /// Velocity in m/s at a point in m, bilinear between cell centres; none outside and in solids.
    pub(crate) fn velocity(&self, point: [f64; 2]) -> Option<[f64; 3]> {
        // In solid cells the fluid is at rest.
        self.between(point, |_| [0.0; 3])
    }

    /// The same for what does not vanish at solids: there the cell's own value counts.
    pub(crate) fn beside_solids(&self, point: [f64; 2]) -> Option<[f64; 3]> {
        self.between(point, |here| here)
    }

    /// Bilinear between cell centres; what counts in solid cells is told by the cell's own value.
    fn between(
        &self,
        point: [f64; 2],
        in_solid: impl Fn([f64; 3]) -> [f64; 3],
    ) -> Option<[f64; 3]> {
        let outside = |(x, axis): (&f64, &Axis)| !(axis.low()..=axis.high()).contains(x);
        if point.iter().zip(&self.axes).any(outside) {
            return None;
        }
        let place = |d: usize| (point[d] - self.axes[d].low()) / self.axes[d].spacing();
        let here = [0, 1].map(|d| (place(d) as usize).min(self.axes[d].len() - 1));
        let own = self.cell(here[0], here[1])?;
        let [(i, a), (j, b)] = [0, 1].map(|d| {
            let from_centre = (place(d) - 0.5).clamp(0.0, (self.axes[d].len() - 1) as f64);
            let low = (from_centre as usize).min(self.axes[d].len().saturating_sub(2));
            (low, from_centre - low as f64)
        });
        let at = |i: usize, j: usize| {
            let inside = (i.min(self.axes[0].len() - 1), j.min(self.axes[1].len() - 1));
            self.cell(inside.0, inside.1).unwrap_or_else(|| in_solid(own))
        };
        let corners = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
        let weights = [(1.0 - a) * (1.0 - b), a * (1.0 - b), (1.0 - a) * b, a * b];
        Some(std::array::from_fn(|c| corners.iter().zip(weights).map(|(u, w)| w * u[c]).sum()))
    }

    /// Its values cell by cell, without those in solids.
    pub(crate) fn values(&self) -> impl Iterator<Item = [f64; 3]> {
        self.velocity.iter().flatten().copied()
    }

    /// A value per cell made from this plane's and another's of the same grid.
    pub(crate) fn with(&self, other: &Self, join: impl Fn([f64; 3], [f64; 3]) -> [f64; 3]) -> Self {
        let pairs = self.velocity.iter().zip(&other.velocity);
        let joined = pairs.map(|(a, b)| a.zip(*b).map(|(a, b)| join(a, b)));
        Self { velocity: joined.collect(), ..*self }
    }

    /// The plane with what is up, and the velocity along it, times a factor: streamlines stay streamlines.
    pub(crate) fn stretched(&self, factor: f64) -> Self {
        let [x, y] = self.axes;
        let y = Axis::uniform(y.len(), factor * y.low(), factor * y.high());
        let velocity = self.velocity.iter().map(|u| u.map(|[u, v, w]| [u, factor * v, w]));
        Self { axes: [x, y], velocity: velocity.collect(), ..*self }
    }

    /// Speed in m/s at a point in m; none outside and in solids.
    pub(crate) fn speed(&self, point: [f64; 2]) -> Option<f64> {
        self.velocity(point).map(norm)
    }

    /// The largest speed in m/s in a cell, to be divided by: 1 where nothing moves.
    pub(crate) fn fastest(&self) -> f64 {
        let speeds = self.velocity.iter().flatten().map(|&u| norm(u)).filter(|u| u.is_finite());
        let fastest = speeds.fold(0.0, f64::max);
        if fastest > 0.0 { fastest } else { 1.0 }
    }

    /// The smallest and the largest number in a cell, apart: the second one more where all are one.
    pub(crate) fn extremes(&self) -> [f64; 2] {
        let numbers =
            || self.values().map(|[number, ..]| number).filter(|number| number.is_finite());
        let low = numbers().fold(f64::INFINITY, f64::min);
        let high = numbers().fold(f64::NEG_INFINITY, f64::max);
        if low < high {
            [low, high]
        } else if low.is_finite() {
            [low, low + 1.0]
        } else {
            [0.0, 1.0]
        }
    }

    /// Of a velocity what turns from right to up in 1/s, in all three entries: central differences, one-sided beside solids
    /// and at the ends of the box.
    pub(crate) fn turning(&self) -> Self {
        let n = self.axes.map(|axis| axis.len());
        let slope = |at: [usize; 2], along: usize, component: usize| {
            let (mut low, mut high) = (at, at);
            low[along] = at[along].saturating_sub(1);
            high[along] = (at[along] + 1).min(n[along] - 1);
            let is_fluid = |[i, j]: [usize; 2]| self.cell(i, j).is_some();
            let [low, high] = [low, high].map(|end| if is_fluid(end) { end } else { at });
            let [a, b] = [low, high].map(|[i, j]| self.cell(i, j).unwrap_or_default()[component]);
            let cells = (high[along] - low[along]).max(1) as f64;
            (b - a) / (cells * self.axes[along].spacing())
        };
        let of = |at: [usize; 2]| {
            self.cell(at[0], at[1]).map(|_| [slope(at, 0, 1) - slope(at, 1, 0); 3])
        };
        let cells = (0..n[1]).flat_map(|j| (0..n[0]).map(move |i| [i, j]));
        Self { velocity: cells.map(of).collect(), ..*self }
    }

    fn cell(&self, i: usize, j: usize) -> Option<[f64; 3]> {
        self.velocity[i + j * self.axes[0].len()]
    }
}

fn norm(velocity: [f64; 3]) -> f64 {
    velocity.iter().map(|u| u * u).sum::<f64>().sqrt()
}
