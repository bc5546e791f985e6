//! How a case is spelt.
use crate::error::Result;
use serde::de::DeserializeOwned;
pub(super) fn method_options<T: DeserializeOwned>(_source: &str, _method: &str) -> Result<T> {
    unreachable!()
}
