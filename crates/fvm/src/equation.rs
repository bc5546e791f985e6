//! The equations of an outer iteration, row by row.

/// Which of the equations of an outer iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equation {
    /// A component of the momentum equations, relaxed; eq. (V8).
    Momentum,
    /// The pressure correction; eq. (V11).
    Pressure,
}

/// Coefficients of a cell's neighbours, low and high by direction, and its diagonal.
pub(crate) struct MatrixRow {
    pub(crate) neighbours: [[f64; 2]; 3],
    pub(crate) diagonal: f64,
}
