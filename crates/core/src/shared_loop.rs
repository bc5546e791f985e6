//! Loops that the threads of a pool share. They are compiled once, whatever is done in them: for each closure of its own, the
//! machinery of threads was a third of what the compiler had to do.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Does something with the numbers below `count`, by the threads of the pool that this is called in; each takes `fewest` of them at
/// least.
pub fn share(count: usize, fewest: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_min_len(fewest).for_each(work);
}

/// The same with the number of each of some things and the thing, and returns what became of them.
pub fn share_each<T: Send>(
    things: impl IntoIterator<Item = T>,
    fewest: usize,
    work: impl Fn(usize, &mut T) + Sync,
) -> Vec<T> {
    let things: Vec<_> = things.into_iter().map(Mutex::new).collect();
    share(things.len(), fewest, &|number| {
        work(number, &mut things[number].lock().unwrap_or_else(PoisonError::into_inner));
    });
    let things = things.into_iter();
    things.map(|thing| thing.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Calls `work` in a pool, once.
pub(crate) fn install(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_comes_once_with_its_number() {
        for (count, fewest) in [(0, 1), (1, 1), (1000, 7)] {
            let found = share_each(vec![3; count], fewest, |number, thing| *thing += number);
            assert_eq!(found, (3..3 + count).collect::<Vec<_>>());
        }
    }
}
