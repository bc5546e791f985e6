//! The tables of a study: how it went, how far off, what it converges to, what it cost.

use vortice_core::format::{bytes, digits, duration, percent, significant};
use vortice_plot::{Cell, Column, Table, Tone};

use crate::comparison::accuracy::SHARES;
use crate::comparison::convergence::ZERO;
use crate::comparison::findings::{Agreement, Findings, Limit};
use crate::comparison::row::Row;
use vortice_post::{Extremes, ForceCourse};

/// Deviations of all runs from all references.
pub(super) fn deviations(findings: &Findings) -> Table {
    let mut columns = of_run();
    for reference in &findings.references {
        let accuracy = match &*reference.accuracy {
            "" => String::new(),
            accuracy => format!("; accuracy of the reference: {accuracy}"),
        };
        let help = format!("{}{accuracy}", reference.citation);
        columns.push(Column::numbers(&format!("{} largest", reference.name), &help));
        columns.push(Column::numbers(&format!("{} rms", reference.name), ""));
        columns.push(Column::numbers("order", ""));
    }
    let row = |row: &Row| {
        let mut cells = name_of(row);
        for reference in &findings.references {
            let found = row.deviations.iter().find(|one| one.reference == reference.name);
            cells.push(share(found.map(|one| one.max_error)));
            cells.push(share(found.map(|one| one.rms_error)));
            cells.push(order_since(findings, row, &reference.name));
        }
        cells
    };
    Table {
        caption: "Distance from each reference: shares of the velocity scale for profiles and \
                  extremes, of the published value for lengths"
            .into(),
        columns,
        rows: findings.rows.iter().map(row).collect(),
    }
}

/// The order with which the rms error fell since the next coarser grid of the same variant; the error
/// of the reference itself stops it.
fn order_since(findings: &Findings, row: &Row, reference: &str) -> Cell {
    let error = |row: &Row| {
        let found = row.deviations.iter().find(|one| one.reference == reference)?;
        (row.is_done() && found.rms_error > 0.0).then_some(found.rms_error)
    };
    let coarser = findings.rows_of(&row.variant).filter(|other| other.grid < row.grid).last();
    let order = coarser.and_then(|coarser| {
        let finer = row.grid as f64 / coarser.grid as f64;
        Some((error(coarser)? / error(row)?).ln() / finer.ln())
    });
    order.map_or_else(Cell::default, |order| Cell::number(order, format!("{order:.2}")))
}

/// Values on each grid, and what they lead to.
pub(super) fn limits(findings: &Findings) -> Table {
    let mut columns = vec![Column::words("value"), Column::words("method")];
    let grids = &findings.study.grids;
    columns.extend(grids.iter().map(|n| Column::numbers(&format!("on {n}"), "")));
    columns.push(Column::numbers(
        "order",
        "observed on the three finest grids; (2) is taken for granted on two",
    ));
    columns.push(Column::numbers(
        "limit",
        "Richardson's extrapolation to cells without size, with the digits that the index leaves; \
         none outside the asymptotic range",
    ));
    columns.push(Column::numbers(
        "±",
        "how far the limit may be off: the grid convergence index times the value on the finest grid",
    ));
    columns.push(Column::numbers(
        "GCI",
        "grid convergence index of the finest grid: the limit is expected within this share",
    ));
    columns.push(Column::numbers("published", ""));
    columns.push(Column::numbers("limit off by", "distance of the limit from what is published"));
    let agreement = |name: &str| findings.agreements.iter().find(|one| one.value == name);
    let names = findings.agreements.iter().map(|one| &*one.value);
    let rows =
        names.flat_map(|name| findings.limits.iter().filter(move |limit| limit.value == name));
    Table {
        caption: format!(
            "Values under refinement. What is below {ZERO:e} of its unit (the case's velocity, length, \
             their product or quotient) on all grids is zero"
        ),
        columns,
        rows: rows.map(|limit| limit_row(limit, agreement(&limit.value), grids)).collect(),
    }
}

fn limit_row(limit: &Limit, agreement: Option<&Agreement>, grids: &[usize]) -> Vec<Cell> {
    let mut cells = vec![Cell::word(&limit.value), Cell::word(&limit.variant)];
    for n in grids {
        let found = limit.on.iter().find(|(grid, _)| grid == n);
        cells.push(told(limit, found.map(|(_, x)| *x)));
    }
    let published = agreement.and_then(|one| Some(one.published.as_ref()?.1));
    let words = limit.words();
    match limit.convergence {
        Some(found) => cells.extend([
            Cell::number(found.order, words.order),
            Cell::number(found.limit, words.limit),
            Cell::number(found.uncertainty, words.uncertainty),
            Cell::number(found.index, words.index),
        ]),
        None => {
            let empty = Cell::default;
            cells.extend([empty(), Cell::number(f64::NAN, words.limit), empty(), empty()]);
        }
    }
    cells.push(value(published));
    let off = limit.convergence.zip(published.filter(|x| *x != 0.0));
    cells.push(share(off.map(|(found, published)| ((found.limit - published) / published).abs())));
    cells
}

