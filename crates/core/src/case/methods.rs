//! The methods there are, as far as a case must know them.

use std::sync::Mutex;

use super::meaning::Case;
use super::tables;
use crate::error::Result;
use crate::lock::lock;

/// A method's name, and its options of a case as text, those that are not written too.
type Named = (&'static str, fn(&Case) -> Result<String>);

static METHODS: Mutex<Option<Vec<Named>>> = Mutex::new(None);

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
    lock(&METHODS).get_or_insert_with(|| methods.to_vec());
    Ok(())
}

/// Says that there is one method more than those of [`name_methods`], for programs in which methods are made while they
/// run; one of the same name is replaced.
///
/// # Errors
/// If it has the name of a key of all cases.
pub fn name_another_method(name: &'static str, told: fn(&Case) -> Result<String>) -> Result<()> {
    tables::name_another(name)?;
    let mut all = lock(&METHODS);
    let all = all.get_or_insert_default();
    all.retain(|(known, _)| *known != name);
    all.push((name, told));
    Ok(())
}

/// The options of a case's method as text, those that are not written too; none of a method that was not named, or of
/// options that it refuses.
pub(super) fn told_options(case: &Case) -> Option<String> {
    let named = lock(&METHODS).clone()?;
    let (_, told) = named.into_iter().find(|(name, _)| *name == case.run.method)?;
    told(case).ok()
}
