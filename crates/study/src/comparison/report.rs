//! The page of a study, its pictures, tables and fields.

mod chapter;
mod charts;
mod finest;
mod forces;
mod maps;
mod markdown;
mod tables;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use vortice_core::write_beside;
use vortice_core::{Error, Result};
use vortice_output::{Block, write_collection};
use vortice_plot::{Figure, Link, Page, Part, Section, write_page};

use super::findings::Findings;
use super::results::{write_csv, write_json, write_limits};
use super::row::Row;
use chapter::{Chapter, chapter};
use finest::Seen;

/// Writes what studies found into a folder: `report.html`, `results.csv`, `.json` and `.md`, `limits.csv`, `pictures/`
/// and, for each case, the fields of the finest grids for ParaView; returns the files.
///
/// # Errors
/// If something cannot be written.
pub fn write_report(folder: impl AsRef<Path>, all: &[Findings]) -> Result<Vec<PathBuf>> {
    let folder = folder.as_ref();
    let file = |name: &str| folder.join(name);
    let page = file("report.html");
    let [csv, json, text] = ["csv", "json", "md"].map(|end| file(&format!("results.{end}")));
    write_csv(&csv, all)?;
    write_limits(&file(LIMITS), all)?;
    write_json(&json, all)?;
    write_beside(&text, |file| file.write_all(markdown::results(all).as_bytes()))?;
    let mut written = vec![page.clone(), csv, file(LIMITS), json, text];
    let (mut chapters, mut links, mut number) = (Vec::new(), links(all), 0);
    for findings in all {
        let seen = Seen::finest(findings)?;
        let chapter = chapter(findings, &seen)?.numbered(&mut number);
        draw(folder, chapter.figures(), findings.study.case.output.picture)?;
        chapters.push(chapter);
        if !seen.is_empty() {
            let name = format!("{}.vtkhdf", findings.study.name);
            write_collection(file(&name), &blocks(&seen))?;
            links.push(Link {
                about: format!(
                    "{}: fields of the finest grids, for ParaView",
                    findings.study.case.title
                ),
                path: name.clone(),
            });
            written.push(file(&name));
        }
    }
    written.push(file(PICTURES));
    write_page(&page, &assemble(chapters, all, links))?;
    Ok(written)
}

const PICTURES: &str = "pictures";
const LIMITS: &str = "limits.csv";

fn links(all: &[Findings]) -> Vec<Link> {
    let as_png = all.iter().any(|one| one.study.case.output.picture);
    let link = |path: &str, about: &str| Link { path: path.into(), about: about.into() };
    vec![
        link("results.csv", "one line per run"),
        link(LIMITS, "one line per limit, as on this page"),
        link("results.json", "everything on this page in numbers"),
        link("results.md", "the tables of this page for a text"),
        link(PICTURES, if as_png { "the pictures as SVG and PNG" } else { "the pictures as SVG" }),
    ]
}

/// The chapters as a page: one of a single case has a section for each topic, one of several has a
/// section for each case.
fn assemble(chapters: Vec<Chapter>, all: &[Findings], links: Vec<Link>) -> Page {
    let files = Section { title: "Files".into(), parts: vec![Part::Files(links)] };
    let (title, mut sections) = match (all, chapters.len()) {
        ([one], 1) => {
            let chapters = chapters.into_iter().flat_map(|chapter| chapter.topics);
            let sections = chapters.map(|(title, parts)| Section { title, parts });
            (one.study.case.title.clone(), sections.collect::<Vec<_>>())
        }
        _ => {
            ("A comparison of methods".into(), chapters.into_iter().map(Chapter::section).collect())
        }
    };
    sections.push(Section { title: "Again, and cited".into(), parts: again(all) });
    sections.push(files);
    let version = crate::VERSION;
    Page {
        title,
        lead: lead(all),
        sections,
        foot: format!(
            "Written by Vortice {version}. Nothing here is random: the same command gives the same \
             numbers on any number of threads; times apart."
        ),
    }
}

