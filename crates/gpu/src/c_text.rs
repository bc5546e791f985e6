//! Just enough C to compare a source with its Rust twin.

/// A source without comments.
pub(crate) fn plain(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = first_comment(rest) {
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

/// Where the first comment begins.
fn first_comment(text: &str) -> Option<usize> {
    let begins = |&at: &usize| matches!(text.as_bytes().get(at + 1), Some(b'/' | b'*'));
    text.match_indices('/').map(|(at, _)| at).find(begins)
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
