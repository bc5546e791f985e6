//! Equation numbers: each is given once in docs/src/theory, and every number that a source or a
//! page cites exists.

use std::collections::BTreeMap;

use crate::tree;

/// Equation numbers in a text, like (F3) or (E2a): a capital letter, digits, perhaps a letter.
fn numbers(text: &str) -> Vec<&str> {
    let inside = text.split('(').skip(1).filter_map(|after| after.split_once(')'));
    inside.map(|(number, _)| number).filter(|number| is_number(number)).collect()
}

fn is_number(text: &str) -> bool {
    let Some(digits) = text.strip_prefix(|c: char| c.is_ascii_uppercase()) else { return false };
    let digits = digits.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(digits);
    !digits.is_empty() && digits.len() < 3 && digits.chars().all(|c| c.is_ascii_digit())
}

/// The number that a line of a code block gives to its equation: `(F1)` or `\tag{F1}` at its end.
fn number_of(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let typed = line.strip_suffix(')').and_then(|line| line.rsplit_once('('));
    let set = line.strip_suffix('}').and_then(|line| line.rsplit_once("\\tag{"));
    let (_, number) = set.or(typed)?;
    is_number(number).then_some(number)
}

/// Numbers that close a line of a code block in a theory page, with the page.
fn given() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in tree::files(&["docs/src/theory"], &[".md"]) {
        let mut in_code = false;
        for line in tree::read(&page).lines() {
            in_code ^= line.starts_with("```");
            if let Some(number) = number_of(line).filter(|_| in_code) {
                found.push((number.to_string(), tree::name(&page)));
            }
        }
    }
    found
}

/// The comments of a source.
fn comments(source: &str) -> String {
    let comments = source.lines().filter_map(|line| line.split_once("//"));
    comments.map(|(_, comment)| comment).collect::<Vec<_>>().join("\n")
}

#[test]
fn equations_are_numbered_once_and_cited_ones_exist() {
    let mut complaints = Vec::new();
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    for (number, page) in given() {
        if let Some(other) = pages.insert(number.clone(), page.clone()) {
            complaints.push(format!("({number}) stands in {other} and in {page}"));
        }
    }
    let sources = tree::files(&["crates", "kernels"], &[".rs", ".cu", ".cuh"]);
    let texts = sources.iter().map(|path| (path, comments(&tree::read(path))));
    let markdown = tree::pages();
    let texts = texts.chain(markdown.iter().map(|path| (path, tree::read(path))));
    let mut cited = 0;
    for (path, text) in texts {
        for number in numbers(&text) {
            cited += 1;
            if !pages.contains_key(number) {
                complaints.push(format!("{} cites ({number}), unknown", tree::name(path)));
            }
        }
    }
    assert!(pages.len() > 20, "only {} numbered equations found", pages.len());
    tree::expect_none(&complaints, &format!("{} equations, cited {cited} times", pages.len()));
}

#[test]
fn theory_pages_named_in_sources_exist() {
    let mut complaints = Vec::new();
    for path in tree::files(&["crates"], &[".rs"]) {
        let text = tree::read(&path);
        for after in text.split("docs/").skip(1) {
            let page = after.split_inclusive(".md").next().unwrap_or_default();
            let is_path = |c: char| c.is_alphanumeric() || "/.-_".contains(c);
            if !page.ends_with(".md") || !page.chars().all(is_path) {
                continue;
            }
            // `docs/theory/fdm.md` is the short form of `docs/src/theory/fdm.md`.
            let places = [format!("docs/{page}"), format!("docs/src/{page}")];
            if !places.iter().any(|place| tree::top().join(place).is_file()) {
                complaints.push(format!("{} names docs/{page}, unknown", tree::name(&path)));
            }
        }
    }
    tree::expect_none(&complaints, "pages named in sources exist");
}

#[test]
fn numbers_are_recognised() {
    let text = "eqs. (F1) to (F14), (E2a); not (f1), (F), (Fx), (F123) or (N - 1)";
    assert_eq!(numbers(text), ["F1", "F14", "E2a"]);
    let lines = [r"a = b \tag{F8} ", "a = b   (F2a)", "a = f(F9) + 1", r"\tag{x}"];
    assert_eq!(lines.map(number_of), [Some("F8"), Some("F2a"), None, None]);
    assert_eq!(comments("let x = Values::F32(1); // (F3)\nlet y = (G1);"), " (F3)");
}
