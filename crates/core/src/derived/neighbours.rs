//! What lies beside a cell: another cell, a wall, a mirror, or the open end of the box.

use std::ops::Range;

use crate::boundary::{Condition, Side};
use crate::case::Case;
use crate::extent::Extent;
use crate::surface::{FaceKind, Surfaces};
use crate::window::Window;
use crate::windows::Windows;

/// A velocity in an extent of the grid with what surrounds it; cells are those of the whole grid.
pub(super) struct Neighbours<'a> {
    case: &'a Case,
    extent: &'a Extent,
    windows: Windows<'a>,
    pub(super) surfaces: Surfaces<'a>,
}

/// The velocity gradient in 1/s.
pub(super) struct Gradient([[f64; 3]; 3]);

impl Gradient {
    /// The sum of the squares of its antisymmetric part in 1/s2, half the square of the vorticity;
    /// eq. (P9).
    pub(super) fn rotation(&self) -> f64 {
        self.squares(-1.0)
    }

    /// The sum of the squares of its symmetric part, the strain rate, in 1/s2; eq. (P9).
    pub(super) fn strain(&self) -> f64 {
        self.squares(1.0)
    }

    /// The sum over all entries of the square of half the gradient plus or minus its transpose.
    fn squares(&self, sign: f64) -> f64 {
        let entries = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        let Self(g) = self;
        entries.map(|(i, j)| (0.5 * (g[i][j] + sign * g[j][i])).powi(2)).sum()
    }
}

/// A row of the extent along x.
pub(super) struct Row {
    first: [usize; 3],
    /// Cells beside which are cells of the flow alone, from the first of the row on.
    inner: Vec<Range<usize>>,
    /// Those that have cells of the flow on both sides in each direction.
    between: [Vec<Range<usize>>; 3],
}

impl Row {
    /// A cell of the row.
    pub(super) fn cell(&self, i: usize) -> [isize; 3] {
        let [x, j, k] = self.first;
        [x + i, j, k].map(|i| i as isize)
    }
}

/// Derivatives in the cells of a row, `[component][direction][i]`.
#[derive(Default)]
pub(super) struct Gradients([[Vec<f64>; 3]; 3]);

impl Gradients {
    /// Of the row's cell `i`.
    pub(super) fn at(&self, i: usize) -> Gradient {
        Gradient(std::array::from_fn(|c| std::array::from_fn(|d| self.0[c][d][i])))
    }

    /// [`Gradient::rotation`] and [`Gradient::strain`] of all cells of the row.
    #[inline(always)]
    pub(super) fn squares(&self, rotation: &mut [f64], strain: &mut [f64]) {
        let Self(g) = self;
        rotation.fill(0.0);
        strain.fill(0.0);
        for (d, of) in g.iter().enumerate() {
            strain.iter_mut().zip(&of[d]).for_each(|(to, g)| *to += g * g);
        }
        for [a, b] in [[0, 1], [0, 2], [1, 2]] {
            add_pair(&g[a][b], &g[b][a], rotation, strain);
        }
    }
}

/// What an entry of the gradient and the one across its diagonal add to both.
#[inline(always)]
fn add_pair(one: &[f64], other: &[f64], rotation: &mut [f64], strain: &mut [f64]) {
    for (((one, other), rotation), strain) in one.iter().zip(other).zip(rotation).zip(strain) {
        let [minus, plus] = [one - other, one + other];
        *rotation += 0.5 * (minus * minus);
        *strain += 0.5 * (plus * plus);
    }
}

/// A component of the velocity beside a cell.
#[derive(Clone, Copy)]
struct Beside {
    /// Distance from the cell's centre, in cells.
    distance: f64,
    value: f64,
}

impl<'a> Neighbours<'a> {
    /// What surrounds the cells of an extent, in a window that reaches [`super::REACH`] cells beyond it.
    pub(super) fn new(case: &'a Case, extent: &'a Extent, window: &'a Window<'a>) -> Self {
        Self::among(case, extent, vec![window])
    }

    /// The same of several windows.
    pub(super) fn among(case: &'a Case, extent: &'a Extent, windows: Vec<&'a Window<'a>>) -> Self {
        let windows = Windows::new(windows, case.grid.cells());
        Self { case, extent, windows, surfaces: Surfaces::new(case) }
    }

    /// A component of the velocity in a cell.
    fn at(&self, component: usize, cell: [isize; 3]) -> f64 {
        self.windows.at(component, cell)
    }

    /// Velocity in m/s in a cell; zero in solid cells.
    pub(super) fn velocity(&self, cell: [isize; 3]) -> [f64; 3] {
        if self.surfaces.is_solid(cell) {
            return [0.0; 3];
        }
        std::array::from_fn(|c| self.at(c, cell))
    }

