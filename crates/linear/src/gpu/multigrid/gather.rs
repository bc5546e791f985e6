//! Levels that every rank has as a whole, put together from what each computes on its device.

use vortice_core::{Communicator, Result};
use vortice_gpu::{Buffer, DeviceGather, Gpu};

use super::super::mirrors::Layout;
use crate::levels::{Level, Levels};
use crate::pieces::Pieces;

/// The cells of a level that this rank computes before all ranks have all of them.
pub(super) struct Gathered {
    pub(super) pieces: Pieces,
    /// Where this rank's lie.
    pub(super) layout: Layout,
    /// Their values: as many arrays as there are directions, the first also for right-hand sides.
    pub(super) own: Buffer<f64>,
    /// Of right-hand sides and of the coefficients of each direction, if devices do it alone.
    on_devices: Option<Vec<DeviceGather>>,
}

impl Gathered {
    /// The cells of a level; none if ranks do not put it together.
    pub(super) fn new(gpu: &Gpu, levels: &Levels, number: usize) -> Result<Option<Self>> {
        let Some(pieces) = Pieces::of(levels, number) else { return Ok(None) };
        let level = levels.levels[number];
        let own = Level { shape: pieces.own, start: pieces.start(), whole: false, ..level };
        let layout = Layout::new(&own, 0);
        let right_hand_side_and_coefficients = [None, Some(0), Some(1), Some(2)];
        let all = right_hand_side_and_coefficients.into_iter().take(1 + level.directions);
        let on_devices: Result<_> = all.map(|faces| on_devices(gpu, &pieces, faces)).collect();
        let own = gpu.zeros(level.directions * layout.len())?;
        Ok(Some(Self { own, layout, on_devices: on_devices?, pieces }))
    }

    /// Whether devices do it alone, so that it can be captured.
    pub(super) fn stays_on_device(&self) -> bool {
        self.on_devices.is_some()
    }

    /// Fills an array of the whole level, or one that begins with it, from `own` of each rank: right-hand
    /// sides, or the coefficients of a direction of `faces`.
    pub(super) fn put_together(
        &mut self,
        ranks: &dyn Communicator,
        faces: Option<usize>,
        to: &mut Buffer<f64>,
    ) -> Result<()> {
        if let Some(gathers) = &mut self.on_devices {
            return gathers[faces.map_or(0, |d| 1 + d)].gather(&mut self.own, to);
        }
        let component = faces.unwrap_or(0);
        let own = &self.own.to_vec()?[component * self.pieces.own.len()..];
        let mut whole = vec![0.0; self.pieces.whole.len()];
        self.pieces.put_together(ranks, faces, own, &mut whole)?;
        to.write_at(component * whole.len(), &whole)
    }
}

fn on_devices(gpu: &Gpu, pieces: &Pieces, faces: Option<usize>) -> Result<Option<DeviceGather>> {
    let component = faces.unwrap_or(0);
    let [own, whole] = [pieces.own, pieces.whole].map(|shape| component * shape.len());
    let from: Vec<usize> = pieces.own_places(faces).map(|place| own + place).collect();
    let to = pieces.parts.iter().map(|part| {
        let places = pieces.places_of(part, faces);
        places.map(|place| whole + place).collect()
    });
    DeviceGather::new(gpu, &from, &to.collect::<Vec<_>>(), size_of::<f64>())
}
