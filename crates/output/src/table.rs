//! Tables of numbers as CSV.

use std::path::Path;

use vortice_core::Result;

use vortice_core::write_beside;

/// A word for a cell of a CSV table: what a spreadsheet would take for a formula gets a quote before it.
/// Numbers stay as they are.
pub fn plain_cell(word: &str) -> String {
    let is_formula = word.starts_with(['=', '+', '-', '@', '\t', '\r']) && word.len() > 1;
    if is_formula && word.parse::<f64>().is_err() { format!("'{word}") } else { word.to_owned() }
}

/// Writes a CSV table of numbers: one line of names, then the rows. Numbers are printed with as
/// many digits as it takes to read the same number back.
///
/// # Errors
/// If the file cannot be written; an older file of this name is then still there.
pub fn write_csv(
    path: impl AsRef<Path>,
    header: &[&str],
    rows: impl Iterator<Item = Vec<f64>>,
) -> Result<()> {
    write_beside(path.as_ref(), |file| {
        let mut table = csv::Writer::from_writer(file);
        table.write_record(header)?;
        for row in rows {
            table.write_record(row.iter().map(f64::to_string))?;
        }
        table.flush()
    })
}

#[cfg(test)]
mod tests {
    use super::plain_cell;

    #[test]
    fn words_are_no_formulas_and_numbers_stay_numbers() {
        for formula in ["=1+2", "+x", "-2+3", "@sum(a1)", "\t=1"] {
            assert_eq!(plain_cell(formula), format!("'{formula}"));
        }
        for word in ["-1.5e-3", "+2", "u min", "", "a=b", "-inf", "-"] {
            assert_eq!(plain_cell(word), word);
        }
    }
}
