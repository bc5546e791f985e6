//! One field from all subdomains, and back.

use std::borrow::Cow;
use std::ops::Range;

use crate::communicator::{Communicator, Message};
use crate::decomposition::{Decomposition, Subdomain};
use crate::error::Result;
use crate::extent::Extent;
use crate::field::{Field, Shape};
use crate::state::{Outline, Values};
use crate::window::{joined, zeros};

/// The field of the whole grid on rank 0, nothing on the others. Its halo holds what the outermost
/// ranks hold there, so that faces and ghost values at the ends of the box are kept.
///
/// # Errors
/// If a rank has stopped.
pub fn gather<T: bytemuck::Pod + Default + Send>(
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

/// The values of the extents of the whole grid that this rank wants, without halo, of those that each rank wants;
/// `own` gives those of an extent of own cells, all of them before any is waited for. Collective.
///
/// # Errors
/// If a rank has stopped, or `own` fails.
pub(crate) fn exchange_extents(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    components: usize,
    wanted: &[Vec<Extent>],
    mut own: impl FnMut(&Extent) -> Result<Field>,
) -> Result<Vec<Field>> {
    const TAG: u32 = 102;
    let me = ranks.rank();
    // What one rank has of what another wants.
    let shared = |from: usize, to: usize| {
        let part = cut.subdomain(from);
        wanted[to]
            .iter()
            .enumerate()
            .filter_map(move |(n, extent)| Some((n, extent.common(&part.cells)?)))
    };
    let (mut messages, mut mine) = (Vec::new(), Vec::new());
    for peer in 0..wanted.len() {
        let mut send = Vec::new();
        for (n, extent) in shared(me, peer) {
            let field = own(&extent);
            match (field, peer == me) {
                (Ok(field), true) => mine.push((n, extent, field)),
                (Ok(field), false) => send.extend_from_slice(bytemuck::cast_slice(&field.values)),
                // Other ranks do not wait for one that has given up.
                (Err(error), _) => return ranks.agree(Err(error)),
            }
        }
        let values = shared(peer, me).map(|(_, extent)| extent.n_cells() * components);
        let receive: Vec<f64> = vec![0.0; if peer == me { 0 } else { values.sum() }];
        if !(send.is_empty() && receive.is_empty()) {
            messages.push((peer, send, receive));
        }
    }
    let both = messages.iter_mut().map(|(peer, send, receive): &mut (usize, Vec<u8>, Vec<f64>)| {
        let receive = bytemuck::cast_slice_mut(receive);
        Message { peer: *peer, send_tag: TAG, receive_tag: TAG, send, receive }
    });
    ranks.exchange(&mut both.collect::<Vec<_>>())?;
    for (peer, _, received) in &messages {
        let mut rest = &received[..];
        for (n, extent) in shared(*peer, me) {
            let mut field = zeros(extent.n(), components);
            let (these, others) = rest.split_at(field.values.len());
            field.values.copy_from_slice(these);
            mine.push((n, extent, field));
            rest = others;
        }
    }
    let place = |extent: &Extent| extent.offset().map(|i| i as isize);
    let whole = wanted[me].iter().enumerate().map(|(number, extent)| {
        let parts = mine.iter_mut().filter(|(n, ..)| *n == number);
        let parts =
            parts.map(|(_, of, field)| (place(of), std::mem::replace(field, zeros([0; 3], 0))));
        joined(place(extent), extent.n(), parts.collect())
    });
    Ok(whole.collect())
}

/// The rows of a component of the whole grid, its halo included, that a rank takes of those that the first `takers`
/// ranks take: as many each, counted along y and then z.
fn rows_taken(whole: Shape, takers: usize, rank: usize) -> Range<usize> {
    let [_, rows, layers] = whole.padded();
    let until = |rank: usize| rows * layers * rank.min(takers) / takers;
    until(rank)..until(rank + 1)
}

/// The rows that this rank takes of a component of the whole grid with its halo, so that the first `takers` ranks have
/// all of it together: their numbers along y and then z, and their bytes. `mine` is this rank's part of it. Collective.
///
/// # Errors
/// If a rank has stopped.
pub fn gather_rows<'a>(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    mine: &'a Values,
    takers: usize,
) -> Result<(Range<usize>, Cow<'a, [u8]>)> {
    const TAG: u32 = 101;
    let Outline { shape: Shape { halo, .. }, precision, .. } = mine.outline();
    let whole = Shape { cells: cut.cells, halo };
    let taken = |rank| rows_taken(whole, takers, rank);
    let here = taken(ranks.rank());
    if ranks.size() == 1 {
        return Ok((here, Cow::Borrowed(mine.bytes())));
    }
    let number = precision.bytes();
    // Pieces of rows that one rank has and another takes, in the order of rows.
    let pieces = |from: usize, to: usize| {
        let range = taken(to);
        let [_, n_j, _] = whole.padded();
        rows(cut, &cut.subdomain(from), halo, 1).filter_map(move |row| {
            let [_, j, k] = std::array::from_fn(|d| (row.first[d] + halo[d] as isize) as usize);
            let place = j + n_j * k;
            range.contains(&place).then_some((place, row))
        })
    };
    let bytes = |from, to| pieces(from, to).map(|(_, row)| row.cells * number).sum::<usize>();
    let (me, shape) = (ranks.rank(), mine.outline().shape);
    let part = cut.subdomain(me);
    let mut messages = Vec::new();
    for peer in (0..ranks.size()).filter(|&peer| peer != me) {
        let mut send = Vec::with_capacity(bytes(me, peer));
        for (_, row) in pieces(me, peer) {
            let at = number * shape.index(local(&part, row.first));
            send.extend_from_slice(&mine.bytes()[at..at + number * row.cells]);
        }
        let receive = vec![0; bytes(peer, me)];
        if !(send.is_empty() && receive.is_empty()) {
            messages.push((peer, send, receive));
        }
    }
    let both = messages.iter_mut().map(|(peer, send, receive)| Message {
        peer: *peer,
        send_tag: TAG,
        receive_tag: TAG,
        send,
        receive,
    });
    ranks.exchange(&mut both.collect::<Vec<_>>())?;
    let length = number * whole.padded()[0];
    let mut taken_rows = vec![0; length * here.len()];
    let mut put = |(place, row): (usize, Row), from: &[u8]| {
        let first = number * (row.first[0] + halo[0] as isize) as usize;
        let at = length * (place - here.start) + first;
        taken_rows[at..at + from.len()].copy_from_slice(from);
    };
    for (place, row) in pieces(me, me) {
        let (at, count) = (number * shape.index(local(&part, row.first)), number * row.cells);
        put((place, row), &mine.bytes()[at..at + count]);
    }
    for (peer, _, received) in &messages {
        let mut rest = &received[..];
        for (place, row) in pieces(*peer, me) {
            let (these, others) = rest.split_at(number * row.cells);
            put((place, row), these);
            rest = others;
        }
    }
    Ok((here, Cow::Owned(taken_rows)))
}

