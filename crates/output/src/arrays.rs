//! Texts, lists and outlines of fields as HDF5 has them, read with suspicion: a file may claim to hold more than
//! there is memory.

use hdf5::plist::dataset_create::{AllocTime, FillTime};
use hdf5::types::VarLenUnicode;
use hdf5::{Dataset, File, H5Type};
use vortice_core::{Location, Outline, Precision, Shape};

pub(crate) fn write_text(file: &File, name: &str, text: &str) -> hdf5::Result<()> {
    let text: VarLenUnicode = text.parse().map_err(|error| format!("{name}: {error}"))?;
    file.new_dataset::<VarLenUnicode>().create(name)?.write_scalar(&text)
}

pub(crate) fn read_text(file: &File, name: &str) -> hdf5::Result<String> {
    Ok(file.dataset(name)?.read_scalar::<VarLenUnicode>()?.as_str().to_owned())
}

/// The same of a text that older files do not have: empty then.
pub(crate) fn read_newer_text(file: &File, name: &str) -> hdf5::Result<String> {
    if file.link_exists(name) { read_text(file, name) } else { Ok(String::new()) }
}

pub(crate) fn write_list<T: H5Type>(file: &File, name: &str, values: &[T]) -> hdf5::Result<()> {
    file.new_dataset_builder().with_data(values).create(name).map(|_| ())
}

pub(crate) fn read_list<T: H5Type, const N: usize>(
    file: &File,
    name: &str,
) -> hdf5::Result<[T; N]> {
    let list = file.dataset(name)?;
    let wrong = |n: usize| hdf5::Error::from(format!("{name} has {n} values instead of {N}"));
    if list.shape() != [N] {
        return Err(wrong(list.size()));
    }
    let values = list.read_raw::<T>()?;
    let n = values.len();
    values.try_into().map_err(|_| wrong(n))
}

/// Makes room for a field of the whole grid as an array [component][z][y][x] with its halo, and tells its place in the
/// file.
pub(crate) fn place_field<T: H5Type>(
    file: &File,
    name: &str,
    outline: &Outline,
) -> hdf5::Result<u64> {
    let [nx, ny, nz] = outline.shape.padded();
    // Its values are written as they are: HDF5 would only fill the room with zeros first.
    let values = file
        .group("fields")?
        .new_dataset::<T>()
        .alloc_time(Some(AllocTime::Early))
        .fill_time(FillTime::Never)
        .shape([outline.components, nz, ny, nx])
        .create(name)?;
    values.new_attr::<i64>().create("face")?.write_scalar(&number_of(outline.location))?;
    let halo = outline.shape.halo.map(|n| n as u64);
    values.new_attr_builder().with_data(&halo).create("halo")?;
    place_of(&values)
}

/// Where the values of an array lie in its file.
fn place_of(array: &Dataset) -> hdf5::Result<u64> {
    match array.offset() {
        Some(place) => Ok(place),
        None if array.size() == 0 => Ok(0),
        None => Err(format!("{} has no place in the file", array.name()).into()),
    }
}

/// A place in a cell as files have it.
fn number_of(location: Location) -> i64 {
    match location {
        Location::Centre => -1,
        Location::Face(direction) => direction as i64,
    }
}

/// What a field of a grid of so many cells is, and where its values lie. `left` are the bytes that a file still can
/// hold.
pub(crate) fn outline_of(
    array: &Dataset,
    cells: [usize; 3],
    left: &mut u64,
) -> hdf5::Result<(Outline, u64)> {
    let name = array.name();
    let precision = match array.dtype()? {
        numbers if numbers.is::<f32>() => Precision::F32,
        numbers if numbers.is::<f64>() => Precision::F64,
        _ => return Err(format!("{name} has other numbers than f32 or f64").into()),
    };
    let location = match array.attr("face")?.read_scalar::<i64>()? {
        -1 => Location::Centre,
        direction @ 0..=2 => Location::Face(direction as usize),
        other => return Err(format!("{name} sits on face {other}").into()),
    };
    let halo = array.attr("halo")?;
    if halo.shape() != [3] {
        return Err(format!("the halo of {name} does not have three values").into());
    }
    let halo: Vec<usize> = halo.read_raw::<u64>()?.into_iter().map(|n| n as usize).collect();
    let halo = [halo[0], halo[1], halo[2]];
    let found = array.shape();
    let components = found.first().copied().unwrap_or(0);
    if Some(&found) != array_shape(cells, halo, components).as_ref() {
        return Err(format!("{name} has shape {found:?}, which {cells:?} cells do not").into());
    }
    // What is not there takes no room in a file, but would in memory.
    let bytes = found.iter().try_fold(precision.bytes(), |bytes, &n| bytes.checked_mul(n));
    let bytes = bytes.map(|bytes| bytes as u64).filter(|bytes| array.storage_size() == *bytes);
    let Some(after) = bytes.and_then(|bytes| left.checked_sub(bytes)) else {
        return Err(format!("the file does not hold the {found:?} values of {name}").into());
    };
    *left = after;
    let shape = Shape { cells, halo };
    Ok((Outline { location, shape, components, precision }, place_of(array)?))
}

/// The shape on disk; nothing if no memory has so many values.
fn array_shape(cells: [usize; 3], halo: [usize; 3], components: usize) -> Option<Vec<usize>> {
    let padded = |d: usize| halo[d].checked_mul(2)?.checked_add(cells[d]);
    Some(vec![components, padded(2)?, padded(1)?, padded(0)?])
}
