//! A layer of cells as numbers for the pixels of a page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use vortice_core::{
    Axis, Case, Extent, Field, FieldLater, Grid, Quantity, Result, Snapshot, Step, vorticity,
};

use crate::view::{Shown, View};

/// Pixels to the right and up at most: of longer layers each second, third ... cell is shown.
pub(crate) const MOST: usize = 512;

/// Numbers that are compared together.
const LANES: usize = 16;

/// Numbers that the ends of the colours are found from at most.
const SAMPLES: usize = 4096;

/// Share of the numbers that get a colour of their own, where few would leave none for the rest.
const SHARE: f64 = 0.98;

/// Shades of a pixel; the last two numbers of a byte are for what is no number and for solids.
const SHADES: f64 = 253.0;
const BROKEN: u8 = 254;
const SOLID: u8 = 255;

/// What is fetched of a flow between two steps.
pub(crate) struct Fetched {
    pub(crate) step: Step,
    /// Values of the quantity that the view is made of.
    field: Field,
    /// The first of its cells.
    first: [isize; 3],
    /// The case as it is now, for what is derived of the velocity later.
    case: Option<Case>,
}

/// The same, perhaps still on its way, and how long the run was held up for it.
pub(crate) struct Coming {
    step: Step,
    field: FieldLater,
    first: [isize; 3],
    case: Option<Case>,
    pub(crate) cost: Duration,
}

impl Coming {
    /// Asks for what a view needs, and no more than its layer of a flow in space.
    pub(crate) fn of(now: &mut Snapshot<'_>, view: View) -> Result<Option<Self>> {
        let is_plane = now.case.grid.is_plane();
        let quantity = match view.shown {
            Shown::Speed => Quantity::Velocity,
            // Derived beside the run, of all of a plane flow.
            Shown::Vorticity if is_plane => Quantity::Velocity,
            Shown::Vorticity => Quantity::Vorticity,
            Shown::Number(quantity) => quantity,
        };
        let case = (is_plane && view.shown == Shown::Vorticity).then(|| now.case.clone());
        let (step, mut begin, mut first) = (now.step, Instant::now(), [0; 3]);
        let field = if is_plane && quantity == Quantity::Velocity {
            now.velocity_later()?
        } else {
            begin = done_until(now)?;
            if is_plane {
                let whole = now.whole(quantity)?;
                whole.map(|field| FieldLater::new(move || Ok(Arc::unwrap_or_clone(field))))
            } else {
                let extent: Extent = view.extent(now.case);
                let window = match quantity {
                    Quantity::Vorticity => {
                        let windows = now.quantities_in(&[Some(extent)], &[quantity])?;
                        windows.and_then(|all| all.into_iter().next())
                    }
                    _ => now.in_extents(quantity, &[extent])?.into_iter().next(),
                };
                window.map(|window| {
                    first = window.first();
                    window.field().clone().into()
                })
            }
        };
        let cost = begin.elapsed();
        Ok(field.map(|field| Self { step, field, first, case, cost }))
    }

    /// Waits for it.
    pub(crate) fn receive(self) -> Result<Fetched> {
        let Self { step, field, first, case, .. } = self;
        Ok(Fetched { step, field: field.receive()?, first, case })
    }
}

/// When a look begins: once steps are done that were asked for before and put off.
pub(crate) fn done_until(now: &mut Snapshot<'_>) -> Result<Instant> {
    now.in_extents(Quantity::Velocity, &[])?;
    Ok(Instant::now())
}

impl Fetched {
    /// The components of its cells.
    pub(crate) fn values(&self) -> impl Fn([isize; 3], usize) -> f64 {
        values(&self.field, self.first)
    }
}

/// Where the cells of a field lie whose first cell is known.
#[inline]
fn places(field: &Field, first: [isize; 3]) -> impl Fn([isize; 3]) -> usize + use<> {
    let strides = field.shape.strides().map(|stride| stride as isize);
    let place = move |cell: [isize; 3]| (0..3).map(|d| cell[d] * strides[d]).sum::<isize>();
    let origin = place(std::array::from_fn(|d| field.shape.halo[d] as isize - first[d]));
    move |cell| (origin + place(cell)) as usize
}

/// The components of a field, of which the last stands for those that it has not.
#[inline]
fn components(field: &Field) -> [&[f64]; 3] {
    std::array::from_fn(|c| field.component(c.min(field.components - 1)))
}

/// The components of the cells of a field whose first cell is known.
#[inline]
fn values(field: &Field, first: [isize; 3]) -> impl Fn([isize; 3], usize) -> f64 {
    let (place, all) = (places(field, first), components(field));
    move |cell, c| all[c][place(cell)]
}

/// A layer of cells as numbers, right fastest, from the lower left corner.
pub(crate) struct Image {
    pub(crate) view: View,
    pub(crate) step: Step,
    pub(crate) size: [usize; 2],
    /// Not a number in solids.
    numbers: Vec<f32>,
    solid: Arc<[bool]>,
    /// What the first and the last colour stand for.
    pub(crate) colours: [f64; 2],
    /// The smallest and the largest number.
    pub(crate) range: [f64; 2],
}

