//! Writing what was measured into a file of checks.

use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, Value, value};
use vortice_core::write_beside;
use vortice_core::{Error, Result};

use super::checks::Check;
use super::row::Row;

/// Writes the errors of rows as `measured` into the file that their checks were read from, how long each method took as `seconds`,
/// and today's date and the machine as `measured-on`. Where several methods share a judgement the largest counts; what
/// was not measured, and the judgements that have no `measured`, stay as they are.
///
/// # Errors
/// If the file cannot be read or written, or is not the one that the checks came from.
pub fn write_measured(
    path: &Path,
    checks: &[Check],
    rows: &[(&Check, Vec<Row>)],
    measured_on: &str,
) -> Result<()> {
    let unfit = |error: &dyn std::fmt::Display| {
        Error::file(path, error, "name the file of checks that was read")
    };
    let text = std::fs::read_to_string(path).map_err(|error| unfit(&error))?;
    let mut document: DocumentMut = text.parse().map_err(|error| unfit(&error))?;
    document["measured-on"] = value(measured_on);
    for (number, check) in checks.iter().enumerate() {
        let of_check = || rows.iter().filter(|(of, _)| std::ptr::eq(*of, check));
        for (which, _) in check.judge.iter().enumerate() {
            // A run that failed has one row only, whatever was to be judged, without an error.
            let errors = of_check().filter_map(|(_, rows)| Some(rows.get(which)?.error));
            let largest = errors.fold(f64::NAN, f64::max);
            if largest.is_finite()
                && let Some(old) = measured(&mut document, number, which)
            {
                let decor = old.decor().clone();
                *old = three_digits(largest);
                *old.decor_mut() = decor;
            }
        }
        let ended =
            of_check().filter_map(|(_, rows)| rows.iter().find(|row| row.error.is_finite()));
        let mut all = ended.map(|row| (row.method.clone(), three_digits(row.seconds))).peekable();
        if all.peek().is_some()
            && let Some(table) = of(&mut document, number)
        {
            let mut seconds = table.get("seconds").and_then(Item::as_inline_table).cloned();
            seconds.get_or_insert_default().extend(all);
            table["seconds"] = value(seconds.unwrap_or_default());
        }
    }
    let text = document.to_string();
    write_beside(path, |file| file.write_all(text.as_bytes()))
}

/// The value of `measured` of a judgement.
fn measured(document: &mut DocumentMut, check: usize, judgement: usize) -> Option<&mut Value> {
    let judge = of(document, check)?.get_mut("judge")?.as_array_mut()?;
    judge.get_mut(judgement)?.as_inline_table_mut()?.get_mut("measured")
}

/// The table of a check.
fn of(document: &mut DocumentMut, check: usize) -> Option<&mut Table> {
    document.get_mut("check").and_then(Item::as_array_of_tables_mut)?.get_mut(check)
}

/// An error to three digits, rounded up: 0.00352, 1.09e-12.
fn three_digits(error: f64) -> Value {
    let error = error.max(f64::MIN_POSITIVE);
    let unit = 10_f64.powi(error.log10().floor() as i32 - 2);
    let words = format!("{:.2e}", (error / unit).ceil() * unit);
    // By way of decimal digits, so that the file does not read 0.0035200000000000003.
    let rounded = words.parse().unwrap_or(error);
    let short = if rounded < 1e-4 { words.parse() } else { Ok(Value::from(rounded)) };
    short.unwrap_or_else(|_| Value::from(rounded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::{Checks, Verdict};

    const TEXT: &str = "# Comments stay.\nmeasured-on = \"2020-01-01\"\n\n[[check]]\n\
        case = \"couette\"\nmethods = [\"fdm\", \"fvm\"]\nsuite = \"quick\"\n\
        judge = [\n    { reference = \"exact-couette\", measured = 1e-3, why = \"so\" },\n]\n";

    fn row(error: f64) -> Row {
        Row { error, ..crate::validation::row::example("couette", Verdict::Pass) }
    }

    #[test]
    fn the_largest_error_of_all_methods_is_written_and_nothing_else_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, TEXT).unwrap();
        let checks = Checks::read(&path).unwrap().list;
        let rows = [(&checks[0], vec![row(2.3451e-6)]), (&checks[0], vec![row(1e-7)])];
        write_measured(&path, &checks, &rows, "2026-11-22").unwrap();
        let expected = TEXT.replace("2020-01-01", "2026-11-22").replace("1e-3", "2.35e-6");
        let expected = format!("{expected}seconds = {{ fdm = 1.25 }}\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        // A run that failed has measured nothing.
        write_measured(&path, &checks, &[(&checks[0], vec![row(f64::NAN)])], "2026-11-22").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }
}
