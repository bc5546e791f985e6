//! How heat is spelt.

use serde::Deserialize;

use super::formulas::Component;
use super::three::three;

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct HeatFile {
    pub(super) diffusivity: Option<f64>,
    pub(super) prandtl: Option<f64>,
    #[serde(default)]
    pub(super) expansion: f64,
    #[serde(default, deserialize_with = "three")]
    pub(super) gravity: [f64; 3],
    pub(super) reference: Option<f64>,
    #[serde(default)]
    pub(super) source: Component,
}
