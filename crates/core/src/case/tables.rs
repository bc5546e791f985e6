//! Tables of a case file that belong to methods, which read them when they are built.

use std::sync::Mutex;

use super::keys;
use crate::error::{Error, Result};
use crate::lock::lock;

static METHODS: Mutex<Option<Vec<&'static str>>> = Mutex::new(None);

/// Says which methods there are: a case file with a table of any other name is refused from then on.
/// Until then, every table that is not one of all cases may be a method's.
///
/// # Errors
/// If a method has the name of a key of all cases, or others were named before.
pub(super) fn name(names: &[&'static str]) -> Result<()> {
    names.iter().try_for_each(|name| refuse_key(name))?;
    if lock(&METHODS).get_or_insert_with(|| names.to_vec()) != names {
        let remedy = "add all methods at once, before the first case is opened";
        return wrong(&names.join(", "), "other methods were named before", remedy);
    }
    Ok(())
}

/// Says that there is one method more.
///
/// # Errors
/// If it has the name of a key of all cases.
pub(super) fn name_another(name: &'static str) -> Result<()> {
    refuse_key(name)?;
    let mut known = lock(&METHODS);
    let known = known.get_or_insert_default();
    if !known.contains(&name) {
        known.push(name);
    }
    Ok(())
}

fn refuse_key(name: &str) -> Result<()> {
    if keys::is_own(name) {
        return wrong(name, "is a key of all cases", "give the method another name");
    }
    Ok(())
}

fn wrong(argument: &str, problem: &str, remedy: &str) -> Result<()> {
    let (argument, problem, remedy) = (argument.into(), problem.into(), remedy.into());
    Err(Error::Command { argument, problem, remedy })
}

/// The methods there are, if they were named.
pub(super) fn methods() -> Option<Vec<&'static str>> {
    lock(&METHODS).clone()
}
