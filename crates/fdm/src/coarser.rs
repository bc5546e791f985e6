//! The grids of [`crate::cycle`]: each has half as many cells in each direction as the one before.

use std::collections::HashMap;

use vortice_core::{Case, Children, Context, Decomposition, Real, Result, Shape};

use crate::boundary::Walls;
use crate::cycle::SMOOTHING;
use crate::options::Options;
use crate::settings::Settings;
use crate::suitability;

/// Layers of cells that a rank's part has at least.
const LAYERS: usize = 2;

/// A grid of cycles, who has which part of it, and how steps are done on it.
pub(crate) struct Grid {
    pub(crate) case: Case,
    pub(crate) context: Context,
    pub(crate) settings: Settings,
}

/// A finer grid, whose boundary values a coarser one has, too.
pub(crate) struct Finer<'a, T> {
    pub(crate) shape: Shape,
    pub(crate) walls: &'a Walls<T>,
}

/// The next coarser grid, if steps are cycles and there is one.
///
/// # Errors
/// If the parts of ranks, as they are cut, cannot be halved, or are too thin then.
pub(crate) fn coarser(
    case: &Case,
    context: &Context,
    settings: &Settings,
    cut: &Decomposition,
) -> Result<Option<Grid>> {
    let Some(coarser) = next(case).filter(|_| settings.has_cycles) else { return Ok(None) };
    let context = context.on_coarser([case, &coarser], cut, LAYERS, "fdm.multigrid")?;
    // What is mixed is the flow on the finest grid.
    let settings = Settings { rounds: 0, ..Settings::of(&coarser)? };
    Ok(Some(Grid { case: coarser, context, settings }))
}

/// The case on the next coarser grid, if steps can be done there.
fn next(case: &Case) -> Option<Case> {
    case.coarser().filter(|coarser| suitability::check_grid(coarser).is_ok())
}

/// How often the grid of a case is halved, if its steps are cycles.
pub(crate) fn halvings(case: &Case) -> u32 {
    match Options::of(case) {
        Ok(options) if options.has_cycles(case) => {
            std::iter::successors(next(case), next).map(|_| 1).sum()
        }
        _ => 0,
    }
}

/// The settings of smoothing steps on all grids of a case, the finest first; none if steps are not cycles.
///
/// # Errors
/// If an option of the `[fdm]` table cannot be.
pub(crate) fn smoothing(case: &Case, settings: &Settings) -> Result<Vec<Settings>> {
    if !settings.has_cycles {
        return Ok(Vec::new());
    }
    let of = |case: Case| Ok(Settings { fixed_gamma: Some(SMOOTHING), ..Settings::of(&case)? });
    std::iter::successors(Some(case.clone()), next).map(of).collect()
}

impl<T: Real> Walls<T> {
    /// The same on a grid of half as many cells, whose shape is given: prescribed velocities of own faces are means of
    /// those of the finer grid, so that as much comes in.
    pub(crate) fn following(
        mut self,
        finer: Option<&Finer<'_, T>>,
        shape: Shape,
        directions: usize,
    ) -> Self {
        let Some(Finer { shape: fine, walls }) = finer else { return self };
        let given = walls.fixed.iter().map(|fixed| ((fixed.component, fixed.target), fixed.value));
        let given: HashMap<_, _> = given.collect();
        let children = Children::new(*fine, directions);
        for fixed in &mut self.fixed {
            let (a, [i, j, k]) = (fixed.component as usize, shape.cell(fixed.target as usize));
            let is_own = |d: usize| {
                (0..shape.cells[d] as isize + isize::from(d == a)).contains(&[i, j, k][d])
            };
            if !(0..3).all(is_own) {
                continue;
            }
            let first = children.first(i as usize, j, k);
            // Nothing comes in where the finer grid has a solid.
            fixed.value = children.mean_on_face(a, first, |at| {
                given.get(&(fixed.component, at as i64)).copied().unwrap_or_default()
            });
        }
        self
    }
}
