//! The page of `vortice compare`: its findings in sentences, and the same words on it as in the terminal and in the files.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::{ends_with, program, stdout, vortice};

fn file(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join("study").join(name)).unwrap()
}

fn results(folder: &Path) -> Value {
    serde_json::from_str(&file(folder, "results.json")).unwrap()
}

/// The text of a page without its marks.
fn plain(page: &str) -> String {
    let pieces = page.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    pieces.collect::<Vec<_>>().join(" ").replace("&lt;", "<").replace("&quot;", "\"")
}

/// The lines of `limits.csv` by the names of its columns.
fn limits(folder: &Path) -> Vec<HashMap<String, String>> {
    let mut table = csv::Reader::from_path(folder.join("study/limits.csv")).unwrap();
    table.deserialize().map(Result::unwrap).collect()
}

/// Digits that count in a number of a table.
fn digits(number: &str) -> usize {
    let mantissa = number.split('e').next().unwrap_or_default();
    mantissa.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count()
}

const STUDY: [&str; 7] =
    ["compare", "cavity-re100", "--set", "run.steady=1e-4", "--out", "study", "--quiet"];

#[test]
fn terminal_page_and_files_have_the_same_words() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--set", "lbm.lattice=d2q9", "--grids", "12,16,24"];
    let ended = vortice(folder.path(), &[&STUDY[..], &more].concat());
    ends_with(&ended, 0);
    let (text, page) = (stdout(&ended), file(folder.path(), "report.html"));
    let (words, markdown) = (plain(&page), file(folder.path(), "results.md"));
    let study = &results(folder.path())[0];

    let sentences = study["findings"].as_array().unwrap();
    assert!(sentences.len() >= 2, "{sentences:?}");
    for sentence in sentences.iter().map(|one| one.as_str().unwrap()) {
        for (what, text) in [("terminal", &text), ("page", &words), ("markdown", &markdown)] {
            assert!(text.contains(sentence), "{what}: {sentence}");
        }
    }
    let first = sentences[0].as_str().unwrap();
    assert!(
        first.starts_with("To ") && first.contains("(botella-1998-re100-extrema): "),
        "{first}"
    );
    for method in ["fdm ", "fvm ", "lbm "] {
        assert!(first.contains(method), "{first}");
    }

    let table = limits(folder.path());
    let told = study["limits"].as_array().unwrap();
    assert_eq!(table.len(), told.len());
    let mut with_limit = 0;
    for (line, one) in table.iter().zip(told) {
        let of = |key: &str| one["words"][key].as_str().unwrap();
        for key in ["limit", "uncertainty", "order", "index"] {
            assert_eq!(line[key], of(key), "{line:?}");
            if !of(key).is_empty() {
                assert!(page.contains(&format!(">{}</td>", of(key))), "{key} of {line:?}");
                assert!(markdown.contains(&format!("| {} |", of(key))), "{key} of {line:?}");
            }
        }
        if one["convergence"].is_null() {
            assert!(digits(of("limit")) == 0 && of("order").is_empty(), "{line:?}");
            continue;
        }
        with_limit += 1;
        let within = format!("{} ± {}", of("limit"), of("uncertainty"));
        assert!(
            text.contains(&within) && text.contains(&format!("order {}", of("order"))),
            "{text}"
        );
        // A limit ends where its uncertainty begins: an index of a hundredth leaves three digits at most.
        let index = one["convergence"]["index"].as_f64().unwrap();
        let most = (1.0 - index.log10()).ceil().clamp(1.0, 6.0) as usize;
        assert!(digits(of("limit")) <= most, "{line:?}: {most} digits at most");
        assert_eq!(digits(of("uncertainty")), 1, "{line:?}");
    }
    assert!(with_limit > 3, "{table:?}");
    // Two grids take the order for granted, and say so in brackets everywhere.
    let two = [&STUDY[..], &["--grids", "16,24", "--methods", "fvm"]].concat();
    let ended = vortice(folder.path(), &two);
    ends_with(&ended, 0);
    assert!(stdout(&ended).contains("order (2)"), "{}", stdout(&ended));
    assert!(file(folder.path(), "report.html").contains(">(2)</td>"));
    assert!(limits(folder.path()).iter().any(|line| line["order"] == "(2)"));
    assert_eq!(results(folder.path())[0]["limits"][0]["words"]["order"], "(2)");
}

#[test]
fn a_page_begins_with_its_findings_and_ends_with_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--grids", "12,16", "--methods", "fvm,fdm", "--afresh"];
    let ended = program(folder.path()).args(STUDY).args(more).output().expect("the program starts");
    ends_with(&ended, 0);
    let page = file(folder.path(), "report.html");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("the page has no {text}"));
    let heads = [
        "<h2 id=\"section-findings-title\"",
        "Figure 1. Speed in m/s",
        "What each method converges to",
        "How each run ended and what it cost",
        "section-what-was-run-title\"",
        "To be cited as",
    ];
    let places: Vec<usize> = heads.map(at).to_vec();
    assert!(places.is_sorted(), "{places:?}");
    let command = "vortice compare cavity-re100 --set run.steady=1e-4 --out study --grids 12,16 --methods fvm,fdm";
    assert_eq!(results(folder.path())[0]["command"], command);
    assert!(page.contains(command));
    // Each figure has a number and is there once; what holds for several is said once.
    let figures = page.matches("<figure ").count();
    for n in 1..=figures {
        assert_eq!(page.matches(&format!("<figcaption>Figure {n}. ")).count(), 1, "figure {n}");
    }
    assert_eq!(plain(&page).matches("markers: published").count(), 1);
    // Five tables have two pictures each, of which those of one are seen at once.
    let folded = at("more figures of the other references");
    let errors = page[at("Distance from each reference")..folded].matches("<figure ").count();
    assert_eq!(errors, 2);
    assert!(
        page.contains("Ghia") && page.contains("<summary>The case file of cavity-re100</summary>")
    );
}

#[test]
fn who_failed_is_said_first_and_why_below_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let more =
        ["--set", "lbm.lattice=d2q9", "--set", "fluid.viscosity=1e-3", "--set", "run.until=12"];
    let schemes = ["--methods", "lbm", "--grids", "16", "--schemes", "lbm.collision=trt,mrt"];
    ends_with(&vortice(folder.path(), &[&STUDY[..2], &STUDY[4..], &more, &schemes].concat()), 1);
    let page = file(folder.path(), "report.html");
    let sentence = "lbm trt diverged on 16 x 16; lbm mrt did not.";
    let findings = results(folder.path())[0]["findings"].clone();
    assert!(findings.as_array().unwrap().contains(&sentence.into()), "{findings}");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("the page has no {text}"));
    assert!(at(sentence) < at("How each run ended"));
    assert!(page.contains("diverged [1]"));
    assert!(at("How each run ended") < at("[1] lbm trt on 16 x 16, diverged: "));
    assert_eq!(page.matches("[1] lbm trt on 16 x 16, diverged: ").count(), 1);
    assert!(file(folder.path(), "results.md").contains("* [1] lbm trt on 16 x 16, diverged: "));
}
