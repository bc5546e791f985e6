//! Several flows in one VTKHDF file: a collection of named grids, as ParaView opens it.

use std::collections::BTreeSet;
use std::path::Path;

use hdf5::plist::group_create::LinkCreationOrder;
use hdf5::types::FixedAscii;
use hdf5::{File, Group, H5Type};
use ndarray::{ArrayView, IxDyn};
use vortice_core::{
    Case, Error, Field, OutputPart, Precision, Quantity, Result, stream_function, vorticity,
};

use crate::container;
use crate::sample::{Sample, values_of};
use crate::vtkhdf::{SOLID, describe_grid, write_version};
use vortice_core::{beside, cannot_write, check_place};

/// One flow of a collection.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// What ParaView calls it: letters, digits, `_`, `-` and `.`, a letter or `_` first.
    pub name: &'a str,
    /// Its case.
    pub case: &'a Case,
    /// Velocity in m/s at the cell centres of the whole grid.
    pub velocity: &'a Field,
    /// Pressure in Pa at the cell centres of the whole grid.
    pub pressure: &'a Field,
}

/// The group that says how the parts are arranged; no part may be called so.
const ASSEMBLY: &str = "Assembly";

/// Writes flows on grids of any sizes into one file that VTK 9.4 or newer, and so ParaView, opens as a
/// collection of named images.
///
/// Each part has the arrays that a [`crate::Recorder`] writes, in its case's precision: velocity,
/// pressure, vorticity, in plane flows the stream function, and the mask of solid cells if there are
/// any. The file is written beside its place and renamed.
///
/// # Errors
/// If there is no part, a name is empty, used twice or not allowed, a field is not of its case's
/// grid, or the folder or disk refuses; an older file of this name is then still there.
pub fn write_collection(path: impl AsRef<Path>, parts: &[Block<'_>]) -> Result<()> {
    let path = path.as_ref();
    check_place(path)?;
    check_parts(path, parts)?;
    let new = beside(path);
    let written = write_file(&new, parts);
    let renamed = written
        .and_then(|()| std::fs::rename(&new, path).map_err(|error| cannot_write(path, &error)));
    if renamed.is_err() {
        // The error says what failed; that the rest cannot be removed adds nothing.
        let _ = std::fs::remove_file(&new);
    }
    renamed
}

fn check_parts(path: &Path, parts: &[Block<'_>]) -> Result<()> {
    let refuse = |problem: String, remedy: &str| Err(Error::file(path, problem, remedy));
    if parts.is_empty() {
        return refuse("a collection needs a part".into(), "give at least one flow");
    }
    let mut names = BTreeSet::new();
    for part in parts {
        let name = part.name;
        if !is_name(name) || name == ASSEMBLY {
            let problem = format!("no part can be called `{name}`");
            return refuse(problem, "use letters, digits, `_`, `-` and `.`, a letter first");
        }
        if !names.insert(name) {
            return refuse(format!("two parts are called `{name}`"), "give each its own name");
        }
        for (field, components) in [(part.velocity, 3), (part.pressure, 1)] {
            let (cells, found) = (part.case.grid.cells(), field.shape.cells);
            if found != cells || field.components != components {
                let problem = format!(
                    "a field of `{name}` has {found:?} cells and {} components, not {cells:?} and \
                     {components}",
                    field.components
                );
                return refuse(problem, "give the fields of the whole grid of the part's own case");
            }
        }
    }
    Ok(())
}

/// Names that nodes of VTK's assemblies may have.
fn is_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(rest)
}

fn write_file(path: &Path, parts: &[Block<'_>]) -> Result<()> {
    let written = container::create(path).and_then(|file| {
        write_parts(&file, parts)?;
        container::close(file)
    });
    written.map_err(|error| cannot_write(path, &error))?;
    container::sync(path).map_err(|error| cannot_write(path, &error))
}

fn write_parts(file: &File, parts: &[Block<'_>]) -> hdf5::Result<()> {
    let root = in_order(file, "VTKHDF")?;
    write_version(&root, [2, 1])?;
    let kind = FixedAscii::<28>::from_ascii(b"PartitionedDataSetCollection");
    let kind = kind.map_err(|error| error.to_string())?;
    root.new_attr::<FixedAscii<28>>().create("Type")?.write_scalar(&kind)?;
    for (index, part) in parts.iter().enumerate() {
        let block = root.create_group(part.name)?;
        describe_grid(&block, &part.case.grid)?;
        block.new_attr::<i64>().create("Index")?.write_scalar(&(index as i64))?;
        write_arrays(&block.create_group("CellData")?, part)?;
    }
    let assembly = in_order(&root, ASSEMBLY)?;
    for part in parts {
        // As VTK arranges them: a node of the tree for each grid, and in it the grid itself.
        let node = in_order(&assembly, part.name)?;
        node.link_soft(&format!("/VTKHDF/{}", part.name), part.name)?;
    }
    Ok(())
}

/// A group whose members VTK finds in the order in which they were made.
fn in_order(parent: &Group, name: &str) -> hdf5::Result<Group> {
    let tracked = LinkCreationOrder::Indexed;
    parent.create_group_builder().with_gcpl(|plist| plist.link_creation_order(tracked)).create(name)
}

fn write_arrays(group: &Group, part: &Block<'_>) -> hdf5::Result<()> {
    let Block { case, velocity, pressure, .. } = *part;
    write_field(group, case, Quantity::Velocity, velocity)?;
    write_field(group, case, Quantity::Pressure, pressure)?;
    write_field(group, case, Quantity::Vorticity, &vorticity(case, velocity))?;
    if case.grid.is_plane() {
        write_field(group, case, Quantity::StreamFunction, &stream_function(case, velocity))?;
    }
    let whole = OutputPart { coarsen: 1, ..case.whole_recorded() };
    if let Some(mask) = Sample::new(&whole, case.solids()).solid_mask() {
        group.new_dataset_builder().with_data(&mask).create(SOLID)?;
    }
    Ok(())
}

fn write_field(group: &Group, case: &Case, quantity: Quantity, field: &Field) -> hdf5::Result<()> {
    match case.run.precision {
        Precision::F32 => write_values(group, quantity, &field.map(|x| x as f32)),
        Precision::F64 => write_values(group, quantity, field),
    }
}

fn write_values<T: H5Type + Copy + Default>(
    group: &Group,
    quantity: Quantity,
    field: &Field<T>,
) -> hdf5::Result<()> {
    let [nx, ny, nz] = field.shape.cells;
    let mut shape = vec![nz, ny, nx];
    shape.extend((field.components > 1).then_some(field.components));
    let values = values_of(field, field.shape.cells.map(|n| 0..n as isize), |x| x);
    let values = ArrayView::from_shape(IxDyn(&shape), &values)
        .map_err(|error| hdf5::Error::from(error.to_string()))?;
    group.new_dataset_builder().with_data(values).create(quantity.name()).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_nodes_of_an_assembly() {
        for name in ["fvm", "fdm_128", "_x", "a-1.5"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1a", "-a", "a b", "a/b", "\u{e4}", "a\0"] {
            assert!(!is_name(name), "{name:?}");
        }
    }
}
