//! `vortice matrix`

use vortice_core::Result;
use vortice_core::write_beside;
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
    write_beside(path, |file| sprs::io::write_matrix_market_to_bufwrite(file, &matrix))?;
    let (rows, entries) = (matrix.rows(), matrix.nnz());
    say::result(&format!("{}: {rows} rows, {entries} entries\n", path.display()))
}
