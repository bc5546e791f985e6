//! Where a run is, and where it is to go.

use vortice_core::Step;

use super::changes::Change;

/// How far a run is to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// To the end of the case.
    End,
    /// So many steps more.
    Steps(u64),
    /// To a flow time in s, at which a step ends if the method's steps can be shortened.
    Time(f64),
}

/// Where a run is.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// The last step.
    pub step: Step,
    /// Whether it is stepping.
    pub is_going: bool,
    /// Whether it is held where it is, though it may be on its way.
    pub is_held: bool,
    /// Whether it has come to its end.
    pub has_ended: bool,
    /// What was changed in the case since it began.
    pub changes: Vec<Change>,
}
