//! Who gets how many cells, settled before anything is built.

use std::rc::Rc;

use vortice_core::{Case, Context, Method, Result, Threads, balanced};

use crate::arguments::Ranks;

/// The case with its balance settled, for ranks that are threads of this process; each has so many
/// threads instead of its share if that is given.
///
/// # Errors
/// If there is not one weight a rank, or a rank cannot be measured.
pub(super) fn settle(
    method: &Method,
    case: &Case,
    ranks: Ranks,
    threads: Option<u16>,
) -> Result<Case> {
    let settled = Threads::run(ranks.size, |rank| {
        let mut context = Context::new(Rc::new(rank)).sharing(&case.run.device);
        context.layout = ranks.layout;
        context.threads = threads.map_or(context.threads, usize::from);
        balanced(method, case, &context)
    });
    Ok(settled?.swap_remove(0))
}