/// The limits of all variants side by side, how far they are apart, and how far from what is published.
pub(super) fn agreements(findings: &Findings) -> Table {
    let variants = &findings.study.variants;
    let row = |one: &Agreement| {
        let published = one.published.as_ref();
        let mut cells = vec![Cell::word(&one.value)];
        for variant in variants {
            let limit = findings.limit(&variant.name, &one.value);
            cells.push(limit.map_or_else(Cell::default, |limit| {
                let value = limit.convergence.map_or(f64::NAN, |found| found.limit);
                Cell::number(value, limit.words().limit)
            }));
        }
        cells.push(share(one.spread));
        cells.push(value(published.map(|(_, x)| *x)));
        cells.push(share(one.error));
        cells.push(Cell::word(published.map_or("", |(reference, _)| reference)));
        cells
    };
    let mut columns = vec![Column::words("value")];
    columns.extend(variants.iter().map(|variant| Column::numbers(&variant.name, "")));
    columns.extend([
        Column::numbers("apart", "largest minus smallest limit, as a share of their mean"),
        Column::numbers("published", ""),
        Column::numbers("at most off by", "distance of a limit from what is published, as a share"),
        Column::words("reference"),
    ]);
    Table {
        caption: "What each method converges to".into(),
        columns,
        rows: findings.agreements.iter().map(row).collect(),
    }
}

/// The forces of all runs that do not repeat themselves: their ends.
pub(super) fn ends(findings: &Findings) -> Table {
    let mut columns = of_run();
    columns.push(Column::words("body"));
    columns.push(Column::numbers("from", "flow time in s from which on they count"));
    for name in ["drag min", "drag max", "lift min", "lift max"] {
        columns.push(Column::numbers(name, ""));
        columns.push(Column::numbers("at", ""));
    }
    let row = |(row, found): (&Row, &Extremes)| {
        let moments = [found.drag.min, found.drag.max, found.lift.min, found.lift.max];
        let cells = moments.into_iter().flat_map(|one| [value(Some(one.value)), time(one.time)]);
        let first = [Cell::word(&found.body), time(found.from)];
        name_of(row).into_iter().chain(first).chain(cells).collect()
    };
    let of_row = |row| ends_of(row).map(move |found| (row, found));
    Table {
        caption: "Forces that do not repeat themselves: smallest and largest coefficients, each with its flow \
                  time in s"
            .into(),
        columns,
        rows: findings.rows.iter().flat_map(of_row).map(row).collect(),
    }
}

/// What the forces of a run reached that do not repeat themselves.
fn ends_of(row: &Row) -> impl Iterator<Item = &Extremes> {
    row.courses.iter().filter_map(ForceCourse::extremes)
}

/// A flow time in s.
fn time(t: f64) -> Cell {
    Cell::number(t, digits(t, 4))
}

/// How long each variant takes to come near to its own limit.
pub(super) fn accuracies(findings: &Findings) -> Table {
    let judged = findings.judged();
    let mut columns = vec![Column::words("method")];
    columns.extend(
        SHARES.map(|share| Column::numbers(&format!("{} %", significant(100.0 * share)), "")),
    );
    let row = |limit: &&Limit| {
        let cost = |share| match findings.near(limit, share) {
            Some(row) => {
                let seconds = row.expense.wall_seconds;
                Cell::number(seconds, format!("{} on {}", duration(seconds), row.cells_words()))
            }
            None => Cell::word("on none of these grids"),
        };
        [&[Cell::word(&limit.variant)], &SHARES.map(cost)[..]].concat()
    };
    let value = judged.first().map_or("", |limit| &limit.value);
    Table {
        caption: format!(
            "What it costs that {value} is so near to what the same method's grids lead to, and stays so on finer \
             ones: time of the steps, and the grid"
        ),
        columns,
        rows: judged.iter().map(row).collect(),
    }
}

