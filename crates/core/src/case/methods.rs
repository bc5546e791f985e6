//! The methods there are, as far as a case must know them.

use std::sync::Mutex;

use super::meaning::Case;
use super::tables;
use crate::error::Result;
use crate::lock::lock;

/// What a case must know of its method: the same of [`Method`].
///
/// [`Method`]: crate::Method
#[derive(Clone, Copy)]
pub struct NamedMethod {
    /// Its name.
    pub name: &'static str,
    /// Its options as text.
    pub told_options: fn(&Case) -> Result<String>,
    /// How often its solvers halve the grid.
    pub halvings: fn(&Case) -> u32,
}

static METHODS: Mutex<Option<Vec<NamedMethod>>> = Mutex::new(None);

/// Says which methods there are: a case file with a table of any other name is refused from then on. Until this is called,
/// every table that is not one of all cases may be a method's, and grids are cut as if no method halved them.
///
/// # Errors
/// If a method has the name of a key of all cases, or others were named before.
pub fn name_methods(methods: &[NamedMethod]) -> Result<()> {
    tables::name(&methods.iter().map(|method| method.name).collect::<Vec<_>>())?;
    lock(&METHODS).get_or_insert_with(|| methods.to_vec());
    Ok(())
}

/// Says that there is one method more than those of [`name_methods`], for programs in which methods are made while they
/// run; one of the same name is replaced.
///
/// # Errors
/// If it has the name of a key of all cases.
pub fn name_another_method(method: NamedMethod) -> Result<()> {
    tables::name_another(method.name)?;
    let mut all = lock(&METHODS);
    let all = all.get_or_insert_default();
    all.retain(|known| known.name != method.name);
    all.push(method);
    Ok(())
}

/// The method of a case, if it was named.
fn method(case: &Case) -> Option<NamedMethod> {
    let known = lock(&METHODS);
    known.iter().flatten().copied().find(|method| method.name == case.run.method)
}

/// The options of a case's method as text, those that are not written too; none of a method that was not named, or of
/// options that it refuses.
pub(super) fn told_options(case: &Case) -> Option<String> {
    (method(case)?.told_options)(case).ok()
}

/// How often its method halves the grid of a case.
pub(crate) fn halvings(case: &Case) -> u32 {
    method(case).map_or(0, |method| (method.halvings)(case))
}
