//! Numbers of a case file that must lie in a range.

use std::ops::RangeInclusive;

use crate::error::{Error, Result};

/// Refuses a number outside a range, whose ends may be `f64::MIN_POSITIVE` and `f64::MAX` for "above 0"
/// and "as large as you like"; `hint` says what is usual.
///
/// # Errors
/// With the key, the value and the range.
pub fn within(key: &str, value: f64, range: RangeInclusive<f64>, hint: &str) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (low, high) = (range.start(), range.end());
    let bound = match (*low == f64::MIN_POSITIVE, *high == f64::MAX) {
        (true, true) => "a number above 0".to_string(),
        (true, false) => format!("a number above 0 and at most {high}"),
        (false, true) => format!("a number of at least {low}"),
        (false, false) => format!("a number from {low} to {high}"),
    };
    Err(Error::case(key, format!("{value} is out of range"), format!("give {bound}; {hint}")))
}

/// Refuses a count of zero.
///
/// # Errors
/// With the key.
pub fn at_least_one(key: &str, count: u64) -> Result<()> {
    if count > 0 {
        return Ok(());
    }
    Err(Error::case(key, "0 is out of range", "give a number of at least 1"))
}
