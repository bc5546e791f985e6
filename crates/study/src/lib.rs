//! The methods there are, and what is done with them beyond one run: built-in cases, runs whose fields are
//! kept, comparisons of methods and grids, validation of all cases.

mod device_placement;
mod embedded;
mod end_in_time;
mod forces;
mod interrupt;
mod keep;
mod on_ranks;
mod progress;
mod ran;
mod seen;
mod session;
mod simulate;
mod version;

pub mod comparison;
pub mod registry;
pub mod results;
pub mod validation;

pub use device_placement::{DevicePlacement, together};
pub use embedded::{built_in_cases, case_name, open_case, parse_case};
pub use end_in_time::EndInTime;
pub use interrupt::Interrupt;
pub use keep::{Fields, Keep};
pub use on_ranks::on_ranks;
pub use progress::Progress;
pub use ran::{KeepRan, Ran};
pub use seen::{KeepSeen, Seen};
pub use session::{Change, Goal, Session, Status, Way, read_changes};
pub use simulate::Simulate;
pub use version::VERSION;
