//! Halo exchange of arrays on a device that hold one component after the other.

use vortice_core::{Communicator, Halo, HaloSide, Result, Shape, Subdomain};
use vortice_gpu::{Buffer, DeviceHalo, Gpu, Module};
use vortice_linear::Level;

/// The exchange of a level of one rank.
pub(crate) struct Exchange(DeviceHalo);

impl Exchange {
    /// For arrays of so many components in a padded shape, with the messages that the processor's
    /// engine sends for as many arrays.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn new(
        gpu: &Gpu,
        module: &Module,
        part: &Subdomain,
        shape: &Shape,
        components: usize,
    ) -> Result<Self> {
        let halo = Halo::new(shape, part);
        let all = |places: &[usize]| {
            let of = |c: usize| places.iter().map(move |place| c * shape.len() + place);
            (0..components).flat_map(of).collect()
        };
        let every = |side: &HaloSide| HaloSide {
            send: all(&side.send),
            receive: all(&side.receive),
            ..*side
        };
        let sides =
            halo.passes().iter().map(|pair| pair.each_ref().map(|side| side.as_ref().map(every)));
        Ok(Self(DeviceHalo::new(gpu, module, &Halo::of(sides.collect()))?))
    }

    /// For a level of the pressure correction; a rank that has all of its cells speaks with nobody.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn of_level(
        gpu: &Gpu,
        module: &Module,
        part: &Subdomain,
        level: &Level,
        components: usize,
    ) -> Result<Self> {
        let shape = Shape { cells: level.layout.cells, halo: level.layout.halo };
        let mut part = part.clone();
        if level.whole {
            let around =
                |d: usize| (level.periodic[d] && d < level.directions).then_some(part.rank);
            part.neighbours = std::array::from_fn(|d| [around(d); 2]);
        }
        Self::new(gpu, module, &part, &shape, components)
    }

    /// Whether nothing leaves the device, so that the exchange can be captured.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.0.stays_on_device()
    }

    /// Fills the halos of an array.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn fill(&self, ranks: &dyn Communicator, array: &mut Buffer<f64>) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { self.0.exchange(ranks, &mut [array]) }
    }
}
