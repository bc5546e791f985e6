//! Any text is read as a file of checks, or refused with an error that points into it or names the check.

use vortice_study::validation::Checks;

/// One input.
pub(crate) fn target(text: &str) {
    match Checks::parse(text, "fuzz") {
        Ok(checks) => assert!(checks.list.iter().all(|check| !check.methods.is_empty())),
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.remedy().is_empty());
            if let Some(at) = error.place() {
                assert!(at.text.get(at.start..at.start + at.length).is_some());
            }
        }
    }
}