/// The cells of an axis that are shown, so many at most.
fn cells_shown(axis: &Axis, most: usize) -> impl Iterator<Item = isize> + use<> {
    let stride = axis.len().div_ceil(most);
    (0..axis.len()).skip((stride - 1) / 2).step_by(stride).map(|i| i as isize)
}

/// The cells of a view that are shown.
pub(crate) struct Pixels {
    view: View,
    columns: Vec<isize>,
    rows: Vec<isize>,
}

impl Pixels {
    /// So many in a row or column at most.
    pub(crate) fn of(grid: &Grid, view: View, most: usize) -> Self {
        let [columns, rows] = view.directions().map(|d| cells_shown(&grid.axes[d], most).collect());
        Self { view, columns, rows }
    }

    pub(crate) fn size(&self) -> [usize; 2] {
        [self.columns.len(), self.rows.len()]
    }

    /// Calls for each, right fastest, from the lower left corner.
    #[inline]
    pub(crate) fn each(&self, mut look: impl FnMut([isize; 3])) {
        let [right, up] = self.view.directions();
        let mut cell = [self.view.layer as isize; 3];
        for &j in &self.rows {
            cell[up] = j;
            for &i in &self.columns {
                cell[right] = i;
                look(cell);
            }
        }
    }
}

/// Which pixels of a view lie in solids.
pub(crate) fn solid_pixels(
    grid: &Grid,
    view: View,
    is_solid: impl Fn([isize; 3]) -> bool,
) -> Arc<[bool]> {
    let mut solid = Vec::new();
    Pixels::of(grid, view, MOST).each(|cell| solid.push(is_solid(cell)));
    solid.into()
}

impl Image {
    /// The image of what was fetched for a view.
    pub(crate) fn of(grid: &Grid, view: View, fetched: &Fetched, solid: Arc<[bool]>) -> Self {
        let derived = fetched.case.as_ref().map(|case| vorticity(case, &fetched.field));
        let field = derived.as_ref().unwrap_or(&fetched.field);
        let (place, all, right) =
            (places(field, fetched.first), components(field), view.directions()[0]);
        let row = |mut cell: [isize; 3], columns: &[isize], to: &mut Vec<f32>| {
            let mut places = columns.iter().take(2).map(|&i| {
                cell[right] = i;
                place(cell)
            });
            let Some(begin) = places.next() else { return };
            let stride = places.next().map_or(1, |second| second - begin);
            let cells = begin..begin + stride * (columns.len() - 1) + 1;
            let [a, b, c] = all.map(|values| &values[cells.clone()]);
            let numbers = a.iter().zip(b).zip(c);
            let number =
                |((&a, &b), &c): ((&f64, &f64), &f64)| view.number(|d| [a, b, c][d]) as f32;
            match stride {
                1 => to.extend(numbers.map(number)),
                _ => to.extend(numbers.step_by(stride).map(number)),
            }
        };
        Self::of_rows(grid, view, fetched.step, row, solid)
    }

    /// The image of a number for each cell.
    pub(crate) fn new(
        grid: &Grid,
        view: View,
        step: Step,
        number: impl Fn([isize; 3]) -> f64,
        solid: Arc<[bool]>,
    ) -> Self {
        let right = view.directions()[0];
        let row = |mut cell: [isize; 3], columns: &[isize], to: &mut Vec<f32>| {
            to.extend(columns.iter().map(|&i| {
                cell[right] = i;
                number(cell) as f32
            }));
        };
        Self::of_rows(grid, view, step, row, solid)
    }

    /// The image of rows that are added one after the other, each from a cell in it and the columns that are shown.
    fn of_rows(
        grid: &Grid,
        view: View,
        step: Step,
        mut row: impl FnMut([isize; 3], &[isize], &mut Vec<f32>),
        solid: Arc<[bool]>,
    ) -> Self {
        let pixels = Pixels::of(grid, view, MOST);
        let size = pixels.size();
        let mut numbers = Vec::with_capacity(size[0] * size[1]);
        let mut cell = [view.layer as isize; 3];
        for &j in &pixels.rows {
            cell[view.directions()[1]] = j;
            row(cell, &pixels.columns, &mut numbers);
        }
        for (number, _) in numbers.iter_mut().zip(&*solid).filter(|(_, is_solid)| **is_solid) {
            *number = f32::NAN;
        }
        let range = ends(&numbers);
        let colours =
            colours(view.shown.is_two_sided(), view.shown == Shown::Speed, &numbers, range);
        Self { view, step, size, numbers, solid, colours, range }
    }

    /// The same with colours that are alike on both sides of zero.
    pub(crate) fn two_sided(mut self) -> Self {
        self.colours = colours(true, false, &self.numbers, self.range);
        self
    }

