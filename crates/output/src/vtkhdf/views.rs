//! Views of single steps, for programs that do not know temporal VTKHDF.

use hdf5::H5Type;
use vortice_core::Precision;

use super::step_names::{BESIDE, VIEWS, step_group, step_groups, step_name};
use super::{Array, VtkHdf, block};

impl VtkHdf {
    /// Views of the steps from one on for which there is room, where they are not there.
    pub(super) fn make_views(&self, first: usize) -> hdf5::Result<()> {
        for step in first..self.room {
            self.make_step_group(step)?;
            self.arrays.iter().try_for_each(|array| match self.precision {
                Precision::F32 => self.make_view::<f32>(array, step),
                Precision::F64 => self.make_view::<f64>(array, step),
            })?;
        }
        Ok(())
    }

    /// Takes back the views of the steps from one on for which there is room.
    pub(super) fn forget_views(&self, first: usize) -> hdf5::Result<()> {
        for step in first..self.room {
            let group = self.file.group(&step_group(step))?;
            group.member_names()?.iter().try_for_each(|name| group.unlink(name))?;
        }
        Ok(())
    }

    /// The group of a step, if it is not there, and those beside it.
    fn make_step_group(&self, step: usize) -> hdf5::Result<()> {
        if self.file.link_exists(VIEWS) && self.file.group(&step_group(step)).is_ok() {
            return Ok(());
        }
        let [upper, lower] = step_groups(step);
        let numbers = || (0..BESIDE).map(|number| format!("{number:02}"));
        let first = step / BESIDE * BESIDE;
        self.make_groups(VIEWS, numbers())?;
        self.make_groups(&format!("{VIEWS}/{upper}"), numbers())?;
        let steps = (first..first + BESIDE).map(step_name);
        self.make_groups(&format!("{VIEWS}/{upper}/{lower}"), steps)
    }

    /// A group with groups of these names in it.
    fn make_groups(&self, path: &str, names: impl Iterator<Item = String>) -> hdf5::Result<()> {
        let group = match self.file.link_exists(path) {
            true => self.file.group(path)?,
            false => self.file.create_group(path)?,
        };
        let mut missing = names.filter(|name| !group.link_exists(name));
        missing.try_for_each(|name| group.create_group(&name).map(|_| ()))
    }

    /// The view of a step alone of a quantity.
    fn make_view<T: H5Type>(&self, array: &Array, step: usize) -> hdf5::Result<()> {
        let name = array.quantity.name();
        let mut shape = self.shape(array.quantity, 1);
        let view = self.file.group(&step_group(step))?;
        if view.link_exists(name) {
            return Ok(());
        }
        let slab = block(&[step], &shape);
        shape.remove(0);
        // Declared larger than it is: a map of a whole array would stop fitting when it grows.
        let source = self.shape(array.quantity, step + 2);
        let path = format!("/VTKHDF/CellData/{name}");
        view.new_dataset::<T>()
            .shape(shape.clone())
            .virtual_map(".", path, source, slab, shape, ..)
            .create(name)?;
        Ok(())
    }
}
