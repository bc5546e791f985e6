//! The numbers of studies as tables for programs: `results.csv`, `results.json`.

use std::path::Path;

use serde::Serialize;
use vortice_core::write_beside;
use vortice_core::{Error, Result};
use vortice_output::plain_cell;

use super::findings::{Agreement, Findings, Limit, LimitWords};
use super::machine::Machine;
use super::row::Row;

/// Writes one line per run into a CSV file: what it was, how it ended, what it cost, its distance from
/// each reference (`NAME max`, `NAME rms`, shares) and its values. What a run does not have is empty,
/// and what its flow does not have `not found`.
///
/// # Errors
/// If the file cannot be written; an older one is then still there.
pub(super) fn write_csv(path: &Path, all: &[Findings]) -> Result<()> {
    let table = table(all).map_err(|error| cannot(path, &error))?;
    write_beside(path, |file| file.write_all(&table))
}

/// Writes one line per limit into a CSV file, in the words of page and terminal: value, variant, limit or why there is none,
/// uncertainty, order, grid convergence index, what is published and by which reference.
///
/// # Errors
/// If the file cannot be written; an older one is then still there.
pub(super) fn write_limits(path: &Path, all: &[Findings]) -> Result<()> {
    let table = limits(all).map_err(|error| cannot(path, &error))?;
    write_beside(path, |file| file.write_all(&table))
}

/// Writes everything that the studies found into a JSON file. Numbers that do not exist are null.
///
/// # Errors
/// If the file cannot be written; an older one is then still there.
pub(super) fn write_json(path: &Path, all: &[Findings]) -> Result<()> {
    let studies: Vec<Told<'_>> = all.iter().map(Told::from).collect();
    write_beside(path, |file| {
        serde_json::to_writer_pretty(&mut *file, &studies)?;
        file.write_all(b"\n")
    })
}

/// A study in a JSON file.
#[derive(Serialize)]
struct Told<'a> {
    case: &'a str,
    title: &'a str,
    reynolds: f64,
    /// The text of the case, settings for all runs included.
    source: &'a str,
    machine: &'a Machine,
    /// What makes it again; empty where that is not known.
    command: &'a str,
    /// What was found, in sentences.
    findings: Vec<String>,
    rows: &'a [Row],
    limits: Vec<ToldLimit<'a>>,
    agreements: &'a [Agreement],
}

/// A limit in numbers, and in the words of page and terminal.
#[derive(Serialize)]
struct ToldLimit<'a> {
    #[serde(flatten)]
    limit: &'a Limit,
    words: LimitWords,
}

impl<'a> From<&'a Findings> for Told<'a> {
    fn from(findings: &'a Findings) -> Self {
        let (study, case) = (&findings.study, &findings.study.case);
        Self {
            case: &study.name,
            title: &case.title,
            reynolds: case.reynolds(),
            source: &case.source,
            machine: &findings.machine,
            command: &study.command,
            findings: findings.sentences(),
            rows: &findings.rows,
            limits: findings
                .limits
                .iter()
                .map(|limit| ToldLimit { limit, words: limit.words() })
                .collect(),
            agreements: &findings.agreements,
        }
    }
}

const RUN: [&str; 14] = [
    "case",
    "variant",
    "method",
    "grid",
    "cells_x",
    "cells_y",
    "cells_z",
    "ended",
    "why",
    "steps",
    "iterations",
    "cell_updates",
    "wall_seconds",
    "memory_bytes",
];

fn table(all: &[Findings]) -> csv::Result<Vec<u8>> {
    let rows: Vec<&Row> = all.iter().flat_map(|findings| &findings.rows).collect();
    let references =
        in_order(rows.iter().flat_map(|row| &row.deviations).map(|one| &*one.reference));
    let values = in_order(rows.iter().flat_map(|row| &row.values).map(|value| &*value.name));
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut header: Vec<String> = RUN.map(String::from).to_vec();
    header.extend(["device", "iteration_error"].map(String::from));
    header
        .extend(references.iter().flat_map(|name| [format!("{name} max"), format!("{name} rms")]));
    header.extend(values.iter().map(ToString::to_string));
    table.write_record(header.iter().map(|name| plain_cell(name)))?;
    for row in rows {
        let mut line = of_run(row);
        for name in &references {
            let found = row.deviations.iter().find(|one| one.reference == *name);
            line.push(number(found.map(|one| one.max_error)));
            line.push(number(found.map(|one| one.rms_error)));
        }
        line.extend(values.iter().map(|name| number(row.value(name))));
        table.write_record(&line)?;
    }
    table.into_inner().map_err(|error| error.into_error().into())
}

fn limits(all: &[Findings]) -> csv::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "case",
        "value",
        "variant",
        "limit",
        "uncertainty",
        "order",
        "index",
        "published",
        "reference",
    ])?;
    for findings in all {
        for limit in &findings.limits {
            let LimitWords { limit: told, uncertainty, order, index } = limit.words();
            let agreement = findings.agreements.iter().find(|one| one.value == limit.value);
            let published = agreement.and_then(|one| one.published.as_ref());
            let (reference, is) = published.map_or(("", None), |(name, x)| (&**name, Some(*x)));
            let names =
                [&findings.study.name, &limit.value, &limit.variant].map(|name| plain_cell(name));
            let told = [told, uncertainty, order, index, number(is), plain_cell(reference)];
            table.write_record(names.into_iter().chain(told))?;
        }
    }
    table.into_inner().map_err(|error| error.into_error().into())
}

fn of_run(row: &Row) -> Vec<String> {
    let (expense, cells) = (&row.expense, row.cells.map(|n| n.to_string()));
    let [nx, ny, nz] = cells;
    vec![
        plain_cell(&row.case),
        plain_cell(&row.variant),
        row.method.to_owned(),
        row.grid.to_string(),
        nx,
        ny,
        nz,
        row.ended.word().to_owned(),
        plain_cell(row.ended.why()),
        expense.steps.to_string(),
        expense.iterations.to_string(),
        expense.cell_updates.to_string(),
        expense.wall_seconds.to_string(),
        expense.memory.to_string(),
        plain_cell(&expense.device),
        number(row.iteration_error),
    ]
}

/// Each name once, in the order of its first appearance.
fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// Empty where a run has no such number, `not found` where its flow has none.
fn number(x: Option<f64>) -> String {
    match x {
        Some(x) if x.is_finite() => x.to_string(),
        Some(_) => "not found".into(),
        None => String::new(),
    }
}

fn cannot(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::file(path, error, "make room, or give another folder with `--out`")
}