    /// The number of a pixel, if there is one.
    pub(crate) fn number(&self, [i, j]: [usize; 2]) -> Option<f32> {
        let is_inside = i < self.size[0] && j < self.size[1];
        is_inside.then(|| self.numbers[i + j * self.size[0]]).filter(|number| number.is_finite())
    }

    /// A byte for each pixel, from the top: how far its number lies from the first colour to the last.
    pub(crate) fn bytes(&self, [low, high]: [f64; 2]) -> Vec<u8> {
        let (low, per) = (low as f32, (SHADES / (high - low).max(f64::MIN_POSITIVE)) as f32);
        let shade = |(number, solid): (&f32, &bool)| match (solid, number.is_finite()) {
            (true, _) => SOLID,
            (false, false) => BROKEN,
            // A number below zero becomes zero.
            (false, true) => ((number - low) * per + 0.5).min(SHADES as f32) as u8,
        };
        let width = self.size[0].max(1);
        let mut bytes = Vec::with_capacity(self.numbers.len());
        for (numbers, solid) in self.numbers.chunks(width).zip(self.solid.chunks(width)).rev() {
            bytes.extend(numbers.iter().zip(solid).map(shade));
        }
        bytes
    }
}

/// The smallest and the largest of some numbers that are finite.
fn ends(numbers: &[f32]) -> [f64; 2] {
    // Several at a time, in registers.
    let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for some in numbers.chunks(LANES) {
        for (&x, (low, high)) in some.iter().zip(low.iter_mut().zip(&mut high)) {
            let is_finite = x.abs() < f32::INFINITY;
            *low = if is_finite && x < *low { x } else { *low };
            *high = if is_finite && x > *high { x } else { *high };
        }
    }
    let low = low.into_iter().fold(f32::INFINITY, f32::min);
    let high = high.into_iter().fold(f32::NEG_INFINITY, f32::max);
    if low > high { [0.0; 2] } else { [f64::from(low), f64::from(high)] }
}

/// What the first and the last colour stand for: apart, though all numbers be the same.
fn colours(is_two_sided: bool, is_from_zero: bool, numbers: &[f32], range: [f64; 2]) -> [f64; 2] {
    let [low, high] = match (is_two_sided, is_from_zero) {
        (true, _) => {
            let limit = usual(numbers).map_or(range[1].abs(), f64::from);
            [-limit, limit]
        }
        (false, true) => [0.0, range[1]],
        (false, false) => range,
    };
    if high > low { [low, high] } else { [low.min(0.0), low + 1.0] }
}

/// The magnitude that a large share of some of the numbers is below.
fn usual(numbers: &[f32]) -> Option<f32> {
    let stride = numbers.len().div_ceil(SAMPLES).max(1);
    let some = numbers.iter().step_by(stride).filter(|x| x.is_finite());
    let mut some: Vec<f32> = some.map(|x| x.abs()).collect();
    let at = (SHARE * some.len() as f64) as usize;
    (at < some.len()).then(|| *some.select_nth_unstable_by(at, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(numbers: &[f32], solid: &[bool], width: usize) -> Image {
        let view = View { shown: Shown::Speed, normal: 2, layer: 0 };
        let size = [width, numbers.len() / width];
        let range = ends(numbers);
        let colours = colours(false, true, numbers, range);
        let (numbers, solid) = (numbers.to_vec(), solid.into());
        Image { view, step: Step::default(), size, numbers, solid, colours, range }
    }

    #[test]
    fn bytes_go_from_the_top_and_tell_solids() {
        let one = image(&[0.0, 1.0, 2.0, f32::NAN], &[false, false, false, true], 2);
        assert_eq!((one.colours, one.range), ([0.0, 2.0], [0.0, 2.0]));
        assert_eq!(one.bytes(one.colours), [253, 255, 0, 127]);
        assert_eq!(one.bytes([1.0, 1.5]), [253, 255, 0, 0]);
        assert_eq!(
            (one.number([1, 0]), one.number([1, 1]), one.number([2, 0])),
            (Some(1.0), None, None)
        );
        let broken = image(&[f32::INFINITY], &[false], 1);
        assert_eq!(broken.bytes(broken.colours), [BROKEN]);
    }

    #[test]
    fn few_large_numbers_leave_colours_for_the_rest() {
        let mut numbers = vec![1.0_f32; 1000];
        numbers[7] = -1e6;
        assert_eq!(colours(true, false, &numbers, [-1e6, 1.0]), [-1.0, 1.0]);
        assert_eq!(colours(false, true, &[0.0; 4], [0.0; 2]), [0.0, 1.0]);
    }

    #[test]
    fn of_long_axes_some_cells_are_shown() {
        let shown = |n| cells_shown(&Axis::uniform(n, 0.0, 1.0), MOST).collect::<Vec<_>>();
        assert_eq!(shown(3), [0, 1, 2]);
        let long = shown(1600);
        assert_eq!((long.len(), long[0], long[1]), (400, 1, 5));
    }
}