/// What each run cost and how it ended.
pub(super) fn expenses(findings: &Findings) -> Table {
    let mut columns = of_run();
    columns.extend([
        Column::words("end"),
        Column::numbers(
            "iteration error",
            "how far the velocity was from where it would have ended, a share of the velocity scale",
        ),
        Column::numbers("steps", "time steps, or outer iterations of a method that iterates"),
        Column::numbers("inner iterations", "of the linear solver"),
        Column::numbers("cell updates", "cells times steps"),
        Column::numbers("time", "wall-clock time of the steps"),
        Column::numbers("updates/s", "cell updates per second of wall-clock time, in millions"),
        Column::numbers("memory", "that the method asks for"),
        Column::numbers(
            "mass balance",
            "what enters and does not leave, as a share of what enters",
        ),
    ]);
    let has_heat = findings.rows.iter().any(|row| row.heat_imbalance.is_some());
    if has_heat {
        let words = "heat that enters and does not leave, as a share of what enters";
        columns.push(Column::numbers("heat balance", words));
    }
    columns.push(Column::words("on"));
    let told = remarks(findings);
    let row = |row: &Row| {
        let expense = &row.expense;
        let speed = expense.cell_updates / expense.wall_seconds.max(1e-9) / 1e6;
        let mut cells = name_of(row);
        cells.extend([
            end_of(row, &told),
            tiny(row.iteration_error),
            Cell::number(expense.steps as f64, expense.steps.to_string()),
            Cell::number(expense.iterations as f64, expense.iterations.to_string()),
            Cell::number(expense.cell_updates, digits(expense.cell_updates, 3)),
            Cell::number(expense.wall_seconds, duration(expense.wall_seconds)),
            Cell::number(speed, format!("{} M", digits(speed, 3))),
            Cell::number(expense.memory, bytes(expense.memory)),
            tiny(row.imbalance),
        ]);
        cells.extend(has_heat.then(|| tiny(row.heat_imbalance)));
        cells.push(Cell::word(&expense.device));
        cells
    };
    Table {
        caption: "How each run ended and what it cost".into(),
        columns,
        rows: findings.rows.iter().map(row).collect(),
    }
}

fn of_run() -> Vec<Column> {
    vec![Column::words("method"), Column::numbers("cells", "")]
}

fn name_of(row: &Row) -> Vec<Cell> {
    vec![Cell::word(&row.variant), Cell::number(row.grid as f64, row.cells_words())]
}

/// How a run ended, with the numbers of what is said of it below the table.
fn end_of(row: &Row, told: &[Remark<'_>]) -> Cell {
    let numbers = told.iter().enumerate().filter(|(_, one)| std::ptr::eq(one.row, row));
    let numbers: Vec<String> = numbers.map(|(n, _)| format!("[{}]", n + 1)).collect();
    let word = match row.ended.word() {
        "done" if row.reused => "done, taken over",
        word => word,
    };
    let words = [&[word.to_owned()], &numbers[..]].concat().join(" ");
    let tone = if row.is_done() { Tone::Plain } else { Tone::Bad };
    Cell::word(words).with_tone(tone)
}

/// What is said of a run: why it failed, or a warning.
pub(super) struct Remark<'a> {
    row: &'a Row,
    /// `[1] lbm on 32 x 32 diverged: ...`
    pub(super) text: String,
}

/// What is said of runs below the table of their costs, numbered.
pub(super) fn remarks(findings: &Findings) -> Vec<Remark<'_>> {
    let all = findings.rows.iter().flat_map(|row| said_of(row).map(move |text| (row, text)));
    let numbered = all.enumerate().map(|(n, (row, text))| (row, format!("[{}] {text}", n + 1)));
    numbered.map(|(row, text)| Remark { row, text }).collect()
}

fn said_of(row: &Row) -> impl Iterator<Item = String> {
    let Row { variant, ended, warnings, .. } = row;
    let why = (!row.is_done()).then(|| format!("{}: {}", ended.word(), ended.why()));
    let all = why.into_iter().chain(warnings.iter().map(|one| format!("warning: {one}")));
    all.map(move |text| format!("{variant} on {}, {text}", row.grid_words()))
}

/// A number of any size that is best zero.
fn tiny(x: Option<f64>) -> Cell {
    x.map_or_else(Cell::default, |x| Cell::number(x, format!("{x:.1e}")))
}

fn share(x: Option<f64>) -> Cell {
    x.map_or_else(Cell::default, |x| Cell::number(x, percent(x)))
}

/// A value with the digits that are known of it.
fn told(limit: &Limit, x: Option<f64>) -> Cell {
    x.map_or_else(Cell::default, |x| Cell::number(x, limit.told(x)))
}

fn value(x: Option<f64>) -> Cell {
    x.map_or_else(Cell::default, |x| Cell::number(x, digits(x, 6)))
}
