//! The populations of a lattice on a device on their way to and from a saved state, a pair at a time.

use vortice_core::{Result, StateReader, StateWriter};
use vortice_gpu::Buffer;

use super::device::Device;
use super::sampled::Sampled;
use crate::heat::VELOCITIES;
use crate::heat::came::Came;
use crate::layout::Layout;
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state;
use crate::view::{self, View};

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
