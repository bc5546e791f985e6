//! Any text is read as a case, or refused with an error that points into it.

use vortice_core::{Case, apply_overrides};

/// Whether a text asks for millions of cells: they are looked at one by one where there are bodies, which takes seconds in the program
/// and a minute in this build.
fn is_large(text: &str) -> bool {
    text.split("cells").skip(1).any(|rest| {
        let list = rest.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
        let numbers = list.map_or("", |(list, _)| list).split(',');
        let numbers =
            numbers.filter_map(|number| number.replace('_', "").trim().parse::<f64>().ok());
        numbers.product::<f64>() > 1e6
    })
}

/// One input.
pub(crate) fn target(text: &str) {
    if is_large(text) {
        return;
    }
    // What stands before a zero byte is a setting for the text behind it.
    let (set, text) = text.split_once('\0').unwrap_or(("", text));
    match Case::parse(text, "fuzz") {
        Ok(case) => {
            drop(case.warnings());
            assert!(case.grid.spacing().iter().all(|h| h.is_finite() && *h > 0.0));
            assert!(case.reynolds().is_finite());
        }
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.remedy().is_empty());
            if let Some(at) = error.place() {
                assert!(at.text.get(at.start..at.start + at.length).is_some());
            }
        }
    }
    if !set.is_empty()
        && let Ok(changed) = apply_overrides(text, "fuzz", &[set.to_owned()])
    {
        // A setting never spoils the TOML.
        assert!(apply_overrides(&changed, "fuzz", &["title=x".into()]).is_ok());
    }
}