    /// The components of the velocity in m/s in the cells of a row.
    pub(super) fn velocities(&self, row: &Row) -> [&[f64]; 3] {
        let (cell, n) = (row.cell(0), self.n()[0]);
        std::array::from_fn(|c| {
            let row = self.windows.row(c, cell);
            row.map_or(&[][..], |(first, values)| &values[(cell[0] - first) as usize..][..n])
        })
    }

    /// A component in some cells of a row, and before and behind them in a direction: as many of the cells as all three are
    /// known of in one piece.
    fn three_rows(
        &self,
        row: &Row,
        range: &Range<usize>,
        [component, direction]: [usize; 2],
    ) -> Option<(Range<usize>, [&[f64]; 3])> {
        let origin = row.cell(0)[0];
        let found = [-1, 0, 1].map(|by| {
            let mut cell = row.cell(range.start);
            // Along x it is one row.
            if direction > 0 {
                cell[direction] += by;
            }
            self.windows.row(component, cell).map(|known| (known, by * isize::from(direction == 0)))
        });
        let [Some(low), Some(here), Some(high)] = found else { return None };
        let three = [low, here, high];
        let begins = three.map(|((first, _), by)| first - by - origin);
        let ends = three.map(|((first, row), by)| first - by - origin + row.len() as isize);
        let begin = begins.into_iter().fold(range.start as isize, isize::max);
        let end = ends.into_iter().fold(range.end as isize, isize::min);
        if begin >= end {
            return None;
        }
        let cells = begin as usize..end as usize;
        let values = three.map(|((first, row), by)| {
            &row[(begin + by + origin - first) as usize..][..cells.len()]
        });
        Some((cells, values))
    }

    /// Derivative in 1/s of a velocity component at a cell's centre: the parabola through the cell
    /// and what lies on both sides of it; where the box is open, through two cells further inside; where a wall is nearer than
    /// half a cell, through it and the two cells on the other side, since what the cell itself is off would count many times.
    #[inline(never)]
    pub(super) fn derivative(&self, cell: [isize; 3], component: usize, direction: usize) -> f64 {
        let here = self.at(component, cell);
        let beside = |side| self.beside(cell, component, direction, side);
        let slope = match (beside(Side::Low), beside(Side::High)) {
            (Some(low), Some(high)) => {
                let without_here = match (low.distance < 0.5, high.distance < 0.5) {
                    (true, false) => self
                        .beyond(low, high, cell, component, direction, Side::High)
                        .map(|slope| -slope),
                    (false, true) => self.beyond(high, low, cell, component, direction, Side::Low),
                    _ => None,
                };
                without_here.unwrap_or_else(|| {
                    let (a, b) = (low.distance, high.distance);
                    ((high.value - here) * a / b + (here - low.value) * b / a) / (a + b)
                })
            }
            (Some(low), None) => -self.one_sided(here, low, cell, component, direction, Side::Low),
            (None, Some(high)) => {
                self.one_sided(here, high, cell, component, direction, Side::High)
            }
            (None, None) => 0.0,
        };
        slope * (1.0 / self.case.grid.axes[direction].spacing())
    }

    /// [`Self::derivative`] in the cells of a row along x. Cells that have others of the flow on both sides
    /// need not be asked for what lies there.
    #[inline(always)]
    pub(super) fn derivatives(
        &self,
        row: &Row,
        component: usize,
        direction: usize,
        to: &mut [f64],
    ) {
        let axis = &self.case.grid.axes[direction];
        // Half of that of the general case, without rounding: both give the same bits.
        let half = 0.5 * (1.0 / axis.spacing());
        let general = |cells: Range<usize>, to: &mut [f64]| {
            cells.for_each(|i| to[i] = self.derivative(row.cell(i), component, direction));
        };
        let mut next = 0;
        for range in &row.between[direction] {
            let Some((cells, [low, here, high])) =
                self.three_rows(row, range, [component, direction])
            else {
                continue;
            };
            general(next..cells.start, to);
            next = cells.end;
            for (((to, low), here), high) in to[cells].iter_mut().zip(low).zip(here).zip(high) {
                *to = ((high - here) + (here - low)) * half;
            }
        }
        general(next..to.len(), to);
    }

    /// Derivatives in 1/s at the centres of a row's cells; zero in the third direction of a plane flow.
    pub(super) fn gradients(&self, row: &Row) -> Gradients {
        let mut gradients = Gradients::default();
        self.gradients_into(row, &mut gradients);
        gradients
    }

    /// The same in room that was used for another row of the case.
    #[inline(always)]
    pub(super) fn gradients_into(&self, row: &Row, gradients: &mut Gradients) {
        let directions = self.directions();
        let n = self.n()[0];
        for (component, of) in gradients.0.iter_mut().enumerate() {
            for (direction, to) in of.iter_mut().enumerate() {
                to.resize(n, 0.0);
                if directions.contains(&component) && directions.contains(&direction) {
                    self.derivatives(row, component, direction, to);
                }
            }
        }
    }

