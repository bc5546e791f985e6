//! The populations of a lattice on a device on their way to and from a saved state, a pair at a time.

use std::ops::Range;

use vortice_core::{Result, StateReader, StateWriter};
use vortice_gpu::Buffer;

use super::OnGpu;
use super::device::Device;
use super::sampled::Sampled;
use crate::heat::VELOCITIES;
use crate::heat::came::Came;
use crate::layout::Layout;
use crate::moments::{self, PIECE, Stored};
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state;
use crate::view::{self, View};
use crate::watch::flows;

impl<const Q: usize, T: Packed, P: Population<T>> OnGpu<Q, T, P> {
    /// The moments of the case's flow at t = 0.
    pub(super) fn set_initial_moments(&mut self, offset: [usize; 3]) -> Result<()> {
        let Self { settings, device, .. } = self;
        let Some(moments) = &device.moments else { return Ok(()) };
        let places = &moments.places;
        match moments::Start::new(settings, places, offset) {
            moments::Start::Each(mut values) => device.f.write(values.all_mut())?,
            moments::Start::Same(None) => device.f.clear()?,
            moments::Start::Same(Some(plane)) => {
                let mut planes = (0..places.len()).step_by(places.plane);
                planes.try_for_each(|first| device.f.write_at(first, &plane))?;
            }
        }
        device.fill_halo()
    }

    /// The whole state.
    pub(super) fn save_all(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let Self { settings, layout, device, solid, sampled, .. } = self;
        let (cells, parity) = (layout.shape.cells, device.parity);
        if let Some(moments) = &device.moments {
            let places = &moments.places;
            let mut pieces = Pieces::new(&mut device.f, places.plane, false);
            moments::save::<T, P>(state, settings, (places, parity), &mut pieces)?;
            return state::save_seen(state, cells, settings, || sampled.cells(), &sampled.seen()?);
        }
        let of_lattice = (&*settings, &*layout, parity);
        save::<Q, T, P>(state, state::POPULATIONS, of_lattice, &device.f, |cell| {
            flows(solid, layout, cell)
        })?;
        let (outlets, memory) = (&device.outlets.own, device.outlets.memory.to_vec()?);
        let some = || outlets.iter().copied();
        let (numbers, count) = (settings.outlet_numbers(Q), outlets.len());
        let remembered = |place, number| memory[number * count + place];
        let shape = (numbers, cells);
        state::save_some(state, state::OUTLETS, shape, settings, some, remembered)?;
        state::save_seen(state, cells, settings, || sampled.cells(), &sampled.seen()?)?;
        let flows = |cell| flows(solid, layout, cell);
        save_scalars(state, of_lattice, (device, sampled), flows)
    }

    /// The reverse of `save_all`.
    pub(super) fn restore_all(&mut self, state: &dyn StateReader) -> Result<()> {
        let Self { settings, layout, device, sampled, .. } = self;
        let cells = layout.shape.cells;
        if let Some(moments) = &device.moments {
            device.f.clear()?;
            let places = &moments.places;
            let mut pieces = Pieces::new(&mut device.f, places.plane, true);
            moments::restore::<T, P>(state, settings, places, &mut pieces)?;
            pieces.bring_back()?;
            device.parity = 0;
            device.broken.clear()?;
            sampled.set_seen(&state::saved_seen(state, cells, settings, sampled.cells())?)?;
            return device.fill_halo();
        }
        let of_lattice = (&*settings, &*layout);
        restore::<Q, T, P>(state, state::POPULATIONS, of_lattice, &mut device.f)?;
        device.parity = 0;
        device.broken.clear()?;
        let numbers = settings.outlet_numbers(Q);
        let outlets = || device.outlets.own.iter().copied();
        let memory: Vec<T> =
            state::saved_some(state, state::OUTLETS, (numbers, cells), settings, outlets)?;
        device.outlets.memory.write(&memory)?;
        sampled.set_seen(&state::saved_seen(state, cells, settings, sampled.cells())?)?;
        restore_scalars(state, of_lattice, device, sampled)
    }
}

/// What a device stores, a piece of it on the processor at a time.
struct Pieces<'a, P> {
    f: &'a mut Buffer<P>,
    /// Of a piece.
    planes: usize,
    /// Whether pieces are changed.
    are_changed: bool,
    held: Range<usize>,
    values: Vec<P>,
}

impl<'a, P: bytemuck::Pod> Pieces<'a, P> {
    /// Of planes of so many numbers.
    fn new(f: &'a mut Buffer<P>, plane: usize, are_changed: bool) -> Self {
        let planes = (PIECE / (plane * size_of::<P>())).max(1);
        Self { f, planes, are_changed, held: 0..0, values: Vec::new() }
    }