/// What makes the page again, and how it is cited.
fn again(all: &[Findings]) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(command) = all.iter().map(|one| &one.study.command).find(|one| !one.is_empty()) {
        parts.push(Part::Heading("The same numbers come from".into()));
        parts.push(Part::Code(command.clone()));
    }
    for one in all {
        let words = format!("The case file of {}", one.study.name);
        parts.push(Part::Folded(words, vec![Part::Code(one.study.case.source.clone())]));
    }
    let cited = all.iter().map(|one| {
        let variants: Vec<&str> = one.study.variants.iter().map(|one| &*one.name).collect();
        let grids: Vec<String> = one.study.grids.iter().map(usize::to_string).collect();
        let grids: Vec<&str> = grids.iter().map(String::as_str).collect();
        format!("{} by {} on {} cells", one.study.case.title, and(&variants), and(&grids))
    });
    let (machine, flows) = (&all.first().map(|one| &one.machine), cited.collect::<Vec<_>>());
    if let Some(machine) = machine {
        parts.push(Part::Heading("To be cited as".into()));
        let date = machine.date.split(' ').next().unwrap_or_default();
        parts.push(Part::Text(format!(
            "{}. Computed by Vortice {}, {}, {date}.",
            flows.join("; "),
            machine.version,
            machine.processor,
        )));
    }
    let mut published: Vec<String> = Vec::new();
    for reference in all.iter().flat_map(|one| &one.references) {
        if !reference.citation.is_empty() && !published.contains(&reference.citation) {
            published.push(reference.citation.clone());
        }
    }
    if !published.is_empty() {
        parts.push(Part::Heading("What is published".into()));
        parts.push(Part::Text(published.join("\n\n")));
    }
    parts.push(Part::Heading("How limits are found".into()));
    parts.push(Part::Text(LIMITS_AFTER.into()));
    parts
}

const LIMITS_AFTER: &str = "Limits, orders and the grid convergence index are after I. B. Celik et al., J. Fluids Eng. 130 \
                            (2008) 078001, and P. J. Roache, Verification and Validation in Computational Science and \
                            Engineering (1998).";

/// What was done, in a sentence.
fn lead(all: &[Findings]) -> String {
    let rows: Vec<&Row> = all.iter().flat_map(|one| &one.rows).collect();
    let done = rows.iter().filter(|row| row.is_done()).count();
    let planned: usize = all.iter().map(|one| one.study.n_runs()).sum();
    let variants = all.iter().flat_map(|one| &one.study.variants);
    let mut methods: Vec<&str> = variants.map(|variant| variant.method.name).collect();
    methods.sort_unstable();
    methods.dedup();
    let flows = match all.len() {
        1 => "One flow".to_owned(),
        n => format!("{n} flows"),
    };
    let end = match done {
        n if n == planned => "all reached their goal".to_owned(),
        n => format!("{n} reached their goal"),
    };
    format!("{flows} by {}: {planned} runs, {end}.", and(&methods))
}

/// `a, b and c`.
fn and(words: &[&str]) -> String {
    match words {
        [] => "no method".into(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

fn blocks<'a>(seen: &'a [Seen<'a>]) -> Vec<Block<'a>> {
    let block = |one: &'a Seen<'a>| Block {
        name: &one.plain_name,
        case: &one.case,
        velocity: one.velocity(),
        pressure: one.pressure(),
    };
    seen.iter().map(block).collect()
}

/// Writes figures as files: those of the page, and as PNG for other papers where they are asked for. No PNG of an earlier study stays.
fn draw<'a>(folder: &Path, figures: impl Iterator<Item = &'a Figure>, as_png: bool) -> Result<()> {
    let folder = folder.join(PICTURES);
    std::fs::create_dir_all(&folder)
        .map_err(|error| Error::file(&folder, error, "give another folder with `--out`"))?;
    // By all threads: to draw a dozen PNG takes as long as a small study.
    let figures: Vec<&Figure> = figures.collect();
    figures.into_par_iter().try_for_each(|figure| {
        figure.drawing.write_svg(folder.join(format!("{}.svg", figure.name)))?;
        let png = folder.join(format!("{}.png", figure.name));
        if as_png {
            figure.drawing.write_png(png)?;
        } else if png.exists() {
            std::fs::remove_file(&png).map_err(|error| {
                Error::file(&png, error, "remove it, or give another folder with `--out`")
            })?;
        }
        Ok(())
    })
}
