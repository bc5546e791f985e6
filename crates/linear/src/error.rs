//! What can be wrong with a linear system before it is solved.

/// Why no solver could be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The box of cells makes no sense.
    #[error("a box of {cells:?} cells of {widths:?}: {problem}")]
    Grid {
        /// Cells per direction.
        cells: [usize; 3],
        /// Widths of a cell.
        widths: [f64; 3],
        /// What is wrong with them.
        problem: &'static str,
    },
    /// The box is not shared among the ranks as it must be.
    #[error("{cells:?} cells cannot be cut at {starts:?}: {problem}")]
    Cut {
        /// Cells per direction.
        cells: [usize; 3],
        /// Where parts begin, per direction.
        starts: [Vec<usize>; 3],
        /// What is wrong with that.
        problem: &'static str,
    },
    /// The system refuses to start threads.
    #[error("{threads} threads cannot be started: {refusal}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        refusal: String,
    },
}
