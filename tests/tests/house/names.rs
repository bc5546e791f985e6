//! Names and sizes.

use crate::tree;

/// Words that say nothing: a name made with one of them can be made without it.
const FORBIDDEN: [&str; 12] = [
    "data", "info", "manager", "managers", "helper", "helpers", "util", "utils", "process", "idx",
    "cnt", "num",
];

/// A file has one reason to change; beyond this many lines it has several.
const MOST_LINES: usize = 400;

/// Keywords that are followed by a name which this code chooses.
const DECLARING: [&str; 11] =
    ["fn", "let", "mut", "struct", "enum", "mod", "trait", "type", "const", "static", "for"];

/// Rust source without comments, strings and characters: those are blanked.
pub(crate) fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest) {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = 2 + hashes;
            rest[open..].find(&close).map_or(rest.len(), |end| open + end + close.len())
        } else if first == '"' {
            closing_quote(rest)
        } else if first == '\'' {
            character(rest)
        } else {
            0
        };
        let taken = if skipped == 0 { first.len_utf8() } else { skipped };
        code.push_str(if skipped == 0 { &rest[..taken] } else { " " });
        rest = &rest[taken..];
    }
    code
}

/// The number of `#` of a raw string that begins here.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// Length of the string that begins here, quotes included.
fn closing_quote(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of the character that begins here; 0 if it is a lifetime.
fn character(rest: &str) -> usize {
    let mut after = rest.char_indices().skip(1);
    match (after.next(), after.next()) {
        (Some((_, '\\')), Some((next, c))) => {
            let from = next + c.len_utf8();
            rest[from..].find('\'').map_or(rest.len(), |end| from + end + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 0,
    }
}

/// Names that a source declares: after a declaring keyword, or before a single colon.
fn declared(code: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut before = "";
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        let word = &rest[start..];
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let follows = after.trim_start();
        let has_type = follows.starts_with(':') && !follows.starts_with("::");
        if !DECLARING.contains(&word) && (DECLARING.contains(&before) || has_type) {
            names.push(word);
        }
        before = if after.starts_with([' ', '\n']) { word } else { "" };
        rest = after;
    }
    names
}

/// The words of a `snake_case` or `CamelCase` name, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = '_';
    for c in name.chars() {
        let new_word = c == '_' || (c.is_uppercase() && previous.is_lowercase());
        if new_word {
            words.push(String::new());
        }
        if c != '_' {
            words.last_mut().expect("never empty").extend(c.to_lowercase());
        }
        previous = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The word for which a name is refused.
fn refused(name: &str) -> Option<String> {
    let words = words(name);
    let handles = words.len() > 1 && words[0] == "handle";
    let empty = words.into_iter().find(|word| FORBIDDEN.contains(&word.as_str()));
    empty.or(handles.then(|| "handle_".into()))
}

#[test]
fn names_say_something() {
    let mut complaints = Vec::new();
    let sources = tree::sources();
    for path in &sources {
        let stem = path.file_stem().expect("a file name").to_string_lossy().into_owned();
        let text = code_only(&tree::read(path));
        for name in std::iter::once(stem.as_str()).chain(declared(&text)) {
            if let Some(word) = refused(name) {
                complaints.push(format!("{}: `{name}` contains `{word}`", tree::name(path)));
            }
        }
    }
    complaints.dedup();
    tree::expect_none(&complaints, &format!("the names of {} files say something", sources.len()));
}

#[test]
fn files_are_short() {
    let mut complaints = Vec::new();
    let mut sources = tree::sources();
    sources.extend(tree::files(&["kernels"], &[".cu", ".cuh"]));
    for path in &sources {
        let lines = tree::read(path).lines().count();
        if lines > MOST_LINES {
            complaints.push(format!("{}: {lines} lines, more than {MOST_LINES}", tree::name(path)));
        }
    }
    tree::expect_none(&complaints, &format!("{} files have at most 400 lines", sources.len()));
}

#[test]
fn a_forbidden_name_would_be_seen() {
    let source = r##"
        // let data = 1;
        fn handle_event(file_info: u8, c: char) -> &'static str {
            let text = "let idx = 3; \" still text: u8"; let quote = '"'; let numCells = b'\'';
            let _ = r#"let cnt: u8"#; std::process::exit(1)
        }
    "##;
    let code = code_only(source);
    let found: Vec<_> =
        declared(&code).into_iter().filter(|name| refused(name).is_some()).collect();
    assert_eq!(found, ["handle_event", "file_info", "numCells"]);
}
