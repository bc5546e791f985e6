//! What ranks send each other after a step: of every link that crosses to another rank the one
//! population that crosses it, five of D3Q19 a face. Both ranks then have both slots of the link.

use vortice_core::{Halo, HaloSide, Subdomain};

use crate::boundary::Site;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::links::Shared;

/// Which of the two slots of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// That of the cell before.
    Lower,
    /// That of the cell in whose slots the link lies.
    Upper,
}

/// A layer of places across a direction.
struct Layer {
    direction: usize,
    /// Index in that direction, -1 and beyond the last for the halo.
    at: isize,
    end: End,
    /// The sign of the velocities' components across.
    sign: i8,
}

/// The exchange after a step of a parity.
pub(crate) fn exchange<const Q: usize>(
    layout: &Layout,
    site: &Site<'_>,
    part: &Subdomain,
    shared: &[Shared],
    parity: usize,
) -> Halo {
    let places = |layers: [Layer; 2]| {
        layers.iter().flat_map(|layer| layer.places::<Q>(layout, site, part, parity)).collect()
    };
    let passes = (0..3).filter(|&d| layout.shape.halo[d] > 0).map(|direction| {
        let last = layout.shape.cells[direction] as isize - 1;
        [0, 1].map(|side| {
            let peer = part.neighbours[direction][side]?;
            let layer = |at, end, sign| Layer { direction, at, end, sign };
            let (send, receive) = if side == 1 {
                (
                    [layer(last + 1, End::Lower, 1), layer(last, End::Upper, -1)],
                    [layer(last + 1, End::Upper, 1), layer(last, End::Lower, -1)],
                )
            } else {
                (
                    [layer(0, End::Upper, 1), layer(-1, End::Lower, -1)],
                    [layer(0, End::Lower, 1), layer(-1, End::Upper, -1)],
                )
            };
            let (mut send, mut receive): (Vec<usize>, Vec<usize>) = (places(send), places(receive));
            let mirrored = || shared.iter().filter(|s| s.direction == direction && s.side == side);
            send.extend(mirrored().map(|shared| shared.place));
            receive.extend(mirrored().map(|shared| shared.arrives));
            Some(HaloSide { peer, within: false, send, receive })
        })
    });
    Halo::of(passes.collect())
}

impl Layer {
    /// Places in the layer, in an order that both ranks have.
    ///
    /// A population may have to go on to a third rank. What the lower cell left is sent along with
    /// the halos still to be passed on, what the upper cell left with those already received.
    fn places<const Q: usize>(
        &self,
        layout: &Layout,
        site: &Site<'_>,
        part: &Subdomain,
        parity: usize,
    ) -> Vec<usize> {
        let range = |e: usize| match (e.cmp(&self.direction), self.end) {
            (std::cmp::Ordering::Equal, _) => self.at..self.at + 1,
            (std::cmp::Ordering::Less, End::Upper) | (std::cmp::Ordering::Greater, End::Lower) => {
                layout.shape.all(e)
            }
            _ => layout.shape.own(e),
        };
        let [all_x, y, z] = [range(0), range(1), range(2)];
        let mut places = Vec::new();
        for p in 0..Lattice::<Q>::PAIRS {
            let c = Lattice::<Q>::c(p);
            if c[self.direction] != self.sign {
                continue;
            }
            let slot = match self.end {
                End::Lower => 2 * p + 1 + parity,
                End::Upper => 2 * p + 2 - parity,
            };
            let back = c.map(|x| -x);
            // Of other ranks in x a step has nothing but what crosses to the cells beyond the last ones.
            let end = if c[0] == 0 { layout.shape.own(0).end } else { isize::MAX };
            let x = all_x.start.max(0)..all_x.end.min(end);
            for k in z.clone() {
                for j in y.clone() {
                    for i in x.clone() {
                        let upper = [i, j, k];
                        let global = std::array::from_fn(|d| upper[d] + part.offset()[d] as isize);
                        if !site.leaves(global, [0; 3]) && !site.leaves(global, back) {
                            places.push(slot * layout.slot + layout.shared::<Q>(upper, p));
                        }
                    }
                }
            }
        }
        places
    }
}
