//! What solvers on grids of half as many cells each have in common: who has which part, and where fine cells and faces
//! lie below coarse ones.

use crate::case::Case;
use crate::context::Context;
use crate::decomposition::Decomposition;
use crate::error::{Error, Result};
use crate::field::Shape;
use crate::outlet::ConvectiveOutlet;
use crate::real::Real;

impl Context {
    /// The same ranks on the next coarser grid, [`Case::coarser`], where each has half of what it has of this one, which is
    /// cut like `cut`; `key` is the option that asks for it.
    ///
    /// # Errors
    /// If parts cannot be halved, or are then thinner than so many layers of cells.
    pub fn on_coarser(
        &self,
        [fine, coarse]: [&Case; 2],
        cut: &Decomposition,
        layers: usize,
        key: &str,
    ) -> Result<Self> {
        let context = Self { layout: Some(cut.ranks), ..self.clone() };
        let half = context.decomposition(coarse)?;
        let is_half = |d: usize| {
            let is_thick = |pair: &[usize]| pair[1] - pair[0] >= layers;
            cut.starts[d].iter().zip(&half.starts[d]).all(|(a, b)| *a == 2 * b)
                && half.starts[d].windows(2).all(is_thick)
        };
        if fine.grid.directions().all(is_half) {
            return Ok(context);
        }
        let ([x, y, z], cells) = (cut.ranks, fine.grid.cells());
        Err(Error::Ranks {
            problem: format!(
                "{cells:?} cells cut among {x} x {y} x {z} ranks have parts that {key} cannot halve"
            ),
            remedy: format!(
                "use fewer ranks, or others in x, y and z, so that each has whole cells of the coarsest grid and two of \
                 them in each direction, or set {key} = false"
            ),
        })
    }
}

impl Case {
    /// What of a case a solver cannot tell coarser grids, where it solves for the flow alone: its key, and why.
    pub fn untold(&self) -> Option<(String, &'static str)> {
        if let Some(body) = self.bodies.first() {
            let problem = "cannot be told to coarser grids, on which it is another body";
            return Some((format!("body.{}", body.name), problem));
        }
        if let Some(scalar) = self.carried().next() {
            let problem = "cannot be told to coarser grids, which carry the flow alone";
            return Some((scalar.key(), problem));
        }
        let problem =
            "has a convective outlet, which needs time steps and cannot be told to coarser grids";
        ConvectiveOutlet::of(self).map(|_| ("boundary".into(), problem))
    }

    /// The warning that an option, of which this is the key, finds no coarser grid.
    pub fn has_no_coarser(key: &str) -> String {
        format!(
            "{key} finds no coarser grid: take even numbers of cells, 32 or more in each direction, with solid boxes \
             between coarse cells"
        )
    }
}

/// Where fine cells and faces lie below coarse ones.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    fine: Shape,
    directions: usize,
}

impl Children {
    /// Of the cells of a grid, which varies in so many directions.
    pub fn new(fine: Shape, directions: usize) -> Self {
        Self { fine, directions }
    }

    /// Place of the first child of a coarse cell.
    #[inline(always)]
    pub fn first(&self, i: usize, j: isize, k: isize) -> usize {
        let k = if self.directions == 3 { 2 * k } else { k };
        self.fine.index([2 * i as isize, 2 * j, k])
    }

    /// Mean over the children of a coarse cell, of which this is the first: the order of the sum is that of the kernels.
    #[inline(always)]
    pub fn mean<T: Real>(&self, first: usize, value: impl Fn(usize) -> T) -> T {
        let [_, y, z] = self.fine.strides();
        let pair = |at: usize| value(at) + value(at + 1);
        let plane = |at: usize| pair(at) + pair(at + y);
        if self.directions == 2 {
            T::from_f64(0.25) * plane(first)
        } else {
            T::from_f64(0.125) * (plane(first) + plane(first + z))
        }
    }

    /// The same over those fine low faces across a direction that are parts of the cell's low face.
    #[inline(always)]
    pub fn mean_on_face<T: Real>(&self, d: usize, first: usize, value: impl Fn(usize) -> T) -> T {
        let strides = self.fine.strides();
        let (along, then) = ([1, 0, 0][d], [2, 2, 1][d]);
        let pair = |at: usize| value(at) + value(at + strides[along]);
        if self.directions == 2 {
            T::from_f64(0.5) * pair(first)
        } else {
            T::from_f64(0.25) * (pair(first) + pair(first + strides[then]))
        }
    }
}
