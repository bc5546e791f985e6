//! One field from all subdomains, and back.

use crate::communicator::{Communicator, Message};
use crate::decomposition::{Decomposition, Subdomain};
use crate::error::Result;
use crate::field::{Field, Shape};

/// The field of the whole grid on rank 0, nothing on the others. Its halo holds what the outermost
/// ranks hold there, so that faces and ghost values at the ends of the box are kept.
///
/// # Errors
/// If a rank has stopped.
pub fn gather<T: bytemuck::Pod + Default>(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    field: &Field<T>,
) -> Result<Option<Field<T>>> {
    let shape = Shape { cells: cut.cells, halo: field.shape.halo };
    let part = cut.subdomain(ranks.rank());
    let mine: Vec<T> = placed(cut, &part, field.shape.halo)
        .flat_map(|cell| (0..field.components).map(move |c| (c, cell)))
        .map(|(c, cell)| field.at(c, local(&part, cell)))
        .collect();
    let pieces = gather_bytes(ranks, cut, bytemuck::cast_slice(&mine), field)?;
    Ok(pieces.map(|pieces| {
        let mut whole = Field::zeros(field.location, shape, field.components);
        for (rank, bytes) in pieces.iter().enumerate() {
            let mut values = bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned);
            for cell in placed(cut, &cut.subdomain(rank), shape.halo) {
                for c in 0..field.components {
                    *whole.at_mut(c, cell) = values.next().expect("as many values as cells");
                }
            }
        }
        whole
    }))
}

/// Fills a subdomain's field, halos included, from the field of the whole grid.
///
/// Halos between ranks are filled from their owners' cells; those at the ends of the box from the
/// whole field's halo.
pub fn scatter<T: Copy + Default>(cut: &Decomposition, rank: usize, whole: &Field<T>) -> Field<T> {
    let part = cut.subdomain(rank);
    let shape = Shape { cells: part.n(), halo: whole.shape.halo };
    let mut field = Field::zeros(whole.location, shape, whole.components);
    for k in shape.all(2) {
        for j in shape.all(1) {
            for i in shape.all(0) {
                let global = std::array::from_fn(|d| [i, j, k][d] + part.offset()[d] as isize);
                for c in 0..whole.components {
                    *field.at_mut(c, [i, j, k]) = whole.at(c, global);
                }
            }
        }
    }
    field
}

/// Own cells of a rank, and halo cells where its subdomain touches the end of the box, as global
/// indices in memory order.
fn placed(
    cut: &Decomposition,
    part: &Subdomain,
    halo: [usize; 3],
) -> impl Iterator<Item = [isize; 3]> + use<> {
    let [x, y, z] = std::array::from_fn(|d| {
        let (low, high) = (part.cells[d].start as isize, part.cells[d].end as isize);
        let (n, h) = (cut.cells[d] as isize, halo[d] as isize);
        let low = if low == 0 { -h } else { low };
        low..if high == n { n + h } else { high }
    });
    z.flat_map(move |k| {
        let (x, y): (std::ops::Range<isize>, std::ops::Range<isize>) = (x.clone(), y.clone());
        y.flat_map(move |j| x.clone().map(move |i| [i, j, k]))
    })
}

fn local(part: &Subdomain, cell: [isize; 3]) -> [isize; 3] {
    std::array::from_fn(|d| cell[d] - part.offset()[d] as isize)
}

/// The bytes of all ranks on rank 0.
fn gather_bytes<T>(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    mine: &[u8],
    field: &Field<T>,
) -> Result<Option<Vec<Vec<u8>>>> {
    const TAG: u32 = 100;
    let message =
        |peer, send, receive| Message { peer, send_tag: TAG, receive_tag: TAG, send, receive };
    if ranks.rank() > 0 {
        ranks.exchange(&mut [message(0, mine, &mut [])])?;
        return Ok(None);
    }
    let bytes = field.components * size_of::<T>();
    let mut pieces: Vec<Vec<u8>> = (0..ranks.size())
        .map(|rank| vec![0; placed(cut, &cut.subdomain(rank), field.shape.halo).count() * bytes])
        .collect();
    pieces[0].copy_from_slice(mine);
    let mut messages: Vec<_> = pieces
        .iter_mut()
        .enumerate()
        .skip(1)
        .map(|(peer, piece)| message(peer, &[], piece.as_mut_slice()))
        .collect();
    ranks.exchange(&mut messages)?;
    drop(messages);
    Ok(Some(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Location;
    use crate::threads::Threads;

    #[test]
    fn scatter_then_gather_is_the_identity_for_any_number_of_ranks() {
        let shape = Shape { cells: [7, 5, 3], halo: [1, 1, 1] };
        let mut whole = Field::<f64>::zeros(Location::Face(1), shape, 2);
        whole.values.iter_mut().enumerate().for_each(|(i, x)| *x = i as f64);
        for size in [1, 2, 3, 4, 8] {
            let cut = Decomposition::choose(shape.cells, size, [false; 3]).unwrap();
            let back = Threads::run(size, |ranks| {
                gather(&ranks, &cut, &scatter(&cut, ranks.rank(), &whole))
            });
            assert_eq!(back.unwrap()[0].as_ref(), Some(&whole));
        }
    }
}
