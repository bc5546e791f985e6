//! The grids of the full approximation scheme: each has half as many cells in each direction as the one before; eqs.
//! (V23) to (V26) of docs/src/theory/fvm.md.

use vortice_core::{Case, Context, Decomposition, Result};

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
    let context = context.on_coarser([case, &coarser], cut, HALO as usize, "fvm.multigrid")?;
    // The coarsest grid, too, is solved as those of cycles are.
    let options = settings.options.clone();
    let mut settings = Settings { corrects: true, options, ..Settings::of(&coarser)? };
    // What the finer grid finds does not depend on it, and only a bounded scheme converges on the coarsest grids.
    if settings.options.convection != Convection::Upwind {
        settings.options.convection = Convection::VanLeer;
    }
    Ok(Some((coarser, context, settings)))
}
