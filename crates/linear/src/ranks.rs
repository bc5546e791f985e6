//! What ranks say to each other about a linear system.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;

use crate::layout::Layout;
use crate::sums::Sum;

/// The ranks that share a system. All verbs are collective: every rank calls them in the same
/// order. Ranks are counted as in [`crate::Cut`], x fastest.
pub trait Ranks {
    /// Why ranks could not speak to each other.
    type Error;

    /// Fills at least the first layer of the halos of arrays on a level that is cut, edges and
    /// corners included, across periodic ends too. Halos beyond other ends of the box are left as
    /// they are. Never called for a level that each rank has as a whole, nor for one rank.
    ///
    /// # Errors
    /// If a neighbour has stopped.
    fn exchange(
        &self,
        level: usize,
        layout: &Layout,
        arrays: &mut [&mut [f64]],
    ) -> Result<(), Self::Error>;

    /// What every rank contributed, in the order of ranks.
    ///
    /// # Errors
    /// If a rank has stopped.
    fn gather(&self, own: &[f64]) -> Result<Vec<Vec<f64>>, Self::Error>;

    /// The sums over all ranks.
    ///
    /// # Errors
    /// If a rank has stopped.
    fn sum(&self, sums: &mut [Sum]) -> Result<(), Self::Error>;
}

/// One rank, which has all cells and nobody to talk to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Ranks for Alone {
    type Error = Infallible;

    fn exchange(&self, _: usize, _: &Layout, _: &mut [&mut [f64]]) -> Result<(), Infallible> {
        Ok(())
    }

    fn gather(&self, own: &[f64]) -> Result<Vec<Vec<f64>>, Infallible> {
        Ok(vec![own.to_vec()])
    }

    fn sum(&self, _: &mut [Sum]) -> Result<(), Infallible> {
        Ok(())
    }
}

macro_rules! by_reference {
    ($($pointer:ty),*) => {$(
        impl<T: Ranks + ?Sized> Ranks for $pointer {
            type Error = T::Error;

            fn exchange(
                &self,
                level: usize,
                layout: &Layout,
                arrays: &mut [&mut [f64]],
            ) -> Result<(), T::Error> {
                (**self).exchange(level, layout, arrays)
            }

            fn gather(&self, own: &[f64]) -> Result<Vec<Vec<f64>>, T::Error> {
                (**self).gather(own)
            }

            fn sum(&self, sums: &mut [Sum]) -> Result<(), T::Error> {
                (**self).sum(sums)
            }
        }
    )*};
}

by_reference!(&T, Rc<T>, Arc<T>);
