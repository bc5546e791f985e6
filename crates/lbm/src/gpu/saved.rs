//! The populations of a lattice on a device on their way to and from a saved state, a pair at a time.

use vortice_core::{Result, StateReader, StateWriter};
use vortice_gpu::Buffer;

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
    state::save(state, name, (Q, cells), settings, |q, part| {
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
