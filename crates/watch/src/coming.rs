//! What a page shows of a flow, on its way from the run.

use std::time::{Duration, Instant};

use vortice_core::{Case, Extent, Field, FieldLater, Quantity, Result, Snapshot, Step, vorticity};

use crate::pixels::Pixels;

/// Cells whose values are looked at together on a processor: they stay in its caches.
const TOGETHER: usize = 1 << 16;

/// Something for each pixel of a view after a step, and how long the run was held up for it.
pub(crate) struct Coming<T> {
    pub(crate) step: Step,
    of: Of<T>,
    pub(crate) cost: Duration,
}

/// What it is made of.
enum Of<T> {
    Made(Vec<T>),
    /// The velocity of a plane flow, which a device may still be sending, and what its vorticity is found by: the case of that
    /// moment.
    Velocity(FieldLater, Option<Box<Case>>),
}

impl<T: Copy + Default + Send> Coming<T> {
    /// Asks for what the pixels show, made of the components of its quantity. Only their layer of a flow in space is looked at. A
    /// processor makes it slab by slab; what a device has of a plane flow is made beside the run.
    ///
    /// # Errors
    /// If a device fails.
    pub(crate) fn of(
        now: &mut Snapshot<'_>,
        pixels: &Pixels,
        made: impl Fn([f64; 3]) -> T + Sync,
    ) -> Result<Option<Self>> {
        let quantity = pixels.view.shown.quantity();
        let (step, is_device) = (now.step, now.case.run.device.are_gpus());
        let (is_plane, is_velocity) = (now.case.grid.is_plane(), quantity == Quantity::Velocity);
        if is_device && is_plane && (is_velocity || quantity == Quantity::Vorticity) {
            let case = (!is_velocity).then(|| Box::new(now.case.clone()));
            let (rows, begin) = (0..now.case.grid.cells()[1], Instant::now());
            let of = now.velocity_later(rows)?;
            let of = of.map(|later| Of::Velocity(later, case));
            return Ok(of.map(|of| Self { step, of, cost: begin.elapsed() }));
        }
        let (begin, mut all) = (done_until(now)?, pixels.zeros());
        let mut rest = &mut all[..];
        for (extent, rows) in slabs(now.case, pixels, if is_device { usize::MAX } else { TOGETHER })
        {
            let slab = rest.split_off_mut(..rows.len() * pixels.size()[0]).unwrap_or_default();
            let first = extent.offset().map(|i| i as isize);
            let mut fill = |now: &Snapshot<'_>, field: (&Field, [isize; 3])| {
                now.with_threads(|| pixels.fill(slab, rows, field, &made));
            };
            // A lattice, asked for rows of its velocity alone, finds no pressure with it.
            let alone = match is_plane && is_velocity {
                true => now.velocity_later(extent.cells[1].clone())?,
                false => None,
            };
            if let Some(velocity) = alone {
                fill(now, (&velocity.receive()?, first));
            } else {
                let windows = now.quantities_in(&[Some(extent)], &[quantity])?;
                let Some(window) = windows.into_iter().flatten().next() else { return Ok(None) };
                fill(now, (window.field(), window.first()));
            }
        }
        Ok(Some(Self { step, of: Of::Made(all), cost: begin.elapsed() }))
    }

    /// Waits for it.
    ///
    /// # Errors
    /// If a device fails.
    pub(crate) fn receive(
        self,
        pixels: &Pixels,
        made: impl Fn([f64; 3]) -> T + Sync,
    ) -> Result<Vec<T>> {
        let (later, case) = match self.of {
            Of::Made(all) => return Ok(all),
            Of::Velocity(later, case) => (later, case),
        };
        let (velocity, mut all) = (later.receive()?, pixels.zeros());
        let field: Field = match case {
            Some(case) => vorticity(&case, &velocity),
            None => velocity,
        };
        // Row by row: to wake other threads for it would take longer, beside a run that needs none of them.
        for (row, to) in pixels.rows.chunks(1).zip(all.chunks_mut(pixels.size()[0].max(1))) {
            pixels.fill(to, row, (&field, [0; 3]), &made);
        }
        Ok(all)
    }
}

