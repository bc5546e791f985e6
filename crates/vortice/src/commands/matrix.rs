//! `vortice matrix`

use vortice_core::{Error, Result};
use vortice_fvm::{Equation, matrix};

use crate::arguments::{EquationName, Matrix};
use crate::say;

/// Writes an operator of the finite volumes as a matrix.
pub(crate) fn execute(options: &Matrix) -> Result<()> {
    let case = options.choice.open(&[])?;
    let equation = match options.equation {
        EquationName::Momentum => Equation::Momentum,
        EquationName::Pressure => Equation::Pressure,
    };
    let matrix = matrix(&case, equation)?;
    let path = &options.out;
    let failed = |problem: &dyn std::fmt::Display| {
        Error::file(path, problem, "name a file in a folder that can be written to, with --out")
    };
    // Written beside and renamed, so that there is never half a file.
    let beside = path.with_extension("mtx.part");
    sprs::io::write_matrix_market(&beside, &matrix).map_err(|error| failed(&error))?;
    std::fs::rename(&beside, path).map_err(|error| failed(&error))?;
    let (rows, entries) = (matrix.rows(), matrix.nnz());
    say::result(&format!("{}: {rows} rows, {entries} entries\n", path.display()))
}