    /// Directions that the flow has.
    pub(super) fn directions(&self) -> Range<usize> {
        self.case.grid.directions()
    }

    /// The cells of a row that are not solid, in no particular order.
    pub(super) fn flows(&self, row: &Row) -> Vec<Range<usize>> {
        let n = self.n()[0];
        if self.surfaces.has_no_solids() {
            return std::iter::once(0..n).collect();
        }
        let (mut flows, mut next) = (Vec::new(), 0);
        for inner in row.inner.iter().cloned().chain(std::iter::once(n..n)) {
            let between = (next..inner.start).filter(|&i| !self.surfaces.is_solid(row.cell(i)));
            flows.extend(between.map(|i| i..i + 1));
            next = inner.end;
            flows.push(inner);
        }
        flows
    }

    /// Cells of the extent.
    pub(super) fn n(&self) -> [usize; 3] {
        self.extent.n()
    }

    /// The row of the extent along x of this number.
    pub(super) fn row(&self, number: usize) -> Row {
        let ([_, ny, _], [x, y, z]) = (self.n(), self.extent.offset());
        let (j, k) = (y + number % ny, z + number / ny);
        let cells = &self.extent.cells[0];
        let inner = self
            .surfaces
            .inner_cells([j, k].map(|at| at as isize), cells.start as isize..cells.end as isize);
        let inner: Vec<_> = inner.into_iter().map(|range| range.start - x..range.end - x).collect();
        let between = match self.surfaces.has_no_solids() {
            true => std::array::from_fn(|d| self.between_ends(d, [j, k])),
            false => std::array::from_fn(|_| inner.clone()),
        };
        Row { first: [x, j, k], inner, between }
    }

    /// The cells of a row of a grid without solid cells that have others on both sides in a direction.
    fn between_ends(&self, direction: usize, [j, k]: [usize; 2]) -> Vec<Range<usize>> {
        let (cells, end) = (&self.extent.cells[0], self.case.grid.axes[direction].len() - 1);
        let is_between = |i: usize| i > 0 && i < end;
        let range = match direction {
            0 => cells.start.max(1)..cells.end.min(end),
            1 if is_between(j) => cells.clone(),
            2 if is_between(k) => cells.clone(),
            _ => 0..0,
        };
        let here = range.start.saturating_sub(cells.start)..range.end.saturating_sub(cells.start);
        if here.is_empty() { Vec::new() } else { std::iter::once(here).collect() }
    }

    /// Slope per cell towards `side` from the two values on that side only.
    fn one_sided(
        &self,
        here: f64,
        near: Beside,
        cell: [isize; 3],
        component: usize,
        direction: usize,
        side: Side,
    ) -> f64 {
        let first = (near.value - here) / near.distance;
        if near.distance < 1.0 {
            return first;
        }
        let next = side.next(cell, direction);
        match self.beside(next, component, direction, side) {
            Some(far) => {
                let (a, b) = (near.distance, near.distance + far.distance);
                let second = (far.value - here) / b;
                (first * b - second * a) / (b - a)
            }
            None => first,
        }
    }

    /// Slope per cell towards a wall from its value and the two that follow each other on the other side, if there are two.
    fn beyond(
        &self,
        wall: Beside,
        near: Beside,
        cell: [isize; 3],
        component: usize,
        direction: usize,
        side: Side,
    ) -> Option<f64> {
        if near.distance < 1.0 {
            return None;
        }
        let far = self.beside(side.next(cell, direction), component, direction, side)?;
        let (a, b) = (near.distance, wall.distance);
        let first = (wall.value - near.value) / (a + b);
        let before = (near.value - far.value) / far.distance;
        Some(first + (first - before) / (a + b + far.distance) * (a - b))
    }

    /// What lies on a side of a cell; nothing where the box is open.
    fn beside(
        &self,
        cell: [isize; 3],
        component: usize,
        direction: usize,
        side: Side,
    ) -> Option<Beside> {
        let (distance, value) = match self.surfaces.face(cell, direction, side) {
            FaceKind::Open => (1.0, self.at(component, side.next(cell, direction))),
            FaceKind::Solid => match self.surfaces.body_wall(cell, side.next(cell, direction)) {
                Some(wall) => (wall.share, wall.velocity[component]),
                None => (0.5, 0.0),
            },
            FaceKind::End(_, Condition::Mirror) => {
                let here = self.at(component, cell);
                (1.0, if component == direction { -here } else { here })
            }
            FaceKind::End(_, Condition::Velocity) => {
                (0.5, self.surfaces.velocity(cell, direction, side)[component])
            }
            FaceKind::End(_, Condition::Pressure(_) | Condition::Convective) | FaceKind::Beyond => {
                return None;
            }
        };
        Some(Beside { distance, value })
    }
}
