//! The page about the case file lists exactly the keys that there are.

use std::collections::BTreeSet;

use crate::tree;

/// Keys in the first column of the page's tables that open with "key".
fn documented() -> BTreeSet<String> {
    let page = tree::read(&tree::top().join("docs/src/case-file.md"));
    let mut keys = BTreeSet::new();
    let mut in_keys = false;
    for line in page.lines() {
        let Some(cells) = line.strip_prefix("| ") else {
            in_keys = line.starts_with('|') && in_keys;
            continue;
        };
        let first = cells.split(" |").next().unwrap_or_default();
        if first.starts_with("key") {
            in_keys = true;
        } else if in_keys {
            keys.insert(first.trim_matches('`').to_string());
        }
    }
    keys
}

/// Keys of the parser's own table, from which it makes its error messages; tables that only hold
/// keys, like `grid`, left out.
fn parsed() -> BTreeSet<String> {
    let source = tree::read(&tree::top().join("crates/core/src/case/key_meanings.rs"));
    let table = source.split("const KEYS").nth(1).expect("the table of keys");
    let table = table.split("];").next().unwrap_or_default();
    let words = table.split('(').skip(1).map(|entry| entry.trim_start());
    let words = words.filter_map(|entry| entry.strip_prefix('"')?.split('"').next());
    let is_key = |word: &&str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || ".-[]".contains(c))
    };
    let keys: BTreeSet<String> = words.filter(is_key).map(String::from).collect();
    let holds = |key: &String| {
        let inside = [format!("{key}."), format!("{key}[]")];
        keys.iter().any(|other| inside.iter().any(|start| other.starts_with(start)))
    };
    keys.iter().filter(|key| !holds(key)).cloned().collect()
}

/// Keys of a table of options, a method's or the GPU's: the fields of its `Options`.
fn options(name: &str, source: &str) -> BTreeSet<String> {
    let source = tree::read(&tree::top().join("crates").join(source));
    let body = source.split("pub struct Options {").nth(1).expect("the struct Options");
    let body = body.split("\n}").next().unwrap_or_default();
    let fields = body.lines().filter_map(|line| line.trim_start().strip_prefix("pub "));
    let fields = fields.filter_map(|field| field.split_once(':')).map(|(field, _)| field);
    fields.map(|field| format!("{name}.{}", field.replace('_', "-"))).collect()
}

#[test]
fn the_page_lists_exactly_the_keys_there_are() {
    let mut keys = parsed();
    keys.remove("boundary"); // its keys are the faces, each with a word or a table
    for method in ["fdm", "fvm", "lbm"] {
        keys.extend(options(method, &format!("{method}/src/options.rs")));
    }
    keys.extend(options("gpu", "gpu/src/driver/options.rs"));
    assert!(keys.len() > 30, "only {} keys found: {keys:?}", keys.len());
    assert_eq!(documented(), keys, "docs/src/case-file.md (left), the sources (right)");
    println!("{} keys are documented", keys.len());
}
