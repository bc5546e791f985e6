//! A quantity of the whole grid in the number type of the run.

use super::Snapshot;
use crate::case::{Case, Precision};
#[cfg(doc)]
use crate::derived::vorticity;
use crate::derived::vorticity_in;
use crate::error::Result;
use crate::extent::Extent;
use crate::field::{Field, Location, Shape};
use crate::fill_rows::fill_rows;
use crate::quantity::Quantity;
use crate::state::{Storable, Values};
use crate::window::Window;

impl Snapshot<'_> {
    /// A quantity on the whole grid in the number type that the run computes in: on rank 0, nothing on the others. It is made slab by
    /// slab, so that the only memory for all of it is what is given away. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn values(&mut self, quantity: Quantity) -> Result<Option<Values>> {
        match self.case.run.precision {
            Precision::F32 => self.by_slabs::<f32>(quantity),
            Precision::F64 => self.by_slabs::<f64>(quantity),
        }
    }

    fn by_slabs<T: Storable>(&mut self, quantity: Quantity) -> Result<Option<Values>> {
        let all = Extent::whole(self.cut.cells);
        let slabs: Vec<_> = match quantity {
            Quantity::Vorticity => all.slabs(1).collect(),
            _ => all.plain_slabs(1).collect(),
        };
        let (shape, components) = (Shape { cells: all.n(), halo: [0; 3] }, quantity.components());
        let mut whole: Option<Field<T>> = (self.ranks.rank() == 0)
            .then(|| self.with_threads(|| Field::zeros(Location::Centre, shape, components)));
        for slab in slabs {
            let mut wanted = vec![None; self.ranks.size()];
            wanted[0] = Some(slab.clone());
            let windows = self.quantities_in(&wanted, &[quantity])?;
            if let (Some(whole), Some([window])) = (&mut whole, windows.as_deref()) {
                self.with_threads(|| fill(whole, &slab, window));
            }
        }
        Ok(whole.map(T::stored))
    }
}

impl Values {
    /// The [vorticity] of a velocity on the whole grid in a number type, made slab by slab by the threads of the pool that this is
    /// called in.
    pub fn vorticity(case: &Case, velocity: &Field, precision: Precision) -> Self {
        match precision {
            Precision::F32 => vorticity_of::<f32>(case, velocity),
            Precision::F64 => vorticity_of::<f64>(case, velocity),
        }
    }
}

fn vorticity_of<T: Storable>(case: &Case, velocity: &Field) -> Values {
    let mut whole = Field::<T>::zeros(Location::Centre, velocity.shape, 3);
    for slab in Extent::whole(velocity.shape.cells).slabs(1) {
        let vorticity = vorticity_in(case, &slab, &Window::whole(velocity));
        fill(&mut whole, &slab, &Window::of(&slab, vorticity));
    }
    T::stored(whole)
}

/// Gives the cells of a slab, which is whole layers, their values.
fn fill<T: Storable>(whole: &mut Field<T>, slab: &Extent, window: &Window<'_>) {
    let [n, n_j, _] = slab.n();
    let begin = whole.shape.index(slab.offset().map(|i| i as isize));
    for c in 0..whole.components {
        let values = &mut whole.component_mut(c)[begin..begin + slab.n_cells()];
        fill_rows([values], n.max(1), |row, [to]| {
            let jk = [slab.cells[1].start + row % n_j, slab.cells[2].start + row / n_j];
            if let Some((first, from)) = window.row(c, jk.map(|i| i as isize)) {
                let from = &from[(slab.cells[0].start as isize - first) as usize..];
                to.iter_mut().zip(from).for_each(|(to, from)| *to = T::from_f64(*from));
            }
        });
    }
}
