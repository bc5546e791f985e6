//! Sources of kernels, embedded in the program.

/// The kernels of a method, compiled together. All files of `kernels/` have names relative to it.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name, such as "fdm".
    pub name: &'static str,
    /// The `.cu` files, one kernel each: name such as "fdm/relax.cu" and text.
    pub kernels: &'static [(&'static str, &'static str)],
    /// The `.cuh` files that they include: name such as "fdm/stencil.cuh" and text.
    pub headers: &'static [(&'static str, &'static str)],
}

/// A constant given to the compiler, such as ("REAL", "float").
pub type Definition = (&'static str, String);
