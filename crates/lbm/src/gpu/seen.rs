//! The flow of a device at the centres of the case's cells.

use std::borrow::Cow;
use std::ops::Range;

use vortice_core::{Field, FieldLater, Result, RowBlock};

use super::OnGpu;
use super::slabs::Fetched;
use crate::layout::Layout;
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::view::{self, RowFlow, Shown};
use crate::watch::solid_in_row;

impl<const Q: usize, T: Packed, P: Population<T>> OnGpu<Q, T, P> {
    /// Velocity and pressure at the centres of some rows of the case's own cells.
    pub(super) fn fetched(&mut self, rows: &RowBlock) -> Result<[Field; 2]> {
        let Self { settings, layout, solid, slabs, device, .. } = self;
        let shown = Shown { own: layout.shape.cells, rows: rows.clone() };
        let pieces = slabs.pieces(rows);
        let mut fetched = slabs.room();
        if let [all] = &pieces[..] {
            slabs.fetch((device, 0), all, &mut fetched)?;
            let fields = seen(&fetched, &shown, settings, (solid, layout));
            slabs.give_back(fetched);
            return Ok(fields);
        }
        // While a piece is shown the next one comes.
        let (mut fields, mut coming, mut first) = (view::room(settings, &shown), slabs.room(), 0);
        if let Some(piece) = pieces.first() {
            slabs.fetch((device, 0), piece, &mut fetched)?;
        }
        for (number, piece) in pieces.iter().enumerate() {
            let (places, next) = (first..first + piece.count(), pieces.get(number + 1));
            first = places.end;
            let (slabs, device, room) = (&mut *slabs, &mut *device, &mut coming);
            let fetch = move || next.map_or(Ok(()), |next| slabs.fetch((device, 0), next, room));
            let of_piece = (&fetched, &shown, places);
            let show = || show(&mut fields, of_piece, settings, (solid, layout));
            let (came, ()) = rayon::join(fetch, show);
            came?;
            std::mem::swap(&mut fetched, &mut coming);
        }
        slabs.give_back(fetched);
        Ok(fields)
    }

    /// The velocity there, on its way if it comes in one piece.
    pub(super) fn sent(&mut self, rows: &RowBlock) -> Result<FieldLater> {
        let Self { settings, layout, solid, slabs, device, sender, .. } = self;
        let sent = match &slabs.pieces(rows)[..] {
            [all] => slabs.send(device, all, sender)?,
            _ => None,
        };
        let Some(sent) = sent else {
            let [velocity, _] = self.fetched(rows)?;
            return Ok(velocity.into());
        };
        let shown = Shown { own: layout.shape.cells, rows: rows.clone() };
        let (settings, layout, solid) = (settings.clone(), layout.clone(), solid.clone());
        Ok(FieldLater::new(move || {
            let [velocity, _] = seen(&sent.receive()?, &shown, &settings, (&solid, &layout));
            Ok(velocity)
        }))
    }
}

/// Velocity and pressure of rows that were fetched together.
fn seen<T: Packed>(
    fetched: &Fetched<T>,
    shown: &Shown,
    settings: &Settings,
    (solid, layout): (&[u8], &Layout),
) -> [Field; 2] {
    if settings.refinement == [1; 3] && solid.is_empty() {
        let [density_deviation, velocity] = fetched.flow();
        return view::fields_of_values(settings, shown, density_deviation, velocity);
    }
    let (mut fields, all) = (view::room(settings, shown), 0..shown.rows.count());
    show(&mut fields, (fetched, shown, all), settings, (solid, layout));
    fields
}

/// Some of the rows that are shown, which were fetched.
fn show<T: Packed>(
    fields: &mut [Field; 2],
    (fetched, shown, places): (&Fetched<T>, &Shown, Range<usize>),
    settings: &Settings,
    (solid, layout): (&[u8], &Layout),
) {
    view::show(fields, shown, places, settings, |row| {
        let values = fetched.row(row).map(Cow::Borrowed);
        RowFlow { values, solid: Cow::Borrowed(solid_in_row(solid, layout, row)) }
    });
}