/// Fills a subdomain's field, halos included, from the field of the whole grid.
///
/// Halos between ranks are filled from their owners' cells; those at the ends of the box from the
/// whole field's halo.
pub fn scatter<T: Copy + Default + Send>(
    cut: &Decomposition,
    rank: usize,
    whole: &Field<T>,
) -> Field<T> {
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

    #[test]
    fn rows_of_a_component_are_all_taken_by_any_number_of_ranks() {
        let shape = Shape { cells: [7, 5, 3], halo: [1, 2, 0] };
        let mut whole = Field::<f32>::zeros(Location::Centre, shape, 1);
        whole.values.iter_mut().enumerate().for_each(|(i, x)| *x = i as f32);
        let bytes = bytemuck::cast_slice::<f32, u8>(&whole.values);
        for (size, takers) in [(1, 1), (2, 2), (3, 1), (4, 4), (6, 6)] {
            let cut = Decomposition::choose(shape.cells, size, [false; 3]).unwrap();
            let taken = Threads::run(size, |ranks| {
                let mine = Values::F32(scatter(&cut, ranks.rank(), &whole));
                gather_rows(&ranks, &cut, &mine, takers).map(|(rows, bytes)| (rows, bytes.to_vec()))
            });
            let taken = taken.unwrap();
            assert!(taken.windows(2).all(|pair| pair[0].0.end == pair[1].0.start));
            let together: Vec<u8> = taken.into_iter().flat_map(|(_, bytes)| bytes).collect();
            assert!(together == bytes, "{size} ranks, {takers} of them take");
        }
    }
}
