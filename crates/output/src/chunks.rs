//! Chunks of arrays that grow with the steps: how large they are, and values written into them beside HDF5.

use std::ops::Range;
use std::os::unix::fs::FileExt;

use hdf5::plist::dataset_create::{AllocTime, FillTime};
use hdf5::{Dataset, Group, H5Type};
use rayon::prelude::*;
use vortice_core::Quantity;

/// Largest chunk in bytes, unless a single row of cells is longer.
pub(crate) const CHUNK_BYTES: usize = 4 << 20;

/// Values a cell of what has the most.
pub(crate) const VECTOR: usize = 3;

/// Planes and rows of vectors in a chunk, in numbers of so many bytes: more planes than one only if they are whole.
pub(crate) fn chunk_of_vectors([nx, ny, nz]: [usize; 3], number: usize) -> [usize; 2] {
    let row = nx * VECTOR * number;
    [(CHUNK_BYTES / (row * ny)).clamp(1, nz), (CHUNK_BYTES / row).clamp(1, ny)]
}

/// An array without steps that grows with them, in chunks of whole planes, or rows, of one step.
pub(crate) fn growing<T: H5Type>(
    group: &Group,
    quantity: Quantity,
    cells: [usize; 3],
    compression: u8,
) -> hdf5::Result<Dataset> {
    let components = quantity.components();
    let [nx, ny, nz] = cells;
    let [mut planes, mut rows] = chunk_of_vectors(cells, size_of::<T>());
    // As many bytes of any quantity, so that slabs are whole chunks of all.
    let longer = VECTOR / components;
    if rows == ny {
        planes = (planes * longer).min(nz);
    } else {
        rows = (rows * longer).min(ny);
    }
    let mut shape = vec![hdf5::Extent::resizable(0), nz.into(), ny.into(), nx.into()];
    let mut chunk = vec![1, planes, rows, nx];
    if components > 1 {
        shape.push(components.into());
        chunk.push(components);
    }
    let mut array = group.new_dataset::<T>().shape(shape).chunk(chunk);
    array = match compression {
        // Room without zeros in it: the values are written as they are.
        0 => array.alloc_time(Some(AllocTime::Early)).fill_time(FillTime::Never),
        level => array.shuffle().deflate(level.min(9)),
    };
    array.create(quantity.name())
}

/// Writes some planes and rows of a step, by all threads, where HDF5 has made room for its chunks. They are whole
/// planes, or rows of one plane.
pub(crate) fn write_chunks<T: H5Type + bytemuck::Pod>(
    raw: &std::fs::File,
    array: &Dataset,
    step: usize,
    [planes, rows]: [&Range<usize>; 2],
    values: impl Fn(Range<usize>, Range<usize>) -> Vec<T> + Sync,
) -> hdf5::Result<()> {
    let lost = || hdf5::Error::from(format!("{} has no room for step {step}", array.name()));
    let (shape, chunk) = (array.shape(), array.chunk().ok_or_else(lost)?);
    let [in_z, in_y] = [1, 2].map(|d| shape[d].div_ceil(chunk[d]));
    let row_bytes = shape[3..].iter().product::<usize>() * size_of::<T>();
    let mut pieces = Vec::new();
    for k in planes.start / chunk[1]..planes.end.div_ceil(chunk[1]) {
        for j in rows.start / chunk[2]..rows.end.div_ceil(chunk[2]) {
            let place = array.chunk_info((step * in_z + k) * in_y + j).ok_or_else(lost)?;
            let [k, j] = [k * chunk[1], j * chunk[2]];
            if place.offset[..3] != [step, k, j].map(|i| i as u64) {
                return Err(lost());
            }
            let planes = planes.start.max(k)..planes.end.min(k + chunk[1]);
            let rows = rows.start.max(j)..rows.end.min(j + chunk[2]);
            let before = (planes.start - k) * chunk[2] + rows.start - j;
            pieces.push((place.addr + (before * row_bytes) as u64, planes, rows));
        }
    }
    let write = |(place, planes, rows): &(u64, Range<usize>, Range<usize>)| {
        let values = values(planes.clone(), rows.clone());
        raw.write_all_at(bytemuck::cast_slice(&values), *place)
    };
    let written = match &pieces[..] {
        [one] => write(one),
        several => several.par_iter().try_for_each(write),
    };
    written.map_err(|error| error.to_string().into())
}
