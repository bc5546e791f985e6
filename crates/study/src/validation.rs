//! All cases by all methods on all devices, judged against their references.
//!
//! What is checked, and how far off it may be, stands in one file: `cases/validation/checks.toml`.

mod checks;
mod judge;
mod measure;
mod results;
mod row;

pub use checks::{Check, Checks, Judgement, MARGIN, Suite};
pub use judge::{Job, Watch};
pub use measure::write_measured;
pub use results::Results;
pub use row::{Row, Verdict, row_table};
