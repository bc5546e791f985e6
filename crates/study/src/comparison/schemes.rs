//! Settings that a study varies: `fvm.convection=central,quick`.

use vortice_core::{Error, Method, Result};

/// A key with the values that it takes in turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scheme {
    key: String,
    values: Vec<String>,
}

impl Scheme {
    /// From `key=value,value,...`. Values are words or numbers without commas.
    ///
    /// # Errors
    /// If it is not of this form.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::Command {
            argument: format!("--schemes {text}"),
            problem: "is not a key with values".into(),
            remedy: "write a key and its values with commas, such as fvm.convection=central,quick"
                .into(),
        };
        let (key, values) = text.split_once('=').ok_or_else(wrong)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }

    /// Whether a method knows the key: its own tables and those that all methods share.
    pub(super) fn concerns(&self, method: &Method, all: &[&Method]) -> bool {
        let table = self.key.split('.').next().unwrap_or_default();
        table == method.name || all.iter().all(|other| other.name != table)
    }

    /// The settings in turn, and the word that tells each from the others.
    pub(super) fn settings(&self) -> impl Iterator<Item = (String, &str)> {
        self.values.iter().map(|value| (format!("{}={}", self.key, literal(value)), &**value))
    }
}

/// A value as TOML has it: numbers and truths as they are, words in quotes.
fn literal(value: &str) -> String {
    let bare = value.parse::<f64>().is_ok() || matches!(value, "true" | "false");
    if bare || value.starts_with(['"', '[', '{']) { value.to_owned() } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::methods;

    #[test]
    fn a_scheme_gives_its_settings_in_turn() {
        let scheme = Scheme::parse("fvm.convection=central, quick").unwrap();
        let settings: Vec<_> = scheme.settings().collect();
        assert_eq!(settings[0], ("fvm.convection=\"central\"".into(), "central"));
        assert_eq!(settings[1].1, "quick");
        let numbers = Scheme::parse("lbm.mach=0.1,0.05").unwrap();
        assert_eq!(numbers.settings().next().unwrap().0, "lbm.mach=0.1");
    }

    #[test]
    fn a_scheme_concerns_its_method_or_all() {
        let concerned = |text: &str| -> Vec<&str> {
            let scheme = Scheme::parse(text).unwrap();
            let concerned = methods().iter().filter(|method| scheme.concerns(method, methods()));
            concerned.map(|method| method.name).collect()
        };
        assert_eq!(concerned("fvm.coupling=simple,simplec"), ["fvm"]);
        assert_eq!(concerned("run.precision=f32,f64"), ["fdm", "fvm", "lbm"]);
    }

    #[test]
    fn what_is_no_scheme_is_refused() {
        for wrong in ["quick", "=quick", "fvm.convection=", "fvm.convection=quick,,cds"] {
            assert!(Scheme::parse(wrong).is_err(), "{wrong}");
        }
    }
}
