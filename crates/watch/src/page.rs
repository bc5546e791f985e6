//! The pages: each one text that needs nothing else.

use crate::guard::Guard;
use vortice_core::Result;

const WHOLE: &str = include_str!("page/whole.html");
const CSS: &str = include_str!("page/page.css");
const COLOURS: &str = include_str!("page/colours.js");

/// What both pages are made with, in this order.
const SHARED: [&str; 5] = [
    COLOURS,
    include_str!("page/chart.js"),
    include_str!("page/streamlines.js"),
    include_str!("page/points.js"),
    include_str!("page/field.js"),
];

/// The page of a run, and the word that its scripts and styles carry.
///
/// # Errors
/// If there are no random bits.
pub(crate) fn run_page() -> Result<(String, String)> {
    page("Vortice: a run", include_str!("page/page.html"), include_str!("page/page.js"))
}

/// The page of finished runs, and its word.
///
/// # Errors
/// If there are no random bits.
pub(crate) fn view_page() -> Result<(String, String)> {
    page("Vortice: runs", include_str!("page/view.html"), include_str!("page/view.js"))
}

fn page(title: &str, body: &str, script: &str) -> Result<(String, String)> {
    let nonce = Guard::new()?.token().to_owned();
    let text = WHOLE
        .replacen("{title}", title, 1)
        .replacen("<!-- body -->", body.trim_end(), 1)
        .replacen("/* style */", CSS, 1)
        .replacen("/* script */", &(SHARED.concat() + script), 1)
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
