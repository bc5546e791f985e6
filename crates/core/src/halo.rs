//! Halo exchange in three passes, x, y and z; each pass sends what the ones before it received, so
//! edges and corners come for free.

use std::sync::Mutex;

use crate::communicator::{Communicator, Message};
use crate::decomposition::Subdomain;
use crate::each_cell::each_cell;
use crate::error::Result;
use crate::field::Shape;
use crate::lock::lock;

/// Where the values lie that a rank exchanges with its neighbours.
#[derive(Debug)]
pub struct Halo {
    sides: Vec<[Option<HaloSide>; 2]>,
    buffers: Mutex<Buffers>,
}

/// Messages of the low and the high side, whose memory is used again.
#[derive(Debug, Default)]
struct Buffers {
    send: [Vec<u8>; 2],
    receive: [Vec<u8>; 2],
}

/// What is exchanged across one side of a subdomain.
#[derive(Clone, Debug, PartialEq)]
pub struct HaloSide {
    /// The rank on the other side.
    pub peer: usize,
    /// Whether that is this rank itself: it is alone in a periodic direction.
    pub within: bool,
    /// Places of the values that are sent, in the order of the message.
    pub send: Vec<usize>,
    /// Places of the values that are received, in the order of the message.
    pub receive: Vec<usize>,
}

impl Halo {
    /// The exchange of whole cells of a padded shape.
    pub fn new(shape: &Shape, subdomain: &Subdomain) -> Self {
        Self::mapped(shape, subdomain, |cell| Some(shape.index(cell)))
    }

    /// The exchange of those cells that `place` maps to a place in an array, for storage in
    /// another order than the padded shape's.
    pub fn mapped(
        shape: &Shape,
        subdomain: &Subdomain,
        place: impl Fn([isize; 3]) -> Option<usize>,
    ) -> Self {
        let sides = (0..3).filter(|&d| shape.halo[d] > 0).map(|d| {
            let (n, h) = (shape.cells[d] as isize, shape.halo[d] as isize);
            [(0..h, -h..0), (n - h..n, n..n + h)].map(|(send, receive)| (d, send, receive))
        });
        let sides = sides
            .map(|pair| {
                let mut side = 0;
                pair.map(|(d, send, receive)| {
                    let peer = subdomain.neighbours[d][side];
                    side += 1;
                    peer.map(|peer| HaloSide {
                        peer,
                        within: peer == subdomain.rank,
                        send: layer(shape, d, send).filter_map(&place).collect(),
                        receive: layer(shape, d, receive).filter_map(&place).collect(),
                    })
                })
            })
            .collect();
        Self { sides, buffers: Mutex::default() }
    }

    /// An exchange whose passes are given, each with its low and its high side.
    pub fn of(sides: Vec<[Option<HaloSide>; 2]>) -> Self {
        Self { sides, buffers: Mutex::default() }
    }

    /// The passes in their order, each with its low and its high side, for an exchange elsewhere
    /// than in the host's memory. What leaves by a side has the tag 0 (low) or 1 (high).
    pub fn passes(&self) -> &[[Option<HaloSide>; 2]] {
        &self.sides
    }

    /// Fills the halos of all `arrays` from the neighbours' own values; one message a side.
    ///
    /// # Errors
    /// If a neighbour has stopped.
    pub fn exchange<T: bytemuck::Pod>(
        &self,
        ranks: &dyn Communicator,
        arrays: &mut [&mut [T]],
    ) -> Result<()> {
        let Buffers { send, receive } = &mut *lock(&self.buffers);
        for sides in &self.sides {
            if sides.iter().all(Option::is_none) {
                continue;
            }
            let mut messages = Vec::with_capacity(2);
            let buffers = send.iter_mut().zip(receive.iter_mut());
            for (side, (exchange, (send, receive))) in sides.iter().zip(buffers).enumerate() {
                let Some(HaloSide { peer, send: from, receive: to, .. }) = exchange else {
                    continue;
                };
                send.clear();
                for array in arrays.iter() {
                    from.iter()
                        .for_each(|&i| send.extend_from_slice(bytemuck::bytes_of(&array[i])));
                }
                receive.resize(to.len() * arrays.len() * size_of::<T>(), 0);
                // A message is tagged with the side it leaves by: what arrives at the low side
                // left its sender by the high side.
                let (send_tag, receive_tag) = (side as u32, 1 - side as u32);
                messages.push(Message { peer: *peer, send_tag, receive_tag, send, receive });
            }
            ranks.exchange(&mut messages)?;
            for (exchange, receive) in sides.iter().zip(receive.iter()) {
                let Some(HaloSide { receive: to, .. }) = exchange else { continue };
                let mut values = receive.chunks_exact(size_of::<T>());
                for array in arrays.iter_mut() {
                    for (&i, bytes) in to.iter().zip(&mut values) {
                        array[i] = bytemuck::pod_read_unaligned(bytes);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Cells of a layer across `direction`: with the halos of the directions already passed, without
/// those still to come.
fn layer(
    shape: &Shape,
    direction: usize,
    across: std::ops::Range<isize>,
) -> impl Iterator<Item = [isize; 3]> + use<> {
    let shape = *shape;
    let range = move |d: usize| match d.cmp(&direction) {
        std::cmp::Ordering::Less => shape.all(d),
        std::cmp::Ordering::Equal => across.clone(),
        std::cmp::Ordering::Greater => shape.own(d),
    };
    each_cell([range(0), range(1), range(2)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;
    use crate::field::{Field, Location};
    use crate::threads::Threads;

    /// Every rank fills its own cells with their global number; after the exchange the halos,
    /// corners too, hold the numbers of the cells that they stand for.
    fn halos_hold_their_neighbours(cells: [usize; 3], size: usize, halo: usize) {
        let periodic = [true, false, true];
        let cut = Decomposition::choose(cells, size, periodic).unwrap();
        let number = |c: [isize; 3]| (c[0] + 100 * (c[1] + 100 * c[2])) as f32;
        Threads::run(size, |ranks| {
            let part = cut.subdomain(ranks.rank());
            let shape = Shape { cells: part.n(), halo: [halo; 3] };
            let global = |c: [isize; 3]| std::array::from_fn(|d| c[d] + part.offset()[d] as isize);
            let mut field = Field::<f32>::zeros(Location::Centre, shape, 1);
            for cell in field.own_cells() {
                field[cell] = number(global(cell));
            }
            Halo::new(&shape, &part).exchange(&ranks, &mut [&mut field.values])?;
            for cell in shape
                .all(2)
                .flat_map(|k| shape.all(1).flat_map(move |j| shape.all(0).map(move |i| [i, j, k])))
            {
                let mut there = global(cell);
                if !(0..cells[1] as isize).contains(&there[1]) {
                    continue;
                }
                for d in [0, 2] {
                    there[d] = there[d].rem_euclid(cells[d] as isize);
                }
                assert_eq!(field[cell], number(there), "rank {} cell {cell:?}", ranks.rank());
            }
            Ok(())
        })
        .unwrap();
    }

    #[test]
    fn corners_come_for_free() {
        for size in [1, 2, 3, 4, 6, 8] {
            halos_hold_their_neighbours([7, 6, 5], size, 1);
        }
        halos_hold_their_neighbours([9, 8, 8], 8, 2);
    }
}