    /// Brings what is held back to the device, if it was changed.
    fn bring_back(&mut self) -> Result<()> {
        if self.are_changed { self.f.write_at(self.held.start, &self.values) } else { Ok(()) }
    }
}

impl<P: bytemuck::Pod> Stored<P> for Pieces<'_, P> {
    fn planes(&self) -> usize {
        self.planes
    }

    fn piece(&mut self, places: Range<usize>) -> Result<&mut [P]> {
        if self.held != places {
            self.bring_back()?;
            self.values.resize(places.len(), P::zeroed());
            self.f.read_at(places.start, &mut self.values)?;
            self.held = places;
        }
        Ok(&mut self.values)
    }
}

/// Adds them to a state, before a step of this parity; `flows` tells which own cells are in the flow.
pub(crate) fn save<const Q: usize, T: Packed, P: Population<T>>(
    state: &mut dyn StateWriter,
    name: &str,
    (settings, layout, parity): (&Settings, &Layout, usize),
    f: &Buffer<P>,
    flows: impl Fn([isize; 3]) -> bool + Sync,
) -> Result<()> {
    let (cells, slot) = (layout.shape.cells, layout.slot);
    let (mut values, mut fetched) = (Vec::new(), None);
    state::save(state, name, (Q, cells), settings, &mut |q, part| {
        // The two populations of a pair lie in its two slots; the one at rest has one.
        let [first, count] = if q == 0 { [0, 1] } else { [q - (q + 1) % 2, 2] };
        if fetched.replace(first) != Some(first) {
            values.resize(count * slot, P::zeroed());
            f.read_at(first * slot, &mut values)?;
        }
        let view = View::<Q, P>::new(layout, parity, &values, first);
        Ok(view::saved::<Q, T, P>(&view, q, part, &flows))
    })
}

/// The reverse of `save`, for a step of parity 0.
pub(crate) fn restore<const Q: usize, T: Packed, P: Population<T>>(
    state: &dyn StateReader,
    name: &str,
    (settings, layout): (&Settings, &Layout),
    f: &mut Buffer<P>,
) -> Result<()> {
    let (cells, slot) = (layout.shape.cells, layout.slot);
    for first in std::iter::once(0).chain((1..Q).step_by(2)) {
        let pair = first..first + if first == 0 { 1 } else { 2 };
        let mut slots = Slots::new(vec![P::zeroed(); pair.len() * slot]);
        for q in pair {
            let find = state::saved(state, name, (Q, cells), settings, q)?;
            view::restore::<Q, T, P>(&slots, first, layout, q, find);
        }
        f.write_at(first * slot, slots.all_mut())?;
    }
    Ok(())
}

/// All that the flow carries: populations, what came in through faces, and values at the last look.
pub(crate) fn save_scalars<T: Packed, P: Population<T>>(
    state: &mut dyn StateWriter,
    of_lattice: (&Settings, &Layout, usize),
    (device, sampled): (&Device<T, P>, &Sampled<T>),
    flows: impl Fn([isize; 3]) -> bool + Sync,
) -> Result<()> {
    let (settings, layout, parity) = of_lattice;
    let cells = layout.shape.cells;
    for (number, (scalar, lattice)) in settings.case.carried().zip(device.scalars()).enumerate() {
        let [populations, name] = [state::populations_of(scalar), state::watched_of(scalar)];
        save::<VELOCITIES, T, P>(state, &populations, of_lattice, &lattice.h, &flows)?;
        lattice.came(parity)?.save(state, (&settings.case, scalar), &*device.ranks)?;
        let (watched, seen) = (|| sampled.cells(), sampled.seen_scalar(number)?);
        state::save_some(state, &name, (1, cells), settings, watched, |place, _| seen[place])?;
    }
    Ok(())
}

/// The reverse of `save_scalars`, for a step of parity 0.
pub(crate) fn restore_scalars<T: Packed, P: Population<T>>(
    state: &dyn StateReader,
    of_lattice: (&Settings, &Layout),
    device: &mut Device<T, P>,
    sampled: &mut Sampled<T>,
) -> Result<()> {
    let (settings, layout) = of_lattice;
    let (cells, rank) = (layout.shape.cells, device.ranks.rank());
    let scalars = settings.case.carried().zip(device.scalars_mut());
    for (number, (scalar, lattice)) in scalars.enumerate() {
        let [populations, name] = [state::populations_of(scalar), state::watched_of(scalar)];
        lattice.set_came(&Came::saved(state, (&settings.case, scalar), rank)?)?;
        restore::<VELOCITIES, T, P>(state, &populations, of_lattice, &mut lattice.h)?;
        let watched = || sampled.cells();
        let seen: Vec<T> = state::saved_some(state, &name, (1, cells), settings, watched)?;
        sampled.set_seen_scalar(number, &seen)?;
    }
    Ok(())
}
