//! One flow by several methods on several grids, and what their answers say together.
//!
//! A [`Study`] names the runs, [`Study::run`] makes them or takes them over from an earlier time, and
//! [`Findings`] hold a [`Row`] for each, with what the rows say together: the order that a value
//! converges with, its limit, and how far the methods agree on it.

mod accuracy;
mod convergence;
mod files;
mod findings;
mod forces;
mod grids;
mod machine;
mod plan;
mod record;
mod report;
mod results;
mod rounded;
mod row;
mod run;
mod schemes;
mod sentences;
mod trace;
mod values;

pub use convergence::{Convergence, NoLimit, Order, ZERO};
pub use findings::{Agreement, Findings, Limit, LimitWords};
pub use grids::cells_of_grid;
pub use machine::Machine;
pub use plan::{Study, Variant, default_folder};
pub use report::write_report;
pub use row::cells_words;
pub use row::{Deviation, Ended, Expense, Row, Value};
pub use trace::Look;
