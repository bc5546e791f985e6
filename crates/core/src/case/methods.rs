//! The methods there are, as far as a case must know them.

use std::sync::OnceLock;

use super::meaning::Case;
use super::tables;
use crate::error::Result;

/// A method's name, and its options of a case as text, those that are not written too.
type Named = (&'static str, fn(&Case) -> Result<String>);

static METHODS: OnceLock<Vec<Named>> = OnceLock::new();

/// Says which methods there are, and how each tells its options ([`Method::told_options`]): a case file with a table of
/// any other name is refused from then on. Until this is called, every table that is not one of all cases may be a
/// method's.
///
/// # Errors
/// If a method has the name of a key of all cases, or others were named before.
///
/// [`Method::told_options`]: crate::Method::told_options
pub fn name_methods(methods: &[Named]) -> Result<()> {
    tables::name(&methods.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
    METHODS.get_or_init(|| methods.to_vec());
    Ok(())
}

/// The options of a case's method as text, those that are not written too; none of a method that was not named, or of
/// options that it refuses.
pub(super) fn told_options(case: &Case) -> Option<String> {
    let (_, told) = METHODS.get()?.iter().find(|(name, _)| *name == case.run.method)?;
    told(case).ok()
}
