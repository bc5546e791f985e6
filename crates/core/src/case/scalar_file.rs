//! How a scalar is spelt.

use serde::Deserialize;

use super::formulas::Component;

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct ScalarFile {
    pub(super) name: String,
    pub(super) diffusivity: f64,
    #[serde(default)]
    pub(super) source: Component,
}
