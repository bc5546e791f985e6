//! One field from all subdomains, and back.

use crate::communicator::{Communicator, Message};
use crate::decomposition::{Decomposition, Subdomain};
use crate::error::Result;
use crate::extent::Extent;
use crate::field::{Field, Shape};
use crate::window::{joined, zeros};

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
    let Field { location, shape: Shape { halo, .. }, components, .. } = *field;
    let part = cut.subdomain(ranks.rank());
    let mut mine: Vec<T> = Vec::new();
    for row in rows(cut, &part, halo, components) {
        let at = field.shape.index(local(&part, row.first));
        mine.extend_from_slice(&field.component(row.component)[at..at + row.cells]);
    }
    let lengths = (0..ranks.size()).map(|rank| {
        let cells = rows(cut, &cut.subdomain(rank), halo, components).map(|row| row.cells);
        cells.sum::<usize>() * size_of::<T>()
    });
    let pieces = gather_bytes(ranks, bytemuck::cast_slice(&mine), lengths)?;
    Ok(pieces.map(|pieces| {
        let mut whole = Field::zeros(location, Shape { cells: cut.cells, halo }, components);
        for (rank, bytes) in pieces.iter().enumerate() {
            let mut rest = &bytes[..];
            for row in rows(cut, &cut.subdomain(rank), halo, components) {
                let at = whole.shape.index(row.first);
                let to = &mut whole.component_mut(row.component)[at..at + row.cells];
                let to = bytemuck::cast_slice_mut::<T, u8>(to);
                let (values, others) = rest.split_at(to.len());
                to.copy_from_slice(values);
                rest = others;
            }
        }
        whole
    }))
}

/// The values of an extent of the whole grid on rank 0, nothing on the others; each rank gives those of its own
/// cells in the extent, without halo.
///
/// # Errors
/// If a rank has stopped.
pub(crate) fn gather_extent(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    extent: &Extent,
    mine: Field,
) -> Result<Option<Field>> {
    if ranks.size() == 1 {
        return Ok(Some(mine));
    }
    let components = mine.components;
    let part = |rank: usize| extent.common(&cut.subdomain(rank).cells);
    let lengths = (0..ranks.size())
        .map(|rank| part(rank).map_or(0, |part| part.n_cells() * components * size_of::<f64>()));
    let gathered = gather_bytes(ranks, bytemuck::cast_slice(&mine.values), lengths)?;
    Ok(gathered.map(|gathered| {
        let pieces = gathered.iter().enumerate().filter_map(|(rank, bytes)| {
            let extent = part(rank)?;
            let mut field = zeros(extent.n(), components);
            bytemuck::cast_slice_mut::<f64, u8>(&mut field.values).copy_from_slice(bytes);
            Some((extent.offset().map(|i| i as isize), field))
        });
        joined(extent.offset().map(|i| i as isize), extent.n(), pieces.collect())
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
    let first = shape.all(0).start;
    for c in 0..whole.components {
        for (k, j) in shape.all(2).flat_map(|k| shape.all(1).map(move |j| (k, j))) {
            let global = std::array::from_fn(|d| [first, j, k][d] + part.offset()[d] as isize);
            let (to, from) = (shape.index([first, j, k]), whole.shape.index(global));
            let n = shape.padded()[0];
            field.component_mut(c)[to..to + n].copy_from_slice(&whole.component(c)[from..from + n]);
        }
    }
    field
}

/// Values of a component that lie one after the other along x.
struct Row {
    component: usize,
    /// The first of the cells, by global indices.
    first: [isize; 3],
    cells: usize,
}

/// The rows of a rank's own cells, and of halo cells where its subdomain touches the end of the box.
fn rows(
    cut: &Decomposition,
    part: &Subdomain,
    halo: [usize; 3],
    components: usize,
) -> impl Iterator<Item = Row> + use<> {
    let [x, y, z] = std::array::from_fn(|d| {
        let (low, high) = (part.cells[d].start as isize, part.cells[d].end as isize);
        let (n, h) = (cut.cells[d] as isize, halo[d] as isize);
        let low = if low == 0 { -h } else { low };
        low..if high == n { n + h } else { high }
    });
    let row = move |component, k, j| Row { component, first: [x.start, j, k], cells: x.len() };
    (0..components).flat_map(move |component| {
        let (y, row) = (y.clone(), row.clone());
        z.clone().flat_map(move |k| {
            let row = row.clone();
            y.clone().map(move |j| row(component, k, j))
        })
    })
}

fn local(part: &Subdomain, cell: [isize; 3]) -> [isize; 3] {
    std::array::from_fn(|d| cell[d] - part.offset()[d] as isize)
}

/// The bytes of all ranks on rank 0, so many of each.
fn gather_bytes(
    ranks: &dyn Communicator,
    mine: &[u8],
    lengths: impl Iterator<Item = usize>,
) -> Result<Option<Vec<Vec<u8>>>> {
    const TAG: u32 = 100;
    let message =
        |peer, send, receive| Message { peer, send_tag: TAG, receive_tag: TAG, send, receive };
    if ranks.rank() > 0 {
        ranks.exchange(&mut [message(0, mine, &mut [])])?;
        return Ok(None);
    }
    let mut pieces: Vec<Vec<u8>> = lengths.map(|bytes| vec![0; bytes]).collect();
    pieces[0].copy_from_slice(mine);
    let others = pieces.iter_mut().enumerate().skip(1);
    let mut messages: Vec<_> =
        others.map(|(peer, piece)| message(peer, &[], piece.as_mut_slice())).collect();
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
