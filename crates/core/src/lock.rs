//! Locks of what several threads may use, one after the other.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a lock guards, once no other thread uses it; also after a panic of one that did, so that a device
/// or a rank can still be left in order.
pub fn lock<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}
