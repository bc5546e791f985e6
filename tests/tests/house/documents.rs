//! Links of the pages, and the table of contents of the book.

use std::path::{Path, PathBuf};

use crate::tree;

/// The lines of a page with, for each, whether it lies in a code block.
fn lines(page: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut in_code = false;
    page.lines().map(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        (in_code || fence, line)
    })
}

/// Targets of the links of a page, without those that lead out of the repository.
fn links(page: &str) -> Vec<String> {
    let text = lines(page).filter(|(in_code, _)| !in_code).map(|(_, line)| line);
    let text = text.collect::<Vec<_>>().join("\n");
    let targets = text.split("](").skip(1).filter_map(|after| after.split_once(')'));
    let targets = targets.map(|(target, _)| target.to_string());
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// What a heading is called in a link: lower case, words joined by hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn has_anchor(page: &Path, wanted: &str) -> bool {
    let text = tree::read(page);
    lines(&text).any(|(in_code, line)| !in_code && line.starts_with('#') && anchor(line) == wanted)
}

/// What is wrong with a link of a page, if anything.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(p, a)| (p, Some(a)));
    let folder = page.parent().expect("a page lies in a folder");
    let target = if path.is_empty() { page.to_path_buf() } else { folder.join(path) };
    if !target.exists() {
        return Some(format!("{}: {link} does not exist", tree::name(page)));
    }
    let anchor = anchor.filter(|_| target.extension().is_some_and(|ending| ending == "md"))?;
    let missing = !has_anchor(&target, anchor);
    missing.then(|| format!("{}: {link} has no such heading", tree::name(page)))
}

#[test]
fn links_lead_somewhere() {
    let pages = tree::pages();
    let mut n = 0;
    let mut complaints = Vec::new();
    for page in &pages {
        for link in links(&tree::read(page)) {
            n += 1;
            complaints.extend(broken(page, &link));
        }
    }
    assert!(n > 20, "only {n} links found");
    tree::expect_none(&complaints, &format!("{n} links of {} pages lead somewhere", pages.len()));
}

#[test]
fn the_book_lists_every_page_once() {
    let folder = tree::top().join("docs/src");
    let summary = links(&tree::read(&folder.join("SUMMARY.md")));
    let mut listed: Vec<PathBuf> = summary.iter().map(|link| folder.join(link)).collect();
    let mut written = tree::files(&["docs/src"], &[".md"]);
    written.retain(|page| !page.ends_with("SUMMARY.md"));
    listed.sort();
    written.sort();
    assert_eq!(listed, written, "docs/src/SUMMARY.md (left) and the pages in docs/src (right)");
}

#[test]
fn the_page_of_cases_names_every_built_in_case() {
    let page = tree::read(&tree::top().join("docs/src/cases.md"));
    let cases = vortice::built_in_cases().iter().map(|(name, _)| *name);
    let missing: Vec<&str> = cases.filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/src/cases.md does not have {missing:?}");
}

#[test]
fn files_named_in_pages_about_the_code_exist() {
    let mut complaints = Vec::new();
    let pages = ["README.md", "CONTRIBUTING.md", "kernels/README.md", "docs/src/architecture.md"];
    for page in pages {
        let text = tree::read(&tree::top().join(page));
        for quoted in text.split('`').skip(1).step_by(2) {
            let top = quoted.split('/').next().unwrap_or_default();
            let tops = ["crates", "kernels", "cases", "tests", "benches", "docs", "fuzz", ".ci"];
            let ours = tops.contains(&top);
            let is_path = quoted.contains('/') && !quoted.contains([' ', '<', '*', '{', 'N']);
            if ours && is_path && !tree::top().join(quoted).exists() {
                complaints.push(format!("{page}: `{quoted}` does not exist"));
            }
        }
    }
    tree::expect_none(&complaints, "the files that these pages name exist");
}

#[test]
fn a_broken_link_would_be_seen() {
    let page = "see [a](there.md#Part) and ![b](c.png)\n```text\n[no](link)\n```\n[d](https://e.f)";
    assert_eq!(links(page), ["there.md#Part", "c.png"]);
    assert_eq!(anchor("## What is `checked`, and why?"), "what-is-checked-and-why");
    let readme = tree::top().join("README.md");
    assert!(broken(&readme, "no-such-page.md").is_some());
    assert!(broken(&readme, "README.md#no-such-heading").is_some());
}
