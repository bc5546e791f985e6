//! Profiles along the lines of published points, as they form.

use vortice_core::{Case, Result};
use vortice_post::references::{Reference, lines, published};
use vortice_study::{Seen, registry};

/// A profile and what is published of it, in the units of the case's scale.
pub(crate) struct Profile {
    pub(crate) variable: &'static str,
    pub(crate) along: &'static str,
    /// Where the line lies.
    pub(crate) place: String,
    pub(crate) computed: Vec<(f64, f64)>,
    /// The name of each reference, with its points.
    pub(crate) published: Vec<(String, Vec<(f64, f64)>)>,
}

/// The profiles of a flow that references speak of, at a flow time in s. Of a case that was changed those references are left
/// out that no longer hold.
pub(crate) fn profiles(
    seen: &Seen,
    case: &Case,
    references: &[Reference],
    time: f64,
) -> Result<Vec<Profile>> {
    let flow = seen.flow(case, registry::wall_slope(case)?, time);
    let holds = |one: &&Reference| one.objection(case).is_none();
    let holding: Vec<Reference> = references.iter().filter(holds).cloned().collect();
    let of = |(variable, line)| {
        let published = published(&holding, variable, line).into_iter();
        Profile {
            variable: variable.name(),
            along: ["x", "y", "z"][line.along],
            place: line.place(case),
            computed: flow.profile(variable, line),
            published: published.map(|(name, points)| (name.to_owned(), points)).collect(),
        }
    };
    Ok(lines(case, references).into_iter().map(of).collect())
}
