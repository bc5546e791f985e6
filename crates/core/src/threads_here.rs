//! The threads of a pool, which know it: who computes within a pool needs no second one.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock, Weak};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

thread_local! {
    /// The pool that this thread is of.
    static MINE: RefCell<Arc<OnceLock<Weak<ThreadPool>>>> = RefCell::default();
}

/// A pool of so many threads: the one that this is called in, if it has as many.
///
/// # Errors
/// If the system refuses them.
pub(crate) fn pool(threads: usize) -> Result<Arc<ThreadPool>> {
    let here = MINE.with_borrow(|mine| mine.get().and_then(Weak::upgrade));
    if let Some(here) = here.filter(|here| here.current_num_threads() == threads) {
        return Ok(here);
    }
    let known = Arc::new(OnceLock::new());
    let of_threads = known.clone();
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |_| MINE.set(of_threads.clone()))
        .build()
        .map(Arc::new)
        .map_err(|refusal| Error::Ranks {
            problem: format!("{threads} threads cannot be started: {refusal}"),
            remedy: "ask for fewer with --threads".into(),
        })?;
    let _ = known.set(Arc::downgrade(&pool));
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_a_pool_there_is_no_second_one_of_its_size() {
        let one = pool(2).expect("threads");
        let [same, other] = one.install(|| [2, 3].map(|n| pool(n).expect("threads")));
        assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &other));
        assert!(!Arc::ptr_eq(&one, &pool(2).expect("threads")));
    }
}