/// The layer of some pixels in slabs of about so many cells, and the rows of pixels in each.
fn slabs<'a>(
    case: &Case,
    pixels: &'a Pixels,
    cells: usize,
) -> impl Iterator<Item = (Extent, &'a [isize])> + use<'a> {
    let (whole, [right, up]) = (pixels.view.extent(case), pixels.view.directions());
    let stride = whole.cells[up].len().div_ceil(pixels.rows.len().max(1));
    let rows = (cells / (whole.cells[right].len() * stride)).max(1);
    pixels.rows.chunks(rows).map(move |rows| {
        let mut extent = whole.clone();
        let ends = rows.first().zip(rows.last());
        extent.cells[up] = ends.map_or(0..0, |(&first, &last)| first as usize..last as usize + 1);
        (extent, rows)
    })
}

/// When a look begins: once steps are done that were asked for before and put off.
pub(crate) fn done_until(now: &mut Snapshot<'_>) -> Result<Instant> {
    now.in_extents(Quantity::Velocity, &[])?;
    Ok(Instant::now())
}

#[cfg(test)]
mod tests {
    use vortice_study::{Goal, Session, open_case};

    use super::*;
    use crate::pixels::MOST;
    use crate::view::{Shown, View};

    #[test]
    fn slab_by_slab_there_is_what_the_whole_field_has() {
        for (name, cells) in [("cavity", "[700,700,1]"), ("cavity-3d", "[24,24,24]")] {
            let sets = [format!("grid.cells={cells}"), "run.method=\"lbm\"".into()];
            let case = open_case(name, &sets).expect("a built-in case");
            let grid = case.grid;
            let session = Session::begin(case, 2, |simulation, _| Ok(simulation)).expect("a run");
            session.go(Goal::Steps(30)).and_then(|way| way.wait()).expect("steps");
            for shown in [Shown::Speed, Shown::Vorticity, Shown::Number(Quantity::Pressure)] {
                for normal in if grid.is_plane() { 2..3 } else { 0..3 } {
                    let view = View { shown, normal, layer: grid.cells()[normal] / 2 };
                    let pixels = Pixels::of(&grid, view, MOST);
                    let made = move |of: [f64; 3]| view.number(|c| of[c]) as f32;
                    let places = pixels.clone();
                    let (found, expected) = session
                        .look(move |now| {
                            let coming = Coming::of(now, &places, made)?.expect("a quantity");
                            let whole = now.whole(shown.quantity())?;
                            let mut all = places.zeros();
                            let whole = whole.expect("a field");
                            places.fill(&mut all, &places.rows, (&whole, [0; 3]), made);
                            Ok((coming.receive(&places, made)?, all))
                        })
                        .expect("a look");
                    assert!(found == expected, "{name}, {}, {normal}", shown.name());
                    assert!(found.iter().any(|&number| number > 1e-6), "{name}, {normal}");
                }
            }
        }
    }

    #[test]
    fn slabs_have_each_row_once() {
        let case = open_case("cavity", &["grid.cells=[700,700,1]".into()]).expect("a case");
        let view = View::first(&case);
        let pixels = Pixels::of(&case.grid, view, MOST);
        let all: Vec<_> = slabs(&case, &pixels, 10_000).collect();
        // Each second row is shown; fourteen rows have 9,800 cells.
        let rows = |n: usize| all[n].0.cells[1].clone();
        assert_eq!((rows(0), rows(1), all.len()), (0..13, 14..27, 50));
        let shown: Vec<_> = all.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
        assert_eq!(shown, pixels.rows);
        assert_eq!(slabs(&case, &pixels, usize::MAX).count(), 1);
    }
}
