//! The page in HTML.

use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use vortice_core::{Result, write_beside};

use super::{Figure, Link, Page, Part, Section, table};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("sort.js");

/// What the page may load: nothing that is not within it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";

/// Writes the page as one file that needs no other, no network and no script to be read; a script
/// within it sorts the tables.
///
/// # Errors
/// If the file cannot be written; an older file of this name is then still there.
pub fn write_page(path: impl AsRef<Path>, page: &Page) -> Result<()> {
    let text = whole(page).into_string();
    write_beside(path.as_ref(), |file| file.write_all(text.as_bytes()))
}

/// The whole file.
fn whole(page: &Page) -> Markup {
    let names = names(page);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="description" content=(page.lead);
                title { (page.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (page.title) }
                    p.lead { (page.lead) }
                }
                @if page.sections.len() > 1 {
                    nav aria-label="Contents" {
                        @for (section, name) in page.sections.iter().zip(&names) {
                            a href={ "#" (name) } { (section.title) }
                        }
                    }
                }
                main { @for (one, name) in page.sections.iter().zip(&names) { (section(one, name)) } }
                @if !page.foot.is_empty() { footer { p { (page.foot) } } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// A name per section, for links: made from the title, and made different where titles are equal.
fn names(page: &Page) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for section in &page.sections {
        let stem = name(&section.title);
        let same = names.iter().filter(|other| **other == stem).count();
        names.push(if same > 0 { format!("{stem}-{}", names.len()) } else { stem });
    }
    names
}

/// Letters and digits of a title, words joined by hyphens.
fn name(title: &str) -> String {
    let letters = title.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' });
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = letters.split_whitespace().collect();
    format!("section-{}", words.join("-"))
}

fn section(section: &Section, name: &str) -> Markup {
    html! {
        section id=(name) aria-labelledby={ (name) "-title" } {
            h2 id={ (name) "-title" } { (section.title) }
            @for one in &section.parts { (part(one)) }
        }
    }
}

fn part(part: &Part) -> Markup {
    match part {
        Part::Text(text) => html! {
            @for paragraph in text.split("\n\n").filter(|text| !text.trim().is_empty()) {
                p { (paragraph.trim()) }
            }
        },
        Part::Note(tone, text) => html! { p.note.(tone.class()) role="note" { (text) } },
        Part::Heading(text) => html! { h3 { (text) } },
        Part::Facts(facts) => html! {
            dl { @for (name, value) in facts { div { dt { (name) } dd { (value) } } } }
        },
        Part::Table(one) => table::table(one),
        Part::Figures { figures, wide } => html! {
            div.figures.wide[*wide] { @for one in figures { (figure(one)) } }
        },
        Part::Folded(text, parts) => html! {
            details { summary { (text) } @for one in parts { (self::part(one)) } }
        },
        Part::Code(text) => html! { pre tabindex="0" { code { (text) } } },
        Part::Files(files) => html! { ul.files { @for file in files { li { (link(file)) } } } },
    }
}

/// The drawing stands in the page itself; for those who listen it is one picture with a text.
fn figure(figure: &Figure) -> Markup {
    html! {
        figure id=(figure.name.replace(char::is_whitespace, "-")) {
            div.picture role="img" aria-label=(figure.alternative) {
                (PreEscaped(figure.drawing.svg()))
            }
            figcaption { (figure.caption) }
        }
    }
}

fn link(link: &Link) -> Markup {
    html! {
        a href=(address(&link.path)) { (link.path) }
        @if !link.about.is_empty() { span { (link.about) } }
    }
}

/// A relative path as an address: it can neither lead elsewhere nor run anything.
fn address(path: &str) -> String {
    let letters = path.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    format!("./{}", letters.collect::<String>().trim_start_matches('/'))
}
