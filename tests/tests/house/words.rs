//! The page of symbols, Rust and CUDA use the same names, and comments name files that exist.

use std::collections::BTreeSet;
use std::path::Path;

use crate::names::code_only;
use crate::tree;

const PAGE: &str = "docs/src/symbols.md";

/// Words that DESIGN and the page replaced by the field's, and what is meant in their place.
const ASTRAY: [(&str, &str); 3] = [
    ("nobody", "who, or what, does not"),
    ("somebody", "who, or what, does"),
    ("whoever", "who, or what, does"),
];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect()
}

/// The code of a language in the folders of a method, or of all; `linear` serves `fvm`.
fn code(top: &str, inside: &str, method: &str, endings: &[&str]) -> String {
    let methods = match method {
        "fvm" => vec!["fvm", "linear"],
        "" => vec![""],
        other => vec![other],
    };
    let folders: Vec<String> = methods.iter().map(|name| format!("{top}/{name}{inside}")).collect();
    let folders: Vec<&str> = folders.iter().map(|folder| folder.trim_end_matches('/')).collect();
    tree::files(&folders, endings).iter().map(|path| code_only(&tree::read(path))).collect()
}

/// A row of the page's tables: the method that the heading names, the symbol, and the names of its
/// columns by heading.
struct Symbol {
    method: String,
    meaning: String,
    columns: Vec<(String, Vec<String>)>,
}

fn symbols(page: &str) -> Vec<Symbol> {
    let (mut method, mut headings, mut found) = (String::new(), Vec::new(), Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## `") {
            method = heading.trim_end_matches('`').to_string();
        }
        let Some(row) = line.strip_prefix("| ") else { continue };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if cells[0] == "symbol" {
            headings = cells.iter().map(ToString::to_string).collect();
            continue;
        }
        let quoted = |cell: &&str| cell.split('`').skip(1).step_by(2).map(String::from).collect();
        let columns = headings.iter().cloned().zip(cells.iter().map(quoted)).collect();
        found.push(Symbol { method: method.clone(), meaning: cells[0].to_string(), columns });
    }
    found
}

/// What is wrong with a row, given the words of Rust and CUDA in its method, and of all Rust.
fn unknown(
    symbol: &Symbol,
    rust: &BTreeSet<&str>,
    cuda: &BTreeSet<&str>,
    public: &BTreeSet<&str>,
) -> Vec<String> {
    let mut complaints = Vec::new();
    for (heading, names) in &symbol.columns {
        let languages: &[(&str, &BTreeSet<&str>)] = match heading.as_str() {
            "in Rust and CUDA" => &[("Rust", rust), ("CUDA", cuda)],
            "in Rust alone" => &[("Rust", rust)],
            "in public" => &[("Rust", public)],
            _ => &[],
        };
        for name in names {
            for (language, words) in languages {
                if !words.contains(name.replace('-', "_").as_str()) {
                    let Symbol { method, meaning, .. } = symbol;
                    complaints.push(format!(
                        "{PAGE}, {meaning}: no `{name}` in the {language} of {method}"
                    ));
                }
            }
        }
    }
    complaints
}

#[test]
fn the_page_rust_and_cuda_use_the_same_names() {
    let page = tree::read(&tree::top().join(PAGE));
    let symbols = symbols(&page);
    assert!(symbols.len() > 30, "only {} rows found", symbols.len());
    let all = code("crates", "", "", &[".rs"]);
    let public = words(&all);
    let mut complaints = Vec::new();
    for method in ["", "fdm", "lbm", "fvm"] {
        let rust =
            if method.is_empty() { all.clone() } else { code("crates", "/src", method, &[".rs"]) };
        let cuda = code("kernels", "", method, &[".cu", ".cuh"]);
        let (rust, cuda) = (words(&rust), words(&cuda));
        let of_method = symbols.iter().filter(|symbol| symbol.method == method);
        complaints.extend(of_method.flat_map(|symbol| unknown(symbol, &rust, &cuda, &public)));
    }
    tree::expect_none(
        &complaints,
        &format!("{} symbols of {PAGE} are those of the sources", symbols.len()),
    );
}

/// Files that a comment names: words that end like those of a source or a page.
fn named(comment: &str) -> impl Iterator<Item = &str> {
    let is_path = |c: char| is_word(c) || "/.-".contains(c);
    let paths = comment.split(move |c| !is_path(c)).map(|path| path.trim_end_matches('.'));
    paths.filter(|path| {
        let stem = path.rsplit_once('.').filter(|(_, e)| ["rs", "cu", "cuh", "md"].contains(e));
        stem.is_some_and(|(stem, _)| stem.ends_with(is_word))
    })
}

fn comments(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| line.split_once("//").map(|(_, comment)| comment))
}

#[test]
fn files_named_in_comments_exist() {
    let files = tree::files(&["."], &[".rs", ".cu", ".cuh", ".md"]);
    let files: Vec<String> = files.iter().map(|path| format!("/{}", tree::name(path))).collect();
    let exists = |path: &str| files.iter().any(|file| file.ends_with(&format!("/{path}")));
    let mut complaints = Vec::new();
    for path in tree::files(&["crates", "kernels"], &[".rs", ".cu", ".cuh"]) {
        let text = tree::read(&path);
        for name in comments(&text).flat_map(named) {
            // `docs/theory/fdm.md` is the short form of `docs/src/theory/fdm.md`.
            if !exists(name) && !exists(&name.replace("docs/", "docs/src/")) {
                complaints.push(format!("{} names {name}, unknown", tree::name(&path)));
            }
        }
    }
    complaints.dedup();
    tree::expect_none(&complaints, "files named in comments exist");
}

#[test]
fn comments_say_who_is_meant() {
    let mut complaints = Vec::new();
    for path in tree::files(&["crates", "kernels"], &[".rs", ".cu", ".cuh"]) {
        let text = tree::read(&path);
        for comment in comments(&text) {
            let words = words(comment);
            for (word, better) in ASTRAY {
                if words.iter().any(|one| one.eq_ignore_ascii_case(word)) {
                    let name = tree::name(&path);
                    complaints.push(format!("{name}: \"{}\": say {better}", comment.trim()));
                }
            }
        }
    }
    tree::expect_none(&complaints, "comments say who is meant");
}

#[test]
fn an_unknown_name_would_be_seen() {
    let page = "## `lbm`\n| symbol | in Rust and CUDA | in public |\n|---|---|---|\n| time | `tau`, `s` | `a-b` |";
    let symbols = symbols(page);
    let (rust, cuda, public) = (words("let tau = s;"), words("double tau"), words("a_b"));
    let complaints = unknown(&symbols[0], &rust, &cuda, &public);
    assert_eq!(complaints, [format!("{PAGE}, time: no `s` in the CUDA of lbm")]);
    let comment = " as in `fdm/tile.cuh` and step.rs. Not a.txt, .rs or 1.5";
    assert_eq!(named(comment).collect::<Vec<_>>(), ["fdm/tile.cuh", "step.rs"]);
    assert!(Path::new(&tree::top().join(PAGE)).exists());
}
