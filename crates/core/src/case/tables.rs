//! Tables of a case file that belong to methods, which read them when they are built.

use std::sync::OnceLock;

use super::keys;
use crate::error::{Error, Result};

static METHODS: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Says which methods there are: a case file with a table of any other name is refused from then on.
/// Until then, every table that is not one of all cases may be a method's.
///
/// # Errors
/// If a method has the name of a key of all cases, or others were named before.
pub(super) fn name(names: &[&'static str]) -> Result<()> {
    let wrong = |argument: &str, problem: &str, remedy: &str| {
        Err(Error::Command {
            argument: argument.into(),
            problem: problem.into(),
            remedy: remedy.into(),
        })
    };
    if let Some(name) = names.iter().find(|name| keys::is_own(name)) {
        return wrong(name, "is a key of all cases", "give the method another name");
    }
    if METHODS.get_or_init(|| names.to_vec()) != names {
        let remedy = "add all methods at once, before the first case is opened";
        return wrong(&names.join(", "), "other methods were named before", remedy);
    }
    Ok(())
}

/// The methods there are, if they were named.
pub(super) fn methods() -> Option<&'static [&'static str]> {
    METHODS.get().map(Vec::as_slice)
}
