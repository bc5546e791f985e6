//! How the flow at t = 0 and an exact flow are spelt.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::formulas::Component;
use super::three::{maybe_three, three};

#[derive(Default, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct InitialFile {
    #[serde(default, deserialize_with = "maybe_three")]
    pub(super) velocity: Option<[Component; 3]>,
    pub(super) temperature: Option<Component>,
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Component>,
    pub(super) flow: Option<String>,
    #[serde(default, rename = "box")]
    pub(super) boxes: BTreeMap<String, InitialBoxFile>,
    pub(super) perturbation: Option<PerturbationFile>,
    pub(super) file: Option<String>,
    pub(super) step: Option<i64>,
    pub(super) time: Option<f64>,
}

/// A random velocity at t = 0.
#[derive(Clone, Copy, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct PerturbationFile {
    pub(super) amplitude: f64,
    #[serde(default)]
    pub(super) seed: i64,
}

/// A box with a velocity at t = 0.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct InitialBoxFile {
    #[serde(deserialize_with = "three")]
    pub(super) low: [f64; 3],
    #[serde(deserialize_with = "three")]
    pub(super) high: [f64; 3],
    #[serde(deserialize_with = "three")]
    pub(super) velocity: [f64; 3],
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct ExactFile {
    #[serde(deserialize_with = "three")]
    pub(super) velocity: [Component; 3],
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Component>,
}
