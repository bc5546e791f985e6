//! Ranks that are threads of this process.

use std::sync::Arc;

use vortice_core::{Case, Context, Result, Threads, check_threads};

/// Runs a program on so many ranks of a case, cut by a `layout` if one is given, each with so many `threads` or its share of
/// this machine; what it returned on rank 0.
///
/// # Errors
/// If there cannot be so many threads, and the error of the program: a cause rather than its consequence.
pub fn on_ranks<T: Send>(
    case: &Case,
    ranks: usize,
    layout: Option<[usize; 3]>,
    threads: Option<usize>,
    program: impl Fn(&Context) -> Result<T> + Sync,
) -> Result<T> {
    check_threads(ranks, threads.unwrap_or(1))?;
    let settle = |context: Context| Context {
        layout,
        threads: threads.unwrap_or(context.threads),
        ..context
    };
    if ranks == 1 {
        return program(&settle(Context::alone()));
    }
    let all = Threads::run(ranks, |rank| {
        program(&settle(Context::new(Arc::new(rank)).sharing(&case.run.device)))
    });
    Ok(all?.swap_remove(0))
}
