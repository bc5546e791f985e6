//! Halo exchange of velocities and pressures that lie on a device.

use vortice_core::{Communicator, Halo, Real, Result, Shape, Subdomain};
use vortice_gpu::{Buffer, DeviceHalo, Gpu};

use super::margins::Margins;
use crate::colours::Colours;

/// The exchanges of one subdomain.
pub(crate) struct Exchange {
    whole: DeviceHalo,
    colours: [DeviceHalo; 2],
    margins: DeviceHalo,
}

impl Exchange {
    /// The exchanges of a subdomain.
    pub(crate) fn new<T: Real>(
        gpu: &Gpu,
        (part, shape): (&Subdomain, &Shape),
        (colours, margins): (&Colours, &Margins),
    ) -> Result<Self> {
        let halo = |of: Halo| DeviceHalo::new(gpu, &of, size_of::<T>());
        Ok(Self {
            whole: halo(Halo::new(shape, part))?,
            colours: [halo(colours.halo(0, part))?, halo(colours.halo(1, part))?],
            margins: halo(margins.halo(colours))?,
        })
    }

    /// Whether nothing leaves the device.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.whole.stays_on_device()
    }

    /// Fills the halos of the components of a velocity or prediction.
    pub(crate) fn components<T: Real>(
        &mut self,
        ranks: &dyn Communicator,
        arrays: &mut [Buffer<T>],
    ) -> Result<()> {
        self.whole.exchange(ranks, &mut arrays.iter_mut().collect::<Vec<_>>())
    }

    /// Fills the halos of the pressures of one colour.
    pub(crate) fn colour<T: Real>(
        &mut self,
        ranks: &dyn Communicator,
        colour: usize,
        p: &mut [Buffer<T>; 2],
    ) -> Result<()> {
        self.colours[colour].exchange(ranks, &mut [&mut p[colour]])
    }

    /// Fills the margins of both colours.
    pub(crate) fn margins<T: Real>(
        &mut self,
        ranks: &dyn Communicator,
        [red, black]: &mut [Buffer<T>; 2],
    ) -> Result<()> {
        self.margins.exchange(ranks, &mut [red, black])
    }
}
