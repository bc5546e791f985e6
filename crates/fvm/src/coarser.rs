//! The grids of the full approximation scheme: each has half as many cells in each direction as the one before; eqs.
//! (V23) to (V26) of docs/src/theory/fvm.md.

use vortice_core::{Case, Context, Decomposition, Error, Result, Shape};

use crate::options::Convection;
use crate::settings::Settings;
use crate::state::HALO;

/// The case on the next coarser grid, who has which part of it, and its settings; nothing if outer iterations stay on one
/// grid, or it cannot be coarsened.
///
/// # Errors
/// If the parts of ranks, as they are cut, cannot be halved, or are too thin then.
pub(crate) fn coarser(
    case: &Case,
    context: &Context,
    settings: &Settings,
    cut: &Decomposition,
) -> Result<Option<(Case, Context, Settings)>> {
    if !settings.options.has_cycles() {
        return Ok(None);
    }
    let Some(coarser) = case.coarser() else { return Ok(None) };
    let context = Context { layout: Some(cut.ranks), ..context.clone() };
    let half = context.decomposition(&coarser)?;
    let is_half = |d: usize| {
        let is_thick = |pair: &[usize]| pair[1] - pair[0] >= HALO as usize;
        cut.starts[d].iter().zip(&half.starts[d]).all(|(a, b)| *a == 2 * b)
            && half.starts[d].windows(2).all(is_thick)
    };
    if !case.grid.directions().all(is_half) {
        let ([x, y, z], cells) = (cut.ranks, case.grid.cells());
        return Err(Error::Ranks {
            problem: format!(
                "{cells:?} cells cut among {x} x {y} x {z} ranks have parts that fvm.multigrid cannot halve"
            ),
            remedy: "use fewer ranks, or others in x, y and z, so that each has whole cells of the coarsest grid and \
                     two of them in each direction, or set fvm.multigrid = false"
                .into(),
        });
    }
    // The coarsest grid, too, is solved as those of cycles are.
    let options = settings.options.clone();
    let mut settings = Settings { corrects: true, options, ..Settings::of(&coarser)? };
    // What the finer grid finds does not depend on it, and only a bounded scheme converges on the coarsest grids.
    if settings.options.convection != Convection::Upwind {
        settings.options.convection = Convection::VanLeer;
    }
    Ok(Some((coarser, context, settings)))
}

/// Where fine cells lie below coarse ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Children {
    fine: Shape,
    directions: usize,
}

impl Children {
    /// Of the cells of a grid.
    pub(crate) fn new(fine: Shape, directions: usize) -> Self {
        Self { fine, directions }
    }

    /// Place of the first child of a coarse cell.
    #[inline(always)]
    pub(crate) fn first(&self, i: usize, j: isize, k: isize) -> usize {
        let k = if self.directions == 3 { 2 * k } else { k };
        self.fine.index([2 * i as isize, 2 * j, k])
    }

    /// Mean over the children of a coarse cell, of which this is the first: the order of the sum is that of
    /// kernels/fvm/coarser.cuh.
    #[inline(always)]
    pub(crate) fn mean(&self, first: usize, value: impl Fn(usize) -> f64) -> f64 {
        let [_, y, z] = self.fine.strides();
        let pair = |at: usize| value(at) + value(at + 1);
        let plane = |at: usize| pair(at) + pair(at + y);
        if self.directions == 2 {
            0.25 * plane(first)
        } else {
            0.125 * (plane(first) + plane(first + z))
        }
    }

    /// The same over those fine low faces across a direction that are parts of the cell's low face.
    #[inline(always)]
    pub(crate) fn mean_on_face(&self, d: usize, first: usize, value: impl Fn(usize) -> f64) -> f64 {
        let strides = self.fine.strides();
        let (along, then) = ([1, 0, 0][d], [2, 2, 1][d]);
        let pair = |at: usize| value(at) + value(at + strides[along]);
        if self.directions == 2 {
            0.5 * pair(first)
        } else {
            0.25 * (pair(first) + pair(first + strides[then]))
        }
    }
}
