//! What is tried in turn where there is little time, and all of it in the long suite.

#![allow(dead_code)] // each test uses its part

/// Whether this is the long suite, `./test --long`.
pub(crate) fn is_long() -> bool {
    std::env::var_os("VORTICE_LONG_SUITE").is_some()
}

/// Things to try: all of them in the long suite, else every so many, from another one on in each turn.
pub(crate) fn in_turn<T>(all: Vec<T>, turn: usize, every: usize) -> impl Iterator<Item = T> {
    let every = if is_long() { 1 } else { every };
    all.into_iter().skip(turn % every).step_by(every)
}
