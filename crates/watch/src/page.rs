//! The page: one text that needs nothing else.

use crate::guard::Guard;
use vortice_core::Result;

const HTML: &str = include_str!("page/page.html");
const CSS: &str = include_str!("page/page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("page/colours.js"),
    include_str!("page/chart.js"),
    include_str!("page/field.js"),
    include_str!("page/page.js"),
];

/// The page, and the word that its scripts and styles carry.
///
/// # Errors
/// If there are no random bits.
pub(crate) fn page() -> Result<(String, String)> {
    let nonce = Guard::new()?.token().to_owned();
    let text = HTML
        .replacen("/* style */", CSS, 1)
        .replacen("/* script */", &SCRIPTS.concat(), 1)
        .replace("{nonce}", &nonce);
    Ok((text, nonce))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_asks_nothing_of_others() {
        let (page, nonce) = page().unwrap_or_else(|error| panic!("{error}"));
        assert!(!page.contains("{nonce}") && !page.contains("/* script */"));
        assert_eq!(page.matches(&format!("nonce=\"{nonce}\"")).count(), 2);
        for foreign in ["https://", "//cdn", "@import", "eval(", "innerHTML"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        let http = page.matches("http://").count();
        assert_eq!(http, page.matches("http://www.w3.org/2000/svg").count());
    }
}
