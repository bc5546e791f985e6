//! Just enough C to compare a source with its Rust twin.

/// A source without comments.
pub(crate) fn plain(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        text.push_str(&rest[..start]);
        let comment = &rest[start..];
        let end = if comment.starts_with("//") {
            comment.find('\n')
        } else {
            comment.find("*/").map(|end| end + 2)
        };
        text.push(' ');
        rest = &comment[end.unwrap_or(comment.len())..];
    }
    text + rest
}

/// The words of a declaration.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_code_stays() {
        assert_eq!(plain("a /* b // */ c // d /* e\nf"), "a   c  \nf");
        assert_eq!(plain("a /* never closed"), "a  ");
        assert_eq!(words("const Real *x_1[3]"), ["const", "Real", "x_1", "3"]);
    }
}
