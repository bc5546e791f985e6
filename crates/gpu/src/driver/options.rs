//! The `[gpu]` table of a case file.

use serde::Deserialize;

/// The `[gpu]` table.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options {
    /// Whether the compiler may contract a multiplication and an addition into one operation. The
    /// results are then no longer those of the processor to the last bit.
    pub fused_multiply_add: bool,
}
