//! Words that completions offer, where any text may be given.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

/// A text that is checked, and what is offered for it.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    check: fn(&str) -> Result<String, String>,
    words: fn() -> Vec<&'static str>,
}

impl TypedValueParser for Offer {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        self.check.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}

/// The built-in cases; a file may be named too.
pub(super) const CASES: Offer = Offer { check: any, words: cases };

/// The methods; others are answered by the registry.
pub(super) const METHODS: Offer = Offer { check: any, words: methods };

/// The keys of a case, with the `=` behind them.
pub(super) const SETS: Offer = Offer { check: assignment, words: keys };

/// Names of the built-in cases.
pub(crate) fn cases() -> Vec<&'static str> {
    crate::built_in_cases().iter().map(|(name, _)| *name).collect()
}

fn methods() -> Vec<&'static str> {
    crate::registry::methods().iter().map(|method| method.name).collect()
}

/// They live as long as the program, which prints them and ends.
fn keys() -> Vec<&'static str> {
    let keys = crate::known_keys::known_keys().into_iter();
    keys.map(|key| &*format!("{key}=").leak()).collect()
}

fn any(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

fn assignment(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((key, _)) if !key.trim().is_empty() => Ok(text.to_string()),
        _ => Err("write a key and a value, such as fluid.viscosity=0.01".into()),
    }
}
