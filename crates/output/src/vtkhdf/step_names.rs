//! Names of the groups in which views of single steps lie.
//!
//! What a reader passes on its way to the view of a step that is published is never written again: a group is made with all
//! that will lie in it, empty, before any step behind it is published. There are so many beside each other that steps
//! enough for any run lie three groups deep.

/// The group of all views.
pub(super) const VIEWS: &str = "/XDMF";

/// Groups beside each other; behind as many steps as the third power of it the outermost one grows.
pub(super) const BESIDE: usize = 32;

/// The group that holds the views of one step.
pub(crate) fn step_group(step: usize) -> String {
    let [upper, lower] = step_groups(step);
    format!("{VIEWS}/{upper}/{lower}/{}", step_name(step))
}

/// Names of the groups in which that of a step lies.
pub(super) fn step_groups(step: usize) -> [String; 2] {
    [step / BESIDE / BESIDE, step / BESIDE % BESIDE].map(|number| format!("{number:02}"))
}

pub(super) fn step_name(step: usize) -> String {
    format!("step{step:06}")
}
