//! The pages: each one text that needs nothing else.

use crate::guard::Guard;
use vortice_core::Result;

const CSS: &str = include_str!("page/page.css");
const COLOURS: &str = include_str!("page/colours.js");
const FIELD: &str = include_str!("page/field.js");

const OF_RUN: [&str; 4] =
    [COLOURS, include_str!("page/chart.js"), FIELD, include_str!("page/page.js")];
const OF_REPLAY: [&str; 3] = [COLOURS, FIELD, include_str!("page/view.js")];

/// The page of a run, and the word that its scripts and styles carry.
///
/// # Errors
/// If there are no random bits.
pub(crate) fn run_page() -> Result<(String, String)> {
    page(include_str!("page/page.html"), &OF_RUN)
}

/// The page of finished runs, and its word.
///
/// # Errors
/// If there are no random bits.
pub(crate) fn view_page() -> Result<(String, String)> {
    page(include_str!("page/view.html"), &OF_REPLAY)
}

fn page(html: &str, scripts: &[&str]) -> Result<(String, String)> {
    let nonce = Guard::new()?.token().to_owned();
    let text = html
        .replacen("/* style */", CSS, 1)
        .replacen("/* script */", &scripts.concat(), 1)
        .replace("{nonce}", &nonce);
    Ok((text, nonce))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_whole_and_ask_nothing_of_others() {
        for page in [run_page(), view_page()] {
            let (page, nonce) = page.unwrap_or_else(|error| panic!("{error}"));
            assert!(!page.contains("{nonce}") && !page.contains("/* script */"));
            assert_eq!(page.matches(&format!("nonce=\"{nonce}\"")).count(), 2);
            for foreign in ["https://", "//cdn", "@import", "eval(", "innerHTML"] {
                assert!(!page.contains(foreign), "{foreign}");
            }
            let http = page.matches("http://").count();
            assert_eq!(http, page.matches("http://www.w3.org/2000/svg").count());
        }
    }
}
