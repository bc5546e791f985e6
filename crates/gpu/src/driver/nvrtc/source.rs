//! One translation unit from the kernels of a program.

use crate::driver::Program;

/// The main file: it includes every kernel.
pub(super) fn main(program: &Program) -> String {
    program.kernels.iter().map(|(name, _)| format!("#include \"{name}\"\n")).collect()
}
