//! What comes back from a body between the centres of cells: interpolated bounce-back, eq. (L14b). Twin of
//! kernels/lbm/interpolated.cuh.

use crate::leak::leak_in_units;
use crate::links::{BodyLink, Weights};
use crate::number::Packed;
use crate::population::Population;

/// What comes back: of what left the cell towards the wall, of what flies towards the cell from behind, and of what
/// left it away from the wall.
#[inline(always)]
pub(crate) fn back_from_body<T: Packed>([towards, behind, away]: [T; 3], of: [T; 3], add: T) -> T {
    of[0] * towards + of[1] * behind + of[2] * away + add
}

/// A link that a body meets, in the numbers of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interpolated<T> {
    places: [usize; 4],
    of: [T; 3],
    add: T,
}

impl<T: Packed> Interpolated<T> {
    pub(crate) fn new(link: &BodyLink) -> Self {
        let Weights { of, add } = link.weights;
        Self { places: link.places, of: of.map(T::from_f64), add: T::from_f64(add) }
    }

    /// Gives the cell what comes back to it after a step of this parity, and the body its own; how much more comes back
    /// than has left, in units of a leak.
    pub(crate) fn release<P: Population<T>>(&self, values: &mut [P], parity: usize) -> i64 {
        let [towards, back, ..] = self.places_of(parity);
        let kept = values[back];
        let [back, left] = self.answer(values, parity);
        values[towards] = kept;
        leak_in_units(back, left)
    }

    /// Gives the cell what comes back to it after a step of this parity, and the body nothing; what comes back, and what
    /// has left.
    pub(crate) fn release_scalar<P: Population<T>>(
        &self,
        values: &mut [P],
        parity: usize,
    ) -> [T; 2] {
        let both = self.answer(values, parity);
        values[self.places_of(parity)[0]] = P::zeroed();
        both
    }

    fn places_of(&self, parity: usize) -> [usize; 4] {
        let mut places = self.places;
        if parity == 1 {
            places.swap(0, 1);
            places.swap(2, 3);
        }
        places
    }

    /// Gives the cell what comes back to it after a step of this parity.
    fn answer<P: Population<T>>(&self, values: &mut [P], parity: usize) -> [T; 2] {
        let [towards, back, behind, away] = self.places_of(parity);
        let left = [towards, behind, away].map(|place| values[place].widened());
        values[back] = P::narrowed(back_from_body(left, self.of, self.add));
        [values[back].widened(), left[0]]
    }
}
