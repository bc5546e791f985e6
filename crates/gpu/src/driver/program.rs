//! Sources of kernels, embedded in the program.

/// A file below `kernels/`: its name, such as "fdm/relax.cu", and its text.
pub type Source = (&'static str, &'static str);

/// The kernels of a method, compiled together. All files of `kernels/` have names relative to it.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name, such as "fdm".
    pub name: &'static str,
    /// The `.cu` files, one kernel each: name such as "fdm/relax.cu" and text.
    pub kernels: &'static [Source],
    /// The `.cuh` files that they include: name such as "fdm/stencil.cuh" and text.
    pub headers: &'static [Source],
}

/// A constant given to the compiler, such as ("REAL", "float").
pub type Definition = (&'static str, String);
